import { Elysia } from 'elysia'

/** Safe in a log line and in a header, whoever sent it. */
const acceptable = /^[A-Za-z0-9._-]{1,128}$/

/** Every answer carries `X-Request-Id`: the caller's own if it is harmless, else a new one. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get('x-request-id')
  return given !== null && acceptable.test(given) ? given : crypto.randomUUID()
}

/** Gives one to the answers of the routes that come after it. Refusals and partner endpoints have theirs already. */
export const requestId = () =>
  new Elysia({ name: 'request-id' }).onBeforeHandle({ as: 'global' }, ({ request, set }) => {
    set.headers['x-request-id'] = requestIdOf(request)
  })
