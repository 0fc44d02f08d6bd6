import { and, asc, eq, ne } from 'drizzle-orm'
import { normalEmail } from '../../src/email.ts'
import type { Session, User, UserReads, UserRole } from '../users.ts'
import { hasWorkspace } from './accounts.ts'
import type { Connection } from './open.ts'
import { listOf, memberColumns, sessionColumns, userColumns } from './rows.ts'
import { memberships, sessions, users, workspaces } from './schema.ts'
import { addUser, hasUsers, nextRole } from './setup.ts'
import type { Verbs } from './verbs.ts'

/** The verbs of those who sign in to the console. No answer has the hash of a password. */
export function userVerbs({ db }: Connection) {
  return {
    createUser({ workspaceId, role: given, ...user }) {
      if (!hasWorkspace(db, workspaceId)) return { outcome: 'unknownWorkspace' }
      const created = addUser(db, user)
      if (!created) return { outcome: 'emailTaken' }
      const membership = { workspaceId, role: given ?? nextRole(db, workspaceId), since: user.createdAt }
      db.insert(memberships)
        .values({ ...membership, userId: created.id })
        .run()
      return { outcome: 'created', user: { ...created, ...membership } }
    },

    resetPassword({ userId, passwordHash, at }) {
      db.delete(sessions).where(eq(sessions.userId, userId)).run()
      const set = { passwordHash, updatedAt: at }
      return db.update(users).set(set).where(eq(users.id, userId)).returning(userColumns).get() ?? null
    },

    changePassword({ userId, formerHash, passwordHash, keepSession, at }) {
      const isSame = and(eq(users.id, userId), eq(users.passwordHash, formerHash))
      const set = { passwordHash, updatedAt: at }
      if (!db.update(users).set(set).where(isSame).returning({ id: users.id }).get()) return null
      const isOther = and(eq(sessions.userId, userId), ne(sessions.id, keepSession))
      return db.delete(sessions).where(isOther).returning({ id: sessions.id }).all().length
    },

    renameUser: ({ userId, name, at }) =>
      db.update(users).set({ name, updatedAt: at }).where(eq(users.id, userId)).returning(userColumns).get() ?? null,
  } satisfies Partial<Verbs>
}

/** What every request of the console reads is prepared once. */
export function userReads({ client, db }: Connection): UserReads {
  const session = client.query<Session, [{ id: string }]>(
    `SELECT ${listOf(sessionColumns)} FROM sessions WHERE id = $id`,
  )
  const family = client.query<{ id: string }, [{ familyHash: string }]>(
    'SELECT id FROM sessions WHERE family_hash = $familyHash',
  )
  const role = client.query<{ role: UserRole }, [{ workspaceId: string; userId: string }]>(
    'SELECT role FROM memberships WHERE workspace_id = $workspaceId AND user_id = $userId',
  )
  const user = client.query<User, [{ id: string }]>(`SELECT ${listOf(userColumns)} FROM users WHERE id = $id`)

  return {
    members: async workspaceId =>
      db
        .select(memberColumns)
        .from(memberships)
        .innerJoin(users, eq(users.id, memberships.userId))
        .where(workspaceId === null ? undefined : eq(memberships.workspaceId, workspaceId))
        .orderBy(asc(users.id), asc(memberships.workspaceId))
        .all(),

    user: async id => user.get({ id }),

    userByEmail: async email =>
      db
        .select()
        .from(users)
        .where(eq(users.email, normalEmail(email)))
        .limit(1)
        .get() ?? null,

    hasUsers: async () => hasUsers(db),

    session: async id => session.get({ id }),

    hasSessionOf: async familyHash => family.get({ familyHash }) !== null,

    memberships: async userId =>
      db
        .select({ workspaceId: workspaces.id, workspaceName: workspaces.name, role: memberships.role })
        .from(memberships)
        .innerJoin(workspaces, eq(workspaces.id, memberships.workspaceId))
        .where(eq(memberships.userId, userId))
        .orderBy(asc(workspaces.name), asc(workspaces.id))
        .all(),

    roleIn: async query => role.get(query)?.role ?? null,
  }
}
