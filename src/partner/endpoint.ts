import { Elysia } from 'elysia'
import type { Refusal } from '../errors.ts'
import { noSuchRoute, refuse, toGatewayError } from '../http/errors.ts'
import type { Guard } from '../http/guard.ts'
import { type AnswerHeaders, jsonAnswer } from '../http/json.ts'
import type { Caller } from '../http/keys.ts'
import type { PeerLookup } from '../http/peer.ts'
import { requestIdOf } from '../http/requestId.ts'
import type { Logger } from '../log.ts'

/** Every address of the partner API begins so (docs/partner-api.md). */
export const partnerPrefix = '/api/v1/public'

/** What an endpoint is called with: as much of the router's context as it names. */
export interface EndpointContext {
  readonly request: Request
  readonly server: PeerLookup | null
}

export type Outcome =
  | { readonly ok: true; readonly status: number; readonly body: object }
  | { readonly ok: false; readonly refusal: Refusal }

/** Makes a route's handler of what the endpoint does for a caller who was let in. */
export type Endpoint = <Context extends EndpointContext>(
  handle: (caller: Caller, context: Context) => Promise<Outcome>,
) => (context: Context) => Promise<Response>

/**
 * Makes an authenticated endpoint of the partner API. It wraps each handler and is no hook before the router: a hook has
 * to decide by the path what it guards, and what the router prepares for it takes a fifth of a refusal's time. This way
 * no endpoint can be reached without a key, however its address is spelled.
 */
export const createEndpoint =
  (guard: Guard, log: Logger): Endpoint =>
  handle =>
  async context => {
    const { request, server } = context
    const headers: AnswerHeaders = { 'x-request-id': requestIdOf(request) }
    try {
      const passage = await guard(request, server, headers)
      const outcome = passage.ok ? await handle(passage.caller, context) : passage
      if (!outcome.ok) return refuse(log, request, outcome.refusal, headers)
      return jsonAnswer(outcome.status, outcome.body, headers)
    } catch (error) {
      return refuse(log, request, toGatewayError(error), headers)
    }
  }

/** A request for a partner route that does not exist is counted and authenticated first, as at the others. */
export function unknownRoutes(endpoint: Endpoint) {
  const refuseAll = endpoint(async () => ({ ok: false, refusal: noSuchRoute }))
  return new Elysia({ name: 'partner-unknown' }).all(
    `${partnerPrefix}/*`,
    ({ request, server }) => refuseAll({ request, server }),
    { parse: 'none', detail: { hide: true } },
  )
}
