import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { failureOf, lastFailure } from '../../src/message/failures.ts'
import { readPricing } from '../../src/message/pricing.ts'
import {
  apply,
  failureReasonOf,
  type MessageEvent,
  type MessageRecord,
  type ReportEvent,
  sentAtOf,
  statusOf,
  timesOf,
} from '../../src/message/state.ts'
import type { MessageStatus } from '../../src/message/statuses.ts'
import { newRecord } from '../sending/newRecord.ts'

const channelMessageId = 'wamid.1'

/** The upstream's id of an attempt that it refused for now, before the one that it took. */
const earlierId = 'wamid.0'

const reported = (
  status: ReportEvent['status'],
  at = 50,
  reason: string | null = null,
  id = channelMessageId,
  pricing: number | null = null,
): ReportEvent => ({
  kind: 'reported',
  status,
  at,
  channelMessageId: id,
  reason: status === 'failed' ? reason : null,
  pricing,
})

const events = {
  dispatched: { kind: 'dispatched', at: 10 },
  deferred: { kind: 'deferred' },
  accepted: { kind: 'accepted', at: 20, channelMessageId, waId: '4930123' },
  refused: { kind: 'refused', at: 20, reason: 'refused' },
  expired: { kind: 'expired', at: 20, reason: 'waited too long' },
  lost: { kind: 'lost', at: 20 },
  abandoned: { kind: 'abandoned', at: 90, reason: 'abandoned' },
  'resolved as SENT': { kind: 'resolved', at: 80, as: 'SENT', reason: 'seen on the phone' },
  'resolved as FAILED': { kind: 'resolved', at: 80, as: 'FAILED', reason: 'never arrived' },
  namedByUs: { kind: 'namedByUs', at: 15 },
  rescheduled: { kind: 'rescheduled', at: 5, dueAt: 200 },
  released: { kind: 'released', at: 100 },
  heldBack: { kind: 'heldBack', at: 100, reason: 'its key was revoked' },
  cancelled: { kind: 'cancelled', at: 50 },
  sent: reported('sent'),
  delivered: reported('delivered'),
  read: reported('read'),
  failed: reported('failed', 50, 'undeliverable'),
} as const satisfies Record<string, MessageEvent>

type EventName = keyof typeof events
const eventNames = Object.keys(events) as EventName[]

const after = (...happened: readonly MessageEvent[]): MessageRecord => happened.reduce(apply, newRecord(0, null))
const named = (...names: readonly EventName[]) => after(...names.map(name => events[name]))

/** One that is to be sent later. */
const later = (...names: readonly EventName[]) =>
  names.map(name => events[name]).reduce<MessageRecord>(apply, { ...newRecord(0, null), dueAt: 100 })

/** Where a message can stand, each row of the state table by its own fact. */
const states = {
  SCHEDULED: later(),
  CANCELLED: later('cancelled'),
  'QUEUED, its time having come': later('released'),
  'FAILED when its time had come': later('heldBack'),
  'QUEUED, never handed over': named(),
  'QUEUED, waiting for the answer': named('dispatched'),
  UNKNOWN: named('dispatched', 'lost'),
  'SENT by the answer': named('dispatched', 'accepted'),
  'SENT by a callback': named('dispatched', 'sent'),
  'FAILED by a refusal': named('dispatched', 'refused'),
  'FAILED by us': named('dispatched', 'lost', 'abandoned'),
  'FAILED by its age': named('expired'),
  'FAILED by a callback': named('dispatched', 'accepted', 'failed'),
  DELIVERED: named('dispatched', 'accepted', 'delivered'),
  READ: named('dispatched', 'accepted', 'read'),
} as const

type State = keyof typeof states

/** Whether it was handed over or not, anything may be heard of it. */
const queued = {
  accepted: 'SENT',
  refused: 'FAILED',
  lost: 'UNKNOWN',
  sent: 'SENT',
  delivered: 'DELIVERED',
  read: 'READ',
} as const

