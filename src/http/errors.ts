import { Elysia, NotFoundError, ParseError, ValidationError } from 'elysia'
import { GatewayError, invalid, type Refusal } from '../base/errors.ts'
import { Unavailable } from '../base/unavailable.ts'
import type { Logger } from '../telemetry/log.ts'
import type { AnswerHeaders, RefusalAnswer } from './answers.ts'
import { answerHeaders } from './headers.ts'
import type { Peers } from './peer.ts'
import { pathOf, type RequestLog } from './requestLog.ts'

/** Where programs call, whatever they accept. */
const programPaths = /^\/(?:api|graph|callbacks)(?:\/|$)/

/**
 * Answers the errors of the router and of all routes except the partner endpoints.
 * @param answerLost the page for people whose address does not exist
 */
export const errorHandling = (
  requests: RequestLog,
  peers: Pick<Peers, 'cameByTls'>,
  answerRefusal: RefusalAnswer,
  answerLost: (headers: AnswerHeaders) => Promise<Response>,
) =>
  new Elysia({ name: 'errors' }).onError({ as: 'global' }, ({ error, set, request, server }) => {
    const headers = answerHeaders(peers, request, server)
    const known = set.headers['x-request-id']
    if (known !== undefined) headers['x-request-id'] = String(known)
    const refusal = toGatewayError(error)
    const kind = pathOf(request.url).startsWith('/callbacks/') ? 'callback' : 'stranger'
    requests.refused(request, refusal, { requestId: headers['x-request-id'] }, kind)
    const isLost = error instanceof NotFoundError && !programPaths.test(pathOf(request.url))
    // A program that accepts anything has no use for a page.
    const isPerson = request.headers.get('accept')?.includes('text/html')
    return isLost && isPerson ? answerLost(headers) : answerRefusal(refusal, headers)
  })

/** Answers an error that no handler caught. The request is no longer known here. */
export function lastAnswer(log: Logger, answerRefusal: RefusalAnswer, cause: unknown): Response {
  const requestId = crypto.randomUUID()
  log.error({ requestId, err: cause }, 'a request failed, and handling its error failed too')
  return answerRefusal(toGatewayError(cause), { 'x-request-id': requestId })
}

/**
 * Shows nothing internal: that goes to the log. Decides by class and never by `code`, because any error can have a
 * `code` like one of Elysia's.
 */
export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  if (error instanceof NotFoundError) return new GatewayError(noSuchRoute)
  // The router wraps what is thrown while a body is read.
  if (error instanceof ParseError && error.cause instanceof GatewayError) return error.cause
  // An answer that does not match its own schema is a fault of ours.
  if (error instanceof ValidationError && error.type !== 'response') return new GatewayError(invalid(issuesOf(error)))
  if (error instanceof Unavailable) return new GatewayError(storeUnavailable, { cause: error })
  return new GatewayError(
    { reason: 'INTERNAL_ERROR', message: 'Unexpected error on our side. Give the X-Request-Id when you report it.' },
    { cause: error },
  )
}

/** A database server that restarts is back within seconds. */
const storeUnavailable: Refusal = {
  reason: 'SERVICE_UNAVAILABLE',
  message: 'The database cannot be used at the moment. Try again after Retry-After seconds.',
  retryAfterMs: 5_000,
}

export const noSuchRoute: Refusal = { reason: 'NOT_FOUND', message: 'No such route.' }

/** Only path and message: an entry also has the value, with all that the caller sent. */
const issuesOf = ({ all }: ValidationError) =>
  all.map(issue => ({
    path: 'path' in issue && issue.path !== 'root' ? String(issue.path) : '',
    message: 'message' in issue ? String(issue.message) : 'is malformed',
  }))
