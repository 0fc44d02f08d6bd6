import type { Line } from '../../db/contract/records.ts'
import { type Clock, type SteadyMs, wait } from '../base/clock.ts'
import { secondMs } from '../base/durations.ts'
import type { Outbox } from '../sending/outbox.ts'

/** Of the pace of a line batches take so much: what is sent at once beside them finds a departure that is free. */
const paceShare = 0.9
/** A batch has so much of the pace of a line waiting at most: what is sent at once waits no longer. */
const aheadMs = 100
/** Items that are begun one after another: some milliseconds of the thread that sends. */
const sliceItems = 16
/**
 * Beside sends of others, so many times as long as its work took a batch does nothing. So most of them meet neither its
 * items in the thread nor its commits at the disk: a commit that is under way is waited for.
 */
const restTimes = 3
/** No longer: where the database is slow, most of the work is waiting for it, and a batch would nearly stand still. */
const restMsMax = secondMs
/** Others count as sending for so long after one of their messages was seen. */
const othersMs = secondMs
/** A batch looks so often whether its lines have room again, */
const tickMs = 50
/** where none of them has a pace, */
const unpacedTickMs = 5
/** and where none has had room. */
const idleMs = 200
/** A line has so many seconds of its pace under way: an answer of the platform may take so long without a gap. */
const underWaySeconds = 5
const underWayMin = 10
/** The same of a line without a pace, */
const unpacedUnderWayMax = 200
/** and at once while others send: then all of them go through the same commits. */
const besideOthersMax = 32

/**
 * How many items a line takes now, of all batches of a process together. Single sends go first. On a line with a pace a
 * tenth of it is left for them. On a line without one, batches take all there is only while nobody else sends.
 */
export class LineRooms {
  readonly #outbox: Pick<Outbox, 'backlogs' | 'find' | 'size'>
  readonly #watch: Clock
  /** What batches may still take of each line with a pace, and since when. */
  readonly #shares = new Map<string, { readonly departures: number; readonly at: SteadyMs }>()
  /** Messages of items that are under way. */
  readonly #own = new Set<string>()
  #othersAt = Number.NEGATIVE_INFINITY

  constructor(outbox: Pick<Outbox, 'backlogs' | 'find' | 'size'>, watch: Clock) {
    this.#outbox = outbox
    this.#watch = watch
  }

  /**
   * @param underWay items of this batch without an answer
   * @returns how many further items a line takes now
   */
  roomOf({ id, perSecond }: PacedLine, underWay: number): number {
    if (perSecond === 0) {
      const room = Math.max(0, unpacedUnderWayMax - underWay)
      return this.#hasOthers() ? Math.min(room, besideOthersMax) : room
    }
    const { waiting = 0 } = this.#outbox.backlogs().find(({ lineId }) => lineId === id) ?? {}
    const ahead = aheadOf(perSecond) - waiting
    const unanswered = Math.max(underWayMin, perSecond * underWaySeconds) - underWay
    return Math.max(0, Math.floor(Math.min(ahead, unanswered, this.#shareOf(id, perSecond))))
  }

  /** So many items are about to leave from these lines. */
  take(lines: readonly PacedLine[], items: number): void {
    const at = this.#watch.steady()
    for (const { id, perSecond } of lines)
      if (perSecond > 0) this.#shares.set(id, { departures: this.#shareOf(id, perSecond) - items, at })
  }

  /** @returns what a line has saved up of its share of the pace: no more than a batch may have waiting */
  #shareOf(id: string, perSecond: number): number {
    const known = this.#shares.get(id)
    if (!known) return aheadOf(perSecond)
    const since = this.#watch.steady() - known.at
    return Math.min(aheadOf(perSecond), known.departures + (since * perSecond * paceShare) / secondMs)
  }

  /** @returns after how long a batch that has begun so many items looks again whether its lines have room */
  pauseMs(lines: readonly PacedLine[], begun: number, underWay: number): number {
    const paced = lines.filter(({ perSecond }) => perSecond > 0)
    if (paced.length === 0) return begun > 0 || underWay > 0 ? unpacedTickMs : idleMs
    // A slow line saves up for one item only: what comes later than that is lost.
    const savedInMs = Math.max(
      ...paced.map(({ id, perSecond }) => ((1 - this.#shareOf(id, perSecond)) * secondMs) / (perSecond * paceShare)),
    )
    if (begun === 0 && savedInMs <= 0) return idleMs
    // The rest of a longer wait is a tick at least.
    return savedInMs > idleMs + tickMs ? idleMs : Math.max(tickMs, Math.ceil(savedInMs))
  }

  /**
   * Begins items, a few at a time, so that other work comes between them.
   * @param begin resolves when an item has ended
   */
  async feed<Item extends { readonly messageId: string | null }>(
    items: readonly Item[],
    begin: (item: Item) => Promise<unknown>,
  ): Promise<void> {
    for (let at = 0; at < items.length; at += sliceItems) {
      for (const item of items.slice(at, at + sliceItems)) this.#follow(item.messageId ?? '', begin(item))
      await wait(this.#watch, 0)
    }
  }

  /** @returns how long a batch does nothing after work that took so long */
  restMs(workMs: number): number {
    return this.#hasOthers() ? Math.min(workMs * restTimes, restMsMax) : 0
  }

  #follow(messageId: string, ended: Promise<unknown>): void {
    this.#own.add(messageId)
    void ended.finally(() => this.#own.delete(messageId))
  }

  /** @returns whether messages of others were here a moment ago */
  #hasOthers(): boolean {
    const now = this.#watch.steady()
    let own = 0
    for (const id of this.#own) if (this.#outbox.find(id)) own += 1
    if (this.#outbox.size > own) this.#othersAt = now
    return now - this.#othersAt < othersMs
  }
}

type PacedLine = Pick<Line, 'id' | 'perSecond'>

/** An item a second too leaves from a line with a slow pace. */
const aheadOf = (perSecond: number) => Math.max(1, Math.ceil((perSecond * aheadMs) / secondMs))
