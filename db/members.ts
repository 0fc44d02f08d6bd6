import type { EpochMs } from '../src/clock.ts'
import type { Member, Membership, NewUser, User, UserRole } from './users.ts'

/*
 * How people become members of workspaces, and how they stop being members.
 */

/** A link that invites somebody to a workspace. */
export interface Invitation {
  readonly id: string
  readonly workspaceId: string
  readonly email: string
  readonly role: UserRole
  /** The email address of who made it. */
  readonly invitedBy: string
  readonly createdAt: EpochMs
  readonly expiresAt: EpochMs
}

/** Who makes a change of members. The role that counts is the one at the moment of the change. */
interface ByMember {
  readonly workspaceId: string
  readonly byUserId: string
}

/** `forbidden`: only an owner makes, changes and removes owners. `lastOwner`: every workspace keeps one. */
export type MemberChange =
  | { readonly outcome: 'changed'; readonly member: Member }
  | { readonly outcome: 'unknownMember' | 'forbidden' | 'lastOwner' }

export interface MemberWrites {
  /**
   * Makes the link by which the first user is made; an earlier link counts no more.
   * @returns false, and no link counts, when there is a user
   */
  offerSetup(link: { tokenHash: string; expiresAt: EpochMs }): Promise<boolean>
  /**
   * Makes the first user: the owner of every workspace that is there, or of a new one.
   * @param setup `tokenHash` null: not by a link
   */
  setUp(setup: {
    tokenHash: string | null
    user: NewUser
    newWorkspace: { id: string; name: string }
    at: EpochMs
  }): Promise<{ readonly outcome: 'done'; readonly user: User } | { readonly outcome: 'invalidLink' | 'hasUsers' }>
  /**
   * Makes a workspace whose owner is the user.
   * @returns null when the user owns no workspace without a monthly limit
   */
  foundWorkspace(change: { id: string; name: string; userId: string; at: EpochMs }): Promise<Membership | null>
  /** Replaces an earlier invitation of the same address to the workspace. */
  invite(
    invitation: Invitation & { tokenHash: string; byUserId: string },
  ): Promise<
    | { readonly outcome: 'invited'; readonly invitation: Invitation }
    | { readonly outcome: 'isMember' | 'forbidden' | 'tooMany' }
  >
  /** @returns false when there is no such invitation to the workspace. */
  withdrawInvitation(change: { workspaceId: string; invitationId: string }): Promise<boolean>
  /**
   * Makes the invited person a member, and ends the invitation.
   * @param acceptance `user`: a new user with the invited address; or `userId`: of a user who has this address
   */
  acceptInvitation(acceptance: {
    tokenHash: string
    at: EpochMs
    by: { readonly user: Omit<NewUser, 'email'> } | { readonly userId: string }
  }): Promise<
    | { readonly outcome: 'joined'; readonly member: Member }
    | { readonly outcome: 'invalidLink' | 'hasAccount' | 'otherUser' }
  >
  /** Ends the member's own invitations that the new role may not make. */
  changeRole(change: ByMember & { userId: string; role: UserRole }): Promise<MemberChange>
  /** Ends the member's own invitations too. A user who is left without a workspace is erased, with all sign-ins. */
  removeMember(change: ByMember & { userId: string }): Promise<MemberChange>
}

export interface MemberReads {
  /** Those that have not expired, newest first. */
  invitations(query: { workspaceId: string; at: EpochMs }): Promise<Invitation[]>
  /** By the hash of the link's token. `hasAccount`: a user has the invited address. */
  invitation(query: {
    tokenHash: string
    at: EpochMs
  }): Promise<(Invitation & { workspaceName: string; hasAccount: boolean }) | null>
  /** Whether the set-up link with this hash can still be used. */
  isSetupOpen(query: { tokenHash: string; at: EpochMs }): Promise<boolean>
}
