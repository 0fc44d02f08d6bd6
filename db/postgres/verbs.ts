import type { StoreWrites } from '../store.ts'

/**
 * The store's verbs as they run on PostgreSQL, on a connection inside a transaction that was opened for them. They all
 * say `satisfies Partial<Verbs>`: a verb without an implementation, or without a declaration, is a type error.
 */
export type Verbs = {
  [Verb in keyof StoreWrites]: (argument: Parameters<StoreWrites[Verb]>[0]) => ReturnType<StoreWrites[Verb]>
}
