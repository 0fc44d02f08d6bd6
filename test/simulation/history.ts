import fc from 'fast-check'
import { hourMs } from '../../src/base/durations.ts'
import { type GraphForm, graphFormNames } from './graphForms.ts'
import type { Fate, Planned, Reply, Says } from './platform.ts'
import type { Taking } from './platformFiles.ts'
import { letterNames } from './recorded.ts'
import { type FormName, seenForms } from './requests.ts'

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
  readonly form: FormName
  /** Null: at once. Else it is scheduled for so long after it is asked. */
  readonly inMs: number | null
  readonly fate: Fate
}

export type Act =
  | { readonly kind: 'send'; readonly order: Order }
  /** A client of the platform that was told another address calls it as it would the platform. */
  | {
      readonly kind: 'graph'
      readonly tenant: Tenant
      readonly apiKey: KeyOfTenant
      readonly key: number | null
      readonly form: GraphForm
      readonly fate: Fate
      /** One with a key asks again so long after it was answered; null: it does not. */
      readonly againMs: number | null
      /** How much of it arrives at first, in hundredths; null: all. */
      readonly cutAt: number | null
    }
  /** All of the memory is gone; the next process starts after that time. */
  | { readonly kind: 'crash'; readonly downMs: number }
  | { readonly kind: 'stop'; readonly downMs: number }
  /** It crashes, and the next one is stopped a moment after its start has begun. */
  | { readonly kind: 'startAndStop'; readonly afterMs: number }
  | { readonly kind: 'senderDies' }
  /** A user writes; the platform may tell it twice. */
  | {
      readonly kind: 'write'
      readonly tenant: Tenant
      readonly nth: number
      readonly copies: number
      /** What becomes of attempts to fetch its file, any further one works; null: it has none. */
      readonly fetches: readonly Fetching[] | null
    }
  /** The platform pauses a template, or takes that back, and tells it after a time, or never (null). */
  | {
      readonly kind: 'template'
      readonly tenant: Tenant
      readonly event: 'PAUSED' | 'REINSTATED' | 'FLAGGED'
      readonly tellMs: number | null
      readonly copies: number
      /** Whether its listing can be read from then on. */
      readonly isListed: boolean
    }
  /** A workspace switches its endpoint off or on. */
  | { readonly kind: 'switch'; readonly tenant: Tenant; readonly isOn: boolean }
  /** A callback of recorded parts, in any order; the platform may tell it twice, and something may cut it. */
  | {
      readonly kind: 'recorded'
      readonly tenant: Tenant
      readonly nth: number
      readonly parts: readonly string[]
      readonly copies: number
      /** How much of it arrives, in hundredths; null: all. */
      readonly cutAt: number | null
    }
  /** Somebody sets the machine's time. */
  | { readonly kind: 'time'; readonly byMs: number }
  /** A command writes beside the gateway, for so long. */
  | { readonly kind: 'busy'; readonly forMs: number }
  /** Nothing that takes room can be stored. */
  | { readonly kind: 'fullDisk'; readonly forMs: number }
  /** Commits take long for a while. */
  | { readonly kind: 'slowDisk'; readonly forMs: number; readonly commitMs: number }
  | { readonly kind: 'revoke'; readonly tenant: Tenant; readonly by: 'command' | 'console' }
  /** A workspace has all events of its endpoint delivered again. */
  | { readonly kind: 'replay'; readonly tenant: Tenant }
  /** The person who writes, and gets what is sent to the first number, is forgotten. */
  | { readonly kind: 'erase'; readonly tenant: Tenant; readonly by: 'command' | 'console' }
  | { readonly kind: 'backup' }
  /** The gateway ends, if one runs, and goes on with the database of the last backup; the first is from before. */
  | { readonly kind: 'restore'; readonly downMs: number }
  /** The operator's limit of a month. */
  | { readonly kind: 'limit'; readonly tenant: Tenant; readonly limit: number }
  /** A caller takes back what it has scheduled, or moves it. */
  | { readonly kind: 'cancel'; readonly nth: number }
  | { readonly kind: 'move'; readonly nth: number; readonly inMs: number }
  /** Many sends as one thing, made again until it is answered. */
  | {
      readonly kind: 'batch'
      readonly tenant: Tenant
      readonly apiKey: KeyOfTenant
      readonly key: number
      readonly form: 'text' | 'template'
      readonly items: readonly Fate[]
    }
  | { readonly kind: 'steer'; readonly nth: number; readonly how: 'pause' | 'resume' | 'cancel' | 'retry' }
  /** A caller asks for all that it knows. */
  | { readonly kind: 'look'; readonly tenant: Tenant }

