import { and, count, desc, eq, gt, sql } from 'drizzle-orm'
import type { EpochMs } from '../../src/clock.ts'
import type { MemberReads } from '../members.ts'
import { workspaces } from '../schema/accounts.ts'
import { invitations, memberships, users } from '../schema/users.ts'
import type { UserRole } from '../users.ts'
import { removeUsersWithoutWorkspace } from './erasure.ts'
import type { Connection } from './open.ts'
import { invitationColumns, memberColumns, userColumns } from './rows.ts'
import { addUser, isSetupOpen } from './setup.ts'
import type { Verbs } from './verbs.ts'

/** Open invitations of a workspace, those that have expired included until they are pruned. */
const invitationsMax = 200

/** The verbs that change who is a member of a workspace. */
export function memberVerbs({ db }: Connection) {
  const isMember = (workspaceId: string, userId: string) =>
    and(eq(memberships.workspaceId, workspaceId), eq(memberships.userId, userId))

  const memberOf = (workspaceId: string, userId: string) =>
    db
      .select(memberColumns)
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .where(isMember(workspaceId, userId))
      .limit(1)
      .get() ?? null

  const roleOf = (workspaceId: string, userId: string): UserRole | null => memberOf(workspaceId, userId)?.role ?? null

  const ownersOf = (workspaceId: string) =>
    db
      .select({ count: count() })
      .from(memberships)
      .where(and(eq(memberships.workspaceId, workspaceId), eq(memberships.role, 'owner')))
      .get()?.count ?? 0

  /** Admins manage all but owners. */
  function mayManage(workspaceId: string, byUserId: string, roles: readonly UserRole[]): boolean {
    const by = roleOf(workspaceId, byUserId)
    return by === 'owner' || (by === 'admin' && !roles.includes('owner'))
  }

  /** Ends the invitations that a user may not make any more: one of them may be the way back for the user itself. */
  function endInvitations(workspaceId: string, email: string, role: UserRole | null): void {
    if (role === 'owner') return
    const isOwn = and(eq(invitations.workspaceId, workspaceId), eq(invitations.invitedBy, email))
    const isTooHigh = role === 'admin' ? eq(invitations.role, 'owner') : undefined
    db.delete(invitations).where(and(isOwn, isTooHigh)).run()
  }

  const invitationOf = (tokenHash: string, at: EpochMs) =>
    db
      .select(invitationColumns)
      .from(invitations)
      .where(and(eq(invitations.tokenHash, tokenHash), gt(invitations.expiresAt, at)))
      .limit(1)
      .get()

  const userByEmail = (email: string) =>
    db.select(userColumns).from(users).where(eq(users.email, email)).limit(1).get() ?? null

  return {
    invite({ byUserId, ...invitation }) {
      const { workspaceId, email, role, tokenHash, invitedBy, createdAt, expiresAt } = invitation
      if (!mayManage(workspaceId, byUserId, [role])) return { outcome: 'forbidden' }
      const user = userByEmail(email)
      if (user && roleOf(workspaceId, user.id) !== null) return { outcome: 'isMember' }
      const open = db.select({ count: count() }).from(invitations).where(eq(invitations.workspaceId, workspaceId)).get()
      if ((open?.count ?? 0) >= invitationsMax) return { outcome: 'tooMany' }
      const invited = db
        .insert(invitations)
        .values(invitation)
        .onConflictDoUpdate({
          target: [invitations.workspaceId, invitations.email],
          set: { role, tokenHash, invitedBy, createdAt, expiresAt },
        })
        .returning(invitationColumns)
        .get()
      return { outcome: 'invited', invitation: invited }
    },

    withdrawInvitation: ({ workspaceId, invitationId }) =>
      db
        .delete(invitations)
        .where(and(eq(invitations.workspaceId, workspaceId), eq(invitations.id, invitationId)))
        .returning({ id: invitations.id })
        .get() !== undefined,

    acceptInvitation({ tokenHash, at, by }) {
      const invitation = invitationOf(tokenHash, at)
      if (!invitation) return { outcome: 'invalidLink' }
      const { workspaceId, email, role } = invitation
      const account = userByEmail(email)
      if ('userId' in by && account?.id !== by.userId) return { outcome: 'otherUser' }
      const user = 'userId' in by ? account : addUser(db, { ...by.user, email })
      if (!user) return { outcome: 'hasAccount' }
      db.delete(invitations).where(eq(invitations.id, invitation.id)).run()
      db.insert(memberships).values({ workspaceId, userId: user.id, role, since: at }).onConflictDoNothing().run()
      const member = memberOf(workspaceId, user.id)
      return member ? { outcome: 'joined', member } : { outcome: 'invalidLink' }
    },

    changeRole({ workspaceId, userId, byUserId, role }) {
      const member = memberOf(workspaceId, userId)
      if (!member) return { outcome: 'unknownMember' }
      if (!mayManage(workspaceId, byUserId, [member.role, role])) return { outcome: 'forbidden' }
      if (member.role === 'owner' && role !== 'owner' && ownersOf(workspaceId) === 1) return { outcome: 'lastOwner' }
      db.update(memberships).set({ role }).where(isMember(workspaceId, userId)).run()
      endInvitations(workspaceId, member.email, role)
      return { outcome: 'changed', member: { ...member, role } }
    },

    removeMember({ workspaceId, userId, byUserId }) {
      const member = memberOf(workspaceId, userId)
      if (!member) return { outcome: 'unknownMember' }
      if (!mayManage(workspaceId, byUserId, [member.role])) return { outcome: 'forbidden' }
      if (member.role === 'owner' && ownersOf(workspaceId) === 1) return { outcome: 'lastOwner' }
      db.delete(memberships).where(isMember(workspaceId, userId)).run()
      endInvitations(workspaceId, member.email, null)
      removeUsersWithoutWorkspace(db)
      return { outcome: 'changed', member }
    },
  } satisfies Partial<Verbs>
}

export const memberReads = ({ db }: Connection): MemberReads => ({
  invitations: async ({ workspaceId, at }) =>
    db
      .select(invitationColumns)
      .from(invitations)
      .where(and(eq(invitations.workspaceId, workspaceId), gt(invitations.expiresAt, at)))
      .orderBy(desc(invitations.createdAt), desc(invitations.id))
      .all(),

  async invitation({ tokenHash, at }) {
    const found = db
      .select({
        ...invitationColumns,
        workspaceName: workspaces.name,
        hasAccount: sql<number>`${users.id} IS NOT NULL`,
      })
      .from(invitations)
      .innerJoin(workspaces, eq(workspaces.id, invitations.workspaceId))
      .leftJoin(users, eq(users.email, invitations.email))
      .where(and(eq(invitations.tokenHash, tokenHash), gt(invitations.expiresAt, at)))
      .limit(1)
      .get()
    return found ? { ...found, hasAccount: found.hasAccount === 1 } : null
  },

  isSetupOpen: async query => isSetupOpen(db, query),
})
