import { beforeEach, expect, spyOn, test } from 'bun:test'
import type { Batch } from '../../db/contract/batches.ts'
import type { StoreReads, StoreWrites } from '../../db/contract/store.ts'
import { refusalAnswer } from '../../src/http/answers.ts'
import type { Guard } from '../../src/http/guard.ts'
import { batchRoutes } from '../../src/partner/batches/routes.ts'
import { createEndpoint, type Endpoint } from '../../src/partner/endpoint.ts'
import { eventsRoute } from '../../src/partner/events.ts'
import { inboundRoutes } from '../../src/partner/inbound.ts'
import { Waiting } from '../../src/partner/waiting.ts'
import { Announcements } from '../../src/reading/announcements.ts'
import { Passes } from '../../src/reading/passes.ts'
import { Turns } from '../../src/reading/turns.ts'
import { Metrics } from '../../src/telemetry/metrics.ts'
import { ManualClock } from '../clock.ts'

let clock: ManualClock
let turns: Turns
let passes: Passes
let endpoint: Endpoint
const nextTurn = () => new Promise<void>(resolve => setImmediate(resolve))
let reads = 0
const largeBatch: Omit<Batch, 'id'> = {
  ...{ workspaceId: 'ws_1', keyId: 'pk_1', scope: 'pk_1', idempotencyKey: null, name: null, defaults: {} },
  ...{
    state: 'done',
    reason: null,
    total: 4,
    duplicates: 'skip',
    createdAt: 1,
    sendAt: null,
    startedAt: 1,
    endedAt: 2,
  },
} as const
/** A look takes six milliseconds of the thread. */
const look = () => {
  reads += 1
  clock.advance(6)
}
const read = {
  async events({ after }) {
    look()
    return { events: [], upTo: after + 5_000, hasMore: true }
  },
  async inboundMessages() {
    look()
    return { messages: [], upTo: 0 }
  },
  batch: async id => ({ ...largeBatch, id }),
  async countBatchItems({ after }) {
    look()
    const next = after < 2 ? after + 1 : null
    return { ...{ counts: {}, firstAt: null, lastAt: null, answered: 0 }, reasons: [], costs: [], unpriced: [], next }
  },
  lines: async () => [],
  priceRates: async () => null,
} satisfies Partial<StoreReads> as Partial<StoreReads> as StoreReads
const caller = {
  workspaceId: 'ws_1',
  keyId: 'pk_1',
  scope: 'pk_1',
  scopes: null,
  lineIds: null,
  onOptOut: null,
  settings: null,
}
const guard: Guard = async () => ({ ok: true, caller, renew: async () => caller })
/** What is logged and counted of a call. */
const ignored = new Proxy({}, { get: () => () => undefined }) as never

// A turn is followed by a rest: each test has turns of its own.
beforeEach(() => {
  reads = 0
  clock = new ManualClock()
  turns = new Turns(clock, () => true)
  passes = new Passes(clock)
  endpoint = createEndpoint({
    ...{ store: { read, clock, writeAs: () => ({}) as StoreWrites }, guard, turns, passes },
    ...{ requests: ignored, kept: ignored, peers: ignored },
    metrics: new Metrics(),
    answerRefusal: refusalAnswer,
  })
})
const events = () => eventsRoute(endpoint, new Waiting(clock, new Announcements(null)))
const inbound = () => inboundRoutes(endpoint)
const request = (path: string, signal: AbortSignal | null = null) =>
  new Request(`http://gateway/api/v1/public${path}`, { signal })

test.each([
  ['/events?type=message.failed', events],
  ['/events?type=message.failed&wait=25', events],
  ['/inbound', inbound],
])('many who read %s at once take turns, and sends have three quarters of the thread', async (path, routes) => {
  const handler = routes()
  const asked = Array.from({ length: 3 }, () => handler.handle(request(path)))
  for (const seen of [1, 2, 3]) {
    await nextTurn()
    await nextTurn()
    expect(reads).toBe(seen)
    clock.advance(17)
    await nextTurn()
    expect(reads).toBe(seen)
    clock.advance(1)
  }
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200])
})

test('each step of a batch takes a turn of its own: on SQLite one is over before its turn is', async () => {
  const answered = batchRoutes(clock, endpoint).handle(request('/batches/batch_1'))
  for (const seen of [1, 2, 3, 4]) {
    for (let turn = 0; turn < 4; turn += 1) await nextTurn()
    expect(reads).toBe(seen)
    clock.advance(18)
  }
  expect((await answered).status).toBe(200)
})

test('who is gone when its turn comes is not read for', async () => {
  const gone = new AbortController()
  const handler = events()
  const asked = [handler.handle(request('/events')), handler.handle(request('/events', gone.signal))]
  await nextTurn()
  await nextTurn()
  gone.abort()
  clock.advance(18)
  await Promise.all(asked)
  expect(reads).toBe(1)
})

test.each([
  ['GET /lines', 1],
  ['GET /contacts', 1],
  ['GET /messages/:messageId', 0],
  ['POST /messages/send', 0],
] as const)('%s begins with %d turns, whatever it does then', async (call, expected) => {
  const taking = spyOn(turns, 'take')
  const answer = endpoint(call, async () => ({ ok: true, status: 200, body: {} }))
  const answered = answer({ request: request('/'), server: null })
  await nextTurn()
  clock.advance(1_000)
  expect((await answered).status).toBe(200)
  expect(taking).toHaveBeenCalledTimes(expected)
  taking.mockRestore()
})

test('beside the sends of others, what an id names takes turns too once it is asked for all too often, and so does a large body', async () => {
  const taking = spyOn(turns, 'take')
  const call = (name: 'GET /messages/:messageId' | 'POST /messages/send') =>
    endpoint(name, async () => ({ ok: true, status: 200, body: {} }))({ request: request('/'), server: null })
  for (let n = 0; n < 201; n += 1) await call('GET /messages/:messageId')
  expect(taking).toHaveBeenCalledTimes(0)
  passes.sends('ws_2')
  await call('GET /messages/:messageId')
  await call('POST /messages/send')
  expect(taking).toHaveBeenCalledTimes(1)
  const large = endpoint('POST /messages/send', async caller => {
    await caller.body((_, room) => room(100_000))
    return { ok: true, status: 200, body: {} }
  })
  await large({ request: request('/'), server: null })
  expect(taking).toHaveBeenCalledTimes(2)
  taking.mockRestore()
})

test('beside the sends of others, a file comes no faster than the disk and the network leave them room', async () => {
  passes.sends('ws_2')
  let pieces = 0
  const upload = endpoint('POST /media', async caller => {
    await caller.body(async (_, room) => {
      for (; pieces < 3; pieces += 1) await room(500_000)
    })
    return { ok: true, status: 201, body: {} }
  })
  const answered = upload({ request: request('/'), server: null })
  for (const taken of [1, 2]) {
    for (let turn = 0; turn < 4; turn += 1) await nextTurn()
    expect(pieces).toBe(taken)
    // A millisecond of work, and three of rest.
    clock.advance(3)
  }
  expect((await answered).status).toBe(201)
})
