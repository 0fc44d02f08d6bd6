import type { Removal } from '../../db/contract/records.ts'
import type { Store, StoreWrites } from '../../db/contract/store.ts'
import { type Details, type Issue, invalid, type Reason, type Refusal } from '../base/errors.ts'

/**
 * On whose behalf an act is done: a member in the console, or the operator with a command. Its writer keeps the name in
 * the audit.
 */
export interface Actor extends Pick<Store, 'read' | 'write' | 'clock'> {
  /** The act finds only what belongs to this workspace; null: the operator's finds all. */
  readonly workspaceId: string | null
}

/** These keep what has happened already, at the upstream or by a send: also when its author may change nothing more. */
const records: ReadonlySet<unknown> = new Set([
  'recordTemplate',
  'recordDeletion',
  'keepBlocked',
  'noteAction',
] satisfies (keyof StoreWrites)[])

type AnyVerb = (argument: unknown) => Promise<unknown>

/**
 * Who was let in may be nobody any more when something is changed: a body comes slowly, and a stranger is asked before.
 * @param renew asks anew for the author, and throws when it may not change anything any more
 * @returns the same verbs, each of which asks first
 */
export const renewedBefore = (writes: StoreWrites, renew: () => Promise<unknown>): StoreWrites =>
  new Proxy(writes, {
    get(_, name) {
      const verb: unknown = Reflect.get(writes, name)
      if (typeof verb !== 'function' || records.has(name)) return verb
      return async (argument: unknown) => {
        await renew()
        return (verb as AnyVerb)(argument)
      }
    },
  })

/**
 * What an act answers that was not done. Each face throws it in its own form: `done` of the console and of the
 * commands.
 */
export class Refused implements Refusal {
  readonly reason: Reason
  readonly message: string
  readonly details?: Details
  readonly status?: number
  readonly retryAfterMs?: number
  /** What was looked for. The console's caller has it in the address; a command names it. */
  readonly id?: string

  constructor({ reason, message, details, status, retryAfterMs, id }: Refusal & { readonly id?: string }) {
    this.reason = reason
    this.message = message
    if (details) this.details = details
    if (status !== undefined) this.status = status
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs
    if (id !== undefined) this.id = id
  }
}

export const notFound = (message: string) => new Refused({ reason: 'NOT_FOUND', message })
export const conflict = (message: string) => new Refused({ reason: 'CONFLICT', message })
export const forbidden = (message: string) => new Refused({ reason: 'FORBIDDEN', message })

/** @param what its kind: `channel` */
export const unknown = (what: string, id: string) =>
  new Refused({ reason: 'NOT_FOUND', message: `No ${what} has this id.`, id })

/** What was said is wrong, by the fields of the input. */
export const wrong = (issues: readonly Issue[]) => new Refused(invalid(issues))

/** @param path of the field: `/expiresAt` */
export const wrongField = (path: string, message: string) => wrong([{ path, message }])

/** @returns the thing, or that there is none (any more) */
export const existing = <Thing>(thing: Thing | null, what: string, id: string): Thing | Refused =>
  thing ?? unknown(what, id)

/** @returns a thing that the actor may see. One of another workspace is refused like one that does not exist */
export const ownOf = <Thing extends { readonly workspaceId: string }>(
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  thing: Thing | null,
  what: string,
  id: string,
): Thing | Refused => existing(workspaceId === null || thing?.workspaceId === workspaceId ? thing : null, what, id)

/** @returns the removed thing, or why it stays. @param what its kind: `line` */
export function removedOr<Thing>(removal: Removal<Thing>, what: string, id: string): Thing | Refused {
  switch (removal.outcome) {
    case 'removed':
      return removal.removed
    case 'unknown':
      return unknown(what, id)
    case 'waiting': {
      const { waiting } = removal
      const messages = waiting === 1 ? '1 message waits' : `${waiting} messages wait`
      const relation = what === 'contact' ? 'to' : 'from'
      const message =
        `Nothing was removed: ${messages} to be sent ${relation} the ${what} ${id}. Stop new ones (deactivate the ` +
        'line), wait until these are sent or cancel those that are scheduled, and try again.'
      return new Refused({ reason: 'CONFLICT', message, details: { waiting } })
    }
  }
}
