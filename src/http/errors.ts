import { Elysia, NotFoundError } from 'elysia'
import { GatewayError, type Refusal, statusOf } from '../errors.ts'
import type { Logger } from '../log.ts'
import { type AnswerHeaders, refusalAnswer } from './json.ts'
import { requestIdOf } from './requestId.ts'

/** Answers whatever the router and the routes that are no partner endpoints throw. */
export const errors = (log: Logger) =>
  new Elysia({ name: 'errors' }).onError({ as: 'global' }, ({ error, set, request }) => {
    const known = set.headers['x-request-id']
    const headers = { 'x-request-id': known === undefined ? requestIdOf(request) : String(known) }
    return refuse(log, request, toGatewayError(error), headers)
  })

/**
 * Answers a refusal, and logs it when the fault is not the caller's.
 * @param headers with the request id
 */
export function refuse(log: Logger, { method }: Request, refusal: Refusal, headers: AnswerHeaders): Response {
  const { reason, message } = refusal
  if (statusOf(refusal) >= 500) {
    const entry = { requestId: headers['x-request-id'], method, reason }
    if (reason === 'INTERNAL_ERROR') {
      log.error({ ...entry, err: refusal instanceof Error ? refusal.cause : undefined }, 'a request failed')
    } else log.warn({ ...entry, message }, 'a request could not be served')
  }
  return refusalAnswer(refusal, headers)
}

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
