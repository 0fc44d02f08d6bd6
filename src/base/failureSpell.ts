/**
 * Consecutive failures of one kind, as while a database cannot be reached. Only the first failure and the recovery are
 * logged.
 */
export class FailureSpell {
  #failures = 0

  /** @param log writes the line of the first failure */
  failed(log: () => void): void {
    this.#failures += 1
    if (this.#failures === 1) log()
  }

  /** @param log writes that it works again, after this number of failures */
  worked(log: (failures: number) => void): void {
    const failures = this.#failures
    this.#failures = 0
    if (failures > 0) log(failures)
  }
}
