import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { parse } from 'papaparse'
import { fieldsOf, messageFieldNames, messageFields } from '../../db/messageFields.ts'
import { dayMs } from '../../src/base/durations.ts'
import { newId } from '../../src/base/ids.ts'
import { ownWamid } from '../../src/graph/ownWamid.ts'
import { type Content, sendRequest } from '../../src/graph/request.ts'
import { changedRowsMax } from '../../src/reading/steps.ts'
import { callbackUrl, report, second, status } from '../callbacks/report.ts'
import { ManualClock } from '../clock.ts'
import { fullDraft, messageOf } from '../db/drafts.ts'
import { accepted, draft, recorded } from '../db/fixtures.ts'
import { eventually } from '../eventually.ts'
import { startTestGateway, type Tenant, type TestGateway } from '../gateway.ts'
import { flow } from '../interactive/samples.ts'
import { accept, graphError, messagesCallback, postCallback } from '../upstream.ts'
import { addPerson, type Person } from './people.ts'

const t0 = Date.UTC(2026, 0, 31)
/** After the messages that the list is tested with. */
const later = t0 + 60_000
let gateway: TestGateway
let other: Tenant
let person: Person
beforeAll(async () => {
  gateway = await startTestGateway()
  other = await gateway.addWorkspace()
  person = await addPerson(gateway, 'member')
})
afterEach(() => {
  gateway.upstream.received.length = 0
})
afterAll(() => gateway.stop())

const path = (rest = '') => `/api/v1/workspaces/${gateway.workspaceId}/messages${rest}`

/** Stores a message that nothing sends. */
async function store(fields: Partial<Parameters<typeof draft>[0]> = {}): Promise<string> {
  const id = newId('msg')
  const { workspaceId, channelId, line } = gateway
  const own = { id, workspaceId, channelId, lineId: line.id, createdAt: later, dispatchedAt: later, ...fields }
  await gateway.gateway.store.write.acceptMessage(draft(own))
  return id
}

const lose = (messageId: string) =>
  gateway.gateway.store.write.recordEvent({
    messageId,
    event: { kind: 'lost', at: later + 10 },
    detail: { why: 'the connection was cut' },
    recordedAt: later + 10,
  })

const ids = (json: { messages: { id: string }[] }) => json.messages.map(({ id }) => id)

