import { Elysia } from 'elysia'

/** Safe in a log line and in a header, whoever sent it. */
const acceptable = /^[A-Za-z0-9._-]{1,128}$/

/** Every answer carries `X-Request-Id`: the caller's own if it is harmless, else a new one. */
export const requestId = () =>
  new Elysia({ name: 'request-id' }).onRequest(({ request, set }) => {
    const given = request.headers.get('x-request-id')
    set.headers['x-request-id'] = given !== null && acceptable.test(given) ? given : Bun.randomUUIDv7()
  })
