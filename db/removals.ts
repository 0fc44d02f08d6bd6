import type { EpochMs } from '../src/time/clock.ts'
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
  eraseWorkspace(erasure: { workspaceId: string; limit: number }): Promise<{ erased: number; isDone: boolean }>
  /**
   * Erases the recipient and the upstream's id of a contact's messages among the next `limit` messages of the
   * workspace. Messages that wait are skipped. @returns the id to continue after; null at the end
   */
  forgetMessages(erasure: {
    contactId: string
    workspaceId: string
    addresses: readonly string[]
    after: string
    limit: number
  }): Promise<{ forgotten: number; after: string | null }>
  /**
   * Erases the contents, numbers and upstream's ids of at most `limit` messages that a contact sent. @returns how many
   */
  forgetInbound(erasure: { contactId: string; limit: number }): Promise<number>
  /**
   * Erases a contact's number, user id and name, and what the upstream said about it, unless messages wait for it. Its
   * id stays, for counts.
   */
  forgetContact(change: { contactId: string; addresses: readonly string[]; at: EpochMs }): Promise<Removal<string>>
}
