import { and, asc, desc, eq, ne, sql } from 'drizzle-orm'
import { normalEmail } from '../../src/base/names.ts'
import type { StoreWrites } from '../contract/store.ts'
import type { UserReads } from '../contract/users.ts'
import { hasWorkspace } from './accounts.ts'
import { type Engine, first } from './engine.ts'
import { addUser, hasUsers, nextRole } from './setup.ts'

/** The verbs of console users. No answer has the hash of a password. */
export function userVerbs(engine: Engine) {
  const {
    db,
    tables: { memberships, sessions, users },
    columns: { userColumns },
  } = engine
  return {
    async createUser({ workspaceId, role: given, ...user }) {
      if (!(await hasWorkspace(engine, workspaceId))) return { outcome: 'unknownWorkspace' }
      const created = await addUser(engine, user)
      if (!created) return { outcome: 'emailTaken' }
      const membership = { workspaceId, role: given ?? (await nextRole(engine, workspaceId)), since: user.createdAt }
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

    async choosePreferences({ userId, preferences, at }) {
      const isUser = eq(users.id, userId)
      const user = await first(db.select({ chosen: users.preferences }).from(users).where(isUser))
      const set = { preferences: { ...user?.chosen, ...preferences }, updatedAt: at }
      return await first(db.update(users).set(set).where(isUser).returning(userColumns))
    },
  } satisfies Partial<StoreWrites>
}

/** Reads of every console request are prepared once. */
export function userReads(engine: Engine): UserReads {
  const {
    db,
    tables: { memberships, sessions, users, workspaces },
    columns: { memberColumns, sessionColumns, userColumns },
  } = engine
  const id = sql.placeholder('id')
  const user = db.select(userColumns).from(users).where(eq(users.id, id)).prepare('user')
  const session = db.select(sessionColumns).from(sessions).where(eq(sessions.id, id)).prepare('session')
  const family = db
    .select(userColumns)
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.familyHash, id))
    .prepare('family')
  const role = db
    .select({ role: memberships.role })
    .from(memberships)
    .where(and(eq(memberships.workspaceId, sql.placeholder('workspaceId')), eq(memberships.userId, id)))
    .prepare('role')

  return {
    members: async workspaceId =>
      await db
        .select(memberColumns)
        .from(memberships)
        .innerJoin(users, eq(users.id, memberships.userId))
        .where(workspaceId === null ? undefined : eq(memberships.workspaceId, workspaceId))
        .orderBy(asc(users.id), asc(memberships.workspaceId)),

    user: id => first(user.execute({ id })),

    userByEmail: email =>
      first(
        db
          .select()
          .from(users)
          .where(eq(users.email, normalEmail(email))),
      ),

    hasUsers: () => hasUsers(engine),

    session: id => first(session.execute({ id })),

    sessions: async userId =>
      await db
        .select(sessionColumns)
        .from(sessions)
        .where(eq(sessions.userId, userId))
        .orderBy(desc(sessions.refreshedAt), desc(sessions.id)),

    userOfFamily: familyHash => first(family.execute({ id: familyHash })),

    memberships: async userId =>
      await db
        .select({ workspaceId: workspaces.id, workspaceName: workspaces.name, role: memberships.role })
        .from(memberships)
        .innerJoin(workspaces, eq(workspaces.id, memberships.workspaceId))
        .where(eq(memberships.userId, userId))
        .orderBy(asc(workspaces.name), asc(workspaces.id)),

    roleIn: async ({ workspaceId, userId }) => (await first(role.execute({ workspaceId, id: userId })))?.role ?? null,
  }
}
