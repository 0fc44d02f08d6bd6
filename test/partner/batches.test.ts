import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { dayMs, hourMs } from '../../src/base/durations.ts'
import { newId } from '../../src/base/ids.ts'
import { batchBytesMax } from '../../src/http/limits.ts'
import { eventually } from '../eventually.ts'
import { sharedFixture } from '../fixture.ts'
import { type Answer, answerOf, orderTemplate, startTestGateway } from '../gateway.ts'
import { accept, graphError } from '../upstream.ts'

const gateway = sharedFixture(() => startTestGateway({ env: { SEND_WAIT_MS: '5000' } }))
let lastKey = 0
beforeEach(() => {
  gateway.upstream.received.length = 0
  gateway.upstream.answer = accept
})

const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  answerOf(
    fetch(`${gateway.url}/api/v1/public/batches${path}`, {
      method,
      headers: { ...gateway.key, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  )
const post = (path: string, body?: unknown) => call('POST', path, body)
const get = (path: string) => call('GET', path)
const numbers = (count: number, first = 100_000) =>
  Array.from({ length: count }, (_, at) => ({ phone: `+49151${first + at}` }))
const text = { type: 'text', content: 'Hello' }
const newBatch = (fields: object = {}) => {
  lastKey += 1
  return { defaults: text, items: numbers(2), idempotencyKey: `key-${lastKey}`, ...fields }
}
const made = async (fields: object = {}) => {
  const { status, json } = await post('', newBatch(fields))
  expect([status, json.error]).toEqual([202, undefined])
  return json.data
}
const idOf = async (fields: object = {}): Promise<string> => (await made(fields)).id
const run = () => gateway.gateway.jobs.trigger('run-batches')
/** Runs it until it is so. */
const becomes = (id: string, state: string) =>
  eventually(async () => {
    await run()
    const { status, text, json } = await get(`/${id}`)
    expect(`${status} ${json.data?.state ?? text}`).toBe(`200 ${state}`)
    return json.data
  })
const counted = (counts: Record<string, number>) => Object.fromEntries(Object.entries(counts).filter(([, n]) => n > 0))
const recipients = () => gateway.upstream.received.map(({ json }) => json.to)

// Each test counts what is sent: nothing of another one is to leave any more.
afterEach(async () => {
  gateway.upstream.answer = accept
  for (const { id, state } of (await get('?limit=100')).json.data)
    if (!['done', 'cancelled'].includes(state)) await post(`/${id}/cancel`, {})
})

describe('202', () => {
  test('each item becomes one ordinary message, with what all items share', async () => {
    const items = [
      { phone: '+4915112340001', reference: 'one' },
      { phone: '+4915112340002', content: 'Own' },
    ]
    const batch = await made({ name: 'Spring', items })
    expect(batch).toMatchObject({ name: 'Spring', state: 'running', total: 2, reason: null, warnings: [] })
    expect(counted(batch.counts)).toEqual({ WAITING: 2 })
    const done = await becomes(batch.id, 'done')
    expect(counted(done.counts)).toEqual({ SENT: 2 })
    expect(done.firstMessageAt <= done.lastMessageAt).toBe(true)
    expect(gateway.upstream.received.map(({ json }) => [json.to, (json.text as { body: string }).body]).sort()).toEqual(
      [
        ['+4915112340001', 'Hello'],
        ['+4915112340002', 'Own'],
      ],
    )
    const { json } = await get(`/${batch.id}/items`)
    expect(json.next).toBeNull()
    const [one] = json.data
    expect(one).toMatchObject({
      number: 0,
      status: 'SENT',
      recipient: '+4915112340001',
      reference: 'one',
      reason: null,
    })
    const message = (await gateway.get(`/api/v1/public/messages/${one.messageId}`)).json.data
    expect(message).toMatchObject({ id: one.messageId, status: 'SENT', reference: 'one' })
  })

  test('200: the same key and body make nothing new, in whatever state the batch is by then', async () => {
    const body = newBatch()
    const first = await post('', body)
    await becomes(first.json.data.id, 'done')
    const { phone, ...again } = { phone: undefined, ...body }
    const second = await call(
      'POST',
      '',
      { ...again, idempotencyKey: undefined },
      { 'idempotency-key': body.idempotencyKey },
    )
    expect([second.status, second.json.data.id, second.json.data.state]).toEqual([200, first.json.data.id, 'done'])
    const other = await post('', { ...body, items: numbers(3) })
    expect([other.status, other.json.error]).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    expect(gateway.upstream.received).toHaveLength(2)
  })

  test('200: the same key and body once its time has passed', async () => {
    const sendAt = new Date(Date.now() + 1_000).toISOString()
    const body = newBatch({ sendAt })
    const { id } = (await post('', body)).json.data
    await eventually(() => expect(Date.now()).toBeGreaterThan(Date.parse(sendAt)))
    const again = await post('', body)
    expect([again.status, again.json.data?.id]).toEqual([200, id])
    expect((await post('', { ...body, idempotencyKey: `${body.idempotencyKey}-other` })).status).toBe(400)
  })

  test('an item whose recipient an earlier one has is left out, unless it is to be sent', async () => {
    const items = [{ phone: '+4915112340001' }, { phone: '4915112340001' }]
    const skipping = await becomes(await idOf({ items }), 'done')
    expect(counted(skipping.counts)).toEqual({ SENT: 1, SKIPPED: 1 })
    const [skipped] = (await get(`/${skipping.id}/items?status=SKIPPED`)).json.data
    expect(skipped).toMatchObject({ number: 1, messageId: null, reason: { code: 'DUPLICATE' } })
    const sending = await becomes(await idOf({ items, duplicates: 'send' }), 'done')
    expect(counted(sending.counts)).toEqual({ SENT: 2 })
  })

  test('marketing to who wants none is left out, and what is no marketing is not', async () => {
    const { channelId, gateway: running } = gateway
    const components = JSON.stringify([{ type: 'BODY', text: 'Hello' }])
    const templates = ['MARKETING', 'UTILITY'].map(category => ({ name: category.toLowerCase(), category, components }))
    await gateway.addTemplates(...templates)
    const phone = '+4915112349999'
    const about = { of: 'contact', phone, userId: null, name: null, newContactId: newId('contact') } as const
    const kind = 'user_preferences marketing_messages'
    const detail = { category: 'marketing_messages', value: 'stop' }
    const updates = [{ accountId: null, kind, at: Date.now(), detail, about }]
    await running.store.write.keepUpdates({ channelId, updates, recordedAt: Date.now() })
    for (const [templateName, status] of [
      ['marketing', 'SKIPPED'],
      ['utility', 'SENT'],
    ] as const) {
      const defaults = { type: 'template', templateName, templateLanguage: 'en_US', templateVariables: {} }
      const { id, counts } = await becomes(await idOf({ defaults, items: [{ phone }] }), 'done')
      expect(counted(counts)).toEqual({ [status]: 1 })
      if (status === 'SKIPPED')
        expect((await get(`/${id}/items`)).json.data[0].reason).toMatchObject({ code: 'OPTED_OUT' })
    }
  })

  test('what the plan has no room for is told before', async () => {
    const { workspaceId, gateway: running } = gateway
    expect((await gateway.send({ ...text, phone: '+4915112345678' })).status).toBe(201)
    await running.store.write.setMonthlyCeiling({ workspaceId, ceiling: 1 })
    const draft = await made({ state: 'draft' })
    await running.store.write.setMonthlyCeiling({ workspaceId, ceiling: null })
    expect(draft.warnings).toEqual([
      { code: 'plan', message: expect.stringMatching(/^2 items wait, and the plan has 0/) },
    ])
    expect((await get(`/${draft.id}`)).json.data.warnings).toEqual([])
  })
})

describe('400', () => {
  const issuesOf = async (body: unknown) => {
    const { status, json } = await post('', body)
    expect([status, json.error]).toEqual([400, 'VALIDATION_ERROR'])
    return json.details.issues.map(({ path }: { path: string }) => path)
  }

  test('all problems by the index of their items, those of what all share once, and nothing is stored', async () => {
    const before = (await get('')).json.data.length
    const items = [
      { phone: '+1555' },
      ...numbers(1),
      { phone: '+4915112340001', content: '' },
      { idempotencyKey: 'x', sendAt: '2099-01-01T10:00:00' },
    ]
    expect(await issuesOf(newBatch({ items }))).toEqual([
      '/items/0/phone',
      '/items/2/content',
      '/items/3/phone',
      '/items/3/sendAt',
      '/items/3/idempotencyKey',
    ])
    expect(await issuesOf(newBatch({ defaults: { type: 'text', content: ' ' } }))).toEqual(['/defaults/content'])
    expect(await issuesOf(newBatch({ items: numbers(1_001) }))).toEqual(['/items'])
    expect(await issuesOf(newBatch({ items: [] }))).toEqual(['/items'])
    expect(await issuesOf({ ...newBatch(), idempotencyKey: undefined })).toEqual(['/idempotencyKey'])
    const { json } = await post('', newBatch({ name: ' ' }))
    expect(json.details.issues).toEqual([{ path: '/name', message: 'must have 1 to 120 printable characters' }])
    expect((await get('')).json.data).toHaveLength(before)
  })

  test.each([
    ['in the past', -60_000],
    ['too far ahead', 36 * dayMs],
  ])('a time %s', async (_, ms) => {
    expect(await issuesOf(newBatch({ sendAt: new Date(Date.now() + ms).toISOString() }))).toEqual(['/sendAt'])
  })

  test('a time without an offset', async () => {
    expect(await issuesOf(newBatch({ sendAt: '2099-01-01T10:00:00' }))).toEqual(['/sendAt'])
  })

  test('413: a body beyond the limit of its own', async () => {
    const { status, json } = await post('', `"${'x'.repeat(batchBytesMax)}"`)
    expect([status, json.error]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })
})

describe('a draft', () => {
  test('takes further items, each request once, and starts', async () => {
    const { id } = await made({ state: 'draft' })
    const more = { offset: 2, items: numbers(2, 200_000) }
    for (const _ of [1, 2]) expect((await post(`/${id}/items`, more)).json.data.total).toBe(4)
    const wrong = await post(`/${id}/items`, { offset: 9, items: numbers(1) })
    expect([wrong.status, wrong.json.details.issues[0].path]).toEqual([400, '/offset'])
    await run()
    expect(gateway.upstream.received).toEqual([])
    expect((await post(`/${id}/start`)).json.data.state).toBe('running')
    expect(counted((await becomes(id, 'done')).counts)).toEqual({ SENT: 4 })
    expect((await post(`/${id}/items`, { offset: 4, items: numbers(1) })).json.error).toBe('CONFLICT')
    expect((await post(`/${id}/items`, more)).status).toBe(200)
  })

  test('leaves out whom an earlier request has named', async () => {
    const { id } = await made({ state: 'draft' })
    const { json } = await post(`/${id}/items`, { offset: 2, items: numbers(3) })
    expect(counted(json.data.counts)).toEqual({ WAITING: 3, SKIPPED: 2 })
  })
})

test('a batch with a time waits for it however often it is started, and may be started before', async () => {
  const sendAt = new Date(Date.now() + hourMs).toISOString()
  const batch = await made({ sendAt })
  expect(batch).toMatchObject({ state: 'scheduled', sendAt, startedAt: null })
  await run()
  expect((await get(`/${batch.id}`)).json.data.state).toBe('scheduled')
  expect((await post(`/${batch.id}/start`)).json.data.state).toBe('scheduled')
  const both = await post(`/${batch.id}/start`, { sendAt, now: true })
  expect([both.status, both.json.details.issues[0].path]).toEqual([400, '/now'])
  for (const _ of [1, 2]) expect((await post(`/${batch.id}/start`, { now: true })).status).toBe(200)
  await becomes(batch.id, 'done')
  const draft = await made({ sendAt, state: 'draft' })
  // The answer to the first one may have been lost.
  for (const _ of [1, 2]) expect((await post(`/${draft.id}/start`)).json.data.state).toBe('scheduled')
  expect((await post(`/${draft.id}/cancel`)).json.data.state).toBe('cancelled')
})

test('a draft, or a batch that waits, gets another time than it had, and none that has passed', async () => {
  const id = await idOf({ state: 'draft', sendAt: new Date(Date.now() + dayMs).toISOString() })
  const at = new Date(Date.now() + hourMs).toISOString()
  const past = await post(`/${id}/start`, { sendAt: new Date(Date.now() - hourMs).toISOString() })
  expect([past.status, past.json.details.issues[0].path]).toEqual([400, '/sendAt'])
  const later = new Date(Date.now() + 2 * hourMs).toISOString()
  for (const sendAt of [at, at, later])
    expect((await post(`/${id}/start`, { sendAt })).json.data).toMatchObject({ state: 'scheduled', sendAt })
  await post(`/${id}/start`, { now: true })
  expect((await post(`/${id}/start`, { sendAt: later })).json.data.state).not.toBe('scheduled')
  expect((await post(`/${id}/start`, { sendAt: at })).status).toBe(409)
})

test('an item that waits is left out, for good; one that has left is not', async () => {
  const id = await idOf({ state: 'draft', items: numbers(3) })
  for (const [number, status] of [
    [1, 200],
    [1, 200],
    [3, 404],
    ['one', 404],
  ] as const)
    expect((await call('DELETE', `/${id}/items/${number}`)).status).toBe(status)
  expect(counted((await post(`/${id}/start`)).json.data.counts)).toEqual({ WAITING: 2, CANCELLED: 1 })
  expect(counted((await becomes(id, 'done')).counts)).toEqual({ SENT: 2, CANCELLED: 1 })
  expect(recipients()).toHaveLength(2)
  expect((await call('DELETE', `/${id}/items/0`)).status).toBe(409)
})

test('a batch that a restore has paused before its time waits for it when it is resumed', async () => {
  const { id } = await made({ sendAt: new Date(Date.now() + hourMs).toISOString() })
  const reason = { code: 'restored', message: 'It is from a backup.' }
  await gateway.gateway.store.write.pauseBatches({ at: Date.now(), reason })
  expect((await get(`/${id}`)).json.data).toMatchObject({ state: 'paused', reason })
  for (const _ of [1, 2]) {
    const { json } = await post(`/${id}/resume`)
    expect(json.data).toMatchObject({ state: 'scheduled', reason: null, startedAt: null })
  }
  expect((await post(`/${id}/cancel`)).json.data.state).toBe('cancelled')
})

test('a batch whose time passed for long without a gateway pauses itself, and leaves when it is resumed', async () => {
  const id = await idOf({ state: 'draft' })
  const { write, clock } = gateway.gateway.store
  const [at, sendAt] = [clock.now(), clock.now() - 2 * hourMs]
  await write.moveBatch({ batchId: id, event: 'schedule', at, sendAt })
  expect(await becomes(id, 'paused')).toMatchObject({ reason: { code: 'late' }, startedAt: null })
  expect(gateway.upstream.received).toEqual([])
  expect((await post(`/${id}/resume`)).json.data.state).toBe('running')
  await becomes(id, 'done')
})

test('paused, nothing further becomes a message; resumed, it goes on; an act that is repeated is harmless', async () => {
  const id = await idOf({ items: numbers(30) })
  for (const _ of [1, 2]) expect((await post(`/${id}/pause`)).json.data.state).toBe('paused')
  await run()
  const { counts } = (await get(`/${id}`)).json.data
  expect(counted(counts)).toEqual({ WAITING: 30 })
  for (const _ of [1, 2]) expect((await post(`/${id}/resume`)).json.data.state).toBe('running')
  expect(counted((await becomes(id, 'done')).counts)).toEqual({ SENT: 30 })
  expect(new Set(recipients()).size).toBe(30)
  expect((await post(`/${id}/pause`)).json.error).toBe('CONFLICT')
})

test('cancelled, what waits never becomes a message', async () => {
  const id = await idOf({ items: numbers(5) })
  const { data } = (await post(`/${id}/cancel`)).json
  expect([data.state, counted(data.counts)]).toEqual(['cancelled', { CANCELLED: 5 }])
  await run()
  expect(gateway.upstream.received).toEqual([])
  expect((await post(`/${id}/start`)).json.error).toBe('CONFLICT')
  expect((await get(`/${id}/items?status=CANCELLED&limit=2`)).json).toMatchObject({
    data: [{ number: 0 }, {}],
    next: '1',
  })
})

describe('retry', () => {
  test('sends again what failed for a reason that can pass, once, and nothing else', async () => {
    const codes: Record<string, number> = {
      '+4915112340001': 131026,
      '+4915112340002': 131031,
      '+4915112340003': 131049,
    }
    gateway.upstream.answer = request => {
      const code = codes[String(request.json.to)]
      return code === undefined ? accept(request) : graphError(400, { code, message: 'no' })
    }
    const items = [...Object.keys(codes), '+4915112340004'].map(phone => ({ phone }))
    const id = await idOf({ items })
    // The line was blocked: the batch pauses itself, and goes on by hand.
    const goesOn = () =>
      eventually(async () => {
        await run()
        const { state } = (await get(`/${id}`)).json.data
        if (state === 'paused') await post(`/${id}/resume`)
        expect(state).toBe('done')
      })
    await goesOn()
    delete codes['+4915112340002']
    const dry = await post(`/${id}/retry`, { dryRun: true })
    expect(dry.json.data).toEqual({ retried: 1, leftOut: 1, dryRun: true })
    expect((await post(`/${id}/retry`)).json.data).toEqual({ retried: 1, leftOut: 1, dryRun: false })
    expect((await post(`/${id}/retry`)).json.data).toEqual({ retried: 0, leftOut: 1, dryRun: false })
    await goesOn()
    expect(counted((await becomes(id, 'done')).counts)).toEqual({ SENT: 2, FAILED: 1, SKIPPED: 1 })
    expect(recipients().filter(to => to === '+4915112340002')).toHaveLength(2)
    expect(recipients().filter(to => to === '+4915112340001')).toHaveLength(1)
  })
})

describe('it pauses itself', () => {
  const pausedBy = async (fields: object) => {
    const id = await idOf(fields)
    const { reason } = await becomes(id, 'paused')
    const events = (await gateway.get('/api/v1/public/events?limit=100&type=batch.paused')).json.data
    const told = events.find(({ data }: { data: { batch: { id: string } } }) => data.batch.id === id)
    expect(told.data.reason).toEqual(reason)
    return reason.code
  }

  test.each([
    ['a template that is paused', 132015, 'template'],
    ['a line that is blocked', 131031, 'line'],
    ['a payment that is missing', 131042, 'payment'],
  ])('for %s', async (_, code, why) => {
    gateway.upstream.answer = () => graphError(400, { code, message: 'no' })
    expect(await pausedBy({ items: numbers(1) })).toBe(why)
  })

  test('for a template that is not there, before anything is sent', async () => {
    await gateway.addTemplates(orderTemplate)
    const defaults = { type: 'template', templateName: 'no_such_one', templateLanguage: 'en_US', templateVariables: {} }
    expect(await pausedBy({ defaults })).toBe('template')
    expect(gateway.upstream.received).toEqual([])
  })

  test('for many of its last messages that failed', async () => {
    gateway.upstream.answer = () => graphError(400, { code: 131009, message: 'no' })
    expect(await pausedBy({ items: numbers(60) })).toBe('failures')
  })

  test('for a plan that is used up, and goes on where it was', async () => {
    const { workspaceId, gateway: running } = gateway
    const month = new Date().toISOString().slice(0, 7)
    const { used } = await running.store.read.plan({ workspaceId, month })
    await running.store.write.setMonthlyCeiling({ workspaceId, ceiling: used + 3 })
    const id = await idOf({ items: numbers(5) })
    expect((await becomes(id, 'paused')).reason.code).toBe('plan')
    // What was under way then leaves all the same.
    await eventually(async () =>
      expect(counted((await get(`/${id}`)).json.data.counts)).toEqual({ SENT: 3, WAITING: 2 }),
    )
    await running.store.write.setMonthlyCeiling({ workspaceId, ceiling: null })
    await post(`/${id}/resume`)
    expect(counted((await becomes(id, 'done')).counts)).toEqual({ SENT: 5 })
    expect(new Set(recipients()).size).toBe(5)
  })

  test('for a key that was revoked; who resumes it sends it', async () => {
    const key = await gateway.createKey()
    const { json } = await call('POST', '', newBatch(), { ...key })
    await gateway.gateway.store.write.revokeKey({ keyId: key.apiKey, at: Date.now() })
    const { id } = json.data
    expect((await becomes(id, 'paused')).reason.code).toBe('key')
    await post(`/${id}/resume`)
    await becomes(id, 'done')
    expect((await gateway.messages()).slice(0, 2).map(({ apiKeyId }) => apiKeyId)).toEqual([
      gateway.key.apiKey,
      gateway.key.apiKey,
    ])
  })
})

test('events tell of its start and its end, with counts', async () => {
  const id = await idOf({ items: [...numbers(2), ...numbers(1)] })
  await becomes(id, 'done')
  const { json } = await gateway.get('/api/v1/public/events?limit=100&type=batch.started,batch.done')
  const its = json.data.filter(({ data }: { data: { batch: { id: string } } }) => data.batch.id === id)
  expect(its.map(({ type, data }: { type: string; data: { counts: object } }) => [type, data.counts])).toEqual([
    ['batch.started', { total: 3, waiting: 2, messages: 0, failed: 0, skipped: 1, cancelled: 0 }],
    ['batch.done', { total: 3, waiting: 0, messages: 2, failed: 0, skipped: 1, cancelled: 0 }],
  ])
})

test('404: one of another workspace, and one that does not exist', async () => {
  const other = await gateway.addWorkspace()
  const { json } = await call('POST', '', newBatch({ state: 'draft' }), { ...other.key })
  for (const id of [json.data.id, newId('batch')]) expect((await get(`/${id}`)).json.error).toBe('NOT_FOUND')
  expect((await get('')).text).not.toContain(json.data.id)
})

test('the list has the newest first, a page at a time', async () => {
  const ids = [await idOf({ state: 'draft' }), await idOf({ state: 'draft' })].toReversed()
  const first = (await get('?limit=1')).json
  const second = (await get(`?limit=1&after=${first.next}`)).json
  expect([...first.data, ...second.data].map(({ id }: { id: string }) => id)).toEqual(ids)
})
