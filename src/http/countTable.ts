/** Counts of subjects, of a bounded number of them: memory cannot be filled by whoever makes up new ones. */
export class CountTable {
  readonly #counts = new Map<string, number>()
  readonly #subjectsMax: number

  constructor(subjectsMax: number) {
    this.#subjectsMax = subjectsMax
  }

  has(subject: string): boolean {
    return this.#counts.has(subject)
  }

  /** True when all of them are counted here already, or can be. */
  holds(subjects: readonly string[]): boolean {
    const added = subjects.filter(subject => !this.#counts.has(subject)).length
    return this.#counts.size + added <= this.#subjectsMax
  }

  count(subject: string): number {
    return this.#counts.get(subject) ?? 0
  }

  set(subject: string, count: number): void {
    this.#counts.set(subject, count)
  }

  /** A count of zero takes no place. */
  add(subject: string, count: number): void {
    const next = this.count(subject) + count
    if (next === 0) this.#counts.delete(subject)
    else this.#counts.set(subject, next)
  }

  clear(): void {
    this.#counts.clear()
  }
}
