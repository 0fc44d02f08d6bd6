import type { Clock } from '../../time/clock.ts'

/** Pressed again within this time, a check has nothing new to say. */
const freshMs = 10_000

/**
 * Answers that are used again for ten seconds, also by those who ask while one is made: whoever asks often causes no
 * more work than one who asks now and then.
 */
export class Recent<Answer> {
  readonly #clock: Pick<Clock, 'steady'>
  /** Of the last ten seconds alone. */
  readonly #answers = new Map<string, { readonly at: number; readonly answer: Promise<Answer> }>()

  constructor(clock: Pick<Clock, 'steady'>) {
    this.#clock = clock
  }

  answer(key: string, make: () => Promise<Answer>): Promise<Answer> {
    const at = this.#clock.steady()
    for (const [old, known] of this.#answers) if (at - known.at >= freshMs) this.#answers.delete(old)
    const known = this.#answers.get(key) ?? { at, answer: make() }
    this.#answers.set(key, known)
    return known.answer
  }
}
