import { describe, expect, test } from 'bun:test'
import type { WorkspaceEvent } from '../../db/contract/events.ts'
import type { AttemptOutcome } from '../../db/contract/webhookDelivery.ts'
import { hourMs } from '../../src/base/durations.ts'
import { placesMax, placesMin } from '../../src/webhooks/places.ts'
import { EndpointQueue, type Item, orderedMsMax } from '../../src/webhooks/queue.ts'
import { endpoint } from './webhooks.ts'

const t0 = Date.UTC(2026, 0, 1)

/** An event of a message; null: of none. */
const event = (seq: number, messageSeq: number | null = null): WorkspaceEvent => ({
  ...{ seq, type: 'message.sent', at: t0, messageSeq, sequence: null, message: null, inbound: null, data: null },
  callback: null,
})

const pending = (seq: number, messageSeq: number | null = null, firstAt = t0) => ({
  ...{ endpointId: 'hook_1', seq, type: 'message.sent' as const, messageSeq, state: 'pending' as const },
  ...{ attemptCount: 1, nextAt: t0 },
  attempts: [{ at: firstAt, durationMs: 1, status: 500, error: null, answer: '' }],
})

const due = (seq: number, messageSeq: number | null = null, firstAt = t0) => ({
  ...pending(seq, messageSeq, firstAt),
  ...{ step: 1, event: event(seq, messageSeq) },
})

const events = (count: number) => Array.from({ length: count }, (_, at) => event(at + 1))

const outcomeOf = ({ seq, event }: Item, state: AttemptOutcome['state'], at = t0, durationMs = 1) => ({
  ...{ seq, type: event.type, messageSeq: event.messageSeq, state, nextAt: null },
  attempt: { at, durationMs, status: state === 'delivered' ? 200 : 500, error: null, answer: '' },
})

const end = (queue: EndpointQueue, item: Item, state: AttemptOutcome['state'] = 'delivered', at = t0, durationMs = 1) =>
  queue.ended(item, outcomeOf(item, state, at, durationMs))

const queueOf = (...events: readonly WorkspaceEvent[]) => {
  const queue = new EndpointQueue(endpoint())
  queue.addEvents(events, [])
  queue.readUpTo = events.at(-1)?.seq ?? 0
  return queue
}

const takeAll = (queue: EndpointQueue, now = t0): Item[] => {
  const taken: Item[] = []
  for (let item = queue.take(now); item; item = queue.take(now)) taken.push(item)
  return taken
}
const seqsOf = (items: readonly Item[]) => items.map(({ seq }) => seq)