/** What an endpoint answers to its attempts, over and over. */
export interface Receiver {
  readonly answers: readonly { readonly status: 200 | 410 | 500 | null; readonly afterMs: number }[]
}

/** What becomes of an attempt to fetch a file: it may break off, or bring other bytes. */
export interface Fetching {
  readonly says: 'whole' | 'broken' | 'other' | 'gone' | 'overloaded' | 'lost'
  readonly afterMs: number
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
const lastActMs = 3_000
const actsMax = 30
const ms = (max: number) => fc.integer({ min: 0, max })

const says = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Says>('accepted') },
  { weight: 3, arbitrary: fc.constantFrom<Says>('takenLost', 'takenGarbled', 'lost') },
  { weight: 2, arbitrary: fc.constantFrom<Says>('notSent', 'overloaded', 'overloadedTaken') },
  { weight: 2, arbitrary: fc.constantFrom<Says>('throttledLine', 'throttledApp', 'throttledPair', 'throttledFor') },
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
const taking: fc.Arbitrary<Taking> = fc.record({
  says: fc.constantFrom('taken', 'lost', 'refused', 'overloaded'),
  afterMs: fc.oneof(ms(20), ms(2_000)),
})
const fate: fc.Arbitrary<Fate> = fc.record({
  replies: fc.array(reply, { maxLength: 3 }),
  uploads: fc.array(taking, { maxLength: 2 }),
  reports: fc.array(report, { maxLength: 3 }),
})
const tenant = fc.constantFrom<Tenant>(0, 0, 1)
const order: fc.Arbitrary<Order> = fc.record({
  tenant,
  apiKey: fc.constantFrom<KeyOfTenant>(0, 0, 1),
  key: fc.option(fc.integer({ min: 0, max: 2 }), { freq: 2 }),
  to: fc.integer({ min: 0, max: 2 }),
  form: fc.oneof(
    { weight: 12, arbitrary: fc.constant<FormName>('text') },
    { weight: 3, arbitrary: fc.constant<FormName>('template') },
    { weight: 2, arbitrary: fc.constant<FormName>('file') },
    { weight: 4, arbitrary: fc.constantFrom(...seenForms) },
  ),
  inMs: fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.integer({ min: 60_000, max: 62_000 }) },
  ),
  fate,
})
const fetching: fc.Arbitrary<Fetching> = fc.record({
  says: fc.constantFrom('whole', 'broken', 'other', 'gone', 'overloaded', 'lost'),
  afterMs: fc.oneof(ms(20), ms(8_000)),
})
const fetches = fc.option(fc.array(fetching, { maxLength: 3 }), { freq: 2 })
const downMs = fc.oneof(ms(50), ms(1_000))
const setTimes = fc.oneof(
  fc.integer({ min: -20_000, max: 20_000 }),
  // What is scheduled becomes due, and no key may be forgotten.
  fc.constantFrom(61_000, 61_000, 26 * hourMs),
)

/** How each kind of act is made, and how often it is. */
const making: {
  readonly [Kind in Act['kind']]: {
    readonly weight: number
    readonly fields: { readonly [Field in Exclude<keyof Extract<Act, { kind: Kind }>, 'kind'>]: fc.Arbitrary<unknown> }
  }
} = {
  send: { weight: 22, fields: { order } },
  graph: {
    weight: 6,
    fields: {
      ...{ tenant, apiKey: fc.constantFrom<KeyOfTenant>(0, 0, 1), form: fc.constantFrom(...graphFormNames), fate },
      key: fc.option(fc.integer({ min: 0, max: 1 }), { freq: 2 }),
      againMs: fc.option(ms(4_000), { freq: 1 }),
      cutAt: fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: ms(99) }),
    },
  },
  crash: { weight: 3, fields: { downMs } },
  stop: { weight: 1, fields: { downMs } },
  startAndStop: { weight: 1, fields: { afterMs: ms(25) } },
  write: { weight: 3, fields: { tenant, nth: ms(2), copies: fc.constantFrom(1, 2), fetches } },
  template: {
    weight: 4,
    fields: {
      tenant,
      event: fc.constantFrom('PAUSED', 'PAUSED', 'REINSTATED', 'FLAGGED'),
      copies: fc.constantFrom(1, 1, 2),
      tellMs: fc.option(fc.oneof({ weight: 3, arbitrary: ms(20) }, { weight: 1, arbitrary: ms(1_500) }), { freq: 7 }),
      isListed: fc.constantFrom(true, true, true, false),
    },
  },
  switch: { weight: 2, fields: { tenant, isOn: fc.constantFrom(true, true, false) } },
  recorded: {
    weight: 5,
    fields: {
      tenant,
      nth: ms(3),
      parts: fc.array(fc.constantFrom(...letterNames), { minLength: 1, maxLength: 5 }),
      copies: fc.constantFrom(1, 1, 2),
      cutAt: fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: ms(99) }),
    },
  },
  senderDies: { weight: 1, fields: {} },
  time: { weight: 2, fields: { byMs: setTimes } },
  fullDisk: { weight: 1, fields: { forMs: ms(2_000) } },
  busy: { weight: 1, fields: { forMs: fc.oneof(ms(300), ms(7_000)) } },
  slowDisk: { weight: 2, fields: { forMs: ms(2_000), commitMs: ms(400) } },
  revoke: { weight: 3, fields: { tenant, by: fc.constantFrom('command', 'console') } },
  limit: { weight: 1, fields: { tenant, limit: fc.integer({ min: 0, max: 6 }) } },
  replay: { weight: 3, fields: { tenant } },
  erase: { weight: 3, fields: { tenant, by: fc.constantFrom('command', 'console') } },
  backup: { weight: 1, fields: {} },
  restore: { weight: 2, fields: { downMs } },
  cancel: { weight: 1, fields: { nth: ms(3) } },
  move: { weight: 1, fields: { nth: ms(3), inMs: fc.integer({ min: 60_000, max: 65_000 }) } },
  look: { weight: 1, fields: { tenant } },
  batch: {
    weight: 2,
    fields: {
      tenant,
      apiKey: fc.constantFrom<KeyOfTenant>(0, 1),
      key: ms(1),
      form: fc.constantFrom('text', 'text', 'template'),
      items: fc.array(fate, { minLength: 1, maxLength: 5 }),
    },
  },
  steer: { weight: 1, fields: { nth: ms(2), how: fc.constantFrom('pause', 'resume', 'cancel', 'retry') } },
}

