import { Elysia } from 'elysia'
import { type Invitation, type MemberChange, operator } from '../../../db/members.ts'
import type { Member } from '../../../db/users.ts'
import { GatewayError } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { Type, wire } from '../../schema.ts'
import type { EpochMs } from '../../time/clock.ts'
import { invitationMsMax, invitationUrl, newLinkToken } from '../access/links.ts'
import { emailField, emailOf, roleField } from '../auth/schemas.ts'
import { guard, isAtLeast } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { conflict, forbidden, notFound } from '../refusals.ts'
import { browserAddress } from '../setup/link.ts'
import { iso, isoOrNull, moment, orNull, picked, shape, textOrNull, wired } from '../shapes.ts'

const memberSchema = shape('Member', {
  id: Type.String(),
  email: Type.String(),
  name: textOrNull,
  role: roleField,
  hasSecondFactor: Type.Boolean(),
  since: Type.String({ format: 'date-time', description: 'When the user joined the workspace.' }),
  lastHereAt: orNull(moment, {
    description: 'When a sign-in of the user was last used. Null: signed out; and for callers below `admin`.',
  }),
})
const memberAnswer = wire(memberSchema)
const membersAnswer = wired('MemberList', { members: Type.Array(memberSchema) })

const invitationSchema = shape('Invitation', {
  id: Type.String(),
  email: Type.String(),
  role: roleField,
  invitedBy: Type.String(),
  isOfOperator: Type.Boolean({ description: 'Made by a command of the operator: members cannot withdraw it.' }),
  createdAt: moment,
  expiresAt: moment,
})
const invitationsAnswer = wired('InvitationList', { invitations: Type.Array(invitationSchema) })
const invitedAnswer = wired('NewInvitation', {
  ...invitationSchema.properties,
  link: Type.String({ description: 'Shown this once. It works once.' }),
  note: orNull(Type.String(), { description: 'Why others may not reach the link, if so.' }),
})
const inviteBody = wired('InvitationRequest', { email: emailField, role: roleField })
const roleBody = wired('RoleChange', { role: roleField })
const doneAnswer = wired('Removed', { id: Type.String() })

