import { Elysia } from 'elysia'
import type { LastUpgrade } from '../../db/migrations.ts'
import { GatewayError } from '../base/errors.ts'
import type { Peers } from './peer.ts'

/** `Retry-After` while the gateway is not ready. */
const retryMs = 5_000

/** Each part by name: `ok`, or a sentence about what is wrong with it. */
export type Readiness = Readonly<Record<string, string>>

export interface OperationParts {
  readonly version: string
  readonly peers: Pick<Peers, 'isLocal'>
  /** Whether the gateway can take and store a send. */
  readonly checkReadiness: () => Promise<Readiness>
  /** What else somebody should look after; null: not known yet. It says nothing of readiness. */
  readonly remarks: () => readonly object[] | null
  /** For callers on this machine; null: there was none within a week, or it cannot be read. */
  readonly upgrade: () => Promise<LastUpgrade | null>
  readonly isStopping: () => boolean
}

/**
 * `/livez`: whether the process answers. It checks nothing else, so that a load balancer may call it as often as it
 * likes. Only callers on this machine see the version, because it shows which weaknesses to attack. `/readyz`: whether
 * the gateway takes work, with each part that it needs; and what else needs attention, which never changes the status.
 */
export const operationRoutes = ({ version, peers, checkReadiness, remarks, upgrade, isStopping }: OperationParts) =>
  new Elysia({ name: 'operation' })
    .get('/livez', ({ request, server }) => ({ status: 'ok', ...(peers.isLocal(request, server) && { version }) }), {
      detail: { hide: true },
    })
    .get(
      '/readyz',
      async ({ request, server }) => {
        if (isStopping()) throw notReady('The gateway is stopping.')
        const parts = await checkReadiness()
        const found = { parts, remarks: remarks() }
        const wrong = Object.keys(parts).filter(name => parts[name] !== 'ok')
        if (wrong.length > 0) throw notReady(`Not ready: ${wrong.join(', ')}.`, found)
        const upgraded = peers.isLocal(request, server) ? await upgrade() : null
        return { status: 'ready', ...found, ...(upgraded && { upgraded }) }
      },
      { detail: { hide: true } },
    )

const notReady = (
  message: string,
  details?: { readonly parts: Readiness; readonly remarks: readonly object[] | null },
) =>
  new GatewayError({
    reason: 'SERVICE_UNAVAILABLE',
    message,
    retryAfterMs: retryMs,
    ...(details && { details }),
  })