describe('GET messages', () => {
  let stored: string[]
  beforeAll(async () => {
    const old = { recipient: '+15550100201', createdAt: t0 + 1_000 }
    stored = [
      await store({ createdAt: t0 }),
      await store({ ...old, type: 'template', templateName: 'order' }),
      await store({ createdAt: t0 + 2_000, apiKeyId: gateway.key.apiKey }),
    ].reverse()
    await store({ workspaceId: other.workspaceId, channelId: other.channelId, lineId: other.line.id })
  })
  const dates = `since=${new Date(t0).toISOString()}&until=${new Date(t0 + 3_000).toISOString()}`

  test.each<[by: string, query: () => string, found: number[]]>([
    ['dates', () => dates, [0, 1, 2]],
    ['the number, as somebody writes it', () => `${dates}&q=${encodeURIComponent('+1 (555) 010-0201')}`, [1]],
    ['our id', () => `q=${stored[1]}`, [1]],
    ['the id that an existing client was answered with', () => `q=${ownWamid(stored[1] ?? '')}`, [1]],
    ['template', () => `${dates}&template=order`, [1]],
    ['no template', () => `${dates}&template=-`, [0, 2]],
    ['no key', () => `${dates}&key=-`, [1, 2]],
    ['type', () => `${dates}&type=text`, [0, 2]],
    ['key', () => `${dates}&key=${gateway.key.apiKey}`, [0]],
    ['line', () => `${dates}&line=${gateway.line.id}`, [0, 1, 2]],
    ['a line of another workspace', () => `${dates}&line=${other.line.id}`, []],
    ['status', () => `${dates}&status=READ`, []],
    ['words with a comma', () => `${dates}&q=Hello, Ada`, []],
    ['any of several statuses', () => `${dates}&status=READ,QUEUED`, [0, 1, 2]],
    ['any of several, each by itself', () => `${dates}&status=READ&status=SENT`, []],
  ])('200: finds by %s', async (_, query, found) => {
    const { status, json } = await person.call(path(`?${query()}`))
    expect(status).toBe(200)
    expect(ids(json)).toEqual(found.map(at => stored[at] ?? ''))
  })

  test('200: pages lead to each other, and to nowhere at their ends', async () => {
    const get = async (query: string) => (await person.call(path(`?${dates}&limit=2&${query}`))).json
    const first = await get('')
    expect([ids(first), first.newer, first.searchedTo]).toEqual([stored.slice(0, 2), null, null])
    const second = await get(`older=${first.older}`)
    expect([ids(second), second.older]).toEqual([stored.slice(2), null])
    const back = await get(`newer=${second.newer}`)
    expect([ids(back), back.newer, back.older]).toEqual([stored.slice(0, 2), null, first.older])
  })

  test('200: each row has whom it went to, its first words, and why it failed in short', async () => {
    const { json: said } = await gateway.send({ type: 'text', phone: '+15550100301', content: 'Hello Ada' })
    const components = JSON.stringify([{ type: 'BODY', text: 'Your parcel is on its way.' }])
    await gateway.addTemplates({ name: 'on_its_way', components })
    const { json: filled } = await gateway.send({
      ...{ type: 'template', phone: '+15550100303', templateName: 'on_its_way', templateLanguage: 'en_US' },
      templateVariables: {},
    })
    const { json: spoken } = await gateway.send({ type: 'audio', phone: '+15550100301', mediaId: '1234', voice: true })
    gateway.upstream.answer = () => graphError(400, { code: 131047, message: 'Re-engagement message' })
    const { json: refused } = await gateway.send({ type: 'text', phone: '+15550100302', content: 'Hello' })
    gateway.upstream.answer = accept
    const own = { workspaceId: gateway.workspaceId, createdAt: t0, updatedAt: t0 }
    await gateway.gateway.store.write.saveContact({
      ...own,
      id: 'contact_ada',
      phone: '+15550100301',
      userId: null,
      name: 'Ada',
    })
    const { json } = await person.call(path(`?since=${new Date(later + 60_000).toISOString()}`))
    const row = (id: string) => json.messages.find((message: { id: string }) => message.id === id)
    expect(row(said.data.id)).toMatchObject({
      contact: { id: 'contact_ada', name: 'Ada' },
      words: 'Hello Ada',
      failure: null,
    })
    expect(row(filled.data.id)).toMatchObject({ templateName: 'on_its_way', words: 'Your parcel is on its way.' })
    expect(row(refused.details.messageId)).toMatchObject({ contact: null, failure: 'Over 24 hours without answer' })
    expect([row(said.data.id).isVoice, row(spoken.data.id)]).toMatchObject([false, { isVoice: true, words: null }])
    const { json: byCause } = await person.call(path('?cause=131047'))
    // Other tests have failures of this cause as well.
    expect(ids(byCause)).toContain(refused.details.messageId)
    expect(ids(byCause)).not.toContain(said.data.id)
  })

  describe('rows of the list, by their ids', () => {
    const rows = (query: string) => person.call(`/api/v1/workspaces/${gateway.workspaceId}/message-rows?${query}`)
    const named = (...at: number[]) => `${dates}&ids=${at.map(n => stored[n]).join(',')}`

    test('200: as the list has them, those that fit', async () => {
      const { json: list } = await person.call(path(`?${dates}`))
      const { json } = await rows(`${named(2, 0)},msg_none`)
      expect(json).toEqual({ messages: [list.messages[0], list.messages[2]] })
      expect(ids((await rows(`${named(2, 1, 0)}&template=order`)).json)).toEqual([stored[1] ?? ''])
      expect(ids((await rows(`${named(2, 1, 0)}&status=FAILED`)).json)).toEqual([])
    })

    test('200: those behind a cursor alone', async () => {
      const { json: first } = await person.call(path(`?${dates}&limit=1`))
      const { json: second } = await person.call(path(`?${dates}&limit=1&older=${first.older}`))
      expect(ids((await rows(`${named(0, 1, 2)}&older=${first.older}`)).json)).toEqual(stored.slice(1))
      expect(ids((await rows(`${named(0, 1, 2)}&newer=${second.older}`)).json)).toEqual(stored.slice(0, 1))
    })

    test('200: none of another workspace', async () => {
      const { workspaceId, channelId, line } = other
      const id = await store({ workspaceId, channelId, lineId: line.id })
      expect((await rows(`ids=${id}`)).json).toEqual({ messages: [] })
    })

    test('400 INVALID_REQUEST: more than a page has, or none', async () => {
      const many = Array.from({ length: changedRowsMax }, (_, n) => `msg_${n}`)
      expect((await rows(`ids=${many}`)).status).toBe(200)
      expect((await rows(`ids=${many},msg_more`)).status).toBe(400)
      expect((await rows('')).status).toBe(400)
    })
  })

  test('200: counts what fits, also of what fails for one cause', async () => {
    const count = (query: string) => person.call(`/api/v1/workspaces/${gateway.workspaceId}/message-count?${query}`)
    expect((await count(`${dates}&type=text`)).json).toEqual({ count: 2, isMore: false })
    expect((await count('cause=100')).json).toEqual({ count: 0, isMore: false })
  })

  test('200: as CSV, all that fit, without formulas', async () => {
    const id = await store({ createdAt: t0 + 4_000, recipient: '=cmd()', requestId: '-1+1' })
    const since = new Date(t0 + 3_000).toISOString()
    const { text, headers } = await person.call(
      path(`?since=${since}&until=${new Date(t0 + 5_000).toISOString()}&format=csv`),
    )
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toMatch(/filename="messages-\d{4}-\d\d-\d\d\.csv"$/)
    const [heading = '', row = '', end] = text.split('\r\n')
    const headings = heading.split(',')
    const cells = row.split(',')
    expect(Object.fromEntries(headings.map((name, at) => [name, cells[at]]))).toMatchObject({
      ...{ id, status: 'QUEUED', type: 'text', templateName: '', recipient: "'=cmd()", requestId: "'-1+1" },
    })
    expect(cells).toHaveLength(headings.length)
    expect(end).toBe('')
  })

  test('200: a row of the CSV has each value of the message below its name', async () => {
    const [id, at] = [newId('msg'), t0 + 6_000]
    const { workspaceId, channelId, line, key } = gateway
    const own = { id, workspaceId, channelId, lineId: line.id, apiKeyId: key.apiKey, createdAt: at, dispatchedAt: at }
    const first = fullDraft(own)
    await gateway.gateway.store.write.acceptMessage(first)
    const [since, until] = [at, at + 1].map(time => new Date(time).toISOString())
    const { text } = await person.call(path(`?since=${since}&until=${until}&format=csv`))
    const { data } = parse<Record<string, string>>(text, {
      header: true,
      skipEmptyLines: true,
      transform: cell => cell.trim(),
    })
    expect(data).toEqual([expect.objectContaining({ id, ...fieldsOf(messageOf(first)) })])
  })

  test.each(['status=GONE', 'status=READ,GONE', 'limit=1000', 'since=yesterday', 'colour=red'])(
    '400 VALIDATION_ERROR: %s',
    async query => {
      const { status, json } = await person.call(path(`?${query}`))
      expect([status, json.error]).toEqual([400, 'VALIDATION_ERROR'])
    },
  )

  test('200: the filters to choose from are those of the workspace', async () => {
    await gateway.addTemplates({ name: 'order' }, { name: 'order', language: 'de' })
    const { json } = await person.call(`/api/v1/workspaces/${gateway.workspaceId}/message-filters`)
    expect(json).toMatchObject({
      lines: [{ id: gateway.line.id, number: gateway.line.number }],
      keys: [{ id: gateway.key.apiKey, label: null }],
      templates: ['order'],
    })
    const id = await store({ createdAt: Date.now() })
    const refused = { kind: 'refused', at: Date.now(), reason: '131026: Message undeliverable' } as const
    await gateway.gateway.store.write.recordEvent({ messageId: id, event: refused, detail: null, recordedAt: later })
    const { json: then } = await person.call(`/api/v1/workspaces/${gateway.workspaceId}/message-filters`)
    expect(then.causes).toContainEqual({ cause: '131026', words: 'Number cannot be reached (131026)' })
  })
})

