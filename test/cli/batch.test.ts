import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Store } from '../../db/contract/store.ts'
import { Deployment, expectRefusal, seeded } from './waypost.ts'

/*
 * The words and options of the commands. What batches do is in test/partner/batches.test.ts.
 */

const deployment = new Deployment()
afterAll(() => deployment.remove())

let workspaceId: string
beforeAll(async () => {
  workspaceId = (await deployment.withStore(store => seeded(store, '1'))).workspaceId
})

const id = 'batch_01jd4v7m9xf5ksxj1q5y8p0c3n'
const make = (store: Store) =>
  store.write.createBatch({
    batch: {
      ...{ id, workspaceId, name: 'Spring', state: 'running', keyId: null, scope: workspaceId },
      ...{ idempotencyKey: null, fingerprint: null, defaults: { type: 'text' }, duplicates: 'skip' },
      ...{ createdAt: Date.UTC(2026, 2, 1), sendAt: null },
    },
    items: ['+491', '+491'].map(recipient => ({ recipient, reference: null, body: { phone: recipient } })),
  })

test('a batch is listed, shown, paused, resumed, retried and cancelled', async () => {
  expect((await deployment.run(['batch', 'list'])).stdout).toContain('No batch yet')
  await deployment.withStore(make)
  const [listed] = await deployment.json<object[]>(['batch', 'list', '--workspace', workspaceId])
  expect(listed).toMatchObject({ id, name: 'Spring', state: 'running', total: 2 })
  const shown = await deployment.json<object>(['batch', 'show', id])
  expect(shown).toMatchObject({ ...listed, counts: { WAITING: 1, SKIPPED: 1, SENT: 0 }, warnings: [] })
  const { stdout } = await deployment.run(['batch', 'show', id])
  expect(stdout).toMatch(/^Spring\n[\s\S]*state +running\n[\s\S]*WAITING +1\n +SKIPPED +1\n/)
  expect(await deployment.json<object>(['batch', 'pause', id])).toMatchObject({ state: 'paused' })
  expect(await deployment.json<object>(['batch', 'resume', id])).toMatchObject({ state: 'running' })
  const dry = { id, retried: 0, leftOut: 0, dryRun: true }
  expect(await deployment.json<object>(['batch', 'retry', id])).toEqual(dry)
  expect(await deployment.json<object>(['batch', 'retry', id, '--force'])).toEqual({ ...dry, dryRun: false })
  expect(await deployment.json<object>(['batch', 'cancel', id])).toMatchObject({
    state: 'cancelled',
    counts: { WAITING: 0, CANCELLED: 1 },
  })
  expectRefusal(await deployment.run(['batch', 'resume', id]), 1, 'this one is cancelled')
  const entries = await deployment.withStore(({ read }) => read.auditEntries({ subject: id, limit: 9 }))
  expect(entries.map(({ action }) => action)).toEqual(['batch.cancel', 'batch.resume', 'batch.pause'])
})

test('what is not there is told with a code', async () => {
  expectRefusal(await deployment.run(['batch', 'show', 'batch_none']), 1, 'batch_none')
})
