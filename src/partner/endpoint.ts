import { Elysia } from 'elysia'
import type { Refusal } from '../errors.ts'
import { answerHeaders } from '../http/answerHeaders.ts'
import { noSuchRoute, toGatewayError } from '../http/errors.ts'
import type { FileAnswer } from '../http/fileAnswer.ts'
import type { Guard, Passage } from '../http/guard.ts'
import { hasOneHost, severalHosts } from '../http/host.ts'
import { jsonAnswer } from '../http/json.ts'
import type { Caller } from '../http/keys.ts'
import type { PeerLookup, Peers } from '../http/peer.ts'
import type { RefusalAnswer } from '../http/refusalAnswer.ts'
import type { RequestEntry, RequestLog } from '../http/requestLog.ts'
import type { Metrics } from '../telemetry/metrics.ts'

/** The beginning of every path of the partner API (docs/partner-api.md). */
export const partnerPrefix = '/api/v1/public'

/** The part of the router's context that an endpoint uses. */
export interface EndpointContext {
  readonly request: Request
  readonly server: PeerLookup | null
}

export type Outcome =
  | { readonly ok: true; readonly status: number; readonly body: object; readonly messageId?: string }
  | { readonly ok: true; readonly status: number; readonly file: FileAnswer; readonly messageId?: string }
  | {
      readonly ok: false
      readonly refusal: Refusal
      readonly headers?: Readonly<Record<string, string>>
      readonly messageId?: string
    }

/** Makes a route's handler from the work of an endpoint for an authenticated caller. */
export type Endpoint = <Context extends EndpointContext>(
  handle: (caller: Caller, context: Context) => Promise<Outcome>,
) => (context: Context) => Promise<Response>

export interface EndpointParts {
  readonly guard: Guard
  readonly requests: RequestLog
  readonly peers: Peers
  readonly metrics: Metrics
  readonly answerRefusal: RefusalAnswer
}

const twoHosts: Passage = { ok: false, isFirst: true, refusal: severalHosts }

/**
 * Authenticates, answers and logs around each handler. Not a hook before the router: a hook would have to decide by the
 * path what it guards, and adds a fifth to the time of a refusal. This way no spelling of a path reaches an endpoint
 * without a key.
 */
export const createEndpoint =
  ({ guard, requests, peers, metrics, answerRefusal }: EndpointParts): Endpoint =>
  handle =>
  async context => {
    const { request, server } = context
    const startedAt = requests.startedAt()
    const headers = answerHeaders(peers, request, server)
    const requestId = headers['x-request-id']
    let entry: RequestEntry = { requestId, startedAt }
    try {
      const passage = hasOneHost(request) ? await guard(request, server, headers) : twoHosts
      if (!passage.ok) {
        const { refusal, isFirst } = passage
        metrics.requests.add(refusal.reason)
        if (refusal.reason === 'RATE_LIMIT_EXCEEDED') requests.limited(request, refusal, entry, isFirst)
        else requests.refused(request, refusal, entry, 'stranger')
        return answerRefusal(refusal, headers)
      }
      entry = { requestId, startedAt, keyId: passage.caller.keyId }
      const outcome = await handle(passage.caller, context)
      const told = { ...entry, messageId: outcome.messageId }
      if (!outcome.ok) {
        metrics.requests.add(outcome.refusal.reason)
        requests.refused(request, outcome.refusal, told, 'caller')
        return answerRefusal(outcome.refusal, { ...headers, ...outcome.headers })
      }
      metrics.requests.add('ok')
      requests.answered(request, outcome.status, told)
      if ('body' in outcome) return jsonAnswer(outcome.status, outcome.body, headers)
      const { content, headers: described } = outcome.file
      return new Response(content, { status: outcome.status, headers: { ...headers, ...described } })
    } catch (error) {
      const refusal = toGatewayError(error)
      metrics.requests.add(refusal.reason)
      requests.refused(request, refusal, entry, 'caller')
      return answerRefusal(refusal, headers)
    }
  }

/** An unknown partner route counts the request and checks the key first, like the others. */
export function unknownRoutes(endpoint: Endpoint) {
  const refuseAll = endpoint(async () => ({ ok: false, refusal: noSuchRoute }))
  return new Elysia({ name: 'partner-unknown' }).all(
    `${partnerPrefix}/*`,
    ({ request, server }) => refuseAll({ request, server }),
    { parse: 'none', detail: { hide: true } },
  )
}
