/**
 * Of all workspaces together. Six thousand templates are some eight megabytes, and most workspaces have some ten
 * kilobytes.
 */
const bytesMax = 32 * 1024 * 1024
/** Of one workspace: its keys may see different lines. An older answer most often does not hold any more. */
const ofWorkspaceMax = 4

/**
 * Answers that are kept as they are written, each by a tag that says what it was made of. Where the room is short, the
 * oldest of the workspace goes that has the most: what few have is kept, however much others have.
 */
export class KeptAnswers {
  /** The answers of a workspace, those used last at the end. */
  readonly #byWorkspace = new Map<string, Map<string, Blob>>()
  readonly #bytesMax: number
  #bytes = 0

  constructor(most = bytesMax) {
    this.#bytesMax = most
  }

  /** @returns undefined: it is not kept */
  get(workspaceId: string, tag: string): Blob | undefined {
    const answers = this.#byWorkspace.get(workspaceId)
    const found = answers?.get(tag)
    if (found) {
      answers?.delete(tag)
      answers?.set(tag, found)
    }
    return found
  }

  keep(workspaceId: string, tag: string, answer: Blob): void {
    this.#drop(workspaceId, tag)
    const answers = this.#byWorkspace.get(workspaceId) ?? new Map<string, Blob>()
    this.#byWorkspace.set(workspaceId, answers.set(tag, answer))
    this.#bytes += answer.size
    if (answers.size > ofWorkspaceMax) this.#dropOldest(workspaceId)
    while (this.#bytes > this.#bytesMax) this.#dropOldest(this.#largest())
  }

  #largest(): string {
    const sizeOf = (answers: ReadonlyMap<string, Blob>) =>
      [...answers.values()].reduce((sum, { size }) => sum + size, 0)
    const sizes = [...this.#byWorkspace].map(([workspaceId, answers]) => ({ workspaceId, size: sizeOf(answers) }))
    return sizes.reduce((most, each) => (each.size > most.size ? each : most)).workspaceId
  }

  #dropOldest(workspaceId: string): void {
    const [oldest = ''] = this.#byWorkspace.get(workspaceId)?.keys() ?? []
    this.#drop(workspaceId, oldest)
  }

  #drop(workspaceId: string, tag: string): void {
    const answers = this.#byWorkspace.get(workspaceId)
    this.#bytes -= answers?.get(tag)?.size ?? 0
    answers?.delete(tag)
    if (answers?.size === 0) this.#byWorkspace.delete(workspaceId)
  }
}
