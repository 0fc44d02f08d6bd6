import { Elysia, NotFoundError, ParseError, ValidationError } from 'elysia'
import { GatewayError, type Issue, invalid } from '../errors.ts'
import type { Logger } from '../log.ts'

/** Turns whatever was thrown into the contract's envelope. Nothing internal leaves: the log has it. */
export const errors = (log: Logger) =>
  new Elysia({ name: 'errors' }).onError({ as: 'global' }, ({ error, set, request }) => {
    const known = toGatewayError(error)
    if (known.status >= 500) {
      const entry = { requestId: set.headers['x-request-id'], method: request.method, reason: known.reason }
      if (known.reason === 'INTERNAL_ERROR') log.error({ ...entry, err: error }, 'a request failed')
      else log.warn({ ...entry, message: known.message }, 'a request could not be served')
    }
    set.status = known.status
    set.headers['content-type'] = 'application/json; charset=utf-8'
    // RFC 9110 10.2.3: whole seconds, so round up; rounding down invites a second refusal.
    if (known.retryAfterMs !== undefined) set.headers['retry-after'] = String(Math.ceil(known.retryAfterMs / 1000))
    return known.envelope()
  })

/** Branches by class and never by `code`: any error with a `code` of its own could pose as one of Elysia's. */
export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  if (error instanceof NotFoundError) return new GatewayError({ reason: 'NOT_FOUND', message: 'No such route.' })
  if (error instanceof ParseError) {
    if (error.cause instanceof GatewayError) return error.cause
    return new GatewayError(invalid([{ path: '', message: 'is not readable JSON' }]))
  }
  // A response that does not fit its schema is our own defect.
  if (error instanceof ValidationError && error.type !== 'response') return new GatewayError(invalid(issuesOf(error)))
  return new GatewayError(
    { reason: 'INTERNAL_ERROR', message: 'Unexpected error on our side. Give the X-Request-Id when you report it.' },
    { cause: error },
  )
}

/** Path and message only: the entries also carry the whole input. */
function issuesOf(error: ValidationError): Issue[] {
  return error.all.map(entry => {
    const { path, message } = entry as { path?: unknown; message?: unknown }
    return {
      path: typeof path === 'string' && path !== 'root' ? path : '',
      message: typeof message === 'string' ? message : 'is not valid',
    }
  })
}
