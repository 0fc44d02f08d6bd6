import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { moveOf } from '../../src/message/move.ts'
import {
  apply,
  failureReasonOf,
  type MessageEvent,
  type MessageRecord,
  type ReportEvent,
  statusOf,
  timesOf,
} from '../../src/message/state.ts'
import { recordWith, type Told } from '../../src/message/told.ts'
import { newRecord } from '../sending/newRecord.ts'

const t0 = 1_000_000
const id = 'wamid.2'

const reported = (status: ReportEvent['status'], at: number, channelMessageId = id): ReportEvent => ({
  kind: 'reported',
  status,
  at,
  channelMessageId,
  reason: status === 'failed' ? `why ${channelMessageId}` : null,
  pricing: null,
})

const shown = (record: MessageRecord) => ({
  status: statusOf(record),
  channelMessageId: record.channelMessageId,
  failureReason: failureReasonOf(record),
  ...timesOf(record),
})

/** @returns the record at the end, and each event with what was shown of the message at that moment */
function history(events: readonly MessageEvent[]) {
  let record = newRecord(t0, null)
  const told: (Told & { readonly shown: ReturnType<typeof shown> })[] = []
  for (const event of events) {
    const move = moveOf({ ...record, status: statusOf(record), recipient: '+4930123456' }, event)
    record = move.record
    told.push(...move.told.map(each => ({ ...each, shown: shown(record) })))
  }
  return { record, told }
}

const tell = (...events: readonly MessageEvent[]) => history(events).told.map(({ type, at }) => [type, at - t0])
const accepted = { kind: 'accepted', at: t0 + 20, channelMessageId: id, waId: null } as const
const dispatched = { kind: 'dispatched', at: t0 } as const
const lost = { kind: 'lost', at: t0 + 20 } as const

describe('which events a message that waits for its time gives', () => {
  const later = (...events: readonly MessageEvent[]) => {
    let record: MessageRecord = { ...newRecord(t0, null), dueAt: t0 + 60_000 }
    return events.flatMap(event => {
      const move = moveOf({ ...record, status: statusOf(record), recipient: '+4930123456' }, event)
      record = move.record
      return move.told.map(({ type, at, known }) => [type, at - t0, statusOf(recordWith(record, known, type))])
    })
  }
  const released = { kind: 'released', at: t0 + 60_001 } as const

  test('it is moved, released at its new time, and sent', () => {
    const moved = { kind: 'rescheduled', at: t0 + 5, dueAt: t0 + 70_000 } as const
    expect<unknown>(
      later(moved, released, { ...released, at: t0 + 70_001 }, { ...accepted, at: t0 + 70_020 }, moved),
    ).toEqual([
      ['message.scheduled', 5, 'SCHEDULED'],
      ['message.released', 70_001, 'QUEUED'],
      ['message.sent', 70_020, 'SENT'],
    ])
  })

  test('it is cancelled, and stays so', () => {
    const told = later({ kind: 'cancelled', at: t0 + 9 }, released, { kind: 'cancelled', at: t0 + 10 })
    expect<unknown>(told).toEqual([['message.cancelled', 9, 'CANCELLED']])
  })

  test('something forbids it when its time has come', () => {
    expect<unknown>(later({ kind: 'heldBack', at: t0 + 60_001, reason: 'revoked' })).toEqual([
      ['message.failed', 60_001, 'FAILED'],
    ])
  })
})

