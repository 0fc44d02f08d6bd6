import { treaty } from '@elysiajs/eden'
import type { ConsoleApi } from '../../routes.ts'
import { ApiFailure, toFailure } from './failure.ts'
import { request, requestOpenly } from './request.ts'

// Times stay strings as the gateway sends them; Time formats them.
const options = { parseDate: false } as const

/**
 * The internal routes, typed by the server's own code:
 *
 *     const lines = await answerOf(api.workspaces({ workspaceId })['phone-numbers'].get())
 *
 * Values in paths are ids and are not encoded: encode typed text yourself.
 */
export const api = treaty<ConsoleApi>(location.origin, { ...options, fetcher: asFetch(request) }).api.v1

/** The routes that need no session: signing in, and what comes before. */
export const openApi = treaty<ConsoleApi>(location.origin, { ...options, fetcher: asFetch(requestOpenly) }).api.v1

/** The answer of a route in Eden's form. */
export type RouteAnswer<Data> =
  | { readonly data: Data; readonly error: null }
  | { readonly data: null; readonly error: { readonly value: unknown } }

/** @returns what the gateway answered. @throws ApiFailure */
export async function answerOf<Data>(asked: Promise<RouteAnswer<Data>>): Promise<Exclude<Data, null>> {
  const { data, error } = await asked
  // Eden passes on what the fetcher throws as the value of an error.
  if (error !== null) throw toFailure(error.value)
  if (data === null) throw new ApiFailure('the answer is empty')
  return data as Exclude<Data, null>
}

function asFetch(ask: (path: string, init?: RequestInit) => Promise<Response>): typeof fetch {
  const ours = (input: string | URL | Request, init?: RequestInit) => ask(String(input), init)
  return ours as typeof fetch
}
