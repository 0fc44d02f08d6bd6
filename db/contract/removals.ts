import type { EpochMs } from '../../src/base/clock.ts'
import type { Row } from '../schema/tables.ts'
import type { Workspace } from './accounts.ts'
import type { Channel, Line, Removal } from './records.ts'

/** The verbs of the store that remove and erase. */
export interface RemovalWrites {
  /**
   * Removes a line, unless messages wait on it. Its sent messages stay, and their callbacks are still matched. Nothing
   * is accepted for it afterwards.
   */
  removeLine(change: { lineId: string; at: EpochMs }): Promise<Removal<Line>>
  /** Removes a channel with its lines, templates and secrets, unless messages wait on one of the lines. */
  disconnectChannel(change: { channelId: string; at: EpochMs }): Promise<Removal<Channel>>
  /**
   * Removes all keys, lines and channels of a workspace, unless messages wait. Nothing more can be accepted or received
   * for it, so that it can be erased.
   */
  closeWorkspace(change: { workspaceId: string; at: EpochMs }): Promise<Removal<Workspace>>
  /** Erases at most `limit` rows of a closed workspace, the workspace itself last. */
  eraseWorkspace(step: {
    workspaceId: string
    limit: number
    at: EpochMs
  }): Promise<{ erased: number; isDone: boolean }>
  /**
   * Takes away a contact's number, user id, name and conversation, and what the upstream and events said about it,
   * unless messages wait for it. Its id stays, for counts. `eraseContact` erases its history.
   */
  forgetContact(change: { contactId: string; at: EpochMs }): Promise<Removal<string>>
  /**
   * Erases the next part of the history of a contact that was forgotten, at most `limit` rows: the recipients, contents
   * and upstream's ids of messages to it, and the contents, numbers and upstream's ids of those from it.
   * @returns null when nothing is left
   */
  eraseContact(step: { contactId: string; limit: number; at: EpochMs }): Promise<ErasureStep | null>
}

/** How far the erasure of a contact is after a step. */
export interface ErasureStep {
  /** How many messages to it, and from it, have been erased so far. */
  readonly messages: number
  readonly inbound: number
  /** Up to which time of creation the workspace's messages have been looked through; null before that. */
  readonly lookedUntil: EpochMs | null
  /** `waiting`: a message of its own is still to be sent, and can be erased only then. */
  readonly state: 'underWay' | 'waiting' | 'done'
}

/** An erasure that has begun and is not done. */
export type OpenErasure = Pick<Row<'erasures'>, 'subject' | 'workspaceId' | 'part' | 'begunAt'>

export interface ErasureReads {
  /** Erasures whose last step was taken before, first those with the longest time since. */
  openErasures(query: { steppedBefore: EpochMs; limit: number }): Promise<OpenErasure[]>
}
