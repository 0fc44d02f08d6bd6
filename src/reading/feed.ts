import type { Sign } from '../../db/contract/shared.ts'
import type { Clock } from '../base/clock.ts'
import { CountTable } from '../base/countTable.ts'
import { minuteMs } from '../base/durations.ts'
import type { Announcements, Subject, Watcher } from './announcements.ts'

/** What changed in a workspace within a quarter of a second. */
export interface Batch {
  readonly id: string
  readonly subjects: readonly Subject[]
  /** Null: not all are named, as there are too many, or nobody said which. */
  readonly messageIds: readonly string[] | null
  readonly signs: readonly Sign[]
}

/** Takes what changed; `reset`: changes were missed. */
export interface FeedListener {
  take(batch: Batch): void
  reset(id: string): void
  end(): void
}

/** Four batches a second look live, however many messages are sent. */
const batchMs = 250
/** More than a page shows. */
const idsMax = 100
/** A team that writes at once; whose sign is lost gives another one soon. */
const signsMax = 20
/** A minute of a busy workspace: after longer breaks the listener gets a reset. */
const batchesMax = 240
/** A page that reconnects comes back within this time; changes are kept that long without a listener. */
const lingerMs = minuteMs
/** Each holds a connection: the tabs of some colleagues. */
const listenersMax = 20
/**
 * Of all workspaces together: far below the connections of a gateway. An owner gets at most as many as are left for
 * others, however many workspaces and users the owner makes: a single owner half of them, one of two a third. An owner
 * who transfers workspaces to other accounts can exceed this bound.
 */
const totalMax = 200

interface Watched {
  /** New each time that the watch over a workspace begins: older numbers are invalid. */
  readonly name: string
  readonly listeners: Set<FeedListener>
  /** The last ones, oldest first; their numbers have no gaps. */
  readonly batches: { readonly number: number; readonly batch: Batch }[]
  number: number
  subjects: Set<Subject>
  /** Null: not all can be named. */
  messageIds: Set<string> | null
  signs: Sign[]
  cancelFlush: (() => void) | null
  cancelEnd: (() => void) | null
}

/**
 * Tells pages what changed. Nothing is kept or done for a workspace that nobody watches, so that sends cost nothing
 * more then. Changes are gathered, and told at most four times a second: only that something changed and which
 * messages; the page reads the rest.
 */
export class ChangeFeed implements Watcher {
  readonly #clock: Pick<Clock, 'setTimer'>
  readonly #announcements: Announcements
  /** Null while nobody watches here. */
  #endWatch: (() => void) | null = null
  /** Distinguishes the numbers of this process from those of an earlier one. */
  readonly #run = crypto.randomUUID().slice(0, 8)
  readonly #watched = new Map<string, Watched>()
  /** Listeners of the workspaces of each owner: no more owners than listeners have. */
  readonly #byOwner = new CountTable(Number.POSITIVE_INFINITY)
  #watches = 0
  #listeners = 0
  #isClosed = false

  constructor(clock: Pick<Clock, 'setTimer'>, announcements: Announcements) {
    this.#clock = clock
    this.#announcements = announcements
  }

  /** Open connections, of all workspaces. */
  get listeners(): number {
    return this.#listeners
  }

  get workspaceIds(): Iterable<string> {
    return this.#watched.keys()
  }

  note(workspaceId: string, subject: Subject, messageId?: string, sign?: Sign): void {
    const watched = this.#watched.get(workspaceId)
    if (!watched) return
    if (sign && watched.signs.length < signsMax) watched.signs.push(sign)
    watched.subjects.add(subject)
    if (messageId !== undefined) watched.messageIds?.add(messageId)
    const isNamed = messageId !== undefined || subject !== 'messages'
    if (!isNamed || (watched.messageIds?.size ?? 0) > idsMax) watched.messageIds = null
    watched.cancelFlush ??= this.#clock.setTimer(batchMs, () => this.#flush(watched))
  }