describe('GET messages/:messageId', () => {
  test('200: a message that was sent, with its request, its timeline, and who sent it', async () => {
    const { json: sent } = await gateway.send({ type: 'text', phone: '+4915112345678', content: 'Hello' })
    const { json } = await person.call(path(`/${sent.data.id}`))
    expect(json).toMatchObject({
      message: { id: sent.data.id, status: 'SENT', recipient: '+4915112345678', failureReason: null },
      failure: null,
      line: { id: gateway.line.id, number: gateway.line.number },
      sentBy: { kind: 'key', id: gateway.key.apiKey },
      contact: null,
      channel: { id: gateway.channelId },
      bubble: {
        draft: { body: { text: 'Hello' } },
        code: null,
        files: { header: { link: null, file: null }, cards: [] },
        choices: [],
      },
      content: { to: '+4915112345678', text: { body: 'Hello' } },
      canSendAgain: true,
      attempts: 1,
    })
    expect(json.timeline.map(({ event }: { event: string }) => event)).toEqual(['queued', 'accepted'])
  })

  test('200: a refused one says in words why, and what to do', async () => {
    gateway.upstream.answer = () =>
      Response.json(
        { error: { message: '(#131047) Re-engagement message', code: 131047, fbtrace_id: 'AbC' } },
        { status: 400 },
      )
    const { json: refused } = await gateway.send({ type: 'text', phone: '+4915112345678', content: 'Hello' })
    gateway.upstream.answer = accept
    const { json } = await person.call(path(`/${refused.details.messageId}`))
    expect([json.failure.code, json.failure.cure]).toEqual([131047, 'templates'])
    expect(json.failure.explanation.meaning).toContain('24 hours')
    expect(json.timeline.at(-1)).toMatchObject({
      event: 'refused',
      explanation: { remedy: expect.stringContaining('template') },
      detail: { traceId: 'AbC' },
    })
  })

  test('200: one that is refused beside an open window says until when it is shown as open here', async () => {
    const clock = gateway.gateway.store.clock
    const wroteAt = Math.floor(clock.now() / 1_000) * 1_000
    const refuse = async (phone: string) => {
      gateway.upstream.answer = () => graphError(400, { code: 131047, message: 'Re-engagement message' })
      const { json } = await gateway.send({ type: 'text', phone: `+${phone}`, content: 'Yes?' })
      gateway.upstream.answer = accept
      return (await person.call(path(`/${json.details.messageId}`))).json
    }
    const shop = gateway.line.upstreamPhoneId
    const writes = messagesCallback({
      metadata: { display_phone_number: '15550783881', phone_number_id: shop },
      contacts: [{ profile: { name: 'Ada Test' }, wa_id: '15550150134' }],
      messages: [
        {
          ...{ from: '15550150134', id: 'wamid.B34', timestamp: String(wroteAt / 1_000) },
          ...{ type: 'text', text: { body: 'hello?' } },
        },
      ],
    })
    await postCallback(callbackUrl(gateway), writes, gateway.appSecret)
    const beside = await refuse('15550150134')
    expect([beside.failure.code, beside.openUntil]).toEqual([131047, new Date(wroteAt + dayMs).toISOString()])
    // Who writes after it has failed tells nothing of it, and who never wrote has no window.
    expect((await refuse('15550150135')).openUntil).toBeNull()
  })

  test('200: a throttled one says how often it was tried, why it waits and until when; then how to mend its end', async () => {
    const clock = new ManualClock(Date.now())
    const slow = await startTestGateway({ clock })
    await using stack = new AsyncDisposableStack()
    stack.defer(() => slow.stop())
    const reader = await addPerson(slow, 'viewer')
    let retryAfter = 30
    slow.upstream.answer = () => {
      const answer = graphError(400, { code: 130429, message: '(#130429) Rate limit hit' })
      answer.headers.set('retry-after', String(retryAfter))
      return answer
    }
    const sending = slow.send({ type: 'text', phone: '+4915112345678', content: 'Hello' })
    const [message] = await eventually(async () => {
      expect(slow.upstream.received).toHaveLength(1)
      return slow.messages()
    })
    const shown = (status: string, attempts: number) =>
      eventually(async () => {
        const { json } = await reader.call(`/api/v1/workspaces/${slow.workspaceId}/messages/${message?.id}`)
        const putOff = json.timeline.filter(({ event }: { event: string }) => event === 'deferred')
        expect([json.message.status, json.attempts, putOff]).toEqual([status, attempts, [expect.anything()]])
        return json
      })

    const waiting = await shown('QUEUED', 1)
    expect(waiting.waiting).toMatchObject({
      scope: 'line',
      until: new Date(clock.now() + 30_000).toISOString(),
      refusal: { code: 130429, explanation: { meaning: expect.stringContaining('more messages a second') } },
    })
    expect(waiting.timeline.map(({ event }: { event: string }) => event)).toEqual(['queued', 'deferred'])

    // Longer than a message may wait.
    retryAfter = 3_600
    clock.advance(30_000)
    await sending
    const failed = await shown('FAILED', 2)
    expect(failed.failure.explanation.remedy).toStartWith('Send it again later')
    expect(failed.waiting).toBeNull()
  })
})

