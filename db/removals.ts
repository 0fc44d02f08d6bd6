import type { EpochMs } from '../src/clock.ts'
import type { Workspace } from './accounts.ts'
import type { Channel, Line, Removal } from './records.ts'

/** The verbs of the store that take away and erase. */
export interface RemovalWrites {
  /**
   * Takes a line away, unless messages wait on it. What it has sent stays, and its callbacks are still matched. Nothing is
   * accepted for it from then on.
   */
  removeLine(change: { lineId: string; at: EpochMs }): Promise<Removal<Line>>
  /** Takes a channel away with its lines, templates and secrets, unless messages wait on one of them. */
  disconnectChannel(change: { channelId: string; at: EpochMs }): Promise<Removal<Channel>>
  /**
   * Takes keys, lines and channels of a workspace away at once, unless messages wait: nothing more can be accepted or
   * received for it, and it can be erased.
   */
  closeWorkspace(change: { workspaceId: string; at: EpochMs }): Promise<Removal<Workspace>>
  /** Erases at most `limit` rows of a closed workspace, the workspace itself last. */
  eraseWorkspace(erasure: { workspaceId: string; limit: number }): Promise<{ erased: number; isDone: boolean }>
  /**
   * Erases the recipient of a contact's messages, but for those that wait, among the next `limit` messages of the
   * workspace. @returns where to go on; null at the end
   */
  forgetMessages(erasure: {
    contactId: string
    workspaceId: string
    addresses: readonly string[]
    after: string
    limit: number
  }): Promise<{ forgotten: number; after: string | null }>
  /** Erases the contents and numbers of at most `limit` messages that a contact sent. @returns how many */
  forgetInbound(erasure: { contactId: string; limit: number }): Promise<number>
  /** Erases a contact's number, user id and name, unless messages wait for it. Its id stays, for counts. */
  forgetContact(change: { contactId: string; addresses: readonly string[]; at: EpochMs }): Promise<Removal<string>>
}
