import { Elysia } from 'elysia'
import { GatewayError, type Refusal } from '../base/errors.ts'

/** The server joins headers of one name with a comma, which no host name or address contains. */
export const hasOneHost = (request: Request): boolean => !request.headers.get('host')?.includes(',')

/** RFC 9112 3.2: a proxy in front may have used the one, and the server behind it the other. */
export const severalHosts: Refusal = {
  reason: 'VALIDATION_ERROR',
  message: 'The request is malformed. It has more than one Host: send one.',
}

/** Refuses such requests to the routes after it. Partner endpoints check this themselves. */
export const oneHostHook = () =>
  new Elysia({ name: 'one-host' }).onBeforeHandle({ as: 'global' }, ({ request }) => {
    if (!hasOneHost(request)) throw new GatewayError(severalHosts)
  })