describe('which events a message gives', () => {
  test.each<[string, readonly MessageEvent[], unknown]>([
    ['the hand-over gives none', [dispatched, { kind: 'deferred' }], []],
    ['an acceptance', [dispatched, accepted], [['message.sent', 20]]],
    [
      'every step, each with its own time',
      [accepted, reported('sent', t0), reported('delivered', t0 + 1_000), reported('read', t0 + 2_000)],
      [
        ['message.sent', 20],
        ['message.delivered', 1_000],
        ['message.read', 2_000],
      ],
    ],
    [
      'a delivery that is reported after the reading',
      [accepted, reported('read', t0 + 2_000), reported('delivered', t0 + 1_000)],
      [
        ['message.sent', 20],
        ['message.read', 2_000],
        ['message.delivered', 1_000],
      ],
    ],
    [
      'a repeated report, also with another time',
      [accepted, reported('delivered', t0 + 1_000), reported('delivered', t0)],
      [
        ['message.sent', 20],
        ['message.delivered', 1_000],
      ],
    ],
    ['a refusal', [dispatched, { kind: 'refused', at: t0 + 30, reason: 'no' }], [['message.failed', 30]]],
    [
      'a failure after the acceptance',
      [accepted, reported('failed', t0 + 1_000)],
      [
        ['message.sent', 20],
        ['message.failed', 1_000],
      ],
    ],
    [
      'a failure that is dated before the message',
      [accepted, reported('failed', t0 - 500)],
      [
        ['message.sent', 20],
        ['message.failed', 20],
      ],
    ],
    [
      'a failure that came before its acceptance: both',
      [reported('failed', t0 + 10), accepted],
      [
        ['message.sent', 20],
        ['message.failed', 20],
      ],
    ],
    ['a failure of an earlier attempt alone', [reported('failed', t0, 'wamid.0'), { kind: 'deferred' }], []],
    [
      'a lost answer, and what settles it',
      [dispatched, lost, { kind: 'resolved', at: t0 + 90, as: 'SENT', reason: '' }],
      [
        ['message.unknown', 20],
        ['message.sent', 90],
      ],
    ],
    [
      'a lost answer that is given up',
      [dispatched, lost, { kind: 'abandoned', at: t0 + 90, reason: 'late' }],
      [
        ['message.unknown', 20],
        ['message.failed', 90],
      ],
    ],
    [
      'a refusal that a callback corrects',
      [{ kind: 'refused', at: t0 + 30, reason: 'no' }, reported('sent', t0 + 60)],
      [
        ['message.failed', 30],
        ['message.sent', 60],
      ],
    ],
  ])('%s', (_, events, expected) => {
    expect<unknown>(tell(...events)).toEqual(expected)
  })
})

describe('what an event shows of the message', () => {
  const each = (record: MessageRecord, told: ReturnType<typeof history>['told']) => {
    for (const { known, type, shown: seen } of told) expect(shown(recordWith(record, known, type))).toEqual(seen)
  }

  test('is what it was then, whatever came later', () => {
    const at = (offset: number) => fc.constant(t0 + offset)
    // All that gives a message one of its times gives it the same one.
    const anything = fc.oneof(
      fc.constant<MessageEvent>(dispatched),
      fc.constant<MessageEvent>({ kind: 'deferred' }),
      fc.constant<MessageEvent>(accepted),
      fc.constant<MessageEvent>(lost),
      at(30).map((at): MessageEvent => ({ kind: 'refused', at, reason: 'refused' })),
      at(30).map((at): MessageEvent => ({ kind: 'expired', at, reason: 'refused' })),
      at(90).map((at): MessageEvent => ({ kind: 'abandoned', at, reason: 'abandoned' })),
      fc
        .constantFrom('SENT' as const, 'FAILED' as const)
        .map((as): MessageEvent => ({ kind: 'resolved', at: accepted.at, as, reason: 'an operator' })),
      fc
        .constantFrom('sent' as const, 'delivered' as const, 'read' as const)
        .map((status): MessageEvent => reported(status, t0 + { sent: 0, delivered: 1_000, read: 2_000 }[status])),
      fc.constant('failed' as const),
    )
    const histories = fc.array(anything, { maxLength: 12 }).map(events => {
      let failures = 0
      // Who waits for an answer that was lost has no answer any more.
      const isResolved = events.some(event => event !== 'failed' && event.kind === 'resolved')
      // Attempts fail one after the other, and each failure is reported twice.
      return events.flatMap((event): MessageEvent[] => {
        if (event !== 'failed') return isResolved && event.kind === 'accepted' ? [] : [event]
        const attempt = Math.min(Math.floor(failures / 2), 2)
        failures += 1
        return [reported('failed', t0 + 100 * attempt, `wamid.${attempt}`)]
      })
    })
    fc.assert(
      fc.property(histories, events => {
        const { record, told } = history(events)
        each(record, told)
      }),
      { numRuns: 5_000 },
    )
  })

  test('is its failure also when that of an earlier attempt is reported later', () => {
    const { record, told } = history([accepted, reported('failed', t0 + 500), reported('failed', t0 + 100, 'wamid.0')])
    expect(told.map(({ shown }) => shown.status)).toEqual(['SENT', 'FAILED'])
    each(record, told)
  })

  test('has the earlier time that a repeated report brings: nothing else of it changes', () => {
    const { record, told } = history([accepted, reported('delivered', t0 + 2_000), reported('delivered', t0 + 1_000)])
    const [, delivered] = told
    if (!delivered) throw new Error('no event')
    expect(shown(recordWith(record, delivered.known, delivered.type))).toEqual({
      ...delivered.shown,
      deliveredAt: t0 + 1_000,
    })
  })

  test('keeps what is no fact of its record', () => {
    const record = { ...apply(newRecord(t0, null), accepted), id: 'msg_1' }
    expect(recordWith(record, 0, 'message.sent')).toEqual({ ...newRecord(t0, null), id: 'msg_1' })
  })
})
