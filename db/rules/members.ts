import { and, asc, count, desc, eq, gt, notExists, or, sql } from 'drizzle-orm'
import type { EpochMs } from '../../src/base/clock.ts'
import { normalEmail } from '../../src/base/names.ts'
import { type Invitation, invitedAccount, type MemberReads, operator } from '../contract/members.ts'
import type { UserRole } from '../contract/roles.ts'
import type { StoreWrites } from '../contract/store.ts'
import { type Member, passwordOfLink } from '../contract/users.ts'
import { hasWorkspace } from './accounts.ts'
import { changed, type Engine, first } from './engine.ts'
import { noTotp } from './secondFactor.ts'
import { addUser, isSetupOpen, nextRole } from './setup.ts'

/** Open invitations by members, including expired ones until they are pruned. */
const invitationsMax = 200

/** The verbs that change the members of a workspace. */
export function memberVerbs(engine: Engine) {
  const {
    db,
    tables: { contacts, invitations, memberships, recoveryCodes, sessions, users },
    columns: { userColumns, memberColumns, invitationColumns },
  } = engine

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

  /** Ends the invitations that a user may no longer make, and the ways back of a removed one (`role` null). */
  async function endInvitations(workspaceId: string, email: string, role: UserRole | null): Promise<void> {
    if (role === 'owner') return
    const isOwn = eq(invitations.invitedBy, email)
    const ends = role === null ? or(isOwn, eq(invitations.email, email)) : isOwn
    const isTooHigh = role === 'admin' ? eq(invitations.role, 'owner') : undefined
    await db.delete(invitations).where(and(eq(invitations.workspaceId, workspaceId), ends, isTooHigh))
  }

  /**
   * The link of a reset is the only way back into the account: it outlasts the removal from its workspace, and leads to
   * another workspace of the account from then on.
   */
  async function moveReset(workspaceId: string, { id: userId, email }: Member): Promise<void> {
    const next = await first(
      db
        .select({ workspaceId: memberships.workspaceId, role: memberships.role })
        .from(memberships)
        .where(eq(memberships.userId, userId))
        .orderBy(asc(memberships.since), asc(memberships.workspaceId))
        .limit(1),
    )
    const isReset = and(
      eq(users.id, userId),
      eq(users.passwordHash, sql`${passwordOfLink('')} || ${invitations.tokenHash}`),
    )
    const reset = await first(
      db
        .select({ id: invitations.id })
        .from(invitations)
        .innerJoin(users, eq(users.email, invitations.email))
        .where(and(eq(invitations.workspaceId, workspaceId), isReset)),
    )
    if (!next || !reset) return
    await db.delete(invitations).where(and(eq(invitations.workspaceId, next.workspaceId), eq(invitations.email, email)))
    await db.update(invitations).set(next).where(eq(invitations.id, reset.id))
  }

  /** Replaces an earlier invitation of the same address. */
  async function addInvitation(invitation: Invitation & { tokenHash: string }): Promise<Invitation> {
    const { role, tokenHash, invitedBy, createdAt, expiresAt } = invitation
    return changed(
      db
        .insert(invitations)
        .values(invitation)
        .onConflictDoUpdate({
          target: [invitations.workspaceId, invitations.email],
          set: { role, tokenHash, invitedBy, createdAt, expiresAt },
        })
        .returning(invitationColumns),
    )
  }

  /** Ends everything that would let the account's current holder back in. */
  async function resetAccount(userId: string, email: string, tokenHash: string, at: EpochMs): Promise<void> {
    for (const table of [sessions, recoveryCodes]) await db.delete(table).where(eq(table.userId, userId))
    await db.delete(invitations).where(eq(invitations.invitedBy, email))
    const set = { ...noTotp, passwordHash: passwordOfLink(tokenHash), updatedAt: at }
    await db.update(users).set(set).where(eq(users.id, userId))
  }

  /** The next password of a user who was reset with this invitation. @returns null when there is no such user */
  function setPassword(email: string, tokenHash: string, passwordHash: string, at: EpochMs) {
    const isReset = and(eq(users.email, email), eq(users.passwordHash, passwordOfLink(tokenHash)))
    return first(db.update(users).set({ passwordHash, updatedAt: at }).where(isReset).returning(userColumns))
  }

  const invitationOf = (tokenHash: string, at: EpochMs) =>
    first(
      db
        .select(invitationColumns)
        .from(invitations)
        .where(and(eq(invitations.tokenHash, tokenHash), gt(invitations.expiresAt, at))),
    )

  async function hasOperatorInvited(workspaceId: string, email: string, at: EpochMs): Promise<boolean> {
    const isInvited = and(eq(invitations.workspaceId, workspaceId), eq(invitations.email, email))
    const isOperators = and(eq(invitations.invitedBy, operator), gt(invitations.expiresAt, at))
    return (await first(db.select(invitationColumns).from(invitations).where(and(isInvited, isOperators)))) !== null
  }

  const userByEmail = (email: string) => first(db.select(userColumns).from(users).where(eq(users.email, email)))

  return {
    async invite({ byUserId, ...invitation }) {
      const { workspaceId, email, role } = invitation
      if (!(await mayManage(workspaceId, byUserId, [role]))) return { outcome: 'forbidden' }
      const user = await userByEmail(email)
      if (user && (await roleOf(workspaceId, user.id)) !== null) return { outcome: 'isMember' }
      if (await hasOperatorInvited(workspaceId, email, invitation.createdAt)) return { outcome: 'ofOperator' }
      const isOfWorkspace = eq(invitations.workspaceId, workspaceId)
      const open = await first(db.select({ count: count() }).from(invitations).where(isOfWorkspace))
      if ((open?.count ?? 0) >= invitationsMax) return { outcome: 'tooMany' }
      return { outcome: 'invited', invitation: await addInvitation(invitation) }
    },

    async inviteUser({ role: given, isReset, email: spelled, ...invitation }) {
      const { workspaceId, tokenHash, createdAt } = invitation
      if (!(await hasWorkspace(engine, workspaceId))) return { outcome: 'unknownWorkspace' }
      const email = normalEmail(spelled)
      const user = await userByEmail(email)
      if (!user) return { outcome: 'unknownUser' }
      const former = await roleOf(workspaceId, user.id)
      if (former && (!isReset || (given ?? former) !== former)) return { outcome: 'isMember', role: former }
      const role = given ?? former ?? (await nextRole(engine, workspaceId))
      if (isReset) await resetAccount(user.id, email, tokenHash, createdAt)
      // Beyond invitationsMax too: the members of a workspace must not keep the operator out.
      const invited = await addInvitation({ ...invitation, email, role, invitedBy: operator })
      return { outcome: 'invited', invitation: invited, user }
    },

    async withdrawInvitation({ workspaceId, invitationId }) {
      const isInvitation = and(eq(invitations.workspaceId, workspaceId), eq(invitations.id, invitationId))
      const found = await first(db.select(invitationColumns).from(invitations).where(isInvitation))
      if (!found) return { outcome: 'unknownInvitation' }
      if (found.invitedBy === operator) return { outcome: 'ofOperator' }
      await db.delete(invitations).where(isInvitation)
      return { outcome: 'withdrawn', email: found.email }
    },

    async acceptInvitation({ tokenHash, at, by }) {
      const invitation = await invitationOf(tokenHash, at)
      if (!invitation) return { outcome: 'invalidLink' }
      const { workspaceId, email, role } = invitation
      const account = await userByEmail(email)
      if ('userId' in by && account?.id !== by.userId) return { outcome: 'otherUser' }
      const user =
        'userId' in by
          ? account
          : ((await setPassword(email, tokenHash, by.user.passwordHash, at)) ??
            (await addUser(engine, { ...by.user, email })))
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
      const isTheirs = and(eq(contacts.workspaceId, workspaceId), eq(contacts.takenBy, userId))
      await db.update(contacts).set({ takenBy: null }).where(isTheirs)
      await moveReset(workspaceId, member)
      await endInvitations(workspaceId, member.email, null)
      await removeUsersWithoutWorkspace(engine, [userId])
      return { outcome: 'changed', member }
    },
  } satisfies Partial<StoreWrites>
}

