import { and, desc, eq, inArray, lte, ne } from 'drizzle-orm'
import type { Session } from '../users.ts'
import type { Connection } from './open.ts'
import { sessionColumns, userColumns } from './rows.ts'
import { invitations, sessions, users } from './schema.ts'
import type { Verbs } from './verbs.ts'

/** Browsers of one user. The oldest sign-in beyond it ends. */
const sessionsPerUserMax = 50

/** The verbs of sign-ins. A session that has ended has no row. */
export function sessionVerbs({ db }: Connection) {
  const userOf = (userId: string) =>
    db.select(userColumns).from(users).where(eq(users.id, userId)).limit(1).get() ?? null
  const end = (sessionId: string) => db.delete(sessions).where(eq(sessions.id, sessionId)).run()

  return {
    openSession({ passwordHash, ...session }) {
      const isSame = and(eq(users.id, session.userId), eq(users.passwordHash, passwordHash))
      if (!db.select({ id: users.id }).from(users).where(isSame).limit(1).get()) return null
      const excess = db
        .select({ id: sessions.id })
        .from(sessions)
        .where(eq(sessions.userId, session.userId))
        .orderBy(desc(sessions.createdAt), desc(sessions.id))
        .limit(sessionsPerUserMax)
        .offset(sessionsPerUserMax - 1)
        .all()
      for (const { id } of excess) end(id)
      return db
        .insert(sessions)
        .values({ ...session, refreshedAt: session.createdAt })
        .returning(sessionColumns)
        .get()
    },

    refreshSession({ familyHash, tokenHash, nextTokenHash, at, repeatMs, refreshedSince }) {
      const found = db.select().from(sessions).where(eq(sessions.familyHash, familyHash)).limit(1).get()
      if (!found) return { outcome: 'unknown' }
      if (found.expiresAt <= at || found.refreshedAt <= refreshedSince) {
        end(found.id)
        return { outcome: 'unknown' }
      }
      const isNewest = tokenHash === found.tokenHash
      if (!isNewest && !(tokenHash === found.formerTokenHash && at < found.refreshedAt + repeatMs)) {
        end(found.id)
        return { outcome: 'reused', userId: found.userId }
      }
      const session = toSession(found)
      if (!isNewest) return { outcome: 'repeated', session }
      const set = { tokenHash: nextTokenHash, formerTokenHash: tokenHash, refreshedAt: at }
      db.update(sessions).set(set).where(eq(sessions.id, found.id)).run()
      return { outcome: 'refreshed', session: { ...session, refreshedAt: at } }
    },

    endSession({ familyHash }) {
      const ended = db.delete(sessions).where(eq(sessions.familyHash, familyHash)).returning(sessionColumns).get()
      return ended ? userOf(ended.userId) : null
    },

    endSessions: ({ userId, keep }) =>
      db
        .delete(sessions)
        .where(and(eq(sessions.userId, userId), keep === null ? undefined : ne(sessions.id, keep)))
        .returning({ id: sessions.id })
        .all().length,

    pruneSessions({ expiredBefore, limit }) {
      let pruned = 0
      for (const table of [sessions, invitations]) {
        const old = db
          .select({ id: table.id })
          .from(table)
          .where(lte(table.expiresAt, expiredBefore))
          .limit(limit - pruned)
          .all()
          .map(({ id }) => id)
        if (old.length > 0) db.delete(table).where(inArray(table.id, old)).run()
        pruned += old.length
      }
      return pruned
    },
  } satisfies Partial<Verbs>
}

/** Without the hashes of its tokens. */
const toSession = ({ id, userId, createdAt, refreshedAt, expiresAt }: Session): Session => ({
  id,
  userId,
  createdAt,
  refreshedAt,
  expiresAt,
})
