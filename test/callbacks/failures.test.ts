import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import pino from 'pino'
import { eventually } from '../eventually.ts'
import { startTestGateway, type TestGateway } from '../gateway.ts'
import { type Files, files, startFiles } from '../media/outgoing/files.ts'
import { accept, callbackOf, lineMetadata, postCallback, type Received, statusCallback } from '../upstream.ts'
import { callbackUrl, messageData, report, second, status, text, timeline } from './report.ts'

let gateway: TestGateway
let fileServer: Files
let logged: Record<string, unknown>[]

beforeEach(async () => {
  logged = []
  const log = pino({ base: null }, { write: line => void logged.push(JSON.parse(line)) })
  fileServer = startFiles(() => new Response(files.png, { headers: { 'content-type': 'image/png' } }))
  gateway = await startTestGateway({ env: { MEDIA_ALLOWED_NETWORKS: '127.0.0.0/8' }, log })
  let uploads = 0
  gateway.upstream.answer = request => {
    if (request.path.endsWith('/messages')) return accept(request)
    uploads += 1
    return Response.json({ id: String(uploads) })
  }
  gateway.upstream.listing = () => Response.json({ data: [] })
  await gateway.addTemplates({ name: 'photo', components: '[{"type":"HEADER","format":"IMAGE"}]' })
})
afterEach(async () => {
  await gateway.stop()
  fileServer.stop()
})

const photo = (name: string) =>
  gateway.send({
    type: 'template',
    phone: '+4915112345678',
    phoneNumberId: gateway.line.id,
    templateName: 'photo',
    templateVariables: { header_link: `${fileServer.url}/${name}.png` },
  })
const mediaIdIn = ({ json }: Received) =>
  (json.template as { components: { parameters: { image: { id: string } }[] }[] }).components[0]?.parameters[0]?.image
    .id
/** The media ids of the messages that the upstream was sent, in their order. */
const mediaIds = () => gateway.upstream.received.filter(({ json }) => json.template !== undefined).map(mediaIdIn)
const listings = () => gateway.upstream.listings.length

const failed = (wamid: string, ...errors: readonly unknown[]) => status(wamid, 'failed', second, { errors })
const warnings = () => logged.filter(({ level }) => level === pino.levels.values.warn)
const alerts = () => logged.filter(({ level }) => level === pino.levels.values.error)

describe('a failure that comes as a callback teaches what a refusal would', () => {
  test.each([
    ['131053', { code: 131053, title: 'Media upload error' }],
    ['100/33', { code: 100, error_subcode: 33, message: "Object with ID '1' does not exist" }],
  ])('%s: the file is uploaded anew for the next send, and once for all failures of the old one', async (_, error) => {
    const old = [await photo('a'), await photo('a')].map(({ json }) => json.data.channelMessageId)
    await report(gateway, failed(old[0], error))
    await photo('a')
    await report(gateway, failed(old[0], error), failed(old[1], error))
    await photo('a')
    expect(mediaIds()).toEqual(['1', '1', '2', '2'])
  })

  test('any other code leaves the uploaded file in use', async () => {
    const { json } = await photo('a')
    await report(gateway, failed(json.data.channelMessageId, { code: 131049, title: 'Not delivered' }))
    await photo('a')
    expect(mediaIds()).toEqual(['1', '1'])
  })

  test('a failure on another line, or of a message that is not ours, forgets no file', async () => {
    await photo('a')
    const line = await gateway.addLine()
    const { json } = await gateway.send({ ...text, phoneNumberId: line.id })
    expect(json.data.status).toBe('SENT')
    const error = { code: 131053, title: 'Media upload error' }
    await report(gateway, failed(json.data.channelMessageId, error), failed('wamid.nobody', error))
    await photo('a')
    expect(mediaIds()).toEqual(['1', '1'])
  })

  test.each([132001, 132015, 132016])('%d: the templates are listed anew', async code => {
    const { json } = await gateway.send(text)
    await report(gateway, failed(json.data.channelMessageId, { code, title: 'Template is paused' }))
    await eventually(() => expect(listings()).toBe(1))
  })

  test('what stops the account is told to the operator, once for a whole body', async () => {
    const sends = [await gateway.send(text), await gateway.send(text)]
    const blocked = sends.map(({ json }) =>
      failed(json.data.channelMessageId, { code: 131042, title: 'Payment issue' }),
    )
    await report(gateway, ...blocked, failed('wamid.nobody', { code: 131049, title: 'Not delivered' }))
    expect(alerts()).toMatchObject([{ channelId: gateway.channelId, code: 131042 }])
    expect((await messageData(gateway, sends[0]?.json.data.id)).status).toBe('FAILED')
  })
})

