/**
 * Permits that all workspaces share: for attempts to deliver, for files to fetch, for requests that wait. A workspace
 * takes at most as many as are left: one alone gets half of them, two a third each. So however many others take, there
 * is one for everybody.
 */
export class SharedPermits {
  readonly #max: number
  #taken = 0
  readonly #byWorkspace = new Map<string, number>()

  constructor(max: number) {
    this.#max = max
  }

  get taken(): number {
    return this.#taken
  }

  hasFor(workspaceId: string): boolean {
    return (this.#byWorkspace.get(workspaceId) ?? 0) < this.#max - this.#taken
  }

  take(workspaceId: string): void {
    this.#add(workspaceId, 1)
  }

  giveBack(workspaceId: string): void {
    this.#add(workspaceId, -1)
  }

  #add(workspaceId: string, difference: number): void {
    this.#taken += difference
    const taken = (this.#byWorkspace.get(workspaceId) ?? 0) + difference
    if (taken > 0) this.#byWorkspace.set(workspaceId, taken)
    else this.#byWorkspace.delete(workspaceId)
  }
}
