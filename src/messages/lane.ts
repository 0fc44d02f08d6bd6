import type { Clock, SteadyMs } from '../clock.ts'
import type { Attempt, SendAnswer } from '../graph/answer.ts'
import type { SendJob } from './job.ts'
import { LinePace, PairPace } from './pacing.ts'
import { jitter, Throttle } from './throttle.ts'

/** What a lane needs of the world around it. */
export interface LaneDoor {
  readonly clock: Clock
  /** From 0 (included) to 1: spreads retries. */
  readonly random: () => number
  /** Makes one attempt. Never rejects. */
  attempt(job: SendJob): Promise<Attempt>
  /** The job has its end; it is called once for each job. */
  settle(job: SendJob, answer: SendAnswer): void
  /** Nothing of the job has left, and it has to wait: the disk may say so. */
  defer(job: SendJob): void
  /**
   * Resolves once the disk says that the job may be handed over, with the access token that its channel has now; with
   * null when the upstream has it already, as a callback has shown since.
   */
  announce(job: SendJob): Promise<string | null>
  /**
   * All lines of a channel share its account: what slows the account slows them all.
   * @param askedMs how long the upstream asks for; null when it does not say
   * @returns until when they are paused
   */
  pauseChannel(channelId: string, askedMs: number | null): SteadyMs
}

/** A definite "not now" is tried this often in all; throttles are not counted, they are waited out. */
const triesMax = 3
/** First wait of a retry; it doubles. */
const retryMsMin = 500
/** The upstream's own advice for a recipient that got too much: 4^X seconds, X = 0, 1, 2 … */
const pairBackoffBase = 4
/** A message that the upstream keeps putting off for this long is given up: what it says may be stale by then. */
const messageMsMax = 600_000

/** A departure that has to wait longer than this is put back: the line was paused meanwhile. */
const departureMsMax = 1_000

type NotNow = Extract<Attempt, { kind: 'notNow' }>

interface Entry {
  job: SendJob
  isDispatched: boolean
  tries: number
  startedAt: SteadyMs | null
}

interface Departure {
  readonly pair: Pair
  readonly entry: Entry
}

/** The messages to one recipient: they leave one after another, in the order they came. */
interface Pair {
  readonly recipient: string
  readonly pace: PairPace
  readonly waiting: Entry[]
  /** How often in a row the upstream has throttled it. */
  throttles: number
  isBusy: boolean
  isListed: boolean
  cancelTimer: () => void
}

/**
 * The queue of one line: decides which message leaves when.
 *
 * A pair with a message whose turn may have come stands in `ready`; `pump` lets the first of them go while the line's
 * pace allows. Without pair pacing every message is a pair of its own, so nothing waits for another's answer.
 */
export class Lane {
  readonly #door: LaneDoor
  /** Whose turn it is: paces what is announced. */
  readonly #turns = new LinePace()
  /** What leaves: the same pace again, because a disk that was slow to take announcements gives them back at once. */
  readonly #departures = new LinePace()
  readonly #throttle = new Throttle()
  readonly #leaving: Departure[] = []
  readonly #pairs = new Map<string, Pair>()
  readonly #ready: Pair[] = []
  #pairMs = 0
  #cancelTimer = () => {}
  #cancelDeparture = () => {}
  #isClosed = false

  constructor(door: LaneDoor) {
    this.#door = door
  }

  /** Takes a message in; its end comes through the door. */
  add(job: SendJob): void {
    this.#turns.setRate(job.perSecond)
    this.#departures.setRate(job.perSecond)
    this.#pairMs = job.pairSeconds * 1000
    const entry: Entry = { job, isDispatched: job.isDispatched, tries: 0, startedAt: null }
    const pair = this.#pairFor(job.recipient)
    pair.waiting.push(entry)
    this.#consider(pair)
    this.#pump()
    if (entry.startedAt === null) this.#defer(entry)
  }

  /** Nothing leaves before then. */
  pause(until: SteadyMs): void {
    this.#turns.pause(until)
    this.#departures.pause(until)
  }

