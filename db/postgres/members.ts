import { and, count, desc, eq, gt, sql } from 'drizzle-orm'
import type { EpochMs } from '../../src/clock.ts'
import type { MemberReads } from '../members.ts'
import type { UserRole } from '../users.ts'
import { removeUsersWithoutWorkspace } from './erasure.ts'
import { type Connection, first } from './open.ts'
import { invitationColumns, memberColumns, userColumns } from './rows.ts'
import { workspaces } from './schema/accounts.ts'
import { invitations, memberships, users } from './schema/users.ts'
import { addUser, isSetupOpen } from './setup.ts'
import type { Verbs } from './verbs.ts'

/** Open invitations of a workspace, those that have expired included until they are pruned. */
const invitationsMax = 200

/** The verbs that change who is a member of a workspace. */
export function memberVerbs(connection: Connection) {
  const { db } = connection
  const isMember = (workspaceId: string, userId: string) =>
    and(eq(memberships.workspaceId, workspaceId), eq(memberships.userId, userId))

  const memberOf = (workspaceId: string, userId: string) =>
    first(
      db
        .select(memberColumns)
        .from(memberships)
        .innerJoin(users, eq(users.id, memberships.userId))
        .where(isMember(workspaceId, userId)),
    )

  const roleOf = async (workspaceId: string, userId: string): Promise<UserRole | null> =>
    (await memberOf(workspaceId, userId))?.role ?? null

  async function isLastOwner(workspaceId: string): Promise<boolean> {
    const isOwner = and(eq(memberships.workspaceId, workspaceId), eq(memberships.role, 'owner'))
    const owners = await first(db.select({ count: count() }).from(memberships).where(isOwner))
    return owners?.count === 1
  }

  /** Admins manage all but owners. */
  async function mayManage(workspaceId: string, byUserId: string, roles: readonly UserRole[]): Promise<boolean> {
    const by = await roleOf(workspaceId, byUserId)
    return by === 'owner' || (by === 'admin' && !roles.includes('owner'))
  }

  /** Ends the invitations that a user may not make any more: one of them may be the way back for the user itself. */
  async function endInvitations(workspaceId: string, email: string, role: UserRole | null): Promise<void> {
    if (role === 'owner') return
    const isOwn = and(eq(invitations.workspaceId, workspaceId), eq(invitations.invitedBy, email))
    const isTooHigh = role === 'admin' ? eq(invitations.role, 'owner') : undefined
    await db.delete(invitations).where(and(isOwn, isTooHigh))
  }

  const invitationOf = (tokenHash: string, at: EpochMs) =>
    first(
      db
        .select(invitationColumns)
        .from(invitations)
        .where(and(eq(invitations.tokenHash, tokenHash), gt(invitations.expiresAt, at))),
    )

  const userByEmail = (email: string) => first(db.select(userColumns).from(users).where(eq(users.email, email)))

  return {
    async invite({ byUserId, ...invitation }) {
      const { workspaceId, email, role, tokenHash, invitedBy, createdAt, expiresAt } = invitation
      if (!(await mayManage(workspaceId, byUserId, [role]))) return { outcome: 'forbidden' }
      const user = await userByEmail(email)
      if (user && (await roleOf(workspaceId, user.id)) !== null) return { outcome: 'isMember' }
      const isOfWorkspace = eq(invitations.workspaceId, workspaceId)
      const open = await first(db.select({ count: count() }).from(invitations).where(isOfWorkspace))
      if ((open?.count ?? 0) >= invitationsMax) return { outcome: 'tooMany' }
      const [invited] = await db
        .insert(invitations)
        .values(invitation)
        .onConflictDoUpdate({
          target: [invitations.workspaceId, invitations.email],
          set: { role, tokenHash, invitedBy, createdAt, expiresAt },
        })
        .returning(invitationColumns)
      if (!invited) throw new Error('an insert returns its row')
      return { outcome: 'invited', invitation: invited }
    },

    async withdrawInvitation({ workspaceId, invitationId }) {
      const isInvitation = and(eq(invitations.workspaceId, workspaceId), eq(invitations.id, invitationId))
      return (await first(db.delete(invitations).where(isInvitation).returning({ id: invitations.id }))) !== null
    },

    async acceptInvitation({ tokenHash, at, by }) {
      const invitation = await invitationOf(tokenHash, at)
      if (!invitation) return { outcome: 'invalidLink' }
      const { workspaceId, email, role } = invitation
      const account = await userByEmail(email)
      if ('userId' in by && account?.id !== by.userId) return { outcome: 'otherUser' }
      const user = 'userId' in by ? account : await addUser(db, { ...by.user, email })
      if (!user) return { outcome: 'hasAccount' }
      await db.delete(invitations).where(eq(invitations.id, invitation.id))
      await db.insert(memberships).values({ workspaceId, userId: user.id, role, since: at }).onConflictDoNothing()
      const member = await memberOf(workspaceId, user.id)
      return member ? { outcome: 'joined', member } : { outcome: 'invalidLink' }
    },

    async changeRole({ workspaceId, userId, byUserId, role }) {
      const member = await memberOf(workspaceId, userId)
      if (!member) return { outcome: 'unknownMember' }
      if (!(await mayManage(workspaceId, byUserId, [member.role, role]))) return { outcome: 'forbidden' }
      if (member.role === 'owner' && role !== 'owner' && (await isLastOwner(workspaceId))) {
        return { outcome: 'lastOwner' }
      }
      await db.update(memberships).set({ role }).where(isMember(workspaceId, userId))
      await endInvitations(workspaceId, member.email, role)
      return { outcome: 'changed', member: { ...member, role } }
    },

    async removeMember({ workspaceId, userId, byUserId }) {
      const member = await memberOf(workspaceId, userId)
      if (!member) return { outcome: 'unknownMember' }
      if (!(await mayManage(workspaceId, byUserId, [member.role]))) return { outcome: 'forbidden' }
      if (member.role === 'owner' && (await isLastOwner(workspaceId))) return { outcome: 'lastOwner' }
      await db.delete(memberships).where(isMember(workspaceId, userId))
      await endInvitations(workspaceId, member.email, null)
      await removeUsersWithoutWorkspace(connection, [userId])
      return { outcome: 'changed', member }
    },
  } satisfies Partial<Verbs>
}

export const memberReads = ({ db }: Connection): MemberReads => ({
  invitations: async ({ workspaceId, at }) =>
    await db
      .select(invitationColumns)
      .from(invitations)
      .where(and(eq(invitations.workspaceId, workspaceId), gt(invitations.expiresAt, at)))
      .orderBy(desc(invitations.createdAt), desc(invitations.id)),

  invitation: ({ tokenHash, at }) =>
    first(
      db
        .select({
          ...invitationColumns,
          workspaceName: workspaces.name,
          hasAccount: sql<boolean>`${users.id} IS NOT NULL`,
        })
        .from(invitations)
        .innerJoin(workspaces, eq(workspaces.id, invitations.workspaceId))
        .leftJoin(users, eq(users.email, invitations.email))
        .where(and(eq(invitations.tokenHash, tokenHash), gt(invitations.expiresAt, at))),
    ),

  isSetupOpen: query => isSetupOpen(db, query),
})
