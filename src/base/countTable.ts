/** The count that all subjects without a count of their own share. */
export const others = 'others'

/** Callers counted in a window. All later ones share one count. */
export const callersMax = 10_000

/** Counts of a bounded number of subjects, so that callers with many identities cannot fill the memory. */
export class CountTable {
  readonly #counts = new Map<string, number>()
  readonly #subjectsMax: number

  constructor(subjectsMax: number) {
    this.#subjectsMax = subjectsMax
  }

  has(subject: string): boolean {
    return this.#counts.has(subject)
  }

  /** Whether all of them are already counted here, or can be. */
  holds(subjects: readonly string[]): boolean {
    const added = subjects.filter(subject => !this.#counts.has(subject)).length
    return this.#counts.size + added <= this.#subjectsMax
  }

  /** @returns the subject itself, or the shared count when it has no count of its own */
  countedAs(subject: string): string {
    return this.holds([subject]) ? subject : others
  }

  count(subject: string): number {
    return this.#counts.get(subject) ?? 0
  }

  set(subject: string, count: number): void {
    this.#counts.set(subject, count)
  }

  /** A count of zero needs no entry. */
  add(subject: string, count: number): void {
    const next = this.count(subject) + count
    if (next === 0) this.#counts.delete(subject)
    else this.#counts.set(subject, next)
  }

  clear(): void {
    this.#counts.clear()
  }
}
