import { and, asc, count, desc, eq, gt, or, sql } from 'drizzle-orm'
import type { EpochMs } from '../../src/clock.ts'
import { normalEmail } from '../../src/email.ts'
import { type Invitation, invitedAccount, type MemberReads, operator } from '../members.ts'
import { type Member, passwordOfLink, type UserRole } from '../users.ts'
import { hasWorkspace } from './accounts.ts'
import { removeUsersWithoutWorkspace } from './erasure.ts'
import type { Connection } from './open.ts'
import { invitationColumns, memberColumns, userColumns } from './rows.ts'
import { invitations, memberships, recoveryCodes, sessions, users, workspaces } from './schema.ts'
import { noTotp } from './secondFactor.ts'
import { addUser, isSetupOpen, nextRole } from './setup.ts'
import type { Verbs } from './verbs.ts'

/** Open invitations that members made, those that have expired included until they are pruned. */
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

  /** Ends the invitations that a user may not make any more, and the ways back of one who is removed (`role` null). */
  function endInvitations(workspaceId: string, email: string, role: UserRole | null): void {
    if (role === 'owner') return
    const isOwn = eq(invitations.invitedBy, email)
    const ends = role === null ? or(isOwn, eq(invitations.email, email)) : isOwn
    const isTooHigh = role === 'admin' ? eq(invitations.role, 'owner') : undefined
    db.delete(invitations)
      .where(and(eq(invitations.workspaceId, workspaceId), ends, isTooHigh))
      .run()
  }

  /**
   * The link of a reset is the only way back into the account: it outlasts the removal from its workspace, and leads to
   * another workspace of the account from then on.
   */
  function moveReset(workspaceId: string, { id: userId, email }: Member): void {
    const next = db
      .select({ workspaceId: memberships.workspaceId, role: memberships.role })
      .from(memberships)
      .where(eq(memberships.userId, userId))
      .orderBy(asc(memberships.since), asc(memberships.workspaceId))
      .limit(1)
      .get()
    const isReset = and(
      eq(users.id, userId),
      eq(users.passwordHash, sql`${passwordOfLink('')} || ${invitations.tokenHash}`),
    )
    const reset = db
      .select({ id: invitations.id })
      .from(invitations)
      .innerJoin(users, eq(users.email, invitations.email))
      .where(and(eq(invitations.workspaceId, workspaceId), isReset))
      .limit(1)
      .get()
    if (!next || !reset) return
    db.delete(invitations)
      .where(and(eq(invitations.workspaceId, next.workspaceId), eq(invitations.email, email)))
      .run()
    db.update(invitations).set(next).where(eq(invitations.id, reset.id)).run()
  }

  /** Replaces an earlier invitation of the same address. */
  function addInvitation(invitation: Invitation & { tokenHash: string }): Invitation {
    const { role, tokenHash, invitedBy, createdAt, expiresAt } = invitation
    return db
      .insert(invitations)
      .values(invitation)
      .onConflictDoUpdate({
        target: [invitations.workspaceId, invitations.email],
        set: { role, tokenHash, invitedBy, createdAt, expiresAt },
      })
      .returning(invitationColumns)
      .get()
  }

  /** Ends whatever somebody who holds the account could come back by. */
  function resetAccount(userId: string, email: string, tokenHash: string, at: EpochMs): void {
    for (const table of [sessions, recoveryCodes]) db.delete(table).where(eq(table.userId, userId)).run()
    db.delete(invitations).where(eq(invitations.invitedBy, email)).run()
    const set = { ...noTotp, passwordHash: passwordOfLink(tokenHash), updatedAt: at }
    db.update(users).set(set).where(eq(users.id, userId)).run()
  }

  /** The next password of a user who was reset with this invitation. @returns null when there is no such user */
  function setPassword(email: string, tokenHash: string, passwordHash: string, at: EpochMs) {
    const isReset = and(eq(users.email, email), eq(users.passwordHash, passwordOfLink(tokenHash)))
    return db.update(users).set({ passwordHash, updatedAt: at }).where(isReset).returning(userColumns).get() ?? null
  }

  const invitationOf = (tokenHash: string, at: EpochMs) =>
    db
      .select(invitationColumns)
      .from(invitations)
      .where(and(eq(invitations.tokenHash, tokenHash), gt(invitations.expiresAt, at)))
      .limit(1)
      .get()

  function hasOperatorInvited(workspaceId: string, email: string, at: EpochMs): boolean {
    const isInvited = and(eq(invitations.workspaceId, workspaceId), eq(invitations.email, email))
    const isOperators = and(eq(invitations.invitedBy, operator), gt(invitations.expiresAt, at))
    return (
      db.select(invitationColumns).from(invitations).where(and(isInvited, isOperators)).limit(1).get() !== undefined
    )
  }

  const userByEmail = (email: string) =>
    db.select(userColumns).from(users).where(eq(users.email, email)).limit(1).get() ?? null

  return {
    invite({ byUserId, ...invitation }) {
      const { workspaceId, email, role } = invitation
      if (!mayManage(workspaceId, byUserId, [role])) return { outcome: 'forbidden' }
      const user = userByEmail(email)
      if (user && roleOf(workspaceId, user.id) !== null) return { outcome: 'isMember' }
      if (hasOperatorInvited(workspaceId, email, invitation.createdAt)) return { outcome: 'ofOperator' }
      const open = db.select({ count: count() }).from(invitations).where(eq(invitations.workspaceId, workspaceId)).get()
      if ((open?.count ?? 0) >= invitationsMax) return { outcome: 'tooMany' }
      return { outcome: 'invited', invitation: addInvitation(invitation) }
    },

    inviteUser({ role: given, isReset, email: spelled, ...invitation }) {
      const { workspaceId, tokenHash, createdAt } = invitation
      if (!hasWorkspace(db, workspaceId)) return { outcome: 'unknownWorkspace' }
      const email = normalEmail(spelled)
      const user = userByEmail(email)
      if (!user) return { outcome: 'unknownUser' }
      const former = roleOf(workspaceId, user.id)
      if (former && (!isReset || (given ?? former) !== former)) return { outcome: 'isMember', role: former }
      const role = given ?? former ?? nextRole(db, workspaceId)
      if (isReset) resetAccount(user.id, email, tokenHash, createdAt)
      // Beyond invitationsMax too: the members of a workspace must not keep the operator out.
      const invited = addInvitation({ ...invitation, email, role, invitedBy: operator })
      return { outcome: 'invited', invitation: invited, user }
    },

    withdrawInvitation({ workspaceId, invitationId }) {
      const isInvitation = and(eq(invitations.workspaceId, workspaceId), eq(invitations.id, invitationId))
      const found = db.select(invitationColumns).from(invitations).where(isInvitation).limit(1).get()
      if (!found) return { outcome: 'unknownInvitation' }
      if (found.invitedBy === operator) return { outcome: 'ofOperator' }
      db.delete(invitations).where(isInvitation).run()
      return { outcome: 'withdrawn' }
    },

    acceptInvitation({ tokenHash, at, by }) {
      const invitation = invitationOf(tokenHash, at)
      if (!invitation) return { outcome: 'invalidLink' }
      const { workspaceId, email, role } = invitation
      const account = userByEmail(email)
      if ('userId' in by && account?.id !== by.userId) return { outcome: 'otherUser' }
      const user =
        'userId' in by
          ? account
          : (setPassword(email, tokenHash, by.user.passwordHash, at) ?? addUser(db, { ...by.user, email }))
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
      moveReset(workspaceId, member)
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
        // Of the invited address; null without an account.
        passwordHash: users.passwordHash,
      })
      .from(invitations)
      .innerJoin(workspaces, eq(workspaces.id, invitations.workspaceId))
      .leftJoin(users, eq(users.email, invitations.email))
      .where(and(eq(invitations.tokenHash, tokenHash), gt(invitations.expiresAt, at)))
      .limit(1)
      .get()
    if (!found) return null
    const { passwordHash, ...invitation } = found
    return { ...invitation, account: invitedAccount(passwordHash, tokenHash) }
  },

  isSetupOpen: async query => isSetupOpen(db, query),
})
