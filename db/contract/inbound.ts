import type { EpochMs } from '../../src/base/clock.ts'
import type { Details } from '../../src/base/errors.ts'
import type { FileReads } from './files.ts'
import type { SearchedWord } from './queries.ts'
import type { InboundEntry } from './records.ts'

/** When a message came, and what it was. */
export type InboundTime = Pick<InboundEntry, 'lineId' | 'kind' | 'at' | 'recordedAt'>

/** An id of the upstream's that a message names, with the line and the contact that names it. */
export interface NamedId {
  readonly id: string
  readonly lineId: string | null
  /** Undefined: who names it says of nobody that it is about him. */
  readonly contactId: string | null | undefined
}

/** The message that an id names, which may be known here by another text of it. */
export interface KnownMessage {
  /** As its send was answered, or as it came. */
  readonly channelMessageId: string
  /** Null: it was not sent by the gateway. */
  readonly sent: { readonly id: string; readonly ownIdAt: EpochMs | null } | null
  /** The number of a message of a user. */
  readonly seq: number | null
}

/** What a user did to an earlier message, as a message of its own. */
export interface InboundChange {
  readonly seq: number
  readonly at: EpochMs
}

/** Another text for an earlier message. */
export interface InboundEdit extends InboundChange {
  readonly content: Details
}

export interface Related {
  /** What its ids name, by the id as it stands in the content: without those that nobody knows here. */
  readonly named: ReadonlyMap<string, KnownMessage>
  /** The last of each; null: its content is gone, or there was none. */
  readonly edited: InboundEdit | null
  readonly deleted: InboundChange | null
  /** It changes or deletes a message of the same person and line that is kept, and that tells all of it. */
  readonly isTold: boolean
  /**
   * The person deleted it, or what it changed, and the workspace hides that: it is read without its content. So is what
   * may be deleted, where the person changed and deleted too much since to look through it.
   */
  readonly isHidden: boolean
}

/** Of a message that names none, and to which nothing was done. */
export const unrelated: Related = { named: new Map(), edited: null, deleted: null, isTold: false, isHidden: false }

/** An entry of a contact's timeline, with what it is related to. */
export interface RelatedEntry extends InboundEntry {
  readonly related: Related
}

/** A message of a user, with its number in the workspace and who its contact is now. */
export interface InboundMessage extends RelatedEntry {
  readonly contactId: string | null
  readonly phone: string | null
  readonly userId: string | null
  readonly name: string | null
  /** Without its `@`. */
  readonly username: string | null
}

/** A step through what users sent to a workspace. */
export interface InboundQuery {
  readonly workspaceId: string
  /** A contact of the workspace. */
  readonly contactId?: string | undefined
  /** A line of the workspace. */
  readonly lineId?: string | undefined
  /** What came to other lines, or to none, is left out; absent: nothing is. */
  readonly lineIds?: readonly string[] | undefined
  /** A number; 0: from the oldest that is kept. */
  readonly after: number
  readonly limit: number
  /** At most this many are looked at: what was sent in the app is among them. */
  readonly scan: number
}

export interface InboundPage {
  /** Ascending by their numbers; fewer than `limit` also where their contents are long. */
  readonly messages: readonly InboundMessage[]
  /**
   * The number up to which all was looked at: the next page begins after it. It equals `after` when there was nothing.
   */
  readonly upTo: number
}

/** One step back through what users wrote, and what the business wrote in the app. */
export interface InboundSearch {
  readonly workspaceId: string
  /** A contact of the workspace. */
  readonly contactId?: string | undefined
  /** Each is in what was written, or in the name or number of who wrote it; one at least in what was written. */
  readonly words: readonly SearchedWord[]
  /** The `next` of the step before. */
  readonly cursor?: number | undefined
  readonly limit: number
  /** At most this many are looked at. */
  readonly scan: number
}

export interface FoundInbound {
  /** The newest first. At least those that fit: a word may stand in what nobody is shown. */
  readonly messages: readonly InboundMessage[]
  /** Null at the end. */
  readonly next: number | null
  /** The time of the message at `next`. */
  readonly reachedAt: EpochMs | null
}

/** What callers read of the messages of users. */
export interface InboundReads extends FileReads {
  /** What users sent, in the order in which it was stored: nothing that the business sent in the app. */
  inboundMessages(query: InboundQuery): Promise<InboundPage>
  searchInbound(search: InboundSearch): Promise<FoundInbound>
  /** @returns null for what the business sent, too */
  inboundMessage(query: { workspaceId: string; seq: number }): Promise<InboundMessage | null>
  /** What ids of the upstream name in a workspace, each by its text, else by its token within line and contact. */
  namedMessages(query: { workspaceId: string; names: readonly NamedId[] }): Promise<readonly (KnownMessage | null)[]>
  /** When a contact wrote after `since`, and not after `until`, by the upstream's clock, newest first. */
  inboundTimes(query: { contactId: string; since: EpochMs; until?: EpochMs; limit: number }): Promise<InboundTime[]>
}
