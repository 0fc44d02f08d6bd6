import { and, desc, eq, ne } from 'drizzle-orm'
import type { StoreWrites } from '../contract/store.ts'
import { type Session, sessionFields } from '../contract/users.ts'
import { only } from './columns.ts'
import { type Engine, first } from './engine.ts'

/** Browsers of one user. The oldest sign-in beyond it ends. */
const sessionsPerUserMax = 50

/** The verbs of sign-ins. A session that has ended has no row. */
export function sessionVerbs({ db, tables: { sessions, users }, columns, isAnyOf }: Engine) {
  const { userColumns, sessionColumns } = columns
  const userOf = (userId: string) => first(db.select(userColumns).from(users).where(eq(users.id, userId)))
  const end = (sessionIds: readonly string[]) => db.delete(sessions).where(isAnyOf(sessions.id, sessionIds))

  return {
    async openSession({ passwordHash, ...session }) {
      const isSame = and(eq(users.id, session.userId), eq(users.passwordHash, passwordHash))
      if (!(await first(db.select({ id: users.id }).from(users).where(isSame)))) return null
      const excess = await db
        .select({ id: sessions.id })
        .from(sessions)
        .where(eq(sessions.userId, session.userId))
        .orderBy(desc(sessions.createdAt), desc(sessions.id))
        .limit(sessionsPerUserMax)
        .offset(sessionsPerUserMax - 1)
      if (excess.length > 0) await end(excess.map(({ id }) => id))
      const opened = { ...session, refreshedAt: session.createdAt }
      return await first(db.insert(sessions).values(opened).returning(sessionColumns))
    },

    async refreshSession({ familyHash, tokenHash, nextTokenHash, at, repeatMs, refreshedSince, device, network }) {
      const found = await first(db.select().from(sessions).where(eq(sessions.familyHash, familyHash)))
      if (!found) return { outcome: 'unknown' }
      if (found.expiresAt <= at || found.refreshedAt <= refreshedSince) {
        await end([found.id])
        return { outcome: 'unknown' }
      }
      const isNewest = tokenHash === found.tokenHash
      if (!isNewest && !(tokenHash === found.formerTokenHash && at < found.refreshedAt + repeatMs)) {
        await end([found.id])
        return { outcome: 'reused', userId: found.userId }
      }
      const session: Session = only(found, sessionFields)
      if (!isNewest) return { outcome: 'repeated', session }
      const used = { refreshedAt: at, device, network }
      const set = { tokenHash: nextTokenHash, formerTokenHash: tokenHash, ...used }
      await db.update(sessions).set(set).where(eq(sessions.id, found.id))
      return { outcome: 'refreshed', session: { ...session, ...used } }
    },

    async endSession(change) {
      const isMeant =
        'familyHash' in change
          ? eq(sessions.familyHash, change.familyHash)
          : and(eq(sessions.id, change.sessionId), eq(sessions.userId, change.userId))
      const ended = await first(db.delete(sessions).where(isMeant).returning(sessionColumns))
      return ended ? await userOf(ended.userId) : null
    },

    async endSessions({ userId, keep }) {
      const isEnded = and(eq(sessions.userId, userId), keep === null ? undefined : ne(sessions.id, keep))
      return (await db.delete(sessions).where(isEnded).returning({ id: sessions.id })).length
    },
  } satisfies Partial<StoreWrites>
}
