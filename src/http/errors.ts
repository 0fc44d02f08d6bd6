import { Elysia, NotFoundError } from 'elysia'
import { GatewayError, type Refusal } from '../errors.ts'
import type { Logger } from '../log.ts'
import { answerHeaders } from './answerHeaders.ts'
import { refusalAnswer } from './json.ts'
import type { Peers } from './peer.ts'
import { pathOf, type RequestLog } from './requestLog.ts'

/** Answers whatever the router and the routes that are no partner endpoints throw. */
export const errors = (requests: RequestLog, peers: Pick<Peers, 'cameByTls'>) =>
  new Elysia({ name: 'errors' }).onError({ as: 'global' }, ({ error, set, request, server }) => {
    const headers = answerHeaders(peers, request, server)
    const known = set.headers['x-request-id']
    if (known !== undefined) headers['x-request-id'] = String(known)
    const refusal = toGatewayError(error)
    const kind = pathOf(request.url).startsWith('/callbacks/') ? 'callback' : 'stranger'
    requests.refused(request, refusal, { requestId: headers['x-request-id'] }, kind)
    return refusalAnswer(refusal, headers)
  })

/** Answers what is thrown past every handler, where the request is not known any more. */
export function lastAnswer(log: Logger, cause: unknown): Response {
  const requestId = crypto.randomUUID()
  log.error({ requestId, err: cause }, 'a request failed, and its error could not be handled')
  return refusalAnswer(toGatewayError(cause), { 'x-request-id': requestId })
}

/**
 * Nothing internal leaves: the log has it. Branches by class and never by `code`: any error with a `code` of its own
 * could pose as one of Elysia's.
 */
export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  if (error instanceof NotFoundError) return new GatewayError(noSuchRoute)
  return new GatewayError(
    { reason: 'INTERNAL_ERROR', message: 'Unexpected error on our side. Give the X-Request-Id when you report it.' },
    { cause: error },
  )
}

export const noSuchRoute: Refusal = { reason: 'NOT_FOUND', message: 'No such route.' }