/** What each event leads to; an event that is not named leaves the status as it is. */
const moves: Readonly<Record<State, Partial<Record<EventName, MessageStatus>>>> = {
  SCHEDULED: { ...queued, released: 'QUEUED', heldBack: 'FAILED', cancelled: 'CANCELLED' },
  CANCELLED: queued,
  'QUEUED, its time having come': { ...queued, expired: 'FAILED' },
  'FAILED when its time had come': { sent: 'SENT', delivered: 'DELIVERED', read: 'READ' },
  'QUEUED, never handed over': { ...queued, expired: 'FAILED' },
  'QUEUED, waiting for the answer': queued,
  UNKNOWN: {
    accepted: 'SENT',
    refused: 'FAILED',
    abandoned: 'FAILED',
    'resolved as SENT': 'SENT',
    'resolved as FAILED': 'FAILED',
    sent: 'SENT',
    delivered: 'DELIVERED',
    read: 'READ',
    failed: 'FAILED',
  },
  'SENT by the answer': { refused: 'FAILED', delivered: 'DELIVERED', read: 'READ', failed: 'FAILED' },
  'SENT by a callback': { delivered: 'DELIVERED', read: 'READ', failed: 'FAILED' },
  'FAILED by a refusal': { sent: 'SENT', delivered: 'DELIVERED', read: 'READ' },
  'FAILED by its age': { sent: 'SENT', delivered: 'DELIVERED', read: 'READ' },
  'FAILED by us': { sent: 'SENT', delivered: 'DELIVERED', read: 'READ' },
  'FAILED by a callback': { delivered: 'DELIVERED', read: 'READ' },
  DELIVERED: { read: 'READ' },
  READ: {},
}

