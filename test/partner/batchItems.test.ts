import { describe, expect, spyOn, test } from 'bun:test'
import { dayMs, hourMs, minuteMs } from '../../src/base/durations.ts'
import { newId } from '../../src/base/ids.ts'
import { eventually } from '../eventually.ts'
import { freshFixture } from '../fixture.ts'
import { type Answer, answerOf, startTestGateway } from '../gateway.ts'
import { accept, graphError } from '../upstream.ts'

/*
 * What an item of a batch has of its own: its time, a number that turns out to be none, and what is left of it. The rest
 * is in batches.test.ts.
 */

const env = { SEND_WAIT_MS: '5000', MESSAGE_RETENTION_DAYS: '30', CONTENT_RETENTION_DAYS: '30' }
const gateway = freshFixture(() => startTestGateway({ env }))
let lastKey = 0

const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  answerOf(
    fetch(`${gateway.url}/api/v1/public/batches${path}`, {
      ...{ method, headers: { ...gateway.key, 'content-type': 'application/json' } },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )
const newBatch = (items: readonly object[], fields: object = {}) => {
  lastKey += 1
  return { defaults: { type: 'text', content: 'Hello' }, items, idempotencyKey: `key-${lastKey}`, ...fields }
}
const made = async (items: readonly object[], fields: object = {}) => {
  const { status, json } = await call('POST', '', newBatch(items, fields))
  expect([status, json.error]).toEqual([202, undefined])
  return json.data
}
const run = () => gateway.gateway.jobs.trigger('run-batches')
const becomes = (id: string, state: string) =>
  eventually(async () => {
    await run()
    const { data } = (await call('GET', `/${id}`)).json
    expect(data.state).toBe(state)
    return data
  })
const itemsOf = async (id: string) => (await call('GET', `/${id}/items`)).json.data
const counted = (counts: Record<string, number>) => Object.fromEntries(Object.entries(counts).filter(([, n]) => n > 0))
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const [phone, other] = ['+4915112340001', '+4915112340002']

describe('an own time of an item', () => {
  test('makes it a message that waits for it, while the others leave', async () => {
    const sendAt = inMs(hourMs)
    const { id } = await made([{ phone, sendAt }, { phone: other }])
    expect(counted((await becomes(id, 'done')).counts)).toEqual({ SCHEDULED: 1, SENT: 1 })
    const [{ messageId }] = await itemsOf(id)
    const { data } = (await gateway.get(`/api/v1/public/messages/${messageId}`)).json
    expect(data).toMatchObject({ status: 'SCHEDULED', sendAt })
    expect(gateway.upstream.received.map(({ json }) => json.to)).toEqual([other])
  })

  test('that is near, or has passed a moment ago, is now', async () => {
    const { id } = await made([{ phone, sendAt: inMs(minuteMs / 2) }])
    expect(counted((await becomes(id, 'done')).counts)).toEqual({ SENT: 1 })
  })

  test.each([
    ['has passed', -minuteMs],
    ['is too far ahead', 36 * dayMs],
  ])('400: that %s, by its index, and nothing is stored', async (_, ms) => {
    const body = newBatch([{ phone }, { phone: other, sendAt: inMs(ms) }])
    const { status, json } = await call('POST', '', body)
    expect([status, json.details?.issues?.[0]?.path]).toEqual([400, '/items/1/sendAt'])
    const { id } = await made([{ phone }], { state: 'draft' })
    const more = await call('POST', `/${id}/items`, { offset: 1, items: [{ phone: other, sendAt: inMs(ms) }] })
    expect([more.status, more.json.details?.issues?.[0]?.path]).toEqual([400, '/items/0/sendAt'])
  })

  test('is counted from the start of a batch that has a time', async () => {
    const { id } = await made([{ phone, sendAt: inMs(60 * dayMs) }], { sendAt: inMs(30 * dayMs) })
    // Also of one that starts earlier than it was made for.
    await call('POST', `/${id}/start`, { now: true })
    expect(counted((await becomes(id, 'done')).counts)).toEqual({ SCHEDULED: 1 })
  })

  test('200: a request that is repeated behind it is answered with its batch', async () => {
    const body = newBatch([{ phone, sendAt: inMs(500) }], { state: 'draft' })
    const { id } = (await call('POST', '', body)).json.data
    const more = { offset: 1, items: [{ phone: other, sendAt: inMs(500) }] }
    expect((await call('POST', `/${id}/items`, more)).json.data.total).toBe(2)
    await eventually(() => expect(Date.now()).toBeGreaterThan(Date.parse(more.items[0]?.sendAt ?? '')))
    const again = await call('POST', '', body)
    expect([again.status, again.json.data?.id]).toEqual([200, id])
    expect((await call('POST', `/${id}/items`, more)).status).toBe(200)
  })

  test('400: among what all share', async () => {
    const body = newBatch([{ phone }], { defaults: { type: 'text', content: 'Hi', sendAt: inMs(hourMs) } })
    const { json } = await call('POST', '', body)
    expect(json.details.issues.map(({ path }: { path: string }) => path)).toEqual(['/defaults/sendAt'])
  })

  test('that has passed for long when its turn comes is a reason not to send it', async () => {
    const { id } = await made([{ phone }], { state: 'draft' })
    const { write } = gateway.gateway.store
    // As if the draft had been left for a day.
    const body = { phone: other, sendAt: inMs(-dayMs) }
    await write.addBatchItems({ batchId: id, offset: 1, items: [{ recipient: other, reference: null, body }] })
    await call('POST', `/${id}/start`)
    expect(counted((await becomes(id, 'done')).counts)).toEqual({ SENT: 1, FAILED: 1 })
    expect((await itemsOf(id))[1].reason).toMatchObject({ code: 'LATE' })
  })
})

describe('a number that is none', () => {
  test.each([131026, 131021])('%i of the platform makes its item SKIPPED, with the reason', async code => {
    gateway.upstream.answer = request =>
      request.json.to === phone ? graphError(400, { code, message: 'no' }) : accept(request)
    const { id } = await made([{ phone }, { phone: other }])
    expect(counted((await becomes(id, 'done')).counts)).toEqual({ SKIPPED: 1, SENT: 1 })
    const [skipped] = await itemsOf(id)
    expect(skipped).toMatchObject({ status: 'SKIPPED', reason: { code: 'BAD_NUMBER' } })
    expect(skipped.reason.message).toContain(`${code}: no`)
    // Its message is there, and says the same as that of any send.
    const { data } = (await gateway.get(`/api/v1/public/messages/${skipped.messageId}`)).json
    expect(data.status).toBe('FAILED')
    expect((await call('POST', `/${id}/retry`)).json.data).toMatchObject({ retried: 0, leftOut: 0 })
  })

  test('is no failure that stops the others', async () => {
    gateway.upstream.answer = () => graphError(400, { code: 131026, message: 'no' })
    const people = Array.from({ length: 60 }, (_, at) => ({ phone: `+49151${100_000 + at}` }))
    const { id } = await made(people)
    expect(counted((await becomes(id, 'done')).counts)).toEqual({ SKIPPED: 60 })
  })
})

test('what an item said is gone: a retry, and its dry run, leave it out', async () => {
  gateway.upstream.answer = () => graphError(400, { code: 131031, message: 'no' })
  const { id } = await made([{ phone }])
  await becomes(id, 'paused')
  await call('POST', `/${id}/resume`)
  await becomes(id, 'done')
  const dry = async () => (await call('POST', `/${id}/retry`, { dryRun: true })).json.data
  expect(await dry()).toEqual({ retried: 1, leftOut: 0, dryRun: true })
  const { write, clock } = gateway.gateway.store
  while ((await write.pruneBatchContents({ endedBefore: clock.now() + 1, limit: 100 })) > 0);
  expect(await dry()).toEqual({ retried: 0, leftOut: 1, dryRun: true })
})

test('an item that was in hand longer ago than messages are kept is not sent: it may have been', async () => {
  const { id } = await made([{ phone }, { phone: other }])
  await call('POST', `/${id}/pause`)
  const { write } = gateway.gateway.store
  await call('POST', `/${id}/resume`)
  // As a process that has ended claimed them, the first one long ago: the time is in its id.
  const long = newId('msg').replace(/_.{10}/, '_0000000000')
  await write.claimBatchItems({ batchId: id, messageIds: [long, newId('msg')] })
  expect(counted((await becomes(id, 'done')).counts)).toEqual({ FAILED: 1, SENT: 1 })
  expect((await itemsOf(id))[0]).toMatchObject({ status: 'FAILED', messageId: null, reason: { code: 'TOO_OLD' } })
  expect(gateway.upstream.received.map(({ json }) => json.to)).toEqual([other])
})

test('an item that is in hand when its person is erased is not sent any more', async () => {
  const slow = await gateway.addLine({ perSecond: 10 })
  const { write, clock } = gateway.gateway.store
  const person = { id: newId('contact'), workspaceId: gateway.workspaceId, phone: other, name: 'Ada', userId: null }
  await write.saveContact({ ...person, createdAt: clock.now(), updatedAt: clock.now() })
  const claim = write.claimBatchItems
  let claimed: readonly string[] = []
  using _ = spyOn(write, 'claimBatchItems').mockImplementation(async asked => {
    const items = await claim(asked)
    claimed = [...claimed, ...(items ?? []).map(({ recipient }) => recipient)]
    await write.forgetContact({ contactId: person.id, at: clock.now() })
    return items
  })
  const { id } = await made([{ phone }, { phone: other }], {
    defaults: { type: 'text', content: 'Hello', phoneNumberId: slow.id },
  })
  expect(counted((await becomes(id, 'done')).counts)).toEqual({ SENT: 1, CANCELLED: 1 })
  expect(claimed).toEqual([phone, other])
  expect(gateway.upstream.received.map(({ json }) => json.to)).toEqual([phone])
})

test('of a line with a pace only what leaves soon is in hand: the others can be left out', async () => {
  const slow = await gateway.addLine({ perSecond: 1 })
  const people = Array.from({ length: 5 }, (_, at) => ({ phone: `+49151${100_000 + at}` }))
  const { id } = await made(people, { defaults: { type: 'text', content: 'Hello', phoneNumberId: slow.id } })
  await run()
  await eventually(() => expect(gateway.upstream.received).toHaveLength(1))
  expect((await call('DELETE', `/${id}/items/4`)).status).toBe(200)
  await call('POST', `/${id}/pause`)
  expect((await call('DELETE', `/${id}/items/3`)).status).toBe(200)
})

test('a file that the platform takes from nobody on the line pauses the batch, and says why', async () => {
  gateway.upstream.answer = request =>
    request.path.endsWith('/media') ? graphError(401, { code: 190, message: 'expired' }) : accept(request)
  const form = new FormData()
  form.append(
    'file',
    new Blob([Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(1_000, 7)])]),
    'a.png',
  )
  const kept = await answerOf(
    fetch(`${gateway.url}/api/v1/public/media`, { method: 'POST', headers: { ...gateway.key }, body: form }),
  )
  const image = { type: 'image', mediaId: kept.json.data.id }
  const { id } = await made([{ phone }, { phone: other }], { defaults: image })
  expect((await becomes(id, 'paused')).reason).toMatchObject({ code: 'line' })
  const own = await made(
    [
      { phone, ...image },
      { phone: other, ...image },
    ],
    { defaults: {} },
  )
  expect((await becomes(own.id, 'paused')).reason).toMatchObject({ code: 'line' })
  expect(gateway.upstream.received.filter(({ path }) => path.endsWith('/media')).length).toBeLessThan(10)
})

