import type { StoreReads } from '../contract/store.ts'
import { recordLookups, type SendReads } from '../rules/lookups.ts'
import { sharedReads } from '../rules/reads.ts'
import { findOn } from './coalesce.ts'
import { engineOf } from './engine.ts'
import type { Connection } from './open.ts'
import { columns, messageTables } from './rows.ts'

/** All reads but the settings', each outside of any transaction. */
export const storeReads = (connection: Connection): Omit<StoreReads, keyof SendReads> => ({
  ...sharedReads(engineOf(connection)),
  ...recordLookups(findOn(connection), columns, messageTables),
})
