import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { graphTokenOf } from '../../src/base/graphToken.ts'
import { report, second, status } from '../callbacks/report.ts'
import { addPerson, type Person } from '../console/people.ts'
import { sharedFixture } from '../fixture.ts'
import { answerOf, startTestGateway } from '../gateway.ts'
import { accept, graphError } from '../upstream.ts'
import { phone } from './catalog.ts'

const buttons = (...list: readonly object[]) => ({ type: 'BUTTONS', buttons: list })
const text = (value: string) => ({ type: 'text', text: value })
/** A listed record, as the listing of the upstream and the store have it. */
const records = {
  shop: [
    { type: 'HEADER', format: 'IMAGE' },
    { type: 'BODY', text: 'Our shop is open.' },
    buttons(
      { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+12025550123' },
      { type: 'URL', text: 'About', url: 'https://shop.example/about' },
    ),
  ],
  case: [
    { type: 'HEADER', format: 'TEXT', text: 'Hello, {{agent}}.' },
    { type: 'BODY', text: 'Case of {{customer}} is open.' },
  ],
  login: [
    { type: 'BODY', text: '*{{1}}* is your code.' },
    buttons({ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy' }),
  ],
  hola: [{ type: 'BODY', text: 'Hola {{1}}' }],
} as const
const stored = Object.entries(records).map(([name, components]) => ({
  name,
  language: name === 'hola' ? 'es' : 'en_US',
  category: name === 'login' ? 'AUTHENTICATION' : 'UTILITY',
  parameterFormat: name === 'case' ? 'NAMED' : 'POSITIONAL',
  components: JSON.stringify(components),
}))

const gateway = sharedFixture(() => startTestGateway({ env: { GRAPH_API: 'on' } }))
beforeAll(() => gateway.addTemplates(...stored))
beforeEach(() => refuseWith(132000))
afterEach(() => {
  gateway.upstream.answer = accept
})

const words = 'body: number of localizable_params (1) does not match the expected number of params (2)'
function refuseWith(code: number, more: object = {}) {
  gateway.upstream.answer = () =>
    graphError(400, { code, message: `(#${code}) No`, error_data: { details: words }, ...more })
}

const send = (templateName: string, templateComponents: readonly object[], templateLanguage?: string) =>
  gateway.send({
    type: 'template',
    phone,
    templateName,
    templateComponents,
    ...(templateLanguage && { templateLanguage }),
  })

const agent = { type: 'header', parameters: [text('Ana')] }
const customer = { type: 'body', parameters: [{ ...text('Bo'), parameter_name: 'customer' }] }

describe('400: what the upstream refused is compared with the listed template', () => {
  test.each([132000, 132001, 132012, 132018, 100, 131008, 131009])(
    '%d, in the answer and in the timeline',
    async code => {
      refuseWith(code)
      const { status, json } = await send('shop', [
        { type: 'button', sub_type: 'phone_number', index: '0', parameters: [text('+12025550100')] },
        { type: 'button', sub_type: 'url', index: '1', parameters: [text('https://shop.example/about')] },
      ])
      expect([status, json.error, json.details.details]).toEqual([400, 'CHANNEL_GRAPH_ERROR', words])
      expect(json.message).toContain(words)
      const { issues } = json.details
      expect(issues.map(({ path }: { path: string }) => path)).toEqual([
        '/templateComponents',
        '/templateComponents/0/sub_type',
        '/templateComponents/1/parameters/0/text',
      ])
      const timeline = await gateway.gateway.store.read.timeline(json.details.messageId)
      expect(timeline.find(({ kind }) => kind === 'refused')?.detail).toMatchObject({ code, details: words, issues })
    },
  )

  test.each<[string, string, readonly object[], string, RegExp]>([
    ['a name that is missing', 'case', [agent, customer], '/templateComponents/0/parameters/0/parameter_name', /agent/],
    ['a header that is missing', 'case', [customer], '/templateComponents', /header component.*{{agent}}/],
    [
      'a code without its button',
      'login',
      [{ type: 'body', parameters: [text('1')] }],
      '/templateComponents',
      /button/,
    ],
  ])('%s', async (_what, name, components, path, message) => {
    const { json } = await send(name, components)
    expect(json.details.issues[0]).toEqual({ path, message: expect.stringMatching(message) })
  })

  test.each([
    ['es_ES', /must be es: /],
    ['ES', /must be es: /],
    [undefined, null],
  ])('a language in another spelling: %p', async (language, message) => {
    refuseWith(132001)
    const { json } = await send('hola', [{ type: 'body', parameters: [text('Ana')] }], language)
    expect(json.details.issues).toEqual(
      message ? [{ path: '/templateLanguage', message: expect.stringMatching(message) }] : undefined,
    )
  })
})

describe('a refusal that comes by callback is explained to who looks at the message', () => {
  let person: Person
  beforeAll(async () => {
    person = await addPerson(gateway, 'viewer')
  })
  beforeEach(() => {
    gateway.upstream.answer = accept
  })
  const components = [{ type: 'button', sub_type: 'phone_number', index: '0', parameters: [text('+12025550100')] }]

  async function refusedLater(code: number, sent = send('shop', components)): Promise<string> {
    const { id, channelMessageId } = (await sent).json.data
    const error = { code, title: 'No', message: 'No', error_data: { details: words } }
    const { status: answered } = await report(gateway, status(channelMessageId, 'failed', second, { errors: [error] }))
    expect(answered).toBe(200)
    return id
  }
  const lastOf = async (id: string) => {
    const { json } = await person.call(`/api/v1/workspaces/${gateway.workspaceId}/messages/${id}`)
    return json.timeline.at(-1)
  }

  test.each([132000, 132001, 132012, 132018, 100, 131008, 131009])('%d, as in an answer', async code => {
    const entry = await lastOf(await refusedLater(code))
    refuseWith(code)
    const { issues } = (await send('shop', components)).json.details
    expect(issues).toHaveLength(2)
    expect(entry).toMatchObject({ event: 'failed', issues, detail: { issues, errors: [{ code }] } })
  })

  test('but not of another code, of what fits, of a text, or once the request is not stored any more', async () => {
    const fits = () => send('hola', [{ type: 'body', parameters: [text('Ana')] }])
    const unexplained = [
      await refusedLater(131049),
      await refusedLater(132000, fits()),
      await refusedLater(100, gateway.send({ type: 'text', phone, content: 'Hi' })),
    ]
    const forgotten = await refusedLater(132000)
    await gateway.gateway.store.write.pruneContents({ createdBefore: Date.now() + 1, limit: 1_000 })
    for (const id of [...unexplained, forgotten])
      expect(await lastOf(id)).toMatchObject({ event: 'failed', issues: [] })
  })
})

test('what fits, what is no template, and what is about a file or the account is not explained', async () => {
  const fits = [{ type: 'body', parameters: [text('Ana')] }]
  const refusals: [object, () => Promise<{ json: { details: object } }>][] = [
    [{ code: 131009 }, () => send('hola', fits)],
    [{ code: 100 }, () => gateway.send({ type: 'text', phone, content: 'Hi' })],
    [{ code: 131047 }, () => send('hola', [])],
    [{ code: 131053 }, () => send('hola', [])],
    [{ code: 100, error_subcode: 33, message: "Object with ID '1' does not exist" }, () => send('hola', [])],
  ]
  for (const [error, refused] of refusals) {
    gateway.upstream.answer = () => graphError(400, { message: 'No', ...error })
    expect((await refused()).json.details).not.toHaveProperty('issues')
  }
})

test('a replay is answered with the same problems', async () => {
  const body = { type: 'template', phone, templateName: 'hola', templateComponents: [], idempotencyKey: 'again' }
  const [first, second] = await Promise.all([gateway.send(body), gateway.send(body)])
  expect(second.json).toEqual(first.json)
  expect(first.json.details.issues).toHaveLength(1)
})

test('by /graph, beside the words of the platform and in its names', async () => {
  const { apiKey, apiSecret } = await gateway.createKey({ scopes: ['graph', 'messages:send'] })
  const components = [{ type: 'body', parameters: [text('Ana\nBo')] }]
  const template = { name: 'hola', language: { code: 'es_ES' }, components }
  const { status, json } = await answerOf(
    fetch(`${gateway.url}/graph/v23.0/${gateway.line.upstreamPhoneId}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${graphTokenOf(apiKey, apiSecret)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ messaging_product: 'whatsapp', to: phone, type: 'template', template }),
    }),
  )
  expect([status, json.error.code, json.error.message]).toEqual([400, 132000, '(#132000) No'])
  expect(json.error.error_data.details).toBe(
    `${words} (template.language.code: must be es: approved is this spelling alone; template.components.0.parameters.` +
      '0.text: must not contain a line break, a tab or more than 4 spaces in a row)',
  )
})
