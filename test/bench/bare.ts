import { Elysia } from 'elysia'
import { announce } from './processes.ts'

/*
 * A bare route that returns the bytes which the gateway returns, and does nothing for them.
 * bun test/bench/bare.ts <BareRoute as JSON>
 */

export interface BareRoute {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly status: number
  readonly contentType: string
  readonly body: string
}

if (import.meta.main) {
  const { method, path, status, contentType, body } = JSON.parse(process.argv[2] ?? '') as BareRoute
  const app = new Elysia().route(
    method,
    path,
    () => new Response(body, { status, headers: { 'content-type': contentType } }),
  )
  app.listen({ hostname: '127.0.0.1', port: 0 })
  announce({ url: `http://127.0.0.1:${app.server?.port}` })
}
