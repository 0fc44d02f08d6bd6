import type { StoreWrites } from '../store.ts'
import { acceptanceVerbs } from './acceptance.ts'
import { accountVerbs } from './accounts.ts'
import { contactVerbs } from './contacts.ts'
import { dispatchVerbs } from './dispatch.ts'
import { eventVerbs } from './events.ts'
import { lineVerbs } from './lines.ts'
import { mediaVerbs } from './media.ts'
import type { Connection } from './open.ts'
import { pruneVerbs } from './prune.ts'
import { templateVerbs } from './templates.ts'
import { userVerbs } from './users.ts'

/**
 * The store's verbs as the writer thread runs them: synchronous, inside a transaction that it has opened. A new verb is
 * declared in StoreWrites and implemented in one of the files below, which all say `satisfies Partial<Verbs>`: a verb
 * that nobody implements, or that nobody declared, is a type error.
 */
export type Verbs = {
  [Verb in keyof StoreWrites]: (argument: Parameters<StoreWrites[Verb]>[0]) => Awaited<ReturnType<StoreWrites[Verb]>>
}

/** None of the verbs opens a transaction or a savepoint for itself: the group commit does, and only it. */
export function storeVerbs(connection: Connection): Verbs {
  const events = eventVerbs(connection)
  return {
    ...accountVerbs(connection),
    ...lineVerbs(connection),
    ...userVerbs(connection),
    ...acceptanceVerbs(connection),
    ...events,
    ...dispatchVerbs(connection, events.recordEvent),
    ...contactVerbs(connection),
    ...templateVerbs(connection),
    ...mediaVerbs(connection),
    ...pruneVerbs(connection),
  }
}
