import type { Invitation, MemberChange } from '../../db/contract/members.ts'
import type { UserRole } from '../../db/contract/roles.ts'
import type { Member, User } from '../../db/contract/users.ts'
import { newId } from '../base/ids.ts'
import { type Actor, conflict, forbidden, notFound, Refused, unknown } from './act.ts'
import { emailIn } from './fields.ts'
import { invitationMsMax, newLinkToken } from './links.ts'

type Writing = Pick<Actor, 'write' | 'clock'>

/** An open invitation, and the token of its link, of which only the hash is stored: it is shown once. */
export interface Invited {
  readonly invitation: Invitation
  readonly token: string
}

function newInvitation({ clock }: Writing, workspaceId: string, email: string) {
  const { token, tokenHash } = newLinkToken()
  const createdAt = clock.now()
  const expiresAt = createdAt + invitationMsMax
  return { token, stored: { id: newId('inv'), workspaceId, email, tokenHash, createdAt, expiresAt } }
}

const ownersOnly = () => forbidden('Only an owner can make, change or remove an owner.')
const ofOperator = () =>
  conflict('The operator of this gateway has invited this address. That invitation counts until it is used or expires.')
const isMember = (email: string, workspaceId: string, role: UserRole | null) =>
  conflict(
    `The user ${email} is already a member of the workspace ${workspaceId}` +
      `${role === null ? '' : `, with the role ${role}`}.`,
  )

/** A member invites somebody, and an earlier link for the same address becomes invalid. */
export async function inviteMember(
  actor: Writing,
  by: Pick<User, 'id' | 'email'>,
  { workspaceId, email: given, role }: { workspaceId: string; email: string; role: UserRole },
): Promise<Invited | Refused> {
  const email = emailIn(given)
  if (email instanceof Refused) return email
  const { token, stored } = newInvitation(actor, workspaceId, email)
  const invited = await actor.write.invite({ ...stored, role, invitedBy: by.email, byUserId: by.id })
  switch (invited.outcome) {
    case 'invited':
      return { invitation: invited.invitation, token }
    case 'isMember':
      return isMember(email, workspaceId, null)
    case 'forbidden':
      return ownersOnly()
    case 'ofOperator':
      return ofOperator()
    case 'tooMany':
      return conflict('Too many invitations are open. Withdraw some first.')
  }
}

/**
 * The operator invites an existing user to another workspace. An email address proves nothing: anybody who invited it
 * may have opened the link and made the account. So the holder of the account has to accept.
 * @param invited `role` null: as of a new user. `isReset`: returns the account to the owner of the address
 */
export async function inviteUser(
  actor: Writing,
  { workspaceId, email, ...invited }: { workspaceId: string; email: string; role: UserRole | null; isReset: boolean },
): Promise<(Invited & { readonly user: User }) | Refused> {
  const { token, stored } = newInvitation(actor, workspaceId, email)
  const done = await actor.write.inviteUser({ ...stored, ...invited })
  switch (done.outcome) {
    case 'invited':
      return { invitation: done.invitation, user: done.user, token }
    case 'isMember':
      return isMember(email, workspaceId, done.role)
    case 'unknownWorkspace':
      return unknown('workspace', workspaceId)
    case 'unknownUser':
      return notFound(`No user with the email ${email}.`)
  }
}

/** Its link becomes invalid. The operator's stays: an account that was reset has no other way back. */
export async function withdrawInvitation(
  { write }: Pick<Actor, 'write'>,
  invitation: { readonly workspaceId: string; readonly invitationId: string },
): Promise<Refused | null> {
  const { outcome } = await write.withdrawInvitation(invitation)
  if (outcome === 'unknownInvitation') return notFound('No such invitation.')
  return outcome === 'ofOperator' ? ofOperator() : null
}

/** @returns the member as it was changed or removed, or why not */
export function changedMember(change: MemberChange): Member | Refused {
  switch (change.outcome) {
    case 'changed':
      return change.member
    case 'unknownMember':
      return notFound('No such member.')
    case 'forbidden':
      return ownersOnly()
    case 'lastOwner':
      return conflict('A workspace keeps at least one owner. Make somebody else an owner first.')
  }
}

/** From now on the user signs in with the password alone. */
export const removeSecondFactor = async (
  { write, clock }: Pick<Actor, 'write' | 'clock'>,
  userId: string,
): Promise<User | Refused> => (await write.endTotp({ userId, at: clock.now() })) ?? noSecondFactor()

export const noSecondFactor = () => conflict('No authenticator app is set up.')