describe('POST messages/:messageId/settle', () => {
  test('200: an unknown one is what the person says, and the audit has who said it', async () => {
    const id = await store()
    await lose(id)
    const { status, json } = await person.call(path(`/${id}/settle`), { body: { as: 'SENT' } })
    expect([status, json.message.status]).toEqual([200, 'SENT'])
    const [entry] = await gateway.gateway.store.read.auditEntries({ subject: id, limit: 1 })
    expect(entry).toMatchObject({ action: 'message.resolve', actor: `console:${person.email}` })
  })

  test('409 CONFLICT: one whose outcome is known stays as it is', async () => {
    const id = await store()
    const { status, json } = await person.call(path(`/${id}/settle`), { body: { as: 'FAILED' } })
    expect([status, json.error]).toEqual([409, 'CONFLICT'])
    expect((await gateway.gateway.store.read.message(id))?.status).toBe('QUEUED')
  })

  test('400 VALIDATION_ERROR: as anything else', async () => {
    const { json } = await person.call(path('/msg_1/settle'), { body: { as: 'READ' } })
    expect(json.details.issues).toEqual([{ path: '/as', message: 'must be one of SENT, FAILED' }])
  })
})

describe('POST messages/:messageId/send-again', () => {
  const sendAgain = (id: string, idempotencyKey: string, elsewhere: Record<string, string> = {}) =>
    person.call(path(`/${id}/send-again`), { body: { idempotencyKey, ...elsewhere } })
  const sentBody = () => gateway.upstream.received.map(({ json }) => json)

  test.each<[what: string, send: Record<string, unknown>]>([
    ['text', { type: 'text', content: 'Hello' }],
    [
      'interactive',
      {
        type: 'interactive',
        content: JSON.stringify({
          type: 'button',
          body: { text: 'Well?' },
          action: { buttons: [{ type: 'reply', reply: { id: 'y', title: 'Yes' } }] },
        }),
      },
    ],
    ['template', { type: 'template', templateName: 'order_confirmation', templateVariables: { 1: 'Ada', 2: '7' } }],
    ['text to a user id', { type: 'text', content: 'Hello', phone: undefined, userId: 'US.1' }],
  ])('201: %s goes out as a new message, with the same content', async (_, send) => {
    await gateway.addTemplates({
      name: 'order_confirmation',
      components: JSON.stringify([{ type: 'BODY', text: 'Hi {{1}}, {{2}}.', example: { body_text: [['A', 'B']] } }]),
    })
    const { json: first } = await gateway.send({ phone: '+4915112345678', ...send })
    const again = await sendAgain(first.data.id, `again ${first.data.id}`)
    expect([again.status, again.json]).toEqual([
      201,
      { messageId: expect.any(String), status: 'SENT', isReplay: false },
    ])
    const [one, two] = sentBody()
    expect(two).toEqual({ ...one, biz_opaque_callback_data: again.json.messageId })
    expect(await gateway.gateway.store.read.message(again.json.messageId)).toMatchObject({
      apiKeyId: null,
      lineId: gateway.line.id,
    })
    const [entry] = await gateway.gateway.store.read.auditEntries({ subject: again.json.messageId, limit: 1 })
    expect(entry).toMatchObject({ action: 'message.send-again', actor: `console:${person.email}` })
  })

  describe('of a message with something in every field', () => {
    /** Not the line that a send takes which names none. */
    let lineId: string
    beforeAll(async () => {
      ;({ id: lineId } = await gateway.addLine())
      await gateway.addTemplates({ name: 'again', components: JSON.stringify([{ type: 'BODY', text: 'Hi {{1}}.' }]) })
    })
    afterAll(() => gateway.gateway.store.write.removeLine({ lineId, at: later }))

    const components = [{ type: 'body', parameters: [{ type: 'text', text: 'Ada' }] }]
    const noDirect = { category: undefined, ttl_seconds: undefined }
    test.each<[what: string, content: Content]>([
      ['a form', { type: 'interactive', interactive: flow({ flow_token: 'token 1' }), ...noDirect }],
      ['a template', { type: 'template', template: { name: 'again', language: { code: 'en_US' }, components } }],
    ])('201: %s keeps all but what is of the send itself', async (_, content) => {
      const { store } = gateway.gateway
      const { workspaceId, channelId, key } = gateway
      const [id, contactId] = [newId('msg'), newId('contact')]
      const [userId, at] = [`user.${contactId}`, later]
      const contact = { id: contactId, workspaceId, phone: null, userId, name: null, createdAt: at, updatedAt: at }
      await store.write.saveContact(contact)
      const first = fullDraft({
        ...{ id, workspaceId, channelId, lineId, contactId, apiKeyId: key.apiKey, type: content.type },
        ...{ idempotency: { ...fullDraft().idempotency, key: id }, opensFlow: { contactId, flowToken: 'token 1' } },
        payload: sendRequest(fullDraft().recipient, content, id),
      })
      const template = content.type === 'template' ? content.template : null
      const ofTemplate = { templateName: template?.name ?? null, templateLanguage: template?.language.code ?? null }
      expect(await store.write.acceptMessage({ ...first, ...ofTemplate })).toMatchObject({ outcome: 'accepted' })
      await store.write.recordEvent(accepted(id))
      const headers = { 'x-request-id': 'again' }
      const answer = await person.call(path(`/${id}/send-again`), { body: { idempotencyKey: id }, headers })
      expect([answer.status, answer.json]).toMatchObject([201, { status: 'SENT' }])
      const { messageId } = answer.json
      const { payload, idempotency, opensFlow, closesFlows, createdAt, dispatchedAt, ...same } = first
      const isNew = (field: string) =>
        messageFieldNames.some(name => name === field && messageFields[name].again === 'new')
      const kept = Object.fromEntries(Object.entries(same).filter(([field]) => !isNew(field)))
      const ofSend = { id: messageId, apiKeyId: null, requestId: 'again', idempotencyKey: id, againOf: id }
      expect(await store.read.message(messageId)).toMatchObject({ ...kept, ...ofTemplate, ...ofSend })
      const stored = JSON.parse((await store.read.messageContent(messageId)) ?? '')
      expect(stored).toEqual({ ...JSON.parse(payload), biz_opaque_callback_data: messageId })
      const opened = (await store.read.flowSessions(contactId)).filter(session => session.messageId === messageId)
      const own = { ...opensFlow, lineId, messageId, openedAt: expect.any(Number), closedAt: null, closedBy: null }
      expect(opened).toEqual(content.type === 'interactive' ? [own] : [])
    })
  })

  test('201: to another number from another line, as the audit says; it answers nothing there', async () => {
    const { id: lineId } = await gateway.addLine()
    await using stack = new AsyncDisposableStack()
    stack.defer(async () => void (await gateway.gateway.store.write.removeLine({ lineId, at: later })))
    const text = { type: 'text', phone: '+4915112345678', content: 'Hello', replyTo: 'wamid.before' }
    const { json: first } = await gateway.send({ ...text, phoneNumberId: gateway.line.id })
    const id: string = first.data.id
    const elsewhere = { phone: '+49 (151) 765-43210', phoneNumberId: lineId }
    const { status, json } = await sendAgain(id, 'elsewhere', elsewhere)
    expect([status, json.status]).toEqual([201, 'SENT'])
    const own = { recipient: '+4915176543210', lineId, contactId: null }
    expect(await gateway.gateway.store.read.message(json.messageId)).toMatchObject(own)
    const [one, two] = sentBody()
    expect(one).toMatchObject({ context: { message_id: 'wamid.before' } })
    expect(two).toMatchObject({ to: own.recipient, text: { body: 'Hello' } })
    expect(two).not.toHaveProperty('context')
    const [entry] = await gateway.gateway.store.read.auditEntries({ subject: json.messageId, limit: 1 })
    expect(entry?.action).toBe('message.send-elsewhere')

    // The same key for one visit: the repeat sends nothing, and neither does a changed one.
    expect((await sendAgain(id, 'elsewhere', elsewhere)).json).toEqual({ ...json, isReplay: true })
    expect((await sendAgain(id, 'elsewhere')).json.error).toBe('IDEMPOTENCY_CONFLICT')
    // The same number and line as before are nothing else.
    const same = { phone: text.phone, phoneNumberId: gateway.line.id }
    const { json: as } = await sendAgain(id, 'same place', same)
    const [noted] = await gateway.gateway.store.read.auditEntries({ subject: as.messageId, limit: 1 })
    expect(noted?.action).toBe('message.send-again')
    await gateway.gateway.store.write.changeLine({ lineId, active: false })
    gateway.upstream.received.length = 0
    const issue = (path: string, message: string) => ({ details: { issues: [{ path, message }] } })
    for (const [wrong, refusal] of [
      [{ phone: '0151 1234' }, issue('/phone', expect.stringContaining('country code first'))],
      [{ phoneNumberId: other.line.id }, issue('/phoneNumberId', 'names no line of this workspace')],
      [{ phoneNumberId: lineId }, issue('/phoneNumberId', 'names a line that is not active')],
    ] as const) {
      const answer = await sendAgain(id, 'wrong', wrong)
      expect([answer.status, answer.json]).toMatchObject([400, refusal])
    }
    expect(gateway.upstream.received).toHaveLength(0)
  })

  test('the old message and the new ones lead to each other, as long as the old one is stored', async () => {
    const { store } = gateway.gateway
    const { json: first } = await gateway.send({ type: 'text', phone: '+4915112345678', content: 'Hello' })
    const { id, channelMessageId } = first.data
    const shown = async (messageId: string) => (await person.call(path(`/${messageId}`))).json
    const answered = async (messageId: string) => (await gateway.get(`/api/v1/public/messages/${messageId}`)).json.data
    expect([first.data.againOf, await shown(id)]).toMatchObject([null, { repeated: null, sentAgainAs: [] }])
    await report(gateway, status(channelMessageId, 'failed'))

    const { json: again } = await sendAgain(id, 'link')
    // What the platform refuses is a message too.
    gateway.upstream.answer = () => graphError(400, { code: 131047, message: 'Re-engagement message' })
    const { json: refused } = await sendAgain(id, 'link, refused')
    gateway.upstream.answer = accept
    await sendAgain(again.messageId, 'link of the new one')
    const news: string[] = [refused.details.messageId, again.messageId]
    expect(await shown(id)).toMatchObject({ message: { status: 'FAILED' }, repeated: null, sentAgainAs: news })
    for (const messageId of news) {
      const message = { againOf: id, recipient: '+4915112345678' }
      expect(await shown(messageId)).toMatchObject({ message, repeated: id })
      expect(await answered(messageId)).toMatchObject({ againOf: id })
      const [entry] = await store.read.auditEntries({ subject: messageId, limit: 1 })
      expect(entry?.changes).toEqual({ message: [id, messageId] })
    }

    await report(gateway, status(channelMessageId, 'delivered', second + 1))
    expect([await answered(id), await answered(again.messageId)]).toMatchObject([
      { status: 'DELIVERED', againOf: null },
      { status: 'SENT', deliveredAt: null },
    ])
    // The old one is pruned first.
    while ((await store.read.message(id)) !== null)
      expect(await store.write.pruneMessages({ createdBefore: Date.now() + 1, limit: 1 })).toBe(1)
    expect(await shown(again.messageId)).toMatchObject({ message: { againOf: id }, repeated: null })
  })

  test('201: a template goes out with other values, once a person has mended the wrong one', async () => {
    const components = JSON.stringify([
      { type: 'BODY', text: 'Hi {{1}}, order {{2}}.', example: { body_text: [['A', 'B']] } },
    ])
    await gateway.addTemplates({ name: 'mended', components })
    const words = 'body: number of localizable_params (1) does not match the expected number of params (2)'
    gateway.upstream.answer = () => graphError(400, { code: 132000, message: 'x', error_data: { details: words } })
    const short = [{ type: 'body', parameters: [{ type: 'text', text: 'Ada' }] }]
    const template = { type: 'template', templateName: 'mended', templateLanguage: 'en_US' }
    const { json: refused } = await gateway.send({ ...template, phone: '+4915112345678', templateComponents: short })
    gateway.upstream.answer = accept
    const id: string = refused.details.messageId
    const { json } = await person.call(path(`/${id}`))
    expect(json.filled.values).toEqual({ variables: { 1: 'Ada' }, body: {}, addresses: {} })
    expect(json.filled.wrong).toContainEqual({ path: '/templateVariables/2', message: words })
    const again = (values: object) =>
      person.call(path(`/${id}/send-again`), { body: { idempotencyKey: 'mend', values } })
    expect((await again({ templateVariables: { 1: 'Ada' } })).json.details.issues).toMatchObject([
      { path: '/templateVariables/2' },
    ])
    const { status, json: sent } = await again({ templateVariables: { 1: 'Ada', 2: '7' } })
    expect([status, (await again({ templateVariables: { 1: 'Ada', 2: '8' } })).json.error]).toEqual([
      ...[201, 'IDEMPOTENCY_CONFLICT'],
    ])
    expect(await gateway.gateway.store.read.message(sent.messageId)).toMatchObject({ againOf: id, status: 'SENT' })
    expect(gateway.upstream.received.at(-1)?.json).toMatchObject({
      template: { name: 'mended', components: [{ parameters: [{ text: 'Ada' }, { text: '7' }] }] },
    })
    const { json: text } = await gateway.send({ type: 'text', phone: '+4915112345678', content: 'Hello' })
    const none = await person.call(path(`/${text.data.id}/send-again`), {
      body: { idempotencyKey: 'none', values: {} },
    })
    expect(none.json.details.issues).toEqual([{ path: '/values', message: expect.any(String) }])
  })

  test('400 VALIDATION_ERROR: a reaction stays in its conversation', async () => {
    const reaction = { type: 'reaction', messageId: 'wamid.before', emoji: '👍' }
    const { json: first } = await gateway.send({ ...reaction, phone: '+4915112345678' })
    const { json } = await sendAgain(first.data.id, 'reaction', { phone: '+4915176543210' })
    expect(json.details.issues).toEqual([{ path: '/phone', message: expect.stringContaining('must stay') }])
    expect((await sendAgain(first.data.id, 'reaction')).status).toBe(201)
  })

  test('200: a double click sends once', async () => {
    const { json: first } = await gateway.send({ type: 'text', phone: '+4915112345678', content: 'Once' })
    gateway.upstream.received.length = 0
    const answers = await Promise.all([sendAgain(first.data.id, 'click'), sendAgain(first.data.id, 'click')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 201])
    expect(new Set(answers.map(({ json }) => json.messageId)).size).toBe(1)
    expect(gateway.upstream.received).toHaveLength(1)
  })

  test('409 IDEMPOTENCY_CONFLICT: one key for two messages', async () => {
    const send = { type: 'text', phone: '+4915112345678' }
    const [one, two] = [await gateway.send({ ...send, content: '1' }), await gateway.send({ ...send, content: '2' })]
    await sendAgain(one.json.data.id, 'same')
    expect((await sendAgain(two.json.data.id, 'same')).json.error).toBe('IDEMPOTENCY_CONFLICT')
  })

  describe('many at once', () => {
    const many = (ids: string[]) =>
      person.call(`/api/v1/workspaces/${gateway.workspaceId}/messages-again`, { body: { ids } })
    const look = async (reference: string) =>
      (await person.call(`/api/v1/workspaces/${gateway.workspaceId}/messages-again?reference=${reference}`)).json
    /** A message of this reference that the platform refuses. */
    async function refused(reference: string, code: number, fields: object = {}): Promise<string> {
      gateway.upstream.answer = () => graphError(400, { code, message: 'Refused' })
      const text = { type: 'text', phone: '+4915112345678', content: 'Hello' }
      const { json } = await gateway.send({
        ...('type' in fields ? { phone: text.phone } : text),
        reference,
        ...fields,
      })
      gateway.upstream.answer = accept
      return json.details.messageId
    }

    test('200: those that failed, each once however often it is asked, and why others are left out', async () => {
      const reference = 'many'
      const failed = [await refused(reference, 131000), await refused(reference, 131000)]
      await refused(reference, 131026)
      const misfit = await refused(reference, 132018)
      const fields = { reference, dispatchedAt: null }
      const waiting = await store(fields)
      const unknown = await store({ reference })
      await lose(unknown)
      await gateway.send({ type: 'text', phone: '+4915112345678', content: 'Fine', reference })
      const { ids, leftOut, isMore } = await look(reference)
      expect([ids.toSorted(), isMore]).toEqual([failed.toSorted(), false])
      expect(leftOut).toContainEqual({ reason: 'unknown', count: 1 })
      expect(leftOut.map(({ reason }: { reason: string }) => reason).sort()).toEqual([
        ...['notFailed', 'recipient', 'unknown', 'values', 'waiting'],
      ])

      gateway.upstream.received.length = 0
      const both = await Promise.all([
        many([...failed, unknown, waiting]),
        many(failed),
        sendAgain(failed[0] ?? '', 'other'),
      ])
      expect(both.map(({ status }) => status)).toEqual([200, 200, 201])
      const outcome = (await many([...failed, unknown, misfit, 'msg_none'])).json.messages
      expect(Object.fromEntries(outcome.map((one: { id: string; leftOut: string }) => [one.id, one.leftOut]))).toEqual({
        ...Object.fromEntries(failed.map(id => [id, 'again'])),
        [unknown]: 'unknown',
        [misfit]: 'values',
      })
      // The second one by its own key alone; the first one also by that of the person who pressed its button.
      const again = await Promise.all(failed.map(id => gateway.gateway.store.read.sentAgainAs(id)))
      expect(again[1]).toHaveLength(1)
      expect(gateway.upstream.received.length).toBe(again.flat().length)
      expect((await look(reference)).ids).toEqual([])
      const { json: list } = await person.call(path(`?reference=${reference}`))
      const rows: { id: string; isSentAgain: boolean }[] = list.messages
      expect(rows.flatMap(row => (row.isSentAgain ? row.id : [])).toSorted()).toEqual(failed.toSorted())
    })

    test('200: marketing to who wants none is left out where the workspace refuses it', async () => {
      await gateway.addTemplates({ name: 'offer', category: 'MARKETING' })
      const phone = '+4915112340000'
      const offer = { type: 'template', templateName: 'offer', templateVariables: {}, phone }
      const id = await refused('unwanted', 131000, offer)
      const { workspaceId } = gateway
      const { write } = gateway.gateway.store
      const who = { workspaceId, phone, userId: null, name: null, createdAt: 1, updatedAt: 1 }
      const contact = await write.saveContact({ id: newId('contact'), ...who })
      const source = { kind: 'key', word: null, by: null } as const
      const wish = (value: 'stop' | 'resume') =>
        write.setWish({ workspaceId, contactId: contact?.id ?? '', value, source, at: Date.now() })
      await wish('stop')
      expect(await look('unwanted')).toMatchObject({ ids: [], leftOut: [{ reason: 'optedOut', count: 1 }] })
      expect((await many([id])).json.messages).toEqual([{ id, leftOut: 'optedOut', refusal: null }])
      await write.setOptOuts({ workspaceId, onOptOut: 'send' })
      expect((await look('unwanted')).ids).toEqual([id])
      await write.setOptOuts({ workspaceId, onOptOut: 'refuse' })
      await wish('resume')
      expect((await many([id])).json.messages).toEqual([{ id, leftOut: null, refusal: null }])
    })

    test('200: what the platform refuses again does not keep the others', async () => {
      const failed = [await refused('again', 131000), await refused('again', 131000)]
      let asked = 0
      gateway.upstream.answer = (...given) => {
        asked += 1
        return asked === 1 ? graphError(400, { code: 131000, message: 'Once more' }) : accept(...given)
      }
      const { json } = await many(failed)
      gateway.upstream.answer = accept
      const refusals = json.messages.map(({ refusal }: { refusal: string | null }) => refusal)
      expect(refusals).toContain(null)
      expect(refusals).toContainEqual(expect.stringContaining('Once more'))
    })

    test('200: those that are left out keep no others back, however many', async () => {
      const { workspaceId, channelId, line } = await gateway.addWorkspace()
      const payload = JSON.stringify({ type: 'text', text: { body: 'Hello' } })
      const own = { workspaceId, channelId, lineId: line.id, dispatchedAt: later, payload }
      const { write } = gateway.gateway.store
      const [failed = '', ...others] = Array.from({ length: 601 }, () => newId('msg'))
      await Promise.all(
        [failed, ...others].map((id, at) => write.acceptMessage(draft({ ...own, id, createdAt: later + at }))),
      )
      await write.recordEvent(recorded(failed, { kind: 'refused', at: later + 10, reason: '131000: no' }))
      const member = await addPerson(gateway, 'member', workspaceId)
      expect((await member.call(`/api/v1/workspaces/${workspaceId}/messages-again`)).json).toMatchObject({
        ...{ ids: [failed], isMore: false },
        leftOut: [{ reason: 'waiting', count: others.length }],
      })
    })

    test('200: what they cost at the rates of the workspace, as far as it has them', async () => {
      const reference = 'cost'
      await gateway.addTemplates({ name: 'priced', components: JSON.stringify([{ type: 'BODY', text: 'Hello.' }]) })
      const template = { type: 'template', templateName: 'priced', templateLanguage: 'en_US', templateVariables: {} }
      await refused(reference, 131000, template)
      for (const phone of ['+4915112345678', '+4915112345679', '+33612345678'])
        await refused(reference, 131000, { phone })
      expect((await look(reference)).cost).toBeNull()
      const rate = { country: 'DE', currency: 'EUR' }
      const { workspaceId } = gateway
      await gateway.gateway.store.write.setPriceRates({
        ...{ workspaceId, at: Date.now() },
        rates: [
          { ...rate, category: 'utility', price: 0.05 },
          { ...rate, category: 'service', price: 0.01 },
        ],
      })
      expect((await look(reference)).cost).toEqual({ sums: [{ currency: 'EUR', amount: 0.07 }], withoutRate: 1 })
      await gateway.gateway.store.write.setPriceRates({ workspaceId, at: Date.now(), rates: null })
    })

    test('400 VALIDATION_ERROR: more than leave at once', async () => {
      expect((await many(Array.from({ length: 26 }, (_, n) => `msg_${n}`))).status).toBe(400)
    })
  })

  test('409 CONFLICT: what waits, and what is not kept any more', async () => {
    const waiting = await store({ dispatchedAt: null })
    expect((await sendAgain(waiting, 'w')).json.message).toContain('still waiting')
    const { json: first } = await gateway.send({ type: 'text', phone: '+4915112345678', content: 'Old' })
    await gateway.gateway.store.write.pruneContents({ createdBefore: Date.now() + 1, limit: 1_000 })
    expect((await sendAgain(first.data.id, 'o')).json).toMatchObject({
      error: 'CONFLICT',
      message: expect.stringContaining('no longer stored'),
    })
  })
})