/** The members of a workspace. Admins manage all but owners; a workspace always keeps an owner. */
export function memberRoutes(parts: ConsoleParts) {
  const { store, clock, publicUrl, ownUrl } = parts
  const { read } = store
  return new Elysia({ name: 'console-members', prefix: '/workspaces/:workspaceId' })
    .use(guard(parts))
    .get(
      '/members',
      async ({ member: { workspaceId, role } }) => {
        const shown = async (member: Member) => {
          // The last used comes first.
          const [last] = isAtLeast(role, 'admin') ? await read.sessions(member.id) : []
          return memberView(member, last?.refreshedAt)
        }
        return { members: await Promise.all((await read.members(workspaceId)).map(shown)) }
      },
      {
        role: 'viewer',
        response: membersAnswer,
        summary: 'List members',
        description: 'All users who have a role in the workspace.',
      },
    )
    .patch(
      '/members/:userId',
      async ({ member: { workspaceId, user, write }, params, body }) =>
        memberView(
          changed(await write.changeRole({ workspaceId, byUserId: user.id, userId: params.userId, role: body.role })),
        ),
      {
        role: 'admin',
        body: roleBody,
        response: memberAnswer,
        summary: "Change a member's role",
        description: 'Only owners make or demote owners (403). The last one stays (409).',
      },
    )
    .delete(
      '/members/:userId',
      async ({ member: { workspaceId, user, write }, params }) => {
        const { id } = changed(await write.removeMember({ workspaceId, byUserId: user.id, userId: params.userId }))
        return { id }
      },
      {
        role: 'admin',
        response: doneAnswer,
        summary: 'Remove a member',
        description:
          "From the next request on; the member's invitations end too. A user who is left without a workspace is " +
          'erased. The last owner cannot be removed (409).',
      },
    )
    .get(
      '/invitations',
      async ({ member: { workspaceId } }) => {
        const invitations = await read.invitations({ workspaceId, at: clock.now() })
        return { invitations: invitations.map(invitationView) }
      },
      {
        role: 'admin',
        response: invitationsAnswer,
        summary: 'List open invitations',
        description: 'Without their links, which are stored as hashes.',
      },
    )
    .post(
      '/invitations',
      async ({ member: { workspaceId, user, write }, body }) => {
        const { token, tokenHash } = newLinkToken()
        const createdAt = clock.now()
        const invited = await write.invite({
          id: newId('inv'),
          workspaceId,
          email: emailOf(body.email),
          role: body.role,
          tokenHash,
          invitedBy: user.email,
          byUserId: user.id,
          createdAt,
          expiresAt: createdAt + invitationMsMax,
        })
        if (invited.outcome !== 'invited') throw notInvited(invited.outcome)
        // Never the request's own Host: an attacker could choose it, and would get the token.
        const link = invitationUrl(browserAddress(publicUrl, ownUrl()), token)
        return { ...invitationView(invited.invitation), link, note: publicUrl === null ? publicUrlWanted : null }
      },
      {
        role: 'admin',
        body: inviteBody,
        response: invitedAnswer,
        summary: 'Invite somebody',
        description:
          'Answers a link to give to the person; it works once, for seven days. An earlier one for the same address ' +
          "becomes invalid, except the operator's (409).",
      },
    )
    .delete(
      '/invitations/:invitationId',
      async ({ member: { workspaceId, write }, params: { invitationId } }) => {
        const { outcome } = await write.withdrawInvitation({ workspaceId, invitationId })
        if (outcome === 'unknownInvitation') throw notFound('No such invitation.')
        if (outcome === 'ofOperator') throw ofOperator()
        return { id: invitationId }
      },
      {
        role: 'admin',
        response: doneAnswer,
        summary: 'Withdraw an invitation',
        description: "Its link becomes invalid. The operator's stays (409).",
      },
    )
}

const publicUrlWanted =
  'PUBLIC_URL is not set, so this link has the address on which the gateway listens. Others may not reach it: set ' +
  'PUBLIC_URL to the address that browsers use, restart the gateway, and invite again.'

const memberView = (member: Member, lastHereAt: EpochMs | null = null) =>
  picked(memberSchema, {
    ...member,
    hasSecondFactor: member.totpSince !== null,
    since: iso(member.since),
    lastHereAt: isoOrNull(lastHereAt),
  })

const invitationView = (invitation: Invitation) =>
  picked(invitationSchema, {
    ...invitation,
    isOfOperator: invitation.invitedBy === operator,
    createdAt: iso(invitation.createdAt),
    expiresAt: iso(invitation.expiresAt),
  })

const ownersOnly = () => forbidden('Only an owner can make, change or remove an owner.')

/** @throws GatewayError when nothing was changed */
function changed(change: MemberChange): Member {
  switch (change.outcome) {
    case 'changed':
      return change.member
    case 'unknownMember':
      throw notFound('No such member.')
    case 'forbidden':
      throw ownersOnly()
    case 'lastOwner':
      throw conflict('A workspace keeps at least one owner. Make somebody else an owner first.')
  }
}

const ofOperator = () =>
  new GatewayError({
    reason: 'CONFLICT',
    message:
      'The operator of this gateway has invited this address. That invitation counts until it is used or expires.',
  })

function notInvited(outcome: 'isMember' | 'forbidden' | 'ofOperator' | 'tooMany'): GatewayError {
  if (outcome === 'forbidden') return ownersOnly()
  if (outcome === 'ofOperator') return ofOperator()
  const message =
    outcome === 'isMember'
      ? 'The user is a member of the workspace already.'
      : 'Too many invitations are open. Withdraw some first.'
  return conflict(message)
}
