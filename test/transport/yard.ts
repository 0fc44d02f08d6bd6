import type { Clock, EpochMs, SteadyMs } from '../../src/clock.ts'
import type { Attempt, SendAnswer, UpstreamFault } from '../../src/graph/answer.ts'
import type { SendJob } from '../../src/messages/job.ts'
import { Lane, type LaneDoor } from '../../src/messages/lane.ts'
import { Throttle } from '../../src/messages/throttle.ts'
import { ManualClock } from '../clock.ts'

/** Lets every promise that is already settled run its course. */
export const turn = () => new Promise<void>(resolve => setImmediate(resolve))

export const start = Date.UTC(2026, 0, 1)

/** A clock that knows when its next timer is due, so that a test passes time exactly from one to the next. */
class Timetable implements Clock {
  readonly manual = new ManualClock(start)
  readonly #dues = new Set<{ readonly at: EpochMs }>()

  now(): EpochMs {
    return this.manual.now()
  }

  steady(): SteadyMs {
    return this.manual.steady()
  }

  setTimer(delayMs: number, fire: () => void): () => void {
    const due = { at: this.now() + Math.max(0, delayMs) }
    this.#dues.add(due)
    const cancel = this.manual.setTimer(delayMs, () => {
      this.#dues.delete(due)
      fire()
    })
    return () => {
      this.#dues.delete(due)
      cancel()
    }
  }

  /** Lets time pass; what becomes due runs at its time, with everything that follows from it. */
  async pass(ms: number): Promise<void> {
    await turn()
    const end = this.now() + ms
    for (;;) {
      const next = Math.min(...[...this.#dues].map(due => due.at))
      if (next > end) break
      this.manual.advance(next - this.now())
      await turn()
    }
    this.manual.advance(end - this.now())
    await turn()
  }
}

const wait = (clock: Clock, ms: number) => new Promise<void>(resolve => clock.setTimer(ms, resolve))

const fault: UpstreamFault = {
  errorClass: 'retry',
  fault: 'upstream',
  retryable: true,
  code: 2,
  subcode: null,
  title: 'Service temporarily unavailable',
  details: null,
  traceId: null,
}

export const accepted: Attempt = { kind: 'accepted', channelMessageId: 'wamid.1', waId: null, messageStatus: null }
export const notNow = (scope: 'app' | 'line' | 'pair' | 'message', retryAfterMs: number | null = null): Attempt => ({
  kind: 'notNow',
  scope,
  retryAfterMs,
  fault,
})

/** Lanes in a world that a test describes: what the upstream answers, how long it and the disk take. */
export class Yard {
  readonly clock = new Timetable()
  /** Every attempt in the order it was made, seconds after the start. */
  readonly left: { readonly id: string; readonly to: string; readonly at: number; readonly token: string }[] = []
  readonly settled: { readonly id: string; readonly answer: SendAnswer }[] = []
  /** `defer`, `announce` and `leave` of each message, in order. */
  readonly news: string[] = []
  readonly pausedChannels: string[] = []
  /** The upstream's answer to an attempt; `nth` counts the attempts for one message from 1. */
  answer: (job: SendJob, nth: number) => Attempt = () => accepted
  upstreamMs = 0
  /** The channel's, when a message is announced. */
  token = 'token'
  diskMs: () => number = () => 0
  readonly #account = new Throttle()
  #jobs = 0

  readonly door: LaneDoor = {
    clock: this.clock,
    random: () => 1,
    attempt: async job => {
      this.news.push(`leave ${job.messageId}`)
      const nth = this.left.filter(({ id }) => id === job.messageId).length + 1
      const at = (this.clock.now() - start) / 1000
      this.left.push({ id: job.messageId, to: job.recipient, at, token: job.accessToken })
      const answer = this.answer(job, nth)
      if (this.upstreamMs > 0) await wait(this.clock, this.upstreamMs)
      return answer
    },
    settle: (job, answer) => this.settled.push({ id: job.messageId, answer }),
    defer: job => this.news.push(`defer ${job.messageId}`),
    announce: async job => {
      this.news.push(`announce ${job.messageId}`)
      const ms = this.diskMs()
      if (ms > 0) await wait(this.clock, ms)
      return this.token
    },
    pauseChannel: (channelId, askedMs) => {
      const until = this.#account.hit(this.clock.steady(), askedMs, () => 1)
      this.pausedChannels.push(`${channelId} ${(until - start) / 1000}`)
      this.lane.pause(until)
      return until
    },
  }

  readonly lane = new Lane(this.door)

  /** A message; ids are given in order: `m1`, `m2` … */
  job(fields: Partial<SendJob> = {}): SendJob {
    this.#jobs += 1
    return {
      messageId: `m${this.#jobs}`,
      channelId: 'chan_1',
      lineId: 'line_1',
      upstreamPhoneId: '1',
      accessToken: 'token',
      recipient: '+4930123456',
      payload: '{}',
      perSecond: 0,
      pairSeconds: 0,
      isDispatched: true,
      ...fields,
    }
  }

  add(fields: Partial<SendJob> = {}): string {
    const job = this.job(fields)
    this.lane.add(job)
    return job.messageId
  }

  /** When each attempt was made, in seconds after the start. */
  times(): number[] {
    return this.left.map(({ at }) => at)
  }
}

/** The most of these times (in seconds, in order) that lie within any one second. */
export function mostPerSecond(times: readonly number[]): number {
  let first = 0
  let most = 0
  for (const [last, at] of times.entries()) {
    // Milliseconds, so that fractions of a second compare exactly.
    while (Math.round(at * 1000) - Math.round((times[first] ?? at) * 1000) >= 1000) first += 1
    most = Math.max(most, last - first + 1)
  }
  return most
}
