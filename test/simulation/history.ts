import fc from 'fast-check'
import { hourMs } from '../../src/base/durations.ts'
import type { Fate, Planned, Reply, Says } from './platform.ts'

/** Two workspaces, each with a channel, a line and two keys: nothing of one may show at the other. */
export type Tenant = 0 | 1
/** The first of a workspace is the one that may be revoked. */
export type KeyOfTenant = 0 | 1

/** One thing that a caller wants to be sent. */
export interface Order {
  readonly tenant: Tenant
  readonly apiKey: KeyOfTenant
  /** Its idempotency key, by a number; null: none. Two orders of a workspace with one number ask the same. */
  readonly key: number | null
  readonly to: number
  /** Null: at once. Else it is scheduled for so long after it is asked. */
  readonly inMs: number | null
  readonly fate: Fate
}

export type Act =
  | { readonly kind: 'send'; readonly order: Order }
  /** All of the memory is gone; the next process starts after that time. */
  | { readonly kind: 'crash'; readonly downMs: number }
  | { readonly kind: 'stop'; readonly downMs: number }
  | { readonly kind: 'senderDies' }
  /** Somebody sets the machine's time. */
  | { readonly kind: 'time'; readonly byMs: number }
  /** A command writes beside the gateway, for so long. */
  | { readonly kind: 'busy'; readonly forMs: number }
  /** Nothing that takes room can be stored. */
  | { readonly kind: 'fullDisk'; readonly forMs: number }
  /** Commits take long for a while. */
  | { readonly kind: 'slowDisk'; readonly forMs: number; readonly commitMs: number }
  | { readonly kind: 'revoke'; readonly tenant: Tenant; readonly by: 'command' | 'console' }
  /** The operator's limit of a month. */
  | { readonly kind: 'limit'; readonly tenant: Tenant; readonly limit: number }
  /** A caller takes back what it has scheduled, or moves it. */
  | { readonly kind: 'cancel'; readonly nth: number }
  | { readonly kind: 'move'; readonly nth: number; readonly inMs: number }
  /** A caller asks for all that it knows. */
  | { readonly kind: 'look'; readonly tenant: Tenant }

/** What an endpoint answers to its attempts, over and over. */
export interface Receiver {
  readonly answers: readonly { readonly status: 200 | 500 | null; readonly afterMs: number }[]
}

/** All that happens, decided beforehand. */
export interface History {
  /** Of all that is not told here: how long posts and commits take. */
  readonly seed: number
  readonly lines: readonly { readonly perSecond: number; readonly pairSeconds: number }[]
  readonly limits: readonly (number | null)[]
  /** Of the endpoint of each workspace; null: it has none. */
  readonly receivers: readonly (Receiver | null)[]
  readonly acts: readonly { readonly atMs: number; readonly act: Act }[]
}

/** When the last act begins: what follows from it takes longer. */
const lastActMs = 4_000
const actsMax = 24
const ms = (max: number) => fc.integer({ min: 0, max })

const says = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Says>('accepted') },
  { weight: 3, arbitrary: fc.constantFrom<Says>('takenLost', 'takenGarbled', 'lost') },
  { weight: 2, arbitrary: fc.constantFrom<Says>('notSent', 'overloaded', 'overloadedTaken') },
  { weight: 2, arbitrary: fc.constantFrom<Says>('throttledLine', 'throttledApp', 'throttledPair') },
  { weight: 2, arbitrary: fc.constant<Says>('refused') },
)
const reply: fc.Arbitrary<Reply> = fc.record({
  says,
  travelMs: fc.oneof(ms(3), ms(100)),
  afterMs: fc.oneof({ weight: 3, arbitrary: ms(20) }, { weight: 2, arbitrary: ms(1_500) }),
})
const report: fc.Arbitrary<Planned> = fc.record({
  status: fc.constantFrom('sent', 'delivered', 'read', 'failed'),
  afterMs: fc.oneof(ms(10), ms(2_000)),
  copies: fc.constantFrom(1, 1, 1, 2),
  isNamed: fc.constantFrom(true, true, false),
})
const fate: fc.Arbitrary<Fate> = fc.record({
  replies: fc.array(reply, { maxLength: 3 }),
  reports: fc.array(report, { maxLength: 3 }),
})
const tenant = fc.constantFrom<Tenant>(0, 0, 1)
const order: fc.Arbitrary<Order> = fc.record({
  tenant,
  apiKey: fc.constantFrom<KeyOfTenant>(0, 0, 1),
  key: fc.option(fc.integer({ min: 0, max: 2 }), { freq: 2 }),
  to: fc.integer({ min: 0, max: 2 }),
  inMs: fc.oneof(
    { weight: 4, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.integer({ min: 60_000, max: 62_000 }) },
  ),
  fate,
})
const downMs = fc.oneof(ms(50), ms(1_000))
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 16, arbitrary: fc.record({ kind: fc.constant('send' as const), order }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('crash' as const), downMs }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('stop' as const), downMs }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('senderDies' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('time' as const), byMs: fc.integer({ min: -20_000, max: 20_000 }) }),
  },
  // What is scheduled becomes due, and no key may be forgotten.
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('time' as const), byMs: fc.constantFrom(61_000, 61_000, 26 * hourMs) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fullDisk' as const), forMs: ms(2_000) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('busy' as const), forMs: fc.oneof(ms(300), ms(7_000)) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('slowDisk' as const), forMs: ms(2_000), commitMs: ms(400) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('revoke' as const), tenant, by: fc.constantFrom('command', 'console') }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('limit' as const), tenant, limit: fc.integer({ min: 0, max: 6 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), nth: ms(3) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      nth: ms(3),
      inMs: fc.integer({ min: 60_000, max: 65_000 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('look' as const), tenant }) },
)

const receiver: fc.Arbitrary<Receiver> = fc.record({
  answers: fc.array(
    fc.record({ status: fc.constantFrom(200, 200, 200, 500, null), afterMs: fc.oneof(ms(20), ms(2_000)) }),
    {
      minLength: 1,
      maxLength: 6,
    },
  ),
})

export const histories: fc.Arbitrary<History> = fc.record({
  seed: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
  lines: fc.tuple(
    ...([0, 1] as const).map(() =>
      fc.record({ perSecond: fc.constantFrom(0, 0, 3, 8), pairSeconds: fc.constantFrom(0, 0, 1) }),
    ),
  ),
  limits: fc.tuple(...[0, 1].map(() => fc.option(fc.integer({ min: 0, max: 8 }), { freq: 1 }))),
  receivers: fc.tuple(...[0, 1].map(() => fc.option(receiver, { freq: 2 }))),
  acts: fc
    .array(fc.record({ atMs: ms(lastActMs), act }), { minLength: 1, maxLength: actsMax, size: 'max' })
    .map(acts => acts.toSorted((one, other) => one.atMs - other.atMs)),
}) as fc.Arbitrary<History>
