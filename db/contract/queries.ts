import type { EpochMs } from '../../src/base/clock.ts'
import type { Row } from '../schema/tables.ts'
import type { Contact, Message, MessageQuery } from './records.ts'

export interface MonthlyUsage extends Row<'planUsage'> {
  readonly workspaceName: string
  /** Null: unlimited. */
  readonly limit: number | null
}

/** Filters the usage. Absent fields do not filter. */
export interface UsageQuery {
  readonly workspaceId?: string | undefined
  readonly month?: string | undefined
  readonly limit: number
}

/** The author of a change. */
export interface Author {
  /** `cli:ada`, `console:ada@example.com`. */
  readonly actor: string
  /** Where it is made. Without one, it is the workspace of what is changed. */
  readonly workspaceId?: string
}

/** What people send: the subject is the message. */
export const sendActions = [
  'message.send',
  'message.send-again',
  'message.send-elsewhere',
  'template.send-test',
] as const

/** What is noted by itself (`noteAction`), because no change of the store says it. */
export type NotedAction = 'database.restore' | 'template.upload-example' | (typeof sendActions)[number]

/** One entry of the audit. */
export type AuditEntry = Row<'auditEntries'>

/** Which entries. Absent fields do not filter. */
export interface AuditQuery {
  /** An actor, or the kind of several actors: `cli`. */
  readonly actor?: string | undefined
  /** An action, or the noun of several actions: `key`. */
  readonly action?: string | undefined
  readonly subject?: string | undefined
  /** Entries of this workspace, and those of its members that concern no single workspace. */
  readonly workspaceId?: string | undefined
  readonly since?: EpochMs | undefined
  /** Exclusive. */
  readonly until?: EpochMs | undefined
  /** The last entry of the previous page. */
  readonly after?: number | undefined
  readonly limit: number
}

/** One step of a search through the messages of a workspace. */
export interface MessageSearch extends Omit<MessageQuery, 'after'> {
  /** From the newest to older ones, or the other way. */
  readonly direction: 'older' | 'newer'
  /** The end of the previous step, or the cursor of a message: the search continues after it. */
  readonly cursor?: string | undefined
  /** At most this many messages are looked at. */
  readonly scan: number
  /** Those of other lines are left out; absent: none are. */
  readonly lineIds?: readonly string[] | undefined
  /** Only those that somebody may mean by each of these words. */
  readonly meant?: readonly MeantBy[] | undefined
  /** Only these are looked at, however many `scan` says. */
  readonly ids?: readonly string[] | undefined
}

/** A word that somebody searches for, or several that belong together: a number with its blanks. */
export interface SearchedWord {
  /** A part of a name, or of what was written, in any case. */
  readonly words: string
  /** A part of a number; null when the word is none. */
  readonly digits: string | null
}

/** What a word may be. A message fits that has one of them; the words may be the whole request id of a caller, too. */
export interface MeantBy extends SearchedWord {
  /** The numbers and user ids of people. */
  readonly recipients: ReadonlySet<string>
  /** Templates by name, in these languages; null: in any. */
  readonly templates: ReadonlyMap<string, ReadonlySet<string> | null>
}

export interface FoundMessages {
  /** In the direction of the search. */
  readonly messages: readonly Message[]
  /** The cursor of each of them. */
  readonly cursors: readonly string[]
  /** Null at the end. There may be no further match. */
  readonly next: string | null
  /** The time of the message at `next`. */
  readonly reachedAt: EpochMs | null
}

/** Messages that are not settled. `isMore`: not all were counted, because there are too many. */
export interface OpenCount {
  readonly queued: number
  readonly unknown: number
  /** When the oldest answer was lost. */
  readonly unknownSince: EpochMs | null
  readonly isMore: boolean
}

/** When somebody opened a window: looked for in the last `scan` messages after `since`. */
export interface OpenedSearch {
  readonly lineIds: readonly string[]
  readonly since: EpochMs
  readonly scan: number
}

/** One step of a search through the contacts of a workspace. A phone number or user id is found at once. */
export interface ContactSearch {
  readonly workspaceId: string
  readonly phone?: string | undefined
  readonly userId?: string | undefined
  /** Each is a part of the name, of the username, with its `@` or without, or of the number in one of its spellings. */
  readonly words?: readonly SearchedWord[] | undefined
  /** One of the words is enough. */
  readonly isAny?: boolean | undefined
  /** Only who has asked for no marketing. */
  readonly noMarketing?: boolean | undefined
  /** Only who wrote something that nobody has read or answered. */
  readonly isUnread?: boolean | undefined
  /** Only who has opened a window of one of these lines. */
  readonly opened?: OpenedSearch | undefined
  /** By whose last message is the newest: only who has written. Else by who is known for the shortest time. */
  readonly isByHeard?: boolean | undefined
  /** The end of the previous step, in the same order. */
  readonly cursor?: string | undefined
  readonly limit: number
  /** At most this many contacts are looked at. */
  readonly scan: number
}

export interface FoundContacts {
  readonly contacts: readonly Contact[]
  /** Null at the end. */
  readonly next: string | null
}
