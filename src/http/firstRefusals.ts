/** Refusals that are logged in a window. A caller with many networks must not fill the log. */
const refusalsLoggedMax = 100

/** Which subjects were refused in a window before: only the first refusal of each is logged. */
export class FirstRefusals {
  readonly #refused = new Set<string>()

  isFirst(subject: string): boolean {
    if (this.#refused.has(subject) || this.#refused.size >= refusalsLoggedMax) return false
    this.#refused.add(subject)
    return true
  }

  clear(): void {
    this.#refused.clear()
  }
}
