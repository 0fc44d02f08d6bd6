import { Elysia } from 'elysia'
import { isSameSecret } from '../base/crypto.ts'
import { GatewayError, messageOf } from '../base/errors.ts'
import type { Logger } from '../telemetry/log.ts'
import { refusalAnswer } from './answers.ts'
import { noSuchRoute, toGatewayError } from './errors.ts'
import { pathOf } from './requestLog.ts'

/** The metrics in the form that is read over HTTP. */
export interface MetricsText {
  readonly contentType: string
  text(): Promise<string>
}

const path = '/metrics'
/** A scraper asks every few seconds, and closes idle connections. */
const scraperIdleSeconds = 60

/** `/metrics` beside the API. Without metrics there is no such route. */
export function metricsRoute(metrics: MetricsText | null, token: string | null) {
  const route = new Elysia({ name: 'metrics' })
  if (metrics === null || token === null) return route
  return route.get(path, ({ request }) => answer(request, metrics, token), { detail: { hide: true } })
}

/** @throws GatewayError UNAUTHORIZED when a token is needed and not given */
async function answer(request: Request, metrics: MetricsText, token: string | null): Promise<Response> {
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  if (token !== null && !isSameSecret(given, token)) {
    throw new GatewayError({
      reason: 'UNAUTHORIZED',
      message: 'Send the token of METRICS_TOKEN: Authorization: Bearer …',
    })
  }
  const headers = { 'content-type': metrics.contentType, 'cache-control': 'no-store' }
  return new Response(await metrics.text(), { headers })
}

export interface MetricsListener {
  readonly url: string
  stop(): Promise<void>
}

/**
 * Serves `/metrics`, and nothing else, on this machine alone.
 * @throws Error with a sentence for the operator when it cannot listen on the port
 */
export function startMetricsListener(options: {
  port: number
  metrics: MetricsText
  token: string | null
  log: Logger
}): MetricsListener {
  const { port, metrics, token, log } = options
  const hostname = '127.0.0.1'
  const refused = (error: unknown) => {
    const refusal = toGatewayError(error)
    if (refusal.reason === 'INTERNAL_ERROR') log.error({ err: error }, 'the metrics could not be read')
    return refusalAnswer(refusal, {})
  }
  try {
    const server = Bun.serve({
      hostname,
      port,
      reusePort: false,
      idleTimeout: scraperIdleSeconds,
      development: false,
      fetch: async request => {
        const isKnown = request.method === 'GET' && pathOf(request.url) === path
        return isKnown ? answer(request, metrics, token).catch(refused) : refusalAnswer(noSuchRoute, {})
      },
    })
    return { url: `http://${hostname}:${server.port}${path}`, stop: () => server.stop(true) }
  } catch (cause) {
    throw new Error(`Metrics cannot be served on port ${port}: ${messageOf(cause)}. Set METRICS_PORT to a free one.`, {
      cause,
    })
  }
}
