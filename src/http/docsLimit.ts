import { Elysia } from 'elysia'
import type { Clock } from '../base/clock.ts'
import { callersMax, others } from '../base/countTable.ts'
import { GatewayError } from '../base/errors.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { docsRequestsMax } from './limits.ts'
import type { Peers } from './peer.ts'
import { pathOf } from './requestLog.ts'
import { WindowLimit } from './windowLimit.ts'

/** Limits the requests of one caller to the API reference, which needs no key. Only in memory: a restart resets it. */
export function docsLimit({ peers, clock, metrics }: { peers: Peers; clock: Clock; metrics: Metrics }) {
  const limit = new WindowLimit(clock, { max: docsRequestsMax, subjectsMax: callersMax })
  return new Elysia({ name: 'docs-limit' }).onBeforeHandle({ as: 'global' }, ({ request, server }) => {
    if (!pathOf(request.url).startsWith('/docs')) return
    // The widest network: its owner has all addresses in it.
    const retryAfterMs = limit.count(peers.networksOf(request, server).at(-1) ?? others)
    if (retryAfterMs === null) return
    metrics.rateLimitRefusals.add('docs')
    throw new GatewayError({
      reason: 'RATE_LIMIT_EXCEEDED',
      message: `The limit of ${docsRequestsMax} requests for the API reference per 15 minutes is reached.`,
      retryAfterMs,
    })
  })
}
