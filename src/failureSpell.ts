/**
 * Failures of one kind in a row, as while a database cannot be reached. The first is logged, and that they are over;
 * the lines between would say the same again and again.
 */
export class FailureSpell {
  #failures = 0

  /** @param log writes the line of the first failure */
  failed(log: () => void): void {
    this.#failures += 1
    if (this.#failures === 1) log()
  }

  /** @param log writes that it works again, after so many failures */
  worked(log: (failures: number) => void): void {
    const failures = this.#failures
    this.#failures = 0
    if (failures > 0) log(failures)
  }
}
