import { drainMicrotasks } from 'bun:jsc'
import type { Clock, EpochMs, SteadyMs } from '../../src/base/clock.ts'
import { timerMsMax } from '../../src/base/clock.ts'
import { RunningTime } from '../../src/base/runningTime.ts'

/** Where every history begins: within a month, so that its plan is one row. */
export const begin = Date.UTC(2026, 0, 10)

/** Turns of an event loop without any time passing: more is a loop that never rests. */
const turnsMax = 20_000

interface Timer {
  readonly due: SteadyMs
  readonly order: number
  readonly fire: () => void
}

/** Numbers from 0 (included) to 1, the same for the same seed. */
export function numbersOf(seed: number): () => number {
  let state = (seed ^ 0x9e3779b9) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A process: what it waits for ends with it. */
export interface Process {
  readonly isAlive: boolean
  /** Its machine's time. */
  readonly clock: Clock
}

/**
 * The one thread in which everything of a history runs, and its time. Nothing waits: between two timers the time jumps,
 * and all that follows from a timer has happened when the next one fires. So a history with the same seed always goes
 * the same way.
 */
export class World {
  readonly #timers: Timer[] = []
  #turns: (() => void)[] = []
  #steady: SteadyMs = 0
  #order = 0
  #ids = 0
  /** What the machine's time is ahead of the time that has passed. */
  #ahead: EpochMs = begin
  readonly random: () => number

  constructor(seed: number) {
    this.random = numbersOf(seed)
  }

  steady(): SteadyMs {
    return this.#steady
  }

  now(): EpochMs {
    return Math.floor(this.#steady) + this.#ahead
  }

  /** Somebody sets the machine's time. */
  setTime(byMs: number): void {
    this.#ahead += byMs
  }

  /** @returns a whole number of milliseconds from 0 to `max` */
  upTo(max: number): number {
    return Math.floor(this.random() * (max + 1))
  }

  isChance(share: number): boolean {
    return this.random() < share
  }

  /** @returns a function that cancels it */
  later(delayMs: number, fire: () => void): () => void {
    this.#order += 1
    const timer = { due: this.#steady + Math.min(Math.max(delayMs, 0), timerMsMax), order: this.#order, fire }
    let at = this.#timers.length
    while (at > 0 && (this.#timers[at - 1] as Timer).due <= timer.due) at -= 1
    // The next one stands last.
    this.#timers.splice(at, 0, timer)
    return () => {
      const index = this.#timers.indexOf(timer)
      if (index >= 0) this.#timers.splice(index, 1)
    }
  }

  /** For who is no process of ours: callers, the platform. */
  wait(ms: number): Promise<void> {
    return new Promise(resolve => this.later(ms, resolve))
  }

  /** In place of `Bun.randomUUIDv7`: by the machine's time, and one after the other. */
  nextId(): Buffer {
    this.#ids += 1
    const id = Buffer.alloc(16)
    id.writeUIntBE(this.now(), 0, 6)
    id.writeUInt16BE(0x7000 + (this.#ids >>> 16), 6)
    id.writeUInt16BE(0x8000, 8)
    id.writeUInt16BE(this.#ids & 0xffff, 10)
    id.writeUInt32BE(Math.floor(this.random() * 2 ** 32), 12)
    return id
  }

  /** In place of `setImmediate`: the next turn of the process that runs. */
  nextTurn(fire: () => void): void {
    this.#turns.push(fire)
  }

  /** The process is gone: its turns never come. */
  forgetTurns(): void {
    this.#turns = []
  }

  /** A process that starts now. @param isAlive asked before each of its timers */
  clockOf(isAlive: () => boolean): Clock {
    const times = { now: () => this.now(), steady: () => this.#steady }
    const running = new RunningTime(times)
    return {
      ...times,
      ago: ms => running.ago(ms),
      setTimer: (delayMs, fire) =>
        this.later(delayMs, () => {
          if (isAlive()) fire()
        }),
    }
  }

  /** What is settled already runs its course; no turn is taken. */
  settleMicrotasks(): void {
    drainMicrotasks()
  }

  /** Everything that is due now happens, and what follows from it. */
  settle(): void {
    for (let turns = 0; ; turns += 1) {
      drainMicrotasks()
      const fire = this.#turns.shift()
      if (!fire) return
      if (turns > turnsMax) throw new Error('something takes one turn after the other and never rests')
      fire()
    }
  }

  /** Lets time pass, from one timer to the next. @param isDone asked after each: it ends before its time */
  pass(forMs: number, isDone = () => false): void {
    const end = this.#steady + forMs
    for (;;) {
      this.settle()
      const next = this.#timers.at(-1)
      if (isDone()) return
      if (!next || next.due > end) break
      this.#timers.pop()
      this.#steady = Math.max(this.#steady, next.due)
      next.fire()
    }
    this.#steady = end
  }
}