describe('the state table', () => {
  for (const state of Object.keys(moves) as State[]) {
    const before = states[state]
    test.each(eventNames)(`${state}: after "%s" the status is that of the table`, name => {
      const status = moves[state][name] ?? statusOf(before)
      expect(statusOf(apply(before, events[name]))).toBe(status)
    })
  }

  test('READ: set by its own callback; deliveredAt stays null when no callback said so', () => {
    expect(states.READ).toMatchObject({ readAt: 50, deliveredAt: null })
  })

  test('DELIVERED: a later failure no longer counts, and an earlier one is corrected', () => {
    const both = [named('delivered', 'failed'), named('failed', 'delivered')]
    for (const record of both) {
      expect(statusOf(record)).toBe('DELIVERED')
      expect(failureReasonOf(record)).toBeNull()
      expect(failureOf(record.failures, channelMessageId)).toMatchObject({ at: 50, reason: 'undeliverable' })
    }
  })

  test('SENT: the failure of an attempt before the one that was taken counts no more, whichever is told first', () => {
    const failure = reported('failed', 30, 'overloaded', earlierId)
    const taken = { ...events.accepted, at: 40 }
    for (const record of [after(failure, taken), after(taken, failure)]) {
      expect(statusOf(record)).toBe('SENT')
      expect(failureReasonOf(record)).toBeNull()
      expect(record.channelMessageId).toBe(channelMessageId)
      expect(lastFailure(record.failures)).toEqual({ id: earlierId, at: 30, reason: 'overloaded' })
    }
  })

  test('FAILED: the attempt that was taken failed as well', () => {
    const told = [
      reported('failed', 30, 'overloaded', earlierId),
      { ...events.accepted, at: 40 },
      reported('failed', 50, 'undeliverable'),
    ]
    for (const order of [told, told.toReversed(), [...told.slice(1), ...told.slice(0, 1)]]) {
      expect(statusOf(after(...order))).toBe('FAILED')
      expect(failureReasonOf(after(...order))).toBe('undeliverable')
    }
  })

  test('the attempt that got through names a message whose answer was lost', () => {
    const failure = reported('failed', 30, 'overloaded', earlierId)
    expect(after(events.dispatched, failure).channelMessageId).toBe(earlierId)
    expect(after(failure, events.lost, events.delivered).channelMessageId).toBe(channelMessageId)
    expect(after(events.delivered, events.lost, failure).channelMessageId).toBe(channelMessageId)
    for (const record of [after(failure, events.lost, events.sent), after(events.sent, events.lost, failure)]) {
      expect(record.channelMessageId).toBe(channelMessageId)
      expect(statusOf(record)).toBe('SENT')
    }
  })

  test('FAILED by a refusal: the callback that shows it went out wins, with the time of the callback', () => {
    const record = after(events.refused, reported('sent', 70))
    expect(statusOf(record)).toBe('SENT')
    expect(sentAtOf(record)).toBe(70)
    expect(failureReasonOf(record)).toBeNull()
  })

  test('SENT: the answer tells when, else the callback', () => {
    expect(sentAtOf(named('sent', 'accepted'))).toBe(20)
    expect(sentAtOf(named('sent'))).toBe(50)
    expect(sentAtOf(named('dispatched'))).toBeNull()
  })

  test('SENT: the id of the answer and the number as the upstream knows it are kept', () => {
    expect(states['SENT by the answer']).toMatchObject({ channelMessageId, waId: '4930123' })
    expect(named('sent')).toMatchObject({ channelMessageId, waId: null })
  })

  test('SENT: an operator settles an unknown one without inventing an id', () => {
    const record = named('lost', 'resolved as SENT')
    expect(record).toMatchObject({ acceptedAt: 80, channelMessageId: null })
  })

  test.each((Object.keys(states) as State[]).filter(state => state !== 'UNKNOWN'))(
    'UNKNOWN: only from here an operator or the passing of time settles a message, not from %s',
    state => {
      for (const name of ['abandoned', 'resolved as SENT', 'resolved as FAILED'] as const)
        expect([name, apply(states[state], events[name])]).toEqual([name, states[state]])
    },
  )

  test('FAILED: the failure of the attempt that was taken is not lost behind one of an earlier attempt', () => {
    for (const earlierAt of [49, 50, 51]) {
      const told = [
        reported('failed', 50, 'undeliverable'),
        reported('failed', earlierAt, 'overloaded', earlierId),
        reported('failed', earlierAt, 'overloaded', 'wamid.zz'),
        { ...events.accepted, at: 40 },
      ]
      for (const record of [after(...told), after(...told.toReversed())]) {
        expect([statusOf(record), failureReasonOf(record)]).toEqual(['FAILED', 'undeliverable'])
      }
    }
  })

  test('FAILED: the attempt whose answer was lost failed, whichever is told first', () => {
    const failure = reported('failed', 50, 'undeliverable')
    for (const order of [
      [failure, events.lost],
      [events.lost, failure],
    ]) {
      expect(statusOf(after(events.dispatched, ...order))).toBe('FAILED')
    }
  })

  test('QUEUED: an attempt failed and was put off; UNKNOWN: the answer to the one after it was lost', () => {
    const failure = reported('failed', 50, 'overloaded', earlierId)
    const putOff = [
      after(events.dispatched, failure, events.deferred),
      after(events.dispatched, events.deferred, failure),
    ]
    for (const record of putOff) {
      expect(statusOf(record)).toBe('QUEUED')
      expect(record).toMatchObject({ dispatchedAt: null, channelMessageId: null })
      const again = [events.dispatched, failure, events.lost].reduce<MessageRecord>(apply, record)
      expect(statusOf(again)).toBe('UNKNOWN')
      expect(failureReasonOf(again)).toBeNull()
    }
  })

  test('an id of ours names it for good; once its id or its failure may be told, none does', () => {
    const failure = reported('failed', 10, 'overloaded', earlierId)
    const unnamed = [...[named('lost'), named('lost', 'resolved as SENT')], after(events.dispatched, failure)]
    for (const before of [states['QUEUED, never handed over'], states['QUEUED, waiting for the answer'], ...unnamed]) {
      const record = [events.namedByUs, events.accepted, { ...events.namedByUs, at: 90 }].reduce<MessageRecord>(
        apply,
        before,
      )
      expect(record).toMatchObject({ ownIdAt: 15, channelMessageId })
    }
    for (const state of ['SENT by the answer', 'SENT by a callback', 'FAILED by a refusal', 'FAILED by us'] as const)
      expect(apply(states[state], events.namedByUs)).toEqual(states[state])
  })

  test('QUEUED: deferred makes it resumable again, and only while it is QUEUED', () => {
    expect(named('dispatched', 'deferred').dispatchedAt).toBeNull()
    for (const state of ['UNKNOWN', 'SENT by the answer', 'FAILED by a refusal', 'DELIVERED', 'READ'] as const) {
      expect(apply(states[state], events.deferred).dispatchedAt).toBe(10)
    }
  })
})

