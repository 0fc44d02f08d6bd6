import type { StoreReads } from '../contract/store.ts'
import { recordLookups, type SendReads } from '../rules/lookups.ts'
import { sharedReads } from '../rules/reads.ts'
import { engineOf } from './engine.ts'
import { findOn } from './find.ts'
import type { Connection } from './open.ts'
import { columns, messageTables } from './rows.ts'

/** All reads but the settings', on a connection that cannot write. */
export const storeReads = (connection: Connection): Omit<StoreReads, keyof SendReads> => ({
  ...sharedReads(engineOf(connection)),
  ...recordLookups(findOn(connection), columns, messageTables),
})