export function memberReads(engine: Engine): MemberReads {
  const {
    db,
    tables: { invitations, users, workspaces },
    columns: { invitationColumns },
  } = engine
  return {
    invitations: async ({ workspaceId, at }) =>
      await db
        .select(invitationColumns)
        .from(invitations)
        .where(and(eq(invitations.workspaceId, workspaceId), gt(invitations.expiresAt, at)))
        .orderBy(desc(invitations.createdAt), desc(invitations.id)),

    async invitation({ tokenHash, at }) {
      const found = await first(
        db
          .select({
            ...invitationColumns,
            workspaceName: workspaces.name,
            // Of the invited address; null without an account.
            passwordHash: users.passwordHash,
          })
          .from(invitations)
          .innerJoin(workspaces, eq(workspaces.id, invitations.workspaceId))
          .leftJoin(users, eq(users.email, invitations.email))
          .where(and(eq(invitations.tokenHash, tokenHash), gt(invitations.expiresAt, at))),
      )
      if (!found) return null
      const { passwordHash, ...invitation } = found
      return { ...invitation, account: invitedAccount(passwordHash, tokenHash) }
    },

    isSetupOpen: query => isSetupOpen(engine, query),
  }
}

/**
 * Erases users without a workspace: they have nothing to sign in for.
 * @param userIds of users who have left a workspace
 * @returns how many users were erased
 */
export async function removeUsersWithoutWorkspace(
  { db, tables, isAnyOf, locking }: Engine,
  userIds: readonly string[],
): Promise<number> {
  const { memberships, recoveryCodes, sessions, users } = tables
  const isOne = isAnyOf(users.id, userIds)
  // A transaction that joins a workspace or signs in at this moment locks the user too: it is seen below, or finds no
  // user. One that leaves another workspace at this moment does not see this step; only a change, not a lock alone,
  // makes it start over.
  await locking(db.select({ id: users.id }).from(users).where(isOne).orderBy(asc(users.id)))
  await db
    .update(users)
    .set({ updatedAt: sql`${users.updatedAt}` })
    .where(isOne)
  const membership = db.select({ of: memberships.userId }).from(memberships).where(eq(memberships.userId, users.id))
  const gone = await db
    .select({ id: users.id })
    .from(users)
    .where(and(isOne, notExists(membership)))
  const ids = gone.map(({ id }) => id)
  for (const table of [sessions, recoveryCodes]) await db.delete(table).where(isAnyOf(table.userId, ids))
  await db.delete(users).where(isAnyOf(users.id, ids))
  return ids.length
}