describe('what is tried next', () => {
  test('the oldest first, eight at once at the beginning', () => {
    const queue = queueOf(...events(20))
    expect(seqsOf(takeAll(queue))).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  test('nothing while another process is to have the endpoint, and nothing more is read', () => {
    const queue = queueOf(...events(3))
    queue.hasDue = true
    queue.isLeaving = true
    expect([queue.take(t0), queue.wantsEvents, queue.wantsDue]).toEqual([null, false, false])
    queue.isLeaving = false
    expect([queue.take(t0)?.seq, queue.wantsEvents, queue.wantsDue]).toEqual([1, true, true])
  })

  test('more with each good answer while something waits for a place, to a bound', () => {
    const queue = queueOf(...events(500))
    const underWay = takeAll(queue)
    for (let n = 0; n < 200; n += 1) {
      for (const item of underWay.splice(0, 1)) end(queue, item)
      underWay.push(...takeAll(queue))
    }
    expect(underWay).toHaveLength(placesMax)
  })

  test('no more for good answers while nothing waits, or that come late', () => {
    const queue = queueOf(event(1))
    for (const item of takeAll(queue)) end(queue, item)
    queue.addEvents(events(40).slice(1), [])
    const late = takeAll(queue)
    expect(late).toHaveLength(8)
    for (const item of late) end(queue, item, 'delivered', t0, 5_000)
    expect(takeAll(queue)).toHaveLength(8)
  })

  test('fewer with each failure, and the fewest without an answer', () => {
    const queue = queueOf(...events(40))
    const [refused, unanswered, ...others] = takeAll(queue)
    if (refused) end(queue, refused, 'failed')
    // Seven are under way, and four may be.
    expect(takeAll(queue)).toEqual([])
    const attempt = { at: t0, durationMs: 1, status: null, error: 'it hung up', answer: null }
    if (unanswered) queue.ended(unanswered, { ...outcomeOf(unanswered, 'failed'), attempt })
    for (const item of others) end(queue, item, 'failed')
    expect(takeAll(queue)).toHaveLength(placesMin)
  })

  test('the fewest at first to one that fails', () => {
    const queue = new EndpointQueue(endpoint({ failingSince: t0 }))
    queue.addEvents(events(20), [])
    expect(takeAll(queue)).toHaveLength(placesMin)
  })

  test('a receiver of 61 ms that fails a tenth takes 480 events a second', () => {
    const queue = queueOf()
    const underWay: { readonly item: Item; readonly until: number }[] = []
    let answered = 0
    let told = 0
    for (let ms = 0; ms < 20_000; ms += 1) {
      for (; told < (ms * 480) / 1_000; told += 1) queue.addEvents([event(told + 1)], [])
      for (; underWay[0] && underWay[0].until <= ms; answered += 1) {
        const over = underWay.shift()
        if (over) end(queue, over.item, answered % 10 === 0 ? 'failed' : 'delivered', t0 + ms)
      }
      queue.recorded(queue.takeOutcomes().outcomes)
      for (const item of takeAll(queue, t0 + ms)) underWay.push({ item, until: ms + 61 })
    }
    // All but what came in the last moments.
    expect(told - answered).toBeLessThan(100)
  })

  test('what is due and what is new take turns', () => {
    const queue = queueOf(event(11), event(12), event(13))
    queue.addDue([due(1), due(2), due(3)])
    expect(seqsOf(takeAll(queue))).toEqual([11, 1, 12, 2, 13, 3])
  })

  test('an attempt whose end nobody knows is made again', () => {
    const queue = queueOf(event(1), event(2))
    const [first] = takeAll(queue)
    if (first) queue.lost(first, t0)
    expect(seqsOf(takeAll(queue))).toEqual([1])
  })

  test('an event in memory that somebody asks for again is tried once at a time', () => {
    const queue = queueOf(event(1), event(2))
    queue.addDue([due(2)])
    expect(seqsOf(takeAll(queue))).toEqual([1, 2])
  })
})

describe('the order of a message', () => {
  test('a later event waits while an earlier one is under way; those of other messages do not', () => {
    const queue = queueOf(event(1, 7), event(2, 7), event(3, 8), event(4))
    const [first, ...others] = takeAll(queue)
    expect(seqsOf(others)).toEqual([3, 4])
    if (first) end(queue, first)
    expect(seqsOf(takeAll(queue))).toEqual([2])
  })

  test('and while one is between attempts, for a minute after its first attempt', () => {
    const queue = queueOf(event(1, 7), event(2, 7))
    const [first] = takeAll(queue)
    if (first) end(queue, first, 'pending')
    expect(takeAll(queue, t0 + orderedMsMax - 1)).toEqual([])
    expect(seqsOf(takeAll(queue, t0 + orderedMsMax))).toEqual([2])
  })

  test('a further attempt that fails does not begin the minute anew', () => {
    const queue = queueOf(event(1, 7), event(2, 7))
    const [first] = takeAll(queue)
    if (first) end(queue, first, 'pending')
    queue.recorded(queue.takeOutcomes().outcomes)
    queue.addDue([due(1, 7, t0)])
    const [again] = takeAll(queue, t0 + 5_000)
    if (again) end(queue, again, 'pending', t0 + 5_000)
    expect(seqsOf(takeAll(queue, t0 + orderedMsMax))).toEqual([2])
  })

  test('an earlier one that fails for good holds nothing back', () => {
    const queue = queueOf(event(1, 7), event(2, 7))
    const [first] = takeAll(queue)
    if (first) end(queue, first, 'failed')
    expect(seqsOf(takeAll(queue))).toEqual([2])
  })

  test('one that another process has tried holds back too', () => {
    const queue = new EndpointQueue(endpoint())
    queue.addEvents([event(2, 7), event(3, 8)], [pending(1, 7, t0 - 1_000)])
    expect(seqsOf(takeAll(queue))).toEqual([3])
    expect(seqsOf(takeAll(queue, t0 - 1_000 + orderedMsMax))).toEqual([2])
  })

  test('one whose attempt was lost holds back too', () => {
    const queue = queueOf(event(1, 7), event(2), event(3, 7))
    const [first] = takeAll(queue)
    if (first) queue.lost(first, t0)
    expect(seqsOf(takeAll(queue))).toEqual([1])
  })

  test('events that are replayed long after their first attempts come one after the other', () => {
    const queue = queueOf()
    const later = t0 + hourMs
    queue.addDue([1, 2].map(seq => ({ ...due(seq, 7), step: 0, nextAt: later })))
    const [first, ...others] = takeAll(queue, later)
    expect(seqsOf(others)).toEqual([])
    if (first) end(queue, first, 'pending', later)
    expect(takeAll(queue, later + orderedMsMax - 1)).toEqual([])
    expect(seqsOf(takeAll(queue, later + orderedMsMax))).toEqual([2])
  })

  test('a replayed event does not wait for later ones', () => {
    const queue = queueOf(event(12, 7))
    takeAll(queue)
    queue.addDue([due(1, 7)])
    expect(seqsOf(takeAll(queue))).toEqual([1])
  })
})

describe('the position', () => {
  test('is behind everything that is not recorded, and reaches what was read when all is', () => {
    const queue = queueOf(event(3), event(4), event(6))
    queue.readUpTo = 9
    expect(queue.position).toBe(2)
    const [third, fourth, sixth] = takeAll(queue)
    expect(queue.position).toBe(2)
    if (fourth) end(queue, fourth)
    expect(queue.takeOutcomes()).toMatchObject({ outcomes: [{ seq: 4 }], position: 2 })
    if (third) end(queue, third, 'pending')
    const record = queue.takeOutcomes()
    expect(record.position).toBe(3)
    queue.recorded([...record.outcomes, { ...record.outcomes[0], seq: 4 } as AttemptOutcome])
    expect(queue.position).toBe(5)
    if (sixth) end(queue, sixth)
    expect(queue.position).toBe(9)
  })

  test('does not move on when a record could not be stored', () => {
    const queue = queueOf(event(1))
    for (const item of takeAll(queue)) end(queue, item)
    const { outcomes, position } = queue.takeOutcomes()
    expect([position, queue.position]).toEqual([1, 0])
    queue.notRecorded(outcomes)
    expect(queue.takeOutcomes()).toEqual({ outcomes, position: 1 })
  })

  test('of what was deleted before it could be tried again is over', () => {
    const queue = new EndpointQueue(endpoint({ position: 5 }))
    queue.addDue([{ ...due(2), event: null }])
    expect(takeAll(queue)).toEqual([])
    expect(queue.takeOutcomes().outcomes).toMatchObject([{ seq: 2, attempt: null, state: 'failed', nextAt: null }])
  })
})

describe('what is read', () => {
  test('more events, until enough are in memory', () => {
    const queue = queueOf(event(1))
    expect(queue.wantsEvents).toBe(true)
    queue.addEvents(
      Array.from({ length: 100 }, (_, at) => event(at + 2)),
      [],
    )
    expect(queue.wantsEvents).toBe(false)
  })

  test('more than that while all of them wait for earlier ones', () => {
    const queue = queueOf(...Array.from({ length: 100 }, (_, at) => event(at + 1, 7)))
    takeAll(queue)
    expect(queue.wantsEvents).toBe(true)
  })

  test('again what has waited for a minute: it may be erased, or not be wanted any more', () => {
    const queue = queueOf(event(1, 7), event(2, 7), event(3), event(4, 7))
    queue.addDue([due(101)])
    const [first, , other] = takeAll(queue)
    expect([first?.seq, other?.seq]).toEqual([1, 3])
    queue.addDue([due(102)])
    queue.hasMore = false
    queue.forgetOld(t0)
    queue.forgetOld(t0 + 59_999)
    expect([queue.wantsEvents, queue.readUpTo]).toEqual([false, 4])
    queue.forgetOld(t0 + 60_000)
    expect([queue.wantsEvents, queue.wantsDue, queue.readUpTo, queue.position]).toEqual([true, true, 1, 0])
    // The second is erased meanwhile.
    queue.addEvents([event(3), event(4, 7)], [])
    queue.readUpTo = 4
    expect(takeAll(queue)).toEqual([])
    if (first) end(queue, first)
    expect(seqsOf(takeAll(queue))).toEqual([4])
  })

  test('nothing that is due and under way', () => {
    const queue = queueOf()
    queue.addDue([due(1)])
    takeAll(queue)
    queue.addDue([due(1), due(2)])
    expect(seqsOf(takeAll(queue))).toEqual([2])
  })
})