  /** Tells who looks at the workspace, at any instance. */
  give(workspaceId: string, sign: Sign): void {
    this.#announcements.changed(workspaceId, 'signs', undefined, sign)
  }

  /**
   * @param lastId of the last batch that the listener had, if it comes back: it gets those after it, or a reset
   * @param ownerIds of the workspace; one made by a command may have none, and is then counted on its own
   * @returns a function that ends it; null when there are too many
   */
  listen(
    workspaceId: string,
    lastId: string | null,
    listener: FeedListener,
    ownerIds: readonly string[] = [],
  ): (() => void) | null {
    const owners = ownerIds.length === 0 ? [workspaceId] : ownerIds
    const left = totalMax - this.#listeners
    if (this.#isClosed || owners.some(owner => this.#byOwner.count(owner) >= left)) return null
    const watched = this.#watched.get(workspaceId) ?? this.#watch(workspaceId)
    if (watched.listeners.size >= listenersMax) return null
    watched.cancelEnd?.()
    watched.cancelEnd = null
    watched.listeners.add(listener)
    this.#listeners += 1
    for (const owner of owners) this.#byOwner.add(owner, 1)
    this.#catchUp(watched, lastId, listener)
    return () => {
      if (!watched.listeners.delete(listener)) return
      this.#listeners -= 1
      for (const owner of owners) this.#byOwner.add(owner, -1)
      if (watched.listeners.size === 0) {
        watched.cancelEnd = this.#clock.setTimer(lingerMs, () => this.#unwatch(workspaceId, watched))
      }
    }
  }

  /** Ends all listeners; takes no further ones. */
  close(): void {
    this.#isClosed = true
    for (const [workspaceId, watched] of this.#watched) {
      for (const listener of [...watched.listeners]) listener.end()
      this.#unwatch(workspaceId, watched)
    }
  }

  #watch(workspaceId: string): Watched {
    this.#watches += 1
    this.#endWatch ??= this.#announcements.watch(this)
    const watched: Watched = {
      name: `${this.#run}.${this.#watches}`,
      listeners: new Set(),
      batches: [],
      number: 0,
      subjects: new Set(),
      messageIds: new Set(),
      signs: [],
      cancelFlush: null,
      cancelEnd: null,
    }
    this.#watched.set(workspaceId, watched)
    return watched
  }

  #unwatch(workspaceId: string, watched: Watched): void {
    watched.cancelFlush?.()
    watched.cancelEnd?.()
    this.#watched.delete(workspaceId)
    if (this.#watched.size > 0) return
    this.#endWatch?.()
    this.#endWatch = null
  }

  #catchUp(watched: Watched, lastId: string | null, listener: FeedListener): void {
    const here = idOf(watched, watched.number)
    if (lastId === null || lastId === here) {
      listener.take({ id: here, subjects: [], messageIds: [], signs: [] })
      return
    }
    const missed = watched.batches.findIndex(({ number }) => idOf(watched, number) === lastId)
    const first = watched.batches[0]
    const isKnown = missed !== -1 || (first && idOf(watched, first.number - 1) === lastId)
    if (!isKnown) listener.reset(here)
    else for (const { batch } of watched.batches.slice(missed + 1)) listener.take(batch)
  }

  #flush(watched: Watched): void {
    watched.cancelFlush = null
    watched.number += 1
    const { number, subjects, messageIds, signs } = watched
    const batch: Batch = {
      id: idOf(watched, number),
      subjects: [...subjects],
      messageIds: messageIds && [...messageIds],
      signs,
    }
    watched.subjects = new Set()
    watched.messageIds = new Set()
    watched.signs = []
    watched.batches.push({ number, batch })
    if (watched.batches.length > batchesMax) watched.batches.shift()
    for (const listener of [...watched.listeners]) listener.take(batch)
  }
}

const idOf = ({ name }: Watched, number: number) => `${name}.${number}`