  /** What has not left waits on disk for the next start; what has left still gets its end. */
  close(): void {
    this.#isClosed = true
    this.#cancelTimer()
    this.#cancelDeparture()
    for (const pair of this.#pairs.values()) pair.cancelTimer()
    for (const { entry } of this.#leaving.splice(0)) this.#defer(entry)
  }

  #pairFor(recipient: string): Pair {
    const known = this.#pairMs === 0 ? undefined : this.#pairs.get(recipient)
    if (known) return known
    const pair: Pair = {
      recipient,
      pace: new PairPace(),
      waiting: [],
      throttles: 0,
      isBusy: false,
      isListed: false,
      cancelTimer: () => {},
    }
    if (this.#pairMs > 0) this.#pairs.set(recipient, pair)
    return pair
  }

  /** Lists the pair when its next message may go; else looks again when that, or forgetting it, is due. */
  #consider(pair: Pair): void {
    if (pair.isBusy || pair.isListed || this.#isClosed) return
    const now = this.#door.clock.steady()
    const isWaiting = pair.waiting.length > 0
    const dueAt = isWaiting ? pair.pace.opensAt(now, this.#pairMs) : pair.pace.restsAt(this.#pairMs)
    pair.cancelTimer()
    if (dueAt > now) {
      pair.cancelTimer = this.#door.clock.setTimer(dueAt - now, () => {
        this.#consider(pair)
        this.#pump()
      })
    } else if (isWaiting) {
      pair.isListed = true
      this.#ready.push(pair)
    } else if (this.#pairs.get(pair.recipient) === pair) {
      this.#pairs.delete(pair.recipient)
    }
  }

  #pump(): void {
    const { clock } = this.#door
    while (this.#ready.length > 0 && !this.#isClosed) {
      const now = clock.steady()
      const opensAt = this.#turns.opensAt(now)
      if (opensAt > now) {
        this.#cancelTimer()
        this.#cancelTimer = clock.setTimer(opensAt - now, () => this.#pump())
        return
      }
      const pair = this.#ready.shift()
      const entry = pair?.waiting.shift()
      if (!pair || !entry) return
      pair.isListed = false
      pair.isBusy = true
      this.#turns.take(now)
      pair.pace.take(now, this.#pairMs)
      entry.startedAt ??= now
      void this.#takeTurn(pair, entry)
    }
  }

  /** Has the disk say that the message may leave, where it does not say so yet. */
  async #takeTurn(pair: Pair, entry: Entry): Promise<void> {
    if (!entry.isDispatched) {
      // It may have waited for long, and its channel been given another token meanwhile.
      const accessToken = await this.#door.announce(entry.job)
      if (accessToken === null) {
        this.#door.settle(entry.job, {
          kind: 'lost',
          why: 'a callback showed that an attempt put off before had gone out',
        })
        this.#free(pair)
        return
      }
      entry.job = { ...entry.job, accessToken }
      entry.isDispatched = true
    }
    if (this.#isClosed) {
      this.#defer(entry)
      return
    }
    this.#leaving.push({ pair, entry })
    this.#depart()
  }

  #depart(): void {
    const { clock } = this.#door
    while (this.#leaving.length > 0 && !this.#isClosed) {
      const now = clock.steady()
      const waitMs = this.#departures.opensAt(now) - now
      if (waitMs > 0 && waitMs <= departureMsMax) {
        this.#cancelDeparture()
        this.#cancelDeparture = clock.setTimer(waitMs, () => this.#depart())
        return
      }
      const next = this.#leaving.shift()
      if (!next) return
      if (waitMs > 0) {
        this.#putBack(next)
        continue
      }
      this.#departures.take(now)
      void this.#send(next)
    }
  }

  async #send({ pair, entry }: Departure): Promise<void> {
    const attempt = await this.#door.attempt(entry.job)
    if (attempt.kind !== 'notNow' || attempt.scope !== 'pair') pair.throttles = 0
    if (attempt.kind === 'accepted') this.#throttle.ease(this.#door.clock.steady())
    if (attempt.kind === 'notNow') this.#putOff(pair, entry, attempt)
    else this.#door.settle(entry.job, attempt)
    this.#free(pair)
  }

  /** Nothing of it has left: it waits for another turn, before those that came after it. */
  #putBack({ pair, entry }: Departure): void {
    pair.waiting.unshift(entry)
    this.#defer(entry)
    this.#free(pair)
  }

  #free(pair: Pair): void {
    pair.isBusy = false
    this.#consider(pair)
    this.#pump()
  }

  /** Waits as far as the refusal reaches and no further: one pair, one line or the channel. */
  #putOff(pair: Pair, entry: Entry, attempt: NotNow): void {
    const now = this.#door.clock.steady()
    if (attempt.scope === 'message') entry.tries += 1
    const until = this.#pauseFor(pair, entry, attempt, now)
    // Given up at once when its time will be over before the next try.
    const isOver = until > (entry.startedAt ?? now) + messageMsMax || entry.tries >= triesMax
    if (isOver) {
      pair.throttles = 0
      this.#door.settle(entry.job, { kind: 'refused', fault: attempt.fault })
      return
    }
    // Only now: what is asked of a message that is given up concerns no other.
    if (attempt.scope === 'message') pair.pace.pause(until)
    pair.waiting.unshift(entry)
    this.#defer(entry)
  }

  /** @returns until when the message has to wait, as whatever else the refusal reaches */
  #pauseFor(pair: Pair, entry: Entry, { scope, retryAfterMs }: NotNow, now: SteadyMs): SteadyMs {
    const { random, pauseChannel } = this.#door
    switch (scope) {
      case 'app':
        return pauseChannel(entry.job.channelId, retryAfterMs)
      case 'line': {
        this.#turns.slowDown(now)
        this.#departures.slowDown(now)
        const until = this.#throttle.hit(now, retryAfterMs, random)
        this.pause(until)
        return until
      }
      case 'pair': {
        const grownMs = Math.min(1_000 * pairBackoffBase ** pair.throttles, messageMsMax)
        pair.throttles += 1
        const until = now + (retryAfterMs || grownMs)
        pair.pace.pause(until)
        return until
      }
      case 'message':
        return now + (retryAfterMs || jitter(retryMsMin * 2 ** (entry.tries - 1), random))
    }
  }

  #defer(entry: Entry): void {
    if (!entry.isDispatched) return
    entry.isDispatched = false
    this.#door.defer(entry.job)
  }
}
