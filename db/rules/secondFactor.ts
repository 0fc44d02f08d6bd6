import { and, count, eq, isNotNull, isNull, lt, or } from 'drizzle-orm'
import type { SealedTotp, SecondFactorReads } from '../contract/secondFactor.ts'
import type { StoreWrites } from '../contract/store.ts'
import { type Engine, first } from './engine.ts'

/** The state of a user who signs in with the password alone. */
export const noTotp = { sealedTotpSecret: null, totpSince: null, totpStep: null }

/** Removes the second factor of all users: their secrets can no longer be opened. */
export async function forgetTotps({ db, tables: { recoveryCodes, users } }: Engine): Promise<void> {
  await db.delete(recoveryCodes)
  await db.update(users).set(noTotp)
}

/** Of all users. */
export async function sealedTotps({ db, tables: { users } }: Engine): Promise<SealedTotp[]> {
  const rows = await db
    .select({ userId: users.id, sealedTotpSecret: users.sealedTotpSecret })
    .from(users)
    .where(isNotNull(users.sealedTotpSecret))
  return rows.flatMap(({ userId, sealedTotpSecret }) =>
    sealedTotpSecret === null ? [] : [{ userId, sealedTotpSecret }],
  )
}

async function codesLeft({ db, tables: { recoveryCodes } }: Engine, userId: string): Promise<number> {
  const counted = db.select({ count: count() }).from(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  return (await first(counted))?.count ?? 0
}

/** The verbs of the codes that a sign-in asks for besides the password. */
export function secondFactorVerbs(engine: Engine) {
  const {
    db,
    tables: { recoveryCodes, users },
    columns: { userColumns },
  } = engine
  const isConfirmed = (userId: string) => and(eq(users.id, userId), isNotNull(users.totpSince))

  async function putCodes(userId: string, codeHashes: readonly string[]) {
    await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
    if (codeHashes.length > 0) await db.insert(recoveryCodes).values(codeHashes.map(codeHash => ({ userId, codeHash })))
  }

  return {
    async startTotp({ userId, sealedTotpSecret, at }) {
      const set = { sealedTotpSecret, totpStep: null, updatedAt: at }
      const isWithout = and(eq(users.id, userId), isNull(users.totpSince))
      return (await first(db.update(users).set(set).where(isWithout).returning({ id: users.id }))) !== null
    },

    async confirmTotp({ userId, sealedTotpSecret, step, codeHashes, at }) {
      const isPending = and(eq(users.id, userId), eq(users.sealedTotpSecret, sealedTotpSecret), isNull(users.totpSince))
      const set = { totpSince: at, totpStep: step, updatedAt: at }
      const confirmed = await first(db.update(users).set(set).where(isPending).returning(userColumns))
      if (confirmed) await putCodes(userId, codeHashes)
      return confirmed
    },

    async consumeTotp({ userId, step }) {
      const isNew = and(isConfirmed(userId), or(isNull(users.totpStep), lt(users.totpStep, step)))
      return (await first(db.update(users).set({ totpStep: step }).where(isNew).returning({ id: users.id }))) !== null
    },

    async consumeRecoveryCode({ userId, codeHash }) {
      const isCode = and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, codeHash))
      const used = await first(db.delete(recoveryCodes).where(isCode).returning({ userId: recoveryCodes.userId }))
      return used ? await codesLeft(engine, userId) : null
    },

    async replaceRecoveryCodes({ userId, codeHashes }) {
      const user = await first(db.select(userColumns).from(users).where(isConfirmed(userId)))
      if (user) await putCodes(userId, codeHashes)
      return user
    },

    async endTotp({ userId, at }) {
      const set = { ...noTotp, updatedAt: at }
      const ended = await first(db.update(users).set(set).where(isConfirmed(userId)).returning(userColumns))
      if (ended) await putCodes(userId, [])
      return ended
    },
  } satisfies Partial<StoreWrites>
}

export const secondFactorReads = (engine: Engine): SecondFactorReads => ({
  sealedTotps: () => sealedTotps(engine),
  recoveryCodesLeft: userId => codesLeft(engine, userId),
})
