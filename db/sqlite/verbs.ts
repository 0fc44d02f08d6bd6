import type { StoreWrites } from '../store.ts'

/**
 * The store's verbs as the writer thread runs them: synchronous, inside a transaction that it has opened. A new verb is
 * declared in StoreWrites and implemented in one of the files that writes.ts puts together. They all say
 * `satisfies Partial<Verbs>`: a verb without an implementation, or without a declaration, is a type error.
 */
export type Verbs = {
  [Verb in keyof StoreWrites]: (argument: Parameters<StoreWrites[Verb]>[0]) => Awaited<ReturnType<StoreWrites[Verb]>>
}
