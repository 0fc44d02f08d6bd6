/**
 * Characters of upstream requests under way on one line. A request may have 1 MiB, and stands in memory three times: ten
 * thousand of a usual size have less than 10 MB, and as many of the largest would fill any machine.
 */
const charsMax = 32 * 1_048_576

interface LineLoad {
  count: number
  chars: number
}

/** What is under way on each line. Lines without anything are not kept. */
export class Load {
  readonly #countMax: number
  readonly #lines = new Map<string, LineLoad>()

  /** @param countMax messages under way on one line */
  constructor(countMax: number) {
    this.#countMax = countMax
  }

  isFull(lineId: string): boolean {
    const line = this.#lines.get(lineId)
    return line !== undefined && (line.count >= this.#countMax || line.chars >= charsMax)
  }

  add(lineId: string, chars: number): void {
    const line = this.#lines.get(lineId) ?? { count: 0, chars: 0 }
    line.count += 1
    line.chars += chars
    this.#lines.set(lineId, line)
  }

  remove(lineId: string, chars: number): void {
    const line = this.#lines.get(lineId)
    if (!line) return
    line.count -= 1
    line.chars -= chars
    if (line.count === 0) this.#lines.delete(lineId)
  }
}