export type Kind = Act['kind']
// The keys of a literal.
export const kinds = Object.keys(making) as Kind[]

const actOf = (among: readonly Kind[]): fc.Arbitrary<Act> =>
  fc.oneof(
    ...kinds
      .filter(kind => among.includes(kind))
      .map(kind => ({
        weight: making[kind].weight,
        // The table has all fields of each kind, by its type.
        arbitrary: fc.record({
          kind: fc.constant(kind),
          ...making[kind].fields,
        }) as fc.Arbitrary<unknown> as fc.Arbitrary<Act>,
      })),
  )

/** As in `src/webhooks/attempt.ts`: so long an answer is waited for. */
export const hangMs = 15_000

const receiver: fc.Arbitrary<Receiver> = fc.record({
  answers: fc.array(
    fc.oneof(
      {
        weight: 18,
        arbitrary: fc.record({
          status: fc.constantFrom(200, 200, 200, 500, null),
          afterMs: fc.oneof(ms(20), ms(2_000)),
        }),
      },
      { weight: 1, arbitrary: fc.record({ status: fc.constant(410), afterMs: ms(20) }) },
      // It hangs for as long as is waited for it.
      { weight: 2, arbitrary: fc.record({ status: fc.constant(null), afterMs: fc.constant(hangMs) }) },
    ),
    {
      minLength: 1,
      maxLength: 6,
    },
  ),
})

/** Much happens at nearly the same moment: that is where it goes wrong. */
const atMs = fc.oneof(
  ms(lastActMs),
  fc.tuple(fc.constantFrom(100, 500, 1_000, 2_000), ms(30)).map(([moment, later]) => moment + later),
)

/** In most histories a few kinds of trouble come again and again: all at once hide each other. */
const troubles = fc.oneof(
  { weight: 1, arbitrary: fc.constant(kinds) },
  { weight: 3, arbitrary: fc.subarray(kinds, { minLength: 1, maxLength: 8 }) },
)

/** @param among the kinds of acts that there may be */
export const histories = (among: readonly Kind[] = kinds): fc.Arbitrary<History> =>
  fc
    .record({
      seed: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
      lines: fc.tuple(
        ...[0, 1].map(() =>
          fc.record({ perSecond: fc.constantFrom(0, 0, 3, 8), pairSeconds: fc.constantFrom(0, 0, 1) }),
        ),
      ),
      limits: fc.tuple(...[0, 1].map(() => fc.option(fc.integer({ min: 0, max: 8 }), { freq: 1 }))),
      receivers: fc.tuple(...[0, 1].map(() => fc.option(receiver, { freq: 2 }))),
      acts: fc.array(fc.record({ atMs, act: actOf(among) }), { minLength: 1, maxLength: actsMax, size: 'max' }),
      troubles,
    })
    .map(({ troubles, acts, ...history }) => ({
      ...history,
      acts: acts
        .filter(({ act }) => act.kind === 'send' || among !== kinds || troubles.includes(act.kind))
        .toSorted((one, other) => one.atMs - other.atMs),
    }))
