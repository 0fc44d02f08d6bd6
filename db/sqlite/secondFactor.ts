import { and, count, eq, isNotNull, isNull, lt, or } from 'drizzle-orm'
import type { SealedTotp, SecondFactorReads } from '../secondFactor.ts'
import type { Connection } from './open.ts'
import { userColumns } from './rows.ts'
import { recoveryCodes, users } from './schema.ts'
import type { Verbs } from './verbs.ts'

/** Of a user who signs in with the password alone. */
export const noTotp = { sealedTotpSecret: null, totpSince: null, totpStep: null }

/** Gives up the second factor of all users: their secrets do not open any more. */
export function forgetTotps(db: Connection['db']): void {
  db.delete(recoveryCodes).run()
  db.update(users).set(noTotp).run()
}

/** Of all users. */
export const sealedTotps = (db: Connection['db']): SealedTotp[] =>
  db
    .select({ userId: users.id, sealedTotpSecret: users.sealedTotpSecret })
    .from(users)
    .where(isNotNull(users.sealedTotpSecret))
    .all()
    .flatMap(({ userId, sealedTotpSecret }) => (sealedTotpSecret === null ? [] : [{ userId, sealedTotpSecret }]))

const codesLeft = (db: Connection['db'], userId: string): number =>
  db.select({ count: count() }).from(recoveryCodes).where(eq(recoveryCodes.userId, userId)).get()?.count ?? 0

/** The verbs of the codes that a sign-in asks for besides the password. */
export function secondFactorVerbs({ db }: Connection) {
  const isConfirmed = (userId: string) => and(eq(users.id, userId), isNotNull(users.totpSince))

  function putCodes(userId: string, codeHashes: readonly string[]): void {
    db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)).run()
    for (const codeHash of codeHashes) db.insert(recoveryCodes).values({ userId, codeHash }).run()
  }

  return {
    startTotp: ({ userId, sealedTotpSecret, at }) =>
      db
        .update(users)
        .set({ sealedTotpSecret, totpStep: null, updatedAt: at })
        .where(and(eq(users.id, userId), isNull(users.totpSince)))
        .returning({ id: users.id })
        .get() !== undefined,

    confirmTotp({ userId, sealedTotpSecret, step, codeHashes, at }) {
      const isPending = and(eq(users.id, userId), eq(users.sealedTotpSecret, sealedTotpSecret), isNull(users.totpSince))
      const set = { totpSince: at, totpStep: step, updatedAt: at }
      const confirmed = db.update(users).set(set).where(isPending).returning(userColumns).get() ?? null
      if (confirmed) putCodes(userId, codeHashes)
      return confirmed
    },

    consumeTotp: ({ userId, step }) =>
      db
        .update(users)
        .set({ totpStep: step })
        .where(and(isConfirmed(userId), or(isNull(users.totpStep), lt(users.totpStep, step))))
        .returning({ id: users.id })
        .get() !== undefined,

    consumeRecoveryCode({ userId, codeHash }) {
      const isCode = and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, codeHash))
      const used = db.delete(recoveryCodes).where(isCode).returning({ userId: recoveryCodes.userId }).get()
      return used ? codesLeft(db, userId) : null
    },

    replaceRecoveryCodes({ userId, codeHashes }) {
      const user = db.select(userColumns).from(users).where(isConfirmed(userId)).limit(1).get() ?? null
      if (user) putCodes(userId, codeHashes)
      return user
    },

    endTotp({ userId, at }) {
      const set = { ...noTotp, updatedAt: at }
      const ended = db.update(users).set(set).where(isConfirmed(userId)).returning(userColumns).get() ?? null
      if (ended) putCodes(userId, [])
      return ended
    },
  } satisfies Partial<Verbs>
}

export const secondFactorReads = ({ db }: Connection): SecondFactorReads => ({
  sealedTotps: async () => sealedTotps(db),
  recoveryCodesLeft: async userId => codesLeft(db, userId),
})
