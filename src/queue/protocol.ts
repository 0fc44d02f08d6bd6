/*
 * What travels between the main thread and a worker, as JSON text. Plain data only: no undefined inside arrays, no dates,
 * no bytes. Arrays of calls: a post costs about as much for fifty calls as for ten.
 */

/** A request for one verb of the worker; the answer carries the same id. */
export interface Call {
  readonly id: number
  readonly verb: string
  readonly argument: unknown
}

export type Answer =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  /** `unavailable`: the disk or the thread, not the request; the same call may succeed later. */
  | { readonly id: number; readonly ok: false; readonly unavailable: boolean; readonly message: string }

/** Main thread to worker. `start` comes first and once; `stop` is the last. */
export type ToWorker =
  | { readonly kind: 'start'; readonly options: unknown }
  | { readonly kind: 'calls'; readonly calls: readonly Call[] }
  /** Answered with `pong` at once: a thread that does not hangs. */
  | { readonly kind: 'ping' }
  | { readonly kind: 'stop' }

/** Worker to main thread. */
export type FromWorker =
  | { readonly kind: 'listening' }
  /** `verbs` when the worker names what it can be asked, see Mailbox.verbs. */
  | { readonly kind: 'ready'; readonly verbs?: readonly string[] }
  /** It cannot start, and says why in a sentence for the operator. */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'answers'; readonly answers: readonly Answer[] }
  | { readonly kind: 'pong' }
  | { readonly kind: 'stopped' }
