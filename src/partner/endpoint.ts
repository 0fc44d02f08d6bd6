import { Elysia } from 'elysia'
import type { Refusal } from '../base/errors.ts'
import { jsonAnswer, type RefusalAnswer, writtenAnswer } from '../http/answers.ts'
import { isSend, noSuchCall, type PartnerCall, partnerPrefix, scopesOf, takesTurn, unknownCall } from '../http/calls.ts'
import { toGatewayError } from '../http/errors.ts'
import type { FileAnswer } from '../http/fileAnswer.ts'
import type { Guard, Passage } from '../http/guard.ts'
import { answerHeaders } from '../http/headers.ts'
import { hasOneHost, severalHosts } from '../http/host.ts'
import type { KeyCaller } from '../http/keys.ts'
import type { PeerLookup, Peers } from '../http/peer.ts'
import type { RequestHead } from '../http/requestHead.ts'
import type { RequestEntry, RequestLog } from '../http/requestLog.ts'
import { beyondScopes } from '../http/scopes.ts'
import { CallReads } from '../reading/callReads.ts'
import { readsOf } from '../reading/keyReads.ts'
import type { Passes } from '../reading/passes.ts'
import type { Turns } from '../reading/turns.ts'
import type { KeptRequests } from '../requests/kept.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { type CallerParts, type PartnerCaller, partnerCaller } from './caller.ts'

/** The part of the router's context that an endpoint uses. Of the request its work sees all but the body. */
export interface EndpointContext {
  readonly request: RequestHead
}

/** What the router hands in. */
export type Routed<Context> = Context & { readonly request: Request; readonly server: PeerLookup | null }

export type Outcome =
  | { readonly ok: true; readonly status: number; readonly body: object; readonly messageId?: string }
  /** Written already, as JSON. */
  | { readonly ok: true; readonly status: number; readonly written: string; readonly messageId?: string }
  | { readonly ok: true; readonly status: number; readonly file: FileAnswer; readonly messageId?: string }
  | {
      readonly ok: false
      readonly refusal: Refusal
      readonly headers?: Readonly<Record<string, string>>
      readonly messageId?: string
    }

/** Makes a route's handler from the work of an endpoint for an authenticated caller. */
export type Endpoint = <Context extends EndpointContext>(
  call: PartnerCall,
  handle: (caller: PartnerCaller, context: Context) => Promise<Outcome>,
) => (context: Routed<Context>) => Promise<Response>

export interface EndpointParts {
  readonly store: CallerParts['store']
  readonly guard: Guard
  readonly requests: RequestLog
  readonly kept: KeptRequests
  readonly turns: Turns
  readonly passes: Passes
  readonly peers: Peers
  readonly metrics: Metrics
  readonly answerRefusal: RefusalAnswer
}

const refused = (refusal: Refusal): Outcome => ({ ok: false, refusal })
const twoHosts: Passage = { ok: false, isFirst: true, caller: null, refusal: severalHosts }

/**
 * Authenticates, answers, logs and keeps the call around each handler. Not a hook before the router: a hook would have
 * to decide by the path what it guards, and adds a fifth to the time of a refusal. This way no spelling of a path
 * reaches an endpoint without a key.
 */
export const createEndpoint =
  ({ store, guard, requests, kept, turns, passes, peers, metrics, answerRefusal }: EndpointParts): Endpoint =>
  (call, handle) =>
  async context => {
    const { request, server } = context
    const startedAt = requests.startedAt()
    const headers = answerHeaders(peers, request, server)
    const requestId = headers['x-request-id']
    let entry: RequestEntry = { requestId, startedAt }
    let caller: KeyCaller | null = null
    try {
      const passage = hasOneHost(request) ? await guard(request, server, headers) : twoHosts
      if (!passage.ok) {
        const { refusal, isFirst } = passage
        metrics.requests.add(refusal.reason)
        if (passage.caller) kept.refused(passage.caller, { call, startedAt, requestId }, refusal)
        if (refusal.reason === 'RATE_LIMIT_EXCEEDED') requests.limited(request, refusal, entry, isFirst)
        else requests.refused(request, refusal, entry, 'stranger')
        return answerRefusal(refusal, headers)
      }
      caller = passage.caller
      entry = { requestId, startedAt, keyId: caller.keyId }
      const forbidden = beyondScopes(caller.scopes, scopesOf(call))
      const reads = new CallReads(readsOf(store.read, caller), turns, caller)
      const { workspaceId } = caller
      const room = async (bytes: number) => {
        if (passes.hasRoom(workspaceId, bytes)) return
        await reads.nextTurn()
        // What the disk and the parser have with it comes behind the turn.
        reads.owes(bytes)
      }
      if (isSend(call)) passes.sends(workspaceId)
      else if (!forbidden && (takesTurn(call) || !passes.take(workspaceId))) await reads.turn()
      const outcome = forbidden
        ? refused(forbidden)
        : await handle(partnerCaller({ store, request, passage, reads, room }), context)
      const { messageId } = outcome
      const told = { ...entry, messageId }
      if (!outcome.ok) {
        metrics.requests.add(outcome.refusal.reason)
        requests.refused(request, outcome.refusal, told, 'caller')
        kept.refused(caller, { call, startedAt, requestId, messageId }, outcome.refusal)
        return answerRefusal(outcome.refusal, { ...headers, ...outcome.headers })
      }
      metrics.requests.add('ok')
      requests.answered(request, outcome.status, told)
      kept.answered(caller, { call, startedAt, requestId, messageId, status: outcome.status })
      if ('body' in outcome) return jsonAnswer(outcome.status, outcome.body, headers)
      if ('written' in outcome) return writtenAnswer(outcome.status, outcome.written, headers)
      const { content, headers: described } = outcome.file
      return new Response(content, { status: outcome.status, headers: { ...headers, ...described } })
    } catch (error) {
      const refusal = toGatewayError(error)
      metrics.requests.add(refusal.reason)
      requests.refused(request, refusal, entry, 'caller')
      if (caller) kept.refused(caller, { call, startedAt, requestId }, refusal)
      return answerRefusal(refusal, headers)
    }
  }

interface RouteContext extends EndpointContext {
  readonly path: string
}

/** An unknown partner route counts the request and checks the key first, like the others. */
export function unknownRoutes(endpoint: Endpoint) {
  const refuseAll = endpoint<RouteContext>(unknownCall, async (_, { request, path }) =>
    refused(noSuchCall(request.method, path.slice(partnerPrefix.length))),
  )
  return new Elysia({ name: 'partner-unknown' }).all(
    `${partnerPrefix}/*`,
    ({ request, server, path }) => refuseAll({ request, server, path }),
    { parse: 'none', detail: { hide: true } },
  )
}
