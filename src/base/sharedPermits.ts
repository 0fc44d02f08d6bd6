/**
 * Permits that all workspaces share: for attempts to deliver, for files to fetch, for requests that wait, for what is
 * asked of strangers. A workspace takes at most as many as are left: one alone gets half of them, two a third each. So
 * however many others take, there is one for everybody.
 *
 * Owners are not counted: how many workspaces one of them makes has a bound (`OWNER_WORKSPACES_MAX`), far below what it
 * takes to leave nothing, and to know the owner would cost each call a read.
 */
export class SharedPermits {
  readonly #max: number
  readonly #workspaceMax: number
  #taken = 0
  readonly #byWorkspace = new Map<string, number>()

  /** @param workspaceMax of one workspace, where that is less than half */
  constructor(max: number, workspaceMax = max) {
    this.#max = max
    this.#workspaceMax = workspaceMax
  }

  get taken(): number {
    return this.#taken
  }

  /** @param count taken at once */
  hasFor(workspaceId: string, count = 1): boolean {
    const taken = (this.#byWorkspace.get(workspaceId) ?? 0) + count
    // What is left when the last one of them is taken.
    return taken <= Math.min(this.#max - this.#taken - count + 1, this.#workspaceMax)
  }

  take(workspaceId: string, count = 1): void {
    this.#add(workspaceId, count)
  }

  giveBack(workspaceId: string, count = 1): void {
    this.#add(workspaceId, -count)
  }

  #add(workspaceId: string, difference: number): void {
    this.#taken += difference
    const taken = (this.#byWorkspace.get(workspaceId) ?? 0) + difference
    if (taken > 0) this.#byWorkspace.set(workspaceId, taken)
    else this.#byWorkspace.delete(workspaceId)
  }
}
