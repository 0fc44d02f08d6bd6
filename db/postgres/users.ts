import { and, asc, eq, ne } from 'drizzle-orm'
import { normalEmail } from '../../src/email.ts'
import type { Session, User, UserReads, UserRole } from '../users.ts'
import { hasWorkspace } from './accounts.ts'
import { type Connection, first } from './open.ts'
import { listOf, memberColumns, sessionColumns, userColumns } from './rows.ts'
import { memberships, sessions, users, workspaces } from './schema/tables.ts'
import { addUser, hasUsers, nextRole } from './setup.ts'
import type { Verbs } from './verbs.ts'

/** The verbs of those who sign in to the console. No answer has the hash of a password. */
export function userVerbs({ db }: Connection) {
  return {
    async createUser({ workspaceId, role: given, ...user }) {
      if (!(await hasWorkspace(db, workspaceId))) return { outcome: 'unknownWorkspace' }
      const created = await addUser(db, user)
      if (!created) return { outcome: 'emailTaken' }
      const membership = { workspaceId, role: given ?? (await nextRole(db, workspaceId)), since: user.createdAt }
      await db.insert(memberships).values({ ...membership, userId: created.id })
      return { outcome: 'created', user: { ...created, ...membership } }
    },

    async resetPassword({ userId, passwordHash, at }) {
      await db.delete(sessions).where(eq(sessions.userId, userId))
      const set = { passwordHash, updatedAt: at }
      return await first(db.update(users).set(set).where(eq(users.id, userId)).returning(userColumns))
    },

    async changePassword({ userId, formerHash, passwordHash, keepSession, at }) {
      const isSame = and(eq(users.id, userId), eq(users.passwordHash, formerHash))
      const set = { passwordHash, updatedAt: at }
      if (!(await first(db.update(users).set(set).where(isSame).returning({ id: users.id })))) return null
      const isOther = and(eq(sessions.userId, userId), ne(sessions.id, keepSession))
      return (await db.delete(sessions).where(isOther).returning({ id: sessions.id })).length
    },

    renameUser: ({ userId, name, at }) =>
      first(db.update(users).set({ name, updatedAt: at }).where(eq(users.id, userId)).returning(userColumns)),
  } satisfies Partial<Verbs>
}

/** What every request of the console reads are raw statements, which the connections prepare once. */
export const userReads = ({ query, db }: Connection): UserReads => ({
  members: async workspaceId =>
    await db
      .select(memberColumns)
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .where(workspaceId === null ? undefined : eq(memberships.workspaceId, workspaceId))
      .orderBy(asc(users.id), asc(memberships.workspaceId)),

  user: id => first(query<User>(`SELECT ${listOf(userColumns)} FROM users WHERE id = $1`, [id])),

  userByEmail: email =>
    first(
      db
        .select()
        .from(users)
        .where(eq(users.email, normalEmail(email))),
    ),

  hasUsers: () => hasUsers(db),

  session: id => first(query<Session>(`SELECT ${listOf(sessionColumns)} FROM sessions WHERE id = $1`, [id])),

  hasSessionOf: async familyHash =>
    (await first(query('SELECT id FROM sessions WHERE family_hash = $1', [familyHash]))) !== null,

  memberships: async userId =>
    await db
      .select({ workspaceId: workspaces.id, workspaceName: workspaces.name, role: memberships.role })
      .from(memberships)
      .innerJoin(workspaces, eq(workspaces.id, memberships.workspaceId))
      .where(eq(memberships.userId, userId))
      .orderBy(asc(workspaces.name), asc(workspaces.id)),

  async roleIn({ workspaceId, userId }) {
    const text = 'SELECT role FROM memberships WHERE workspace_id = $1 AND user_id = $2'
    return (await first(query<{ role: UserRole }>(text, [workspaceId, userId])))?.role ?? null
  },
})
