import type { WorkspaceEvent } from '../../db/contract/events.ts'
import type { AttemptOutcome, DueDelivery } from '../../db/contract/webhookDelivery.ts'
import type { Delivery, WebhookEndpoint } from '../../db/contract/webhooks.ts'
import type { EpochMs } from '../base/clock.ts'
import { minuteMs } from '../base/durations.ts'
import { keep } from '../telemetry/promises.ts'
import { Places } from './places.ts'

/**
 * An event of a message waits for an earlier one so long after the first attempt of that one, and then overtakes it.
 */
export const orderedMsMax = minuteMs
/** A later moment was set by a clock that was ahead: nothing waits for it. */
const isStill = (until: EpochMs, now: EpochMs) => now < until && until <= now + orderedMsMax

/** Fewer events in memory: the next page is read. */
const aheadMin = 100
/** Events in memory. Beyond it nothing is read until some are over. */
const heldMax = 1_000

/**
 * What waits in memory for longer is read again: at an endpoint that hangs it could wait for hours, and meanwhile a
 * contact was erased, or the endpoint was told to take less.
 */
const waitingMsMax = minuteMs

/** An event at the endpoint, between its reading and the record of its attempt. */
export interface Item {
  readonly seq: number
  readonly event: WorkspaceEvent
  /** The attempts of its present schedule. */
  readonly step: number
  /** When the first attempt was made; null: none was. */
  readonly firstAt: EpochMs | null
}

/** What waits for another attempt, of a message whose later events wait for it. */
interface Open {
  readonly seq: number
  readonly until: EpochMs
}

/**
 * Decides for one endpoint which event is tried next. It knows events behind the position of the endpoint, deliveries
 * that are due, and what is under way, and how far all of that is done.
 */
export class EndpointQueue {
  webhook: WebhookEndpoint
  /** Up to this number events were read. */
  readUpTo: number
  /** There may be more events behind it. */
  hasMore = true
  /** There may be deliveries that are due. */
  hasDue = false
  readonly #fresh: Item[] = []
  #due: Item[] = []
  readonly #underWay = new Map<number, Item>()
  /** Behind the position, and not recorded: under way, or over. */
  readonly #unrecorded = new Set<number>()
  /** By message: what waits for another attempt. */
  readonly #open = new Map<number, Open[]>()
  readonly #places: Places
  /** Something waits for a place. */
  #isShort = false
  /** Since when something has waited in memory. */
  #waitingSince: EpochMs | null = null
  #isDueNext = true
  /** All events in memory wait for earlier ones of their messages. */
  #isStuck = false
  /** Another process is to have the endpoint: nothing more of it is read or tried here. */
  isLeaving = false
  /** To be recorded. */
  outcomes: AttemptOutcome[] = []
  /** What address answered 410; null: none has since it was last judged. The endpoint may have another one by now. */
  goneFrom: string | null = null

  constructor(webhook: WebhookEndpoint) {
    this.webhook = webhook
    this.readUpTo = webhook.position
    this.#places = new Places(webhook.failingSince !== null)
  }

  get underWay(): number {
    return this.#underWay.size
  }

  /** Events in memory. */
  get size(): number {
    return this.#fresh.length + this.#due.length + this.#underWay.size
  }

  /** Whether the next events are to be read. */
  get wantsEvents(): boolean {
    return this.hasMore && !this.isLeaving && this.#fresh.length < (this.#isStuck ? heldMax : aheadMin)
  }

  /** Under way, or over and not recorded. */
  get unrecorded(): number {
    return this.#unrecorded.size
  }

  get wantsDue(): boolean {
    return this.hasDue && !this.isLeaving && this.#due.length === 0
  }

