import type { EpochMs } from '../../src/base/clock.ts'
import type { Wish, WishSource } from '../../src/message/optOut.ts'
import type { OptOutSettings, Workspace } from './accounts.ts'
import type { Contact } from './records.ts'

/** The verbs about people who want no marketing. What they say themselves comes with `recordInbound`. */
export interface OptOutWrites {
  /** @returns null when there is no such workspace. */
  setQuietHours(change: Pick<Workspace, 'quietHours'> & { workspaceId: string }): Promise<Workspace | null>
  /** Changes what is given, from the next send and the next word on. @returns null when there is no such workspace. */
  setOptOuts(change: { workspaceId: string } & Partial<OptOutSettings>): Promise<Workspace | null>
  /**
   * Keeps what somebody has said in the place of a person. What the person said later stays; what it told the platform
   * is another thing. @returns the contact, and whether it wished something else before; null when the workspace has no
   * such contact, or has forgotten it
   */
  setWish(wish: {
    workspaceId: string
    contactId: string
    value: Wish
    source: WishSource
    at: EpochMs
  }): Promise<{ readonly contact: Contact; readonly isChanged: boolean } | null>
}

export interface OptOutReads {
  /**
   * Whether who has this number, in any spelling, or this user id of the upstream's, wants no marketing: one look at
   * the indexes of both.
   */
  optedOut(query: { workspaceId: string; address: string }): Promise<boolean>
}
