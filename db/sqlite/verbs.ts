import type { StoreWrites } from '../contract/store.ts'

/**
 * The store's verbs that the writer thread runs by SQLite's own means: synchronous, inside a transaction that it has
 * opened. All steps of a send are. They all say `satisfies Partial<Verbs>`: a verb without a declaration is a type
 * error.
 */
export type Verbs = {
  [Verb in keyof StoreWrites]: (argument: Parameters<StoreWrites[Verb]>[0]) => Awaited<ReturnType<StoreWrites[Verb]>>
}

/** All verbs: the rules that both engines have are asynchronous. One without an implementation is a type error. */
export type AllVerbs = {
  [Verb in keyof StoreWrites]: (
    ...argument: Parameters<Verbs[Verb]>
  ) => ReturnType<Verbs[Verb]> | ReturnType<StoreWrites[Verb]>
}