  /** Up to which number all is recorded, once the outcomes are. */
  get position(): number {
    const over = new Set(this.outcomes.map(({ seq }) => seq))
    let position = this.#fresh[0] === undefined ? this.readUpTo : this.#fresh[0].seq - 1
    for (const seq of this.#unrecorded) if (!over.has(seq) && seq <= position) position = seq - 1
    return Math.max(position, this.webhook.position)
  }

  /** Whether there is something to record. */
  get hasNews(): boolean {
    return this.outcomes.length > 0 || this.position !== this.webhook.position
  }

  /**
   * Adds a page of events.
   * @param open deliveries of their messages that wait for another attempt
   * @throws BrokenPromise when one is not to be told to this endpoint, or not now
   */
  addEvents(events: readonly WorkspaceEvent[], open: readonly Delivery[]): void {
    const { id: webhookId, workspaceId } = this.webhook
    for (const [at, { seq, message }] of events.entries()) {
      const isNext = seq > (events[at - 1]?.seq ?? this.readUpTo)
      const isOwn = message === null || message.workspaceId === workspaceId
      keep('eventOfWorkspace', isNext && isOwn, () => ({ webhookId, seq, messageId: message?.id ?? null }))
    }
    for (const { seq, messageSeq, attempts } of open) this.#hold(seq, messageSeq, attempts[0]?.at ?? 0)
    const read = events.filter(({ seq }) => !this.#unrecorded.has(seq))
    for (const event of read) this.#fresh.push({ seq: event.seq, event, step: 0, firstAt: null })
  }

  /** Forgets what has waited for long, to be read again. Not while something is read for it. */
  forgetOld(now: EpochMs): void {
    const isWaiting = this.#fresh.length > 0 || this.#due.length > 0
    this.#waitingSince = isWaiting ? (this.#waitingSince ?? now) : null
    if (this.#waitingSince === null || Math.abs(now - this.#waitingSince) < waitingMsMax) return
    this.#waitingSince = null
    const [first] = this.#fresh.splice(0)
    if (first) this.readUpTo = first.seq - 1
    this.hasMore ||= first !== undefined
    // One whose attempt was lost may have no delivery.
    this.#due = this.#due.filter(({ seq }) => this.#unrecorded.has(seq))
    this.hasDue = true
  }

  /** @param due in their order. What was deleted meanwhile is over */
  addDue(due: readonly DueDelivery[]): void {
    // Somebody may ask for an event again that is in memory and was not tried yet: it is tried once.
    const fresh = new Set(this.#fresh.map(({ seq }) => seq))
    for (const { seq, type, messageSeq, event, step, attempts } of due) {
      if (fresh.has(seq) || this.#unrecorded.has(seq)) continue
      // Of the present schedule: one that somebody has asked for again begins anew.
      const firstAt = step === 0 ? null : (attempts.at(-step) ?? attempts[0])?.at
      if (event) this.#due.push({ seq, event, step, firstAt: firstAt ?? null })
      else {
        this.#unrecorded.add(seq)
        this.outcomes.push({ seq, type, messageSeq, attempt: null, state: 'failed', nextAt: null })
      }
    }
  }

  /** @returns the next event to try, which is under way from now on; null when there is none at this moment */
  take(now: EpochMs): Item | null {
    this.#isShort = this.#underWay.size >= this.#places.count && this.size > this.#underWay.size
    if (this.isLeaving || this.#underWay.size >= this.#places.count) return null
    this.#forgetOver(now)
    this.#isDueNext = !this.#isDueNext
    const item = this.#isDueNext
      ? (this.#takeDue(now) ?? this.#takeFresh(now))
      : (this.#takeFresh(now) ?? this.#takeDue(now))
    if (item) {
      this.#underWay.set(item.seq, item)
      this.#unrecorded.add(item.seq)
    }
    return item
  }

  /** The attempt is over, and is to be recorded. */
  ended({ seq, firstAt }: Item, outcome: AttemptOutcome): void {
    if (outcome.attempt) this.#places.ended(outcome.attempt, this.#isShort)
    this.#underWay.delete(seq)
    this.outcomes.push(outcome)
    this.#release(seq, outcome.messageSeq)
    if (outcome.state === 'pending') this.#hold(seq, outcome.messageSeq, firstAt ?? outcome.attempt?.at ?? 0)
  }

  /** Nothing is known of the attempt: it is made again. @param at when it was made */
  lost(item: Item, at: EpochMs): void {
    const { seq, event, firstAt } = item
    this.#underWay.delete(seq)
    this.#due.unshift(item)
    this.#hold(seq, event.messageSeq, firstAt ?? at)
  }

  /** @returns the outcomes to record, with the position that they lead to */
  takeOutcomes(): { readonly outcomes: readonly AttemptOutcome[]; readonly position: number } {
    const { outcomes, position } = this
    this.outcomes = []
    return { outcomes, position }
  }

  /** They are stored. */
  recorded(outcomes: readonly AttemptOutcome[]): void {
    for (const { seq } of outcomes) this.#unrecorded.delete(seq)
  }

  /** They could not be stored, and are offered again. */
  notRecorded(outcomes: readonly AttemptOutcome[]): void {
    this.outcomes = [...outcomes, ...this.outcomes]
  }

  #takeFresh(now: EpochMs): Item | null {
    const at = this.#firstFree(this.#fresh, now)
    this.#isStuck = at < 0 && this.#fresh.length > 0
    const [item] = at < 0 ? [] : this.#fresh.splice(at, 1)
    return item ?? null
  }

  #takeDue(now: EpochMs): Item | null {
    const at = this.#firstFree(this.#due, now)
    const [item] = at < 0 ? [] : this.#due.splice(at, 1)
    return item ?? null
  }

  /** @returns the index of the first one that waits for no earlier event of its message; -1: all do */
  #firstFree(items: readonly Item[], now: EpochMs): number {
    const waiting = new Set<number>()
    return items.findIndex(({ seq, event: { messageSeq } }) => {
      if (messageSeq === null) return true
      const isFree = !waiting.has(messageSeq) && !this.#isHeld(messageSeq, seq, now)
      waiting.add(messageSeq)
      return isFree
    })
  }

  #isHeld(messageSeq: number, seq: number, now: EpochMs): boolean {
    for (const { seq: other, event, firstAt } of this.#underWay.values()) {
      const isEarlier = event.messageSeq === messageSeq && other < seq
      if (isEarlier && (firstAt === null || isStill(firstAt + orderedMsMax, now))) return true
    }
    return this.#open.get(messageSeq)?.some(open => open.seq < seq && isStill(open.until, now)) ?? false
  }

  /** @param firstAt of its first attempt */
  #hold(seq: number, messageSeq: number | null, firstAt: EpochMs): void {
    if (messageSeq === null) return
    const others = this.#open.get(messageSeq)?.filter(open => open.seq !== seq) ?? []
    this.#open.set(messageSeq, [...others, { seq, until: firstAt + orderedMsMax }])
  }

  #release(seq: number, messageSeq: number | null): void {
    if (messageSeq === null) return
    const left = this.#open.get(messageSeq)?.filter(open => open.seq !== seq) ?? []
    if (left.length > 0) this.#open.set(messageSeq, left)
    else this.#open.delete(messageSeq)
  }

  /** Those that are held the longest come first. */
  #forgetOver(now: EpochMs): void {
    for (const [messageSeq, open] of this.#open) {
      if (open.some(({ until }) => isStill(until, now))) return
      this.#open.delete(messageSeq)
    }
  }
}