/** Times from a small range, so that equal ones and every order of them come up. */
const times = fc.integer({ min: 0, max: 5 })

const reports: fc.Arbitrary<ReportEvent> = fc
  .record({
    status: fc.constantFrom('sent', 'delivered', 'read', 'failed'),
    at: times,
    reason: fc.constantFrom(null, '', '131026: undeliverable', '131049: held back'),
    failedId: fc.constantFrom(channelMessageId, earlierId),
    price: fc.constantFrom(
      undefined,
      { billable: true, pricing_model: 'PMP', type: 'regular', category: 'service' },
      { billable: false, pricing_model: 'PMP', type: 'free_customer_service', category: 'service' },
    ),
  })
  .map(({ status, at, reason, failedId, price }) =>
    reported(status, at, reason, status === 'failed' ? failedId : channelMessageId, readPricing(status, price)),
  )

const answers: fc.Arbitrary<MessageEvent> = times.chain(at =>
  fc.constantFrom<MessageEvent>(
    { kind: 'accepted', at, channelMessageId, waId: '4930123' },
    { kind: 'refused', at, reason: '131000: something went wrong' },
    { kind: 'lost', at },
  ),
)

const anything: fc.Arbitrary<MessageEvent> = fc.oneof(
  reports,
  answers,
  times.chain(at =>
    fc.constantFrom<MessageEvent>(
      { kind: 'dispatched', at },
      { kind: 'deferred' },
      { kind: 'expired', at, reason: 'waited too long' },
      { kind: 'abandoned', at, reason: 'nothing heard' },
      { kind: 'resolved', at, as: 'SENT', reason: 'seen' },
      { kind: 'resolved', at, as: 'FAILED', reason: 'not seen' },
      { kind: 'namedByUs', at },
    ),
  ),
)

/** The events of a message in two orders, each event any number of times. */
const twoTellings = fc
  .tuple(fc.array(reports, { maxLength: 6 }), fc.option(answers, { nil: undefined }))
  .map(([callbacks, answer]) => (answer ? [...callbacks, answer] : callbacks))
  .chain(told => {
    const telling = fc
      .array(fc.nat({ max: Math.max(0, told.length - 1) }), { maxLength: 6 })
      .map(again => [...told, ...again.flatMap(index => told[index] ?? [])])
      .chain(all => fc.shuffledSubarray(all, { minLength: all.length }))
    return fc.tuple(telling, telling)
  })

const start = newRecord(0, 1)