test('an access token that a callback repeats is neither stored, answered nor logged, and 8 KB of an error are kept', async () => {
  const { json } = await gateway.send(text)
  // The channel's own, as the test gateway has it, and one of the upstream's form.
  const accessToken = 'access-token'
  const other = `EAAG${'x'.repeat(40)}`
  const error = {
    code: 131042,
    title: `Payment issue with ${accessToken}`,
    message: `token ${other}`,
    error_data: { details: `the token ${accessToken}`, more: [accessToken] },
    href: `https://a.example/?access_token=${accessToken}`,
    rest: 'y'.repeat(100_000),
  }
  await report(gateway, failed(json.data.channelMessageId, error))
  await tell({ field: 'messages', value: { metadata: lineMetadata, errors: [{ ...error, code: 130429 }] } })
  const message = await messageData(gateway, json.data.id)
  expect(message).toMatchObject({ status: 'FAILED', failureReason: '131042: the token (hidden)' })
  const everything = JSON.stringify([message, await timeline(gateway, json.data.id), logged])
  expect(everything).toContain('Payment issue with (hidden)')
  for (const token of [accessToken, other]) expect(everything).not.toContain(token)
  expect(everything.length).toBeLessThan(20_000)
})

/** Posts changes of the account, signed. */
const tell = (...changes: readonly object[]) =>
  postCallback(callbackUrl(gateway), callbackOf(changes, { time: second }), gateway.appSecret)

describe('nothing is taken without a word', () => {
  test('account errors: an account that is locked alerts the operator, anything else is a warning', async () => {
    const throttled = { code: 130429, title: 'Rate limit hit', error_data: { details: 'Message failed to send.' } }
    const errors = [{ code: 131031, title: 'Account locked' }, throttled, throttled]
    expect((await tell({ field: 'messages', value: { metadata: lineMetadata, errors } })).status).toBe(200)
    expect(alerts()).toMatchObject([{ channelId: gateway.channelId, code: 131031 }])
    expect(warnings()).toMatchObject([{ channelId: gateway.channelId, code: 130429, title: 'Rate limit hit' }])
  })

  test('a field that nobody reads is named, with its event', async () => {
    await tell(
      { field: 'group_status_update', value: { event: 'SUSPENDED' } },
      { field: 'calls', value: { calls: [] } },
      { field: 'calls', value: {} },
    )
    expect(warnings().map(({ kind }) => kind)).toEqual(['group_status_update SUSPENDED', 'calls'])
  })

  test("statuses that name another channel's message are a warning: they move nothing", async () => {
    const other = await gateway.addWorkspace()
    const { json } = await gateway.send(text)
    const { id, channelMessageId } = json.data
    const strayed = statusCallback(
      status(channelMessageId, 'read', second, { biz_opaque_callback_data: id }),
      status(channelMessageId, 'read', second, { biz_opaque_callback_data: 'of another system' }),
    )
    await postCallback(callbackUrl(gateway, other.channelId), strayed, gateway.appSecret)
    expect(warnings()).toMatchObject([{ channelId: other.channelId, reports: 1 }])
    expect((await messageData(gateway, id)).status).toBe('SENT')
  })

  test('what a body can make us log is bounded, and so is what it costs its neighbours', async () => {
    const { json } = await gateway.send(text)
    const many = Array.from({ length: 500 }, (_, index) => ({ field: `${index}${'x'.repeat(1_000)}`, value: {} }))
    const errors = Array.from({ length: 500 }, (_, code) => ({ code: 900_000 + code }))
    const statuses = [status(json.data.channelMessageId, 'read')]
    await tell(...many, { field: 'messages', value: { metadata: lineMetadata, errors, statuses } })
    expect(JSON.stringify(logged).length).toBeLessThan(10_000)
    expect((await messageData(gateway, json.data.id)).status).toBe('READ')
  })

  test.each([
    ['message_template_components_update', {}],
    ['template_category_update', { previous_category: 'UTILITY', new_category: 'MARKETING' }],
  ])('%s: the templates are listed anew', async (field, value) => {
    const template = { message_template_name: 'photo', message_template_language: 'en_US' }
    await tell({ field, value: { ...template, ...value } })
    await eventually(() => expect(listings()).toBe(1))
    expect(warnings()).toEqual([])
  })
})
