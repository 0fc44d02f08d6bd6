import { eq } from 'drizzle-orm'
import type { PriceRateReads, PriceRateWrites } from '../contract/priceRates.ts'
import { type Engine, first } from './engine.ts'

/** What messages cost, as a workspace has given it. */
export const priceRateVerbs = ({ db, tables: { priceRates, workspaces } }: Engine) =>
  ({
    async setPriceRates({ workspaceId, rates, at: setAt }) {
      const owner = await first(db.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.id, workspaceId)))
      if (owner === null) return false
      await db.delete(priceRates).where(eq(priceRates.workspaceId, workspaceId))
      if (rates !== null) await db.insert(priceRates).values({ workspaceId, rates, setAt })
      return true
    },
  }) satisfies PriceRateWrites

export const priceRateReads = ({ db, tables: { priceRates } }: Engine): PriceRateReads => ({
  priceRates: workspaceId => first(db.select().from(priceRates).where(eq(priceRates.workspaceId, workspaceId))),
})