describe('callbacks and the answer, in any order and any number of times', () => {
  test('they end in the same record', () => {
    fc.assert(
      fc.property(twoTellings, ([one, other]) => {
        expect(one.reduce(apply, start)).toEqual(other.reduce(apply, start))
      }),
      { numRuns: 2_000 },
    )
  })

  test('they end in the same status, the same reason and the same times', () => {
    const shown = (record: MessageRecord) => ({
      status: statusOf(record),
      sentAt: sentAtOf(record),
      readAt: record.readAt,
    })
    fc.assert(
      fc.property(twoTellings, ([one, other]) => {
        expect(shown(one.reduce(apply, start))).toEqual(shown(other.reduce(apply, start)))
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('any event on any message', () => {
  const histories = fc.array(anything, { maxLength: 10 })

  test('applied a second time it changes nothing', () => {
    fc.assert(
      fc.property(histories, anything, (history, event) => {
        const once = apply(history.reduce(apply, newRecord(0, null)), event)
        expect(apply(once, event)).toEqual(once)
      }),
      { numRuns: 2_000 },
    )
  })

  test('it changes no object that was handed in', () => {
    fc.assert(
      fc.property(histories, anything, (history, event) => {
        const before = Object.freeze(history.reduce(apply, newRecord(0, null)))
        const copy = { ...before }
        apply(before, event)
        expect(before).toEqual(copy)
      }),
    )
  })

  test('a fact once learnt is never unlearnt, and its time only moves to an earlier report', () => {
    const learnt = ['acceptedAt', 'reportedSentAt', 'deliveredAt', 'readAt', 'gaveUpAt', 'lostAt'] as const
    fc.assert(
      fc.property(histories, anything, (history, event) => {
        const before = history.reduce(apply, newRecord(0, null))
        const now = apply(before, event)
        for (const fact of learnt) {
          const known = before[fact]
          if (known !== null) expect(now[fact] ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(known)
        }
        // Of an attempt's failures the last is kept.
        for (const id of [channelMessageId, earlierId]) {
          const known = failureOf(before.failures, id)
          if (known) expect(failureOf(now.failures, id)?.at).toBeGreaterThanOrEqual(known.at)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test('no move is illegal: READ stays, DELIVERED never fails, nothing known falls back to QUEUED or UNKNOWN', () => {
    const legal: Readonly<Record<MessageStatus, readonly MessageStatus[]>> = {
      SCHEDULED: ['SCHEDULED', 'QUEUED', 'CANCELLED', 'FAILED', 'UNKNOWN', 'SENT', 'DELIVERED', 'READ'],
      CANCELLED: ['CANCELLED', 'UNKNOWN', 'SENT', 'DELIVERED', 'READ', 'FAILED'],
      QUEUED: ['QUEUED', 'UNKNOWN', 'SENT', 'DELIVERED', 'READ', 'FAILED'],
      UNKNOWN: ['UNKNOWN', 'SENT', 'DELIVERED', 'READ', 'FAILED'],
      SENT: ['SENT', 'DELIVERED', 'READ', 'FAILED'],
      FAILED: ['FAILED', 'SENT', 'DELIVERED', 'READ'],
      DELIVERED: ['DELIVERED', 'READ'],
      READ: ['READ'],
    }
    fc.assert(
      fc.property(histories, anything, (history, event) => {
        const before = history.reduce(apply, newRecord(0, null))
        expect(legal[statusOf(before)]).toContain(statusOf(apply(before, event)))
      }),
      { numRuns: 2_000 },
    )
  })

  test('a reason is shown while it is FAILED, and only then', () => {
    fc.assert(
      fc.property(histories, history => {
        const record = history.reduce(apply, newRecord(0, null))
        if (statusOf(record) !== 'FAILED') expect(failureReasonOf(record)).toBeNull()
        else if (record.failures === null) expect(failureReasonOf(record)).toBeString()
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('the times that are shown', () => {
  const record = (sentAt: number | null, deliveredAt: number | null, readAt: number | null) => ({
    ...newRecord(0, 0),
    acceptedAt: sentAt,
    deliveredAt,
    readAt,
  })
  /** Its answer was lost: all times are the upstream's. */
  const late = (sentAt: number | null, deliveredAt: number | null, readAt: number | null) => ({
    ...record(null, deliveredAt, readAt),
    createdAt: 1_412,
    reportedSentAt: sentAt,
  })

  test.each([
    ['none', record(null, null, null), [null, null, null]],
    ['later ones as they are', record(1_000, 2_000, 3_000), [1_000, 2_000, 3_000]],
    ['a second that began before the send', record(1_412, 1_000, 1_000), [1_412, 1_412, 1_412]],
    ['a delivery before, a reading after', record(1_412, 1_000, 2_000), [1_412, 1_412, 2_000]],
    ['of a message whose sending nobody dated', record(null, 1_000, null), [null, 1_000, null]],
    ['all dated into the second before the message was made', late(1_000, 1_000, 2_000), [1_412, 1_412, 2_000]],
    ['of a message that nobody dated and that was made later', late(null, 1_000, 1_000), [null, 1_412, 1_412]],
  ])('%s', (_, message, [sentAt, deliveredAt, readAt]) => {
    expect(timesOf(message)).toEqual({ sentAt, deliveredAt, readAt } as ReturnType<typeof timesOf>)
  })
})
