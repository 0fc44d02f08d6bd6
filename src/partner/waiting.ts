import type { Clock } from '../base/clock.ts'
import type { Refusal } from '../base/errors.ts'
import { Type } from '../base/schema.ts'
import { SharedPermits } from '../base/sharedPermits.ts'
import type { Announcements, Subject, Watcher } from '../reading/announcements.ts'

/** Longer waits meet the limits of proxies, which often end a request after 30 or 60 seconds. */
const waitSecondsMax = 25

/** The parameter of a query. */
export const waitParameter = (what: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: waitSecondsMax,
      description: `How many seconds to wait for ${what}, at most ${waitSecondsMax}. 0, the default: not at all.`,
    }),
  )

/** Each holds a connection. A reader needs one, and a backend with several processes some. */
const ofKeyMax = 10
/** Of all workspaces together, which share them: some megabytes, far from using up the connections of a gateway. */
const totalMax = 1_000

/**
 * Who looked in vain looks again after this time at the earliest, then after twice as long each: a busy workspace must
 * not make those look at each of its sends that wait for something rare.
 */
const restMs = 50
const restMsMax = 2_000

/** What a request waits for. */
export interface Wish {
  readonly keyId: string
  readonly workspaceId: string
  /** Only changes of these concern it: what changes all the time must not wake who waits for something rare. */
  readonly subjects: readonly Subject[]
  /** Only changes of this message; null: all of the workspace. */
  readonly messageId: string | null
  readonly waitMs: number
  /** Ends the wait: the caller is gone. */
  readonly signal: AbortSignal
  /** Asked before the answer. It throws where the key may not read any more what was found. */
  readonly renew: () => Promise<unknown>
}

/** `found`: null when it did not come in time. */
export type Waited<Found> =
  | { readonly ok: true; readonly found: Found | null }
  | { readonly ok: false; readonly refusal: Refusal }

interface Waiter {
  readonly messageId: string | null
  restMs: number
  restsUntil: number
  /** Something has changed that it has not looked at. */
  isDue: boolean
  /** Ends its pause; does nothing while it looks. */
  wake: () => void
}

interface Group {
  readonly waiters: Set<Waiter>
  readonly bySubject: Map<Subject, Set<Waiter>>
  cancelTick: (() => void) | null
}

/**
 * Requests that wait. One costs a timer and a place in a list: it sleeps until what it waits for may have come, and
 * then reads the database. Each reads once more before it ends, because an announcement of another instance can be
 * lost.
 */
export class Waiting implements Watcher {
  readonly #clock: Pick<Clock, 'steady' | 'setTimer'>
  readonly #announcements: Announcements
  readonly #groups = new Map<string, Group>()
  readonly #byKey = new Map<string, number>()
  readonly #permits = new SharedPermits(totalMax)
  #endWatch: (() => void) | null = null
  #isClosed = false

  constructor(clock: Pick<Clock, 'steady' | 'setTimer'>, announcements: Announcements) {
    this.#clock = clock
    this.#announcements = announcements
  }

  get workspaceIds(): Iterable<string> {
    return this.#groups.keys()
  }

  /** @param look finds what is waited for; null: not yet */
  async for<Found>(wish: Wish, look: () => Promise<Found | null>): Promise<Waited<Found>> {
    const { keyId, workspaceId, waitMs, signal } = wish
    const ofKey = this.#byKey.get(keyId) ?? 0
    if (ofKey >= ofKeyMax)
      return { ok: false, refusal: tooMany(`This key has ${ofKeyMax} requests that wait already.`) }
    if (!this.#permits.hasFor(workspaceId))
      return { ok: false, refusal: tooMany('Too many requests of this workspace wait already.') }
    this.#byKey.set(keyId, ofKey + 1)
    this.#permits.take(workspaceId)
    // Before the first look, so that nothing is missed in between.
    const { waiter, leave } = this.#enter(wish)
    let isOver = false
    const end = () => {
      isOver = true
      waiter.wake()
    }
    const cancelTimer = this.#clock.setTimer(waitMs, end)
    signal.addEventListener('abort', end)
    try {
      for (;;) {
        const isLast = isOver || this.#isClosed || signal.aborted
        waiter.isDue = false
        const found = await look()
        if (found !== null || isLast) {
          await wish.renew()
          return { ok: true, found }
        }
        waiter.restsUntil = this.#clock.steady() + waiter.restMs
        waiter.restMs = Math.min(waiter.restMs * 2, restMsMax)
        if (waiter.isDue) this.#tickLater(workspaceId)
        if (!isOver && !this.#isClosed) {
          await new Promise<void>(resolve => {
            waiter.wake = resolve
          })
          waiter.wake = () => {}
        }
      }
    } finally {
      cancelTimer()
      signal.removeEventListener('abort', end)
      leave()
      this.#permits.giveBack(workspaceId)
      const left = (this.#byKey.get(keyId) ?? 1) - 1
      if (left > 0) this.#byKey.set(keyId, left)
      else this.#byKey.delete(keyId)
    }
  }

  note(workspaceId: string, subject: Subject, messageId: string | undefined): void {
    const concerned = this.#groups.get(workspaceId)?.bySubject.get(subject)
    if (!concerned) return
    const now = this.#clock.steady()
    for (const waiter of concerned) {
      const isConcerned = waiter.messageId === null || messageId === undefined || waiter.messageId === messageId
      if (!isConcerned || waiter.isDue) continue
      waiter.isDue = true
      if (waiter.restsUntil <= now) waiter.wake()
      else this.#tickLater(workspaceId)
    }
  }

  /** Ends all waits, as after their time; later ones look once. */
  close(): void {
    this.#isClosed = true
    for (const { waiters } of this.#groups.values()) for (const waiter of waiters) waiter.wake()
  }

  #enter({ workspaceId, subjects, messageId }: Wish): { waiter: Waiter; leave: () => void } {
    const group = this.#groups.get(workspaceId) ?? { waiters: new Set(), bySubject: new Map(), cancelTick: null }
    this.#groups.set(workspaceId, group)
    this.#endWatch ??= this.#announcements.watch(this)
    const waiter: Waiter = { messageId, restMs, restsUntil: 0, isDue: false, wake: () => {} }
    group.waiters.add(waiter)
    for (const subject of subjects) {
      const concerned = group.bySubject.get(subject) ?? new Set()
      group.bySubject.set(subject, concerned.add(waiter))
    }
    const leave = () => {
      group.waiters.delete(waiter)
      for (const subject of subjects) group.bySubject.get(subject)?.delete(waiter)
      if (group.waiters.size > 0) return
      group.cancelTick?.()
      this.#groups.delete(workspaceId)
      if (this.#groups.size > 0) return
      this.#endWatch?.()
      this.#endWatch = null
    }
    return { waiter, leave }
  }

  /** Wakes those that rest and are due, once their rest is over. */
  #tickLater(workspaceId: string): void {
    const group = this.#groups.get(workspaceId)
    if (!group || group.cancelTick) return
    group.cancelTick = this.#clock.setTimer(restMs, () => {
      group.cancelTick = null
      const now = this.#clock.steady()
      for (const waiter of group.waiters) {
        if (!waiter.isDue) continue
        if (waiter.restsUntil <= now) waiter.wake()
        else this.#tickLater(workspaceId)
      }
    })
  }
}

const tooMany = (message: string): Refusal => ({
  reason: 'RATE_LIMIT_EXCEEDED',
  message: `${message} Wait in fewer at a time, or ask without wait.`,
  retryAfterMs: 1_000,
})
