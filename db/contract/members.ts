import type { EpochMs } from '../../src/base/clock.ts'
import type { Row } from '../schema/tables.ts'
import type { UserRole } from './roles.ts'
import { type Member, type Membership, type NewUser, passwordOfLink, type User } from './users.ts'

/*
 * How people become members of workspaces, and how they stop being members.
 */

/** What is shown of an invitation: not the hash of its link's secret. */
export const invitationFields = ['id', 'workspaceId', 'email', 'role', 'invitedBy', 'createdAt', 'expiresAt'] as const

/** A link that invites somebody to a workspace. */
export type Invitation = Pick<Row<'invitations'>, (typeof invitationFields)[number]>

/** It is not an address: an invitation of the operator does not end with anybody's membership. */
export const operator = 'The operator'

/**
 * The account of the invited address. `there`: one whose holder has to sign in. `reset`: an account whose next password
 * this invitation sets.
 */
export type InvitedAccount = 'none' | 'there' | 'reset'

/** @param passwordHash of the user who has the invited address; null: nobody has it */
export function invitedAccount(passwordHash: string | null, tokenHash: string): InvitedAccount {
  if (passwordHash === null) return 'none'
  return passwordHash === passwordOfLink(tokenHash) ? 'reset' : 'there'
}

/** The author of a change of members, with the role at the moment of the change. */
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
   * Makes the link to create the first user; an earlier link becomes invalid.
   * @returns false, and no link is valid, when there is a user
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
   * Makes a workspace whose owner is the user. `forbidden`: the user owns none without a ceiling. `tooMany`: the
   * user owns `ownedMax` or more.
   */
  foundWorkspace(change: {
    id: string
    name: string
    userId: string
    ownedMax: number
    at: EpochMs
  }): Promise<
    { readonly outcome: 'founded'; readonly membership: Membership } | { readonly outcome: 'forbidden' | 'tooMany' }
  >
  /**
   * Replaces an earlier invitation of the same address to the workspace. `ofOperator`: that one is of the operator, and
   * open.
   */
  invite(
    invitation: Invitation & { tokenHash: string; byUserId: string },
  ): Promise<
    | { readonly outcome: 'invited'; readonly invitation: Invitation }
    | { readonly outcome: 'isMember' | 'forbidden' | 'ofOperator' | 'tooMany' }
  >
  /**
   * The operator invites an existing user. It makes nobody a member: the user has to accept. Replaces an earlier
   * invitation of the same address to the workspace.
   * @param invitation `role` null: as of a new user. `isReset`: ends the user's password, second factor, sign-ins and
   * the invitations that the user made; the new one sets the next password. A member can be reset, and keeps the role
   * @returns `isMember` for a member who is not reset, or would get another role
   */
  inviteUser(
    invitation: Omit<Invitation, 'role' | 'invitedBy'> & { tokenHash: string; role: UserRole | null; isReset: boolean },
  ): Promise<
    | { readonly outcome: 'invited'; readonly invitation: Invitation; readonly user: User }
    | { readonly outcome: 'isMember'; readonly role: UserRole }
    | { readonly outcome: 'unknownWorkspace' | 'unknownUser' }
  >
  /** Members cannot withdraw the operator's: an account that was reset has no other way back. */
  withdrawInvitation(change: {
    workspaceId: string
    invitationId: string
  }): Promise<
    { readonly outcome: 'withdrawn'; readonly email: string } | { readonly outcome: 'unknownInvitation' | 'ofOperator' }
  >
  /**
   * Makes the invited person a member, and ends the invitation.
   * @param acceptance `userId`: of the user who is signed in, and has the invited address. `user`: without a sign-in; a
   * new user with the invited address, or the next password of one who was reset with this invitation
   * @returns `hasAccount` without a sign-in when the address has an account
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
  /**
   * Ends the member's own invitations, and one that would bring the member back. The link of a reset leads to another
   * workspace of the user from then on. A user who is left without a workspace is erased, with all sign-ins.
   */
  removeMember(change: ByMember & { userId: string }): Promise<MemberChange>
}

export interface MemberReads {
  /** Those that have not expired, newest first. */
  invitations(query: { workspaceId: string; at: EpochMs }): Promise<Invitation[]>
  /** By the hash of the link's token. */
  invitation(query: {
    tokenHash: string
    at: EpochMs
  }): Promise<(Invitation & { workspaceName: string; account: InvitedAccount }) | null>
  /** Whether the set-up link with this hash can still be used. */
  isSetupOpen(query: { tokenHash: string; at: EpochMs }): Promise<boolean>
}
