import { afterAll, expect, test } from 'bun:test'
import { hourMs } from '../../src/base/durations.ts'
import { newId } from '../../src/base/ids.ts'
import { draft } from '../db/fixtures.ts'
import { Deployment, expectRefusal, queueMessages, seeded } from './waypost.ts'

const deployment = new Deployment()
afterAll(() => deployment.remove())

/** Messages that wait for their times, so far from now. */
const scheduled = (...inMs: readonly number[]) =>
  deployment.withStore(async store => {
    const owner = await seeded(store)
    const [queued = ''] = await queueMessages(store, owner, 1)
    const ids: string[] = []
    for (const ms of inMs) {
      const id = newId('msg')
      const { dispatchedAt: _, ...offered } = draft({ ...owner, id, createdAt: Date.now() })
      await store.write.scheduleMessage({ ...offered, dueAt: Date.now() + ms, payload: '{"held":{}}' })
      ids.push(id)
    }
    return { owner, queued, ids }
  })
const statuses = (ids: readonly string[]) =>
  Promise.all(ids.map(async id => (await deployment.json<{ status: string }>(['message', 'show', id])).status))

test('a message is moved and cancelled before its time, and the audit has both', async () => {
  const { queued, ids } = await scheduled(hourMs)
  const [id = ''] = ids
  const sendAt = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 2 * hourMs).toISOString()
  const moved = await deployment.json(['message', 'reschedule', id, '--send-at', sendAt])
  expect(moved).toMatchObject({ id, status: 'SCHEDULED', sendAt })
  const late = await deployment.run(['message', 'reschedule', id, '--send-at', '2020-01-01T00:00:00Z', '--json'])
  expectRefusal(late, 2, '1 minute to 35 days ahead')
  expect(await deployment.json(['message', 'cancel', id])).toMatchObject({ id, status: 'CANCELLED' })
  expectRefusal(await deployment.run(['message', 'cancel', id, '--json']), 1, 'this one is CANCELLED')
  expectRefusal(await deployment.run(['message', 'cancel', queued, '--json']), 1, 'this one is QUEUED')
  const entries = await deployment.json<{ action: string }[]>(['audit', 'list', '--subject', id])
  expect(entries.map(({ action }) => action).toSorted()).toEqual(['message.cancel', 'message.reschedule'])
})

test('all of a workspace are cancelled, once it is said how many', async () => {
  const { owner, queued, ids } = await scheduled(hourMs, 2 * hourMs)
  const cancel = ['message', 'cancel', '--workspace', owner.workspaceId]
  expectRefusal(await deployment.run([...cancel, '--json']), 1, '--force cancels 2 SCHEDULED messages')
  expect(await statuses(ids)).toEqual(['SCHEDULED', 'SCHEDULED'])
  expect(await deployment.json([...cancel, '--force'])).toEqual({ cancelled: 2, left: 0 })
  expect(await statuses([...ids, queued])).toEqual(['CANCELLED', 'CANCELLED', 'QUEUED'])
  expect(await deployment.json([...cancel, '--force'])).toEqual({ cancelled: 0, left: 0 })
})

test('never twice: after a restore by other tools, what was due since the copy is UNKNOWN, and what is due later waits', async () => {
  const { ids, queued } = await scheduled(-hourMs, hourMs)
  await deployment.json(['message', 'settle-waiting', '--force'])
  expect(await statuses([queued, ...ids])).toEqual(['UNKNOWN', 'UNKNOWN', 'SCHEDULED'])
})
