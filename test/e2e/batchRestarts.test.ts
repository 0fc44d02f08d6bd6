import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { newId } from '../../src/base/ids.ts'
import type { Gateway } from '../../src/serve.ts'
import { draft } from '../db/fixtures.ts'
import { eventually } from '../eventually.ts'
import { answerOf, startTestGateway, type TestGateway } from '../gateway.ts'

/*
 * A batch whose gateway ends among its items: each becomes one message, whatever its process had in hand.
 */

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.stop())

const call = (path: string, body: object) => {
  const headers = { ...gateway.key, 'content-type': 'application/json' }
  const url = `${gateway.url}/api/v1/public/batches${path}`
  return answerOf(fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }))
}
const numbers = (first: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({ phone: `+4915${100_000_000 + first + at}` }))
const runsUntilDone = ({ jobs, store }: Pick<Gateway, 'jobs' | 'store'>, id: string) =>
  eventually(async () => {
    await jobs.trigger('run-batches')
    expect((await store.read.batch(id))?.state).toBe('done')
  }, 120_000)
const fail = (): never => {
  throw new Error('the database is no shared one')
}
const recipients = () => gateway.upstream.received.map(({ json }) => String(json.to))
const made = async (items: object[]): Promise<string> => {
  const defaults = { type: 'text', content: 'Hello' }
  const body = { idempotencyKey: newId('msg'), defaults, items, state: 'draft' }
  return (await call('', body)).json.data.id
}

test('a message that was made, and not kept with its item, is not made again, whatever became of its key', async () => {
  gateway.upstream.received.length = 0
  const id = await made(numbers(0, 3))
  await call(`/${id}/start`, {})
  const { read, write } = gateway.gateway.store
  const [one, two] = [newId('msg'), newId('msg')]
  // As a process does that ends then: of one item there is the message, without an idempotency key, of one there is none.
  expect(await write.claimBatchItems({ batchId: id, messageIds: [one, two] })).toHaveLength(2)
  const { workspaceId, channelId, line } = gateway
  const place = { workspaceId, channelId, lineId: line.id, apiKeyId: gateway.key.apiKey }
  await write.acceptMessage(draft({ id: one, ...place, dispatchedAt: Date.now(), idempotency: null }))
  await runsUntilDone(gateway.gateway, id)
  expect(recipients().toSorted()).toEqual(['+4915100000001', '+4915100000002'])
  const { items } = await read.batchItems({ batchId: id, after: -1, limit: 9, statuses: null })
  expect(items.map(({ messageId }) => messageId).slice(0, 2)).toEqual([one, two])
})

// Several instances share a database on a server alone: bun test/onPostgres.ts runs it.
test.skipIf(process.env.WAYPOST_TEST_POSTGRES === undefined)(
  'two instances that both believe to lead make one message of each item',
  async () => {
    gateway.upstream.received.length = 0
    const other = await startTestGateway({ dataDir: gateway.dataDir, upstream: gateway.upstream })
    const both = [gateway.gateway, other.gateway]
    const believing = both.map(({ store }) => spyOn(store.shared ?? fail(), 'leads').mockResolvedValue(true))
    const id = await made(numbers(5_000, 500))
    await call(`/${id}/start`, {})
    await Promise.all(both.map(one => runsUntilDone(one, id)))
    expect(believing.every(({ mock }) => mock.calls.length > 0)).toBe(true)
    for (const belief of believing) belief.mockRestore()
    await other.gateway.stop()
    expect([recipients().length, new Set(recipients()).size]).toEqual([500, 500])
  },
)

test('thousands of items are one message each, although the gateway stops among them', async () => {
  gateway.upstream.received.length = 0
  const count = Number(process.env.BATCH_ITEMS ?? 2_000)
  const id = await made(numbers(1_000, 1_000))
  for (let offset = 1_000; offset < count; offset += 1_000)
    expect((await call(`/${id}/items`, { offset, items: numbers(1_000 + offset, 1_000) })).status).toBe(200)
  await call(`/${id}/start`, {})
  const first = gateway
  await first.gateway.jobs.trigger('run-batches')
  await eventually(() => expect(gateway.upstream.received.length).toBeGreaterThan(count / 4))
  await first.gateway.stop()
  expect(gateway.upstream.received.length).toBeLessThan(count)
  gateway = await startTestGateway({ dataDir: first.dataDir, upstream: first.upstream })
  await runsUntilDone(gateway.gateway, id)
  expect(recipients()).toHaveLength(count)
  expect(new Set(recipients()).size).toBe(count)
}, 240_000)
