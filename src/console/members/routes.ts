import { Elysia } from 'elysia'
import { type Invitation, type MemberChange, operator } from '../../../db/contract/members.ts'
import { isAtLeast } from '../../../db/contract/roles.ts'
import type { Member } from '../../../db/contract/users.ts'
import type { EpochMs } from '../../base/clock.ts'
import { closed, Type, wire } from '../../base/schema.ts'
import { emailField } from '../../operations/fields.ts'
import { browserAddress, invitationUrl } from '../../operations/links.ts'
import { changedMember, inviteMember, withdrawInvitation } from '../../operations/members.ts'
import { roleField } from '../auth/schemas.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { done } from '../refusals.ts'
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
const listedMember = closed({
  ...memberSchema.properties,
  hasSignedIn: Type.Boolean({
    description: 'False: not within the 400 days of the audit; and for callers below `admin`.',
  }),
})
const membersAnswer = wired('MemberList', { members: Type.Array(listedMember) })

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
          const signIn = { subject: member.id, action: 'session.start', limit: 1 }
          const hasSignedIn =
            last !== undefined || (isAtLeast(role, 'admin') && (await read.auditEntries(signIn)).length > 0)
          return { ...memberView(member, last?.refreshedAt), hasSignedIn }
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
      async ({ member, body }) => {
        const { workspaceId } = member
        const { invitation, token } = done(await inviteMember(member, member.user, { ...body, workspaceId }))
        // Never the request's own Host: an attacker could choose it, and would get the token.
        const link = invitationUrl(browserAddress(publicUrl, ownUrl()), token)
        return { ...invitationView(invitation), link, note: publicUrl === null ? publicUrlWanted : null }
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
      async ({ member, params: { invitationId } }) => {
        done(await withdrawInvitation(member, { workspaceId: member.workspaceId, invitationId }))
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

/** @throws GatewayError when nothing was changed */
const changed = (change: MemberChange): Member => done(changedMember(change))
