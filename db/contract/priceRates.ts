import type { EpochMs } from '../../src/base/clock.ts'
import type { Rate } from '../../src/message/costs.ts'
import type { Row } from '../schema/tables.ts'

/** What messages cost, as somebody of the workspace has given it. */
export type PriceRates = Row<'priceRates'>

export interface PriceRateWrites {
  /** Keeps them in place of those of before; null: none from now on. @returns whether there is such a workspace */
  setPriceRates(change: { workspaceId: string; rates: readonly Rate[] | null; at: EpochMs }): Promise<boolean>
}

export interface PriceRateReads {
  /** Null: the workspace has none. */
  priceRates(workspaceId: string): Promise<PriceRates | null>
}