test('a batch whose items are refused one after the other pauses before all are', async () => {
  const slow = await gateway.addLine({ perSecond: 200 })
  const nobody = Array.from({ length: 200 }, (_, at) => ({ contactId: `contact_${at}` }))
  const { id } = await made(nobody, { defaults: { type: 'text', content: 'Hello', phoneNumberId: slow.id } })
  const { counts, reason } = await becomes(id, 'paused')
  expect(reason.code).toBe('failures')
  expect(counts.FAILED).toBeGreaterThan(20)
  expect(counts.WAITING).toBeGreaterThan(0)
})

test('people who rate the line worse since it began pause a batch, and one that was rated so before runs', async () => {
  const line = await gateway.addLine({ perSecond: 10 })
  const { write } = gateway.gateway.store
  const rate = (quality: string) => write.keepLines({ lines: [{ id: line.id, quality, messagingLimit: null }] })
  await rate('YELLOW')
  const people = Array.from({ length: 60 }, (_, at) => ({ phone: `+4915112350${String(at).padStart(3, '0')}` }))
  const { id } = await made(people, { defaults: { type: 'text', content: 'Hello', phoneNumberId: line.id } })
  await eventually(async () => {
    await run()
    expect((await call('GET', `/${id}`)).json.data.counts.SENT).toBeGreaterThan(0)
  })
  await rate('RED')
  const { counts, reason } = await becomes(id, 'paused')
  expect(reason).toMatchObject({ code: 'line', message: expect.stringContaining('RED') })
  expect(counts.WAITING).toBeGreaterThan(0)
  await call('POST', `/${id}/resume`, {})
  await eventually(async () => {
    await run()
    const { data } = (await call('GET', `/${id}`)).json
    expect([data.state, data.counts.SENT]).toEqual(['running', expect.any(Number)])
    expect(data.counts.SENT).toBeGreaterThan(counts.SENT)
  })
})
