import type { EpochMs } from '../../src/base/clock.ts'
import type { FileReads } from './files.ts'
import type { InboundEntry } from './records.ts'

/** When a message came, and what it was. */
export type InboundTime = Pick<InboundEntry, 'lineId' | 'kind' | 'at' | 'recordedAt'>

/** A message of a user, with its number in the workspace and who its contact is now. */
export interface InboundMessage extends InboundEntry {
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

/** What callers read of the messages of users. */
export interface InboundReads extends FileReads {
  /** What users sent, in the order in which it was stored: nothing that the business sent in the app. */
  inboundMessages(query: InboundQuery): Promise<InboundPage>
  /** @returns null for what the business sent, too */
  inboundMessage(query: { workspaceId: string; seq: number }): Promise<InboundMessage | null>
  /** When a contact wrote after `since`, by the upstream's clock, newest first. */
  inboundTimes(query: { contactId: string; since: EpochMs; limit: number }): Promise<InboundTime[]>
}
