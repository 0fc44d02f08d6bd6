import { ApiFailure, toFailure } from './failure.ts'
import { request, requestOpenly } from './request.ts'
import { callsBy } from './routeCalls.ts'

/**
 * The internal routes, typed by the server's own code:
 *
 *     const lines = await answerOf(api.workspaces({ workspaceId })['phone-numbers'].get())
 *
 * Values in paths are ids and are not encoded: encode typed text yourself.
 */
export const api = callsBy(request)

/** The routes that need no session: signing in, and what comes before. */
export const openApi = callsBy(requestOpenly)

/** The answer of a route in a form that its types know. */
export type RouteAnswer<Data> =
  | { readonly data: Data; readonly error: null }
  | { readonly data: null; readonly error: { readonly value: unknown } }

/** @returns what the gateway answered. @throws ApiFailure */
export async function answerOf<Data>(asked: Promise<RouteAnswer<Data>>): Promise<Exclude<Data, null>> {
  const { data, error } = await asked
  if (error !== null) throw toFailure(error.value)
  if (data === null) throw new ApiFailure('the answer is empty')
  return data as Exclude<Data, null>
}
