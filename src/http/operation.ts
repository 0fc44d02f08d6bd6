import { Elysia } from 'elysia'
import { GatewayError } from '../errors.ts'

/** Told to whoever asks while the gateway stops: another one, or this one after its restart, takes over. */
const stoppingRetryMs = 5_000

/** Whether the process lives, and whether it takes work. */
export const operationRoutes = (isStopping: () => boolean) =>
  new Elysia({ name: 'operation' })
    .get('/livez', () => ({ status: 'ok' }), { detail: { hide: true } })
    .get(
      '/readyz',
      () => {
        if (isStopping()) {
          throw new GatewayError({
            reason: 'SERVICE_UNAVAILABLE',
            message: 'The gateway is stopping.',
            retryAfterMs: stoppingRetryMs,
          })
        }
        return { status: 'ready' }
      },
      { detail: { hide: true } },
    )
