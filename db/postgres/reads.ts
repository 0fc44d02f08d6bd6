import { sharedReads } from '../rules/reads.ts'
import type { StoreReads } from '../store.ts'
import { contactReads } from './contactReads.ts'
import { engineOf } from './engine.ts'
import { messageLookup } from './messageLookup.ts'
import type { Connection } from './open.ts'
import type { SendReads } from './sendReads.ts'

/** All reads but the settings', each outside of any transaction. */
export const storeReads = (connection: Connection) =>
  ({
    ...sharedReads(engineOf(connection)),
    ...contactReads(connection),
    ...messageLookup(connection),
  }) satisfies Omit<StoreReads, keyof SendReads>
