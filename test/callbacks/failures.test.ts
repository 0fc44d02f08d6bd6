import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import pino from 'pino'
import { eventually } from '../eventually.ts'
import { startTestGateway, type TestGateway } from '../gateway.ts'
import { type Files, files, startFiles } from '../media/files.ts'
import { accept, type Received } from '../upstream.ts'
import { messageData, report, second, status, text } from './report.ts'

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
    return Response.json(request.method === 'GET' ? { data: [] } : { id: String(uploads) })
  }
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
const listings = () => gateway.upstream.received.filter(({ method }) => method === 'GET').length

const failed = (wamid: string, ...errors: readonly unknown[]) => status(wamid, 'failed', second, { errors })
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
