import type { Measures } from '../telemetry/metrics.ts'
import type { Broken, PromiseName } from '../telemetry/promises.ts'

/*
 * The messages between the main thread and a worker, as JSON text. Plain data only: no undefined inside arrays, no
 * dates, no bytes. Calls are sent in arrays: a post of fifty calls costs about as much as one of ten.
 */

/** A request for one verb of the worker. The answer has the same id. */
export interface VerbCall {
  readonly id: number
  readonly verb: string
  readonly argument: unknown
}

export type VerbAnswer =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  /**
   * `unavailable`: the disk or the thread failed, not the request. The same call may succeed later. `broken`: the
   * promise that it would break
   */
  | {
      readonly id: number
      readonly ok: false
      readonly unavailable: boolean
      readonly message: string
      readonly broken?: PromiseName | undefined
    }

/** From the main thread to a worker. `start` is the first and comes once; `stop` is the last. */
export type ToWorker =
  | { readonly kind: 'start'; readonly options: unknown }
  | { readonly kind: 'calls'; readonly calls: readonly VerbCall[] }
  /** Answered with `pong` at once. A thread that does not answer hangs. */
  | { readonly kind: 'ping' }
  /** Answered with `measured`. From the first one on, the thread measures its event loop. */
  | { readonly kind: 'measure' }
  | { readonly kind: 'stop' }

/** Worker to main thread. */
export type FromWorker =
  | { readonly kind: 'listening' }
  /** `verbs` when the worker lists its verbs, see Mailbox.verbs. */
  | { readonly kind: 'ready'; readonly verbs?: readonly string[] }
  /** It cannot start. The message is a sentence for the operator. */
  | { readonly kind: 'refused'; readonly message: string }
  /** Before it is ready: what it is doing, for who waits. It arrives also while the worker is busy. */
  | { readonly kind: 'news'; readonly news: unknown }
  | { readonly kind: 'answers'; readonly answers: readonly VerbAnswer[] }
  | { readonly kind: 'pong' }
  | { readonly kind: 'broken'; readonly broken: Broken }
  | { readonly kind: 'measured'; readonly measures: Measures }
  | { readonly kind: 'stopped' }
