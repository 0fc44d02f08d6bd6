import { afterEach, beforeAll, expect, test } from 'bun:test'
import { issuesMax } from '../../src/base/issues.ts'
import { monthOf } from '../../src/message/plan.ts'
import { sharedFixture } from '../fixture.ts'
import { answerOf, type Key, startTestGateway } from '../gateway.ts'
import { catalog, phone } from './catalog.ts'

const files = {
  name: 'files',
  components: JSON.stringify([
    { type: 'HEADER', format: 'DOCUMENT' },
    { type: 'BODY', text: 'Your invoice {{1}}' },
  ]),
}
const waiting = { name: 'waiting', status: 'PENDING', components: '[]' }
const gateway = sharedFixture(startTestGateway)
beforeAll(() => gateway.addTemplates(...catalog, files, waiting))
afterEach(() => {
  expect(gateway.upstream.received).toEqual([])
})

const checkAs = (key: Key, body: unknown, headers: Record<string, string> = {}) =>
  answerOf(
    fetch(`${gateway.url}/api/v1/public/messages/check`, {
      method: 'POST',
      headers: { ...key, 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  )
const check = async (body: object) => {
  const { status, json } = await checkAs(gateway.key, body)
  expect([status, json.success]).toEqual([200, true])
  expect(json.data.sendable).toBe(json.data.problems.length === 0)
  return json.data
}
const template = (templateName: string, fields: object) => ({ type: 'template', phone, templateName, ...fields })
const named = (problems: { error: string; path: string }[]) => problems.map(({ error, path }) => `${error} ${path}`)
const texts = (...values: string[]) => values.map(value => ({ type: 'text', text: value }))

test('what would go upstream is what a send sends, and the text is what a person reads', async () => {
  const sale = template('sale', { templateVariables: { 1: 'SAVE20', 2: '5' } })
  const cards = template('cards', {
    templateVariables: { 1: 'Ada', c0_1: 'one', c1_1: 'two', c0_header: '1', c1_header: '2' },
  })
  const list = {
    type: 'list',
    body: { text: 'Choose' },
    action: {
      button: 'Open',
      sections: [
        {
          rows: [
            { id: 'a', title: 'Tea' },
            { id: 'b', title: 'Coffee' },
          ],
        },
      ],
    },
  }
  const bodies: [object, string | null][] = [
    [{ type: 'text', phone, content: 'Hello' }, 'Hello'],
    [{ type: 'interactive', phone, content: JSON.stringify(list) }, 'Choose\nTea\nCoffee'],
    [{ type: 'image', phone, mediaId: '17', caption: 'A box' }, 'A box'],
    [{ type: 'audio', phone, mediaId: '17' }, null],
    [
      sale,
      'Act fast, SAVE20!\nCode SAVE20 expires in 5 days\nLucky Shrub\n( Stop )\n( Open: https://x.example/SAVE20 )',
    ],
    [
      template('order', { templateComponents: [{ type: 'body', parameters: texts('Ada', '1001') }] }),
      'Hi Ada, your order 1001 is confirmed.',
    ],
    [
      cards,
      [
        'For Ada',
        '--- card 0 ---\n[image]\nCard one\n( More )\n( Open: https://x.example/one )',
        '--- card 1 ---\n[image]\nOther two\n( More )\n( Open: https://x.example/two )',
      ].join('\n'),
    ],
  ]
  for (const [body, text] of bodies) {
    const checked = await check(body)
    expect([checked.problems, checked.text]).toEqual([[], text])
    expect((await gateway.send(body)).status).toBe(201)
    const { biz_opaque_callback_data: id, ...sent } = gateway.upstream.received.splice(0)[0]?.json ?? {}
    expect(id).toStartWith('msg_')
    expect(checked.request).toEqual(sent)
  }
})

test('nothing is stored, counted or kept for the key', async () => {
  const { store } = gateway.gateway
  const plan = () => store.read.plan({ workspaceId: gateway.workspaceId, month: monthOf(Date.now()) })
  const [messages, before] = [await gateway.messages(), await plan()]
  const body = { type: 'text', phone, content: 'Hello', idempotencyKey: 'once' }
  expect((await check(body)).sendable).toBe(true)
  expect([await gateway.messages(), await plan()]).toEqual([messages, before])
  const { status, json } = await gateway.send(body)
  expect([status, json.data.idempotentReplay]).toEqual([201, false])
  gateway.upstream.received.length = 0
  expect((await check(body)).problems).toEqual([])
  expect(named((await check({ ...body, content: 'Other' })).problems)).toEqual(['IDEMPOTENCY_CONFLICT /idempotencyKey'])
})

test('a file is named, not uploaded, and its address is not asked', async () => {
  const link = 'https://files.example/Invoice%2017.pdf'
  const { problems, request } = await check(template('files', { templateVariables: { 1: 'A-1', header_link: link } }))
  expect(problems).toEqual([])
  expect(request.template.components[0]).toEqual({
    type: 'header',
    parameters: [{ type: 'document', document: { id: `(upload of ${link})`, filename: 'Invoice 17.pdf' } }],
  })
})

test.each<[string, object, string[]]>([
  [
    'of the form',
    { type: 'text', phone: '12', color: 'red' },
    ['VALIDATION_ERROR /content', 'VALIDATION_ERROR /color', 'VALIDATION_ERROR /phone'],
  ],
  [
    'of the line, the recipient and what it answers, all at once',
    { type: 'text', contactId: 'contact_0', phoneNumberId: 'line_0', replyTo: 'msg_0', content: 'Hi' },
    ['PHONE_NUMBER_NOT_FOUND /phoneNumberId', 'NOT_FOUND ', 'NOT_FOUND '],
  ],
  [
    'of the window and the values of a template, all at once',
    template('order', { templateVariables: { 1: 'a\nb', 3: 'c' } }),
    [
      'VALIDATION_ERROR /templateVariables/1',
      'VALIDATION_ERROR /templateVariables/3',
      'VALIDATION_ERROR /templateVariables/2',
    ],
  ],
  [
    'of the window',
    { type: 'text', phone, content: 'Hi', requireOpenWindow: true },
    ['WINDOW_CLOSED /requireOpenWindow'],
  ],
  [
    'of a template that is not approved',
    template('waiting', { templateVariables: {} }),
    ['TEMPLATE_NOT_APPROVED /templateName'],
  ],
  ['of one that does not exist', template('nothing', { templateComponents: [] }), ['NOT_FOUND ']],
  [
    'of components, as the platform would refuse them',
    template('order', { templateLanguage: 'en', templateComponents: [{ type: 'header', parameters: texts('x') }] }),
    [
      'CHANNEL_GRAPH_ERROR /templateLanguage',
      'CHANNEL_GRAPH_ERROR /templateComponents/0',
      'CHANNEL_GRAPH_ERROR /templateComponents',
    ],
  ],
  [
    'of components that are refused here, beside those that the platform would refuse',
    template('track', {
      templateComponents: [{ type: 'button', sub_type: 'url', index: '0', parameters: texts('https://x.example/7') }],
    }),
    ['VALIDATION_ERROR /templateComponents/0/parameters/0/text', 'CHANNEL_GRAPH_ERROR /templateComponents'],
  ],
])('problems %s', async (_what, body, expected) => {
  expect(named((await check(body)).problems)).toEqual(expected)
})

test('the plan of the workspace is a problem among the others', async () => {
  const { key, workspaceId } = await gateway.addWorkspace()
  await gateway.gateway.store.write.setMonthlyLimit({ workspaceId, limit: 0 })
  const { json } = await checkAs(key, { type: 'text', phone, content: 'Hi', replyTo: 'msg_0' })
  expect(named(json.data.problems)).toEqual(['PLAN_LIMIT_EXCEEDED ', 'NOT_FOUND '])
  expect(json.data.request).toMatchObject({ text: { body: 'Hi' } })
})

test('403 without the scope of sending, 400 and 415 for what is no body', async () => {
  const reading = await gateway.createKey({ scopes: ['messages:read'] })
  expect((await checkAs(reading, { type: 'text' })).status).toBe(403)
  expect((await checkAs(gateway.key, '{')).status).toBe(400)
  expect((await checkAs(gateway.key, {}, { 'content-type': 'text/plain' })).status).toBe(415)
})

test('names no more problems than a send does', async () => {
  const parameters = texts(...Array.from({ length: issuesMax + 20 }, () => 'a\nb'))
  const body = template('order', { templateComponents: [{ type: 'body', parameters }] })
  expect((await check(body)).problems).toHaveLength(issuesMax)
})
