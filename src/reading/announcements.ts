import type { Change, Shared, Sign } from '../../db/contract/shared.ts'

/** What changed, by subject. Who shows a subject reads it again. */
export type Subject = Change['subject']

/** Wants to know of changes. */
export interface Watcher {
  /** The workspaces that it watches at this moment. */
  readonly workspaceIds: Iterable<string>
  /** Called for each message: it must stay cheap. */
  note(workspaceId: string, subject: Subject, messageId: string | undefined, sign?: Sign): void
}

/**
 * Tells who watches in this process what changes: the pages that show it, and the callers that wait for it. With
 * several instances, each also tells what the others change, at the latest a second after. Nothing is done while nobody
 * watches, so that sends cost nothing more then.
 */
export class Announcements {
  readonly #shared: Pick<Shared, 'announce' | 'watch'> | null
  readonly #watchers = new Set<Watcher>()
  readonly #ownWatchers = new Set<Watcher>()
  /** Ends the watch over what other instances announce; null while nobody watches here. */
  #endWatch: (() => void) | null = null

  /** @param shared the other instances on the database; null: there are none */
  constructor(shared: Pick<Shared, 'announce' | 'watch'> | null = null) {
    this.#shared = shared
  }

  /** Whether anybody may want to know of changes: also one who watches on another instance. */
  get isWatched(): boolean {
    return this.#shared !== null || this.#watchers.size > 0 || this.#ownWatchers.size > 0
  }

  /** Notes a change that was made here. */
  changed(workspaceId: string, subject: Subject, messageId?: string, sign?: Sign): void {
    this.#shared?.announce([{ workspaceId, subject, messageId: messageId ?? null, ...(sign && { sign }) }])
    this.#note(workspaceId, subject, messageId, sign)
    for (const watcher of this.#ownWatchers) watcher.note(workspaceId, subject, messageId)
  }

  /** Notes a change of which nobody says in which workspaces: all that are watched here read again. */
  changedSomewhere(subject: Subject): void {
    const watchers = [...this.#watchers, ...this.#ownWatchers]
    const watched = new Set(watchers.flatMap(({ workspaceIds }) => [...workspaceIds]))
    for (const workspaceId of watched) this.changed(workspaceId, subject)
  }

  /** As `watch`, for what this process changes alone. @returns a function that ends it */
  watchHere(watcher: Watcher): () => void {
    this.#ownWatchers.add(watcher)
    return () => this.#ownWatchers.delete(watcher)
  }

  /** @returns a function that ends it */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher)
    this.#endWatch ??= this.#watchOthers()
    return () => {
      this.#watchers.delete(watcher)
      if (this.#watchers.size > 0) return
      this.#endWatch?.()
      this.#endWatch = null
    }
  }

  #note(workspaceId: string, subject: Subject, messageId: string | undefined, sign?: Sign): void {
    for (const watcher of this.#watchers) watcher.note(workspaceId, subject, messageId, sign)
  }

  #watchOthers(): (() => void) | null {
    const note = (changes: readonly Change[]) => {
      for (const { workspaceId, subject, messageId, sign } of changes)
        this.#note(workspaceId, subject, messageId ?? undefined, sign)
    }
    return this.#shared?.watch(note) ?? null
  }
}
