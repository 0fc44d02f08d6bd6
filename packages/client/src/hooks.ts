/** The data of an attempt for hooks: no key, no secret, no content. */
export interface Attempt {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below `/api/v1/public`: `/messages/send`. */
  readonly path: string
  /** Which attempt of its call it is, from 1. */
  readonly attempt: number
  /** The key of a send; null for the other calls. */
  readonly idempotencyKey: string | null
}

export interface AttemptEnd extends Attempt {
  readonly durationMs: number
  /** The status of the answer; null when none came whole. */
  readonly status: number | null
  /** Names the request in the gateway's log; null when the answer names none. */
  readonly requestId: string | null
  /**
   * What the attempt ended with: GatewayRefusal, NoAnswer, or the reason of the caller's abort; null when it succeeded.
   */
  readonly problem: unknown
  /** After how long the call is repeated; null when it is not. */
  readonly repeatInMs: number | null
}

/**
 * Called for each attempt, repeats included: for logs, metrics and traces. What they return or throw changes no call.
 */
export interface Hooks {
  readonly beforeAttempt?: ((attempt: Attempt) => unknown) | undefined
  readonly afterAttempt?: ((end: AttemptEnd) => unknown) | undefined
}

/** Calls a hook at once. Its error is printed: a log that fails must not hide that a message was sent. */
export function tell<Event>(hook: ((event: Event) => unknown) | undefined, event: Event): void {
  if (!hook) return
  const called = (async () => hook(event))()
  called.catch(error => console.error('A hook of the Waypost client failed:', error))
}
