import type { Store } from '../../db/contract/store.ts'
import { field, parseJson, text } from '../base/json.ts'
import { webhookHeaders } from '../base/webhookSignature.ts'
import type { Config } from '../config/config.ts'
import { Refused } from '../operations/act.ts'
import { unlockVault } from '../operations/secretKey.ts'
import { addWebhook } from '../operations/webhooks.ts'
import { webhookParts } from './webhookInputs.ts'

/** An event whose signature was right. */
export interface Received {
  readonly type: string
  /** The event's own time, ISO 8601. */
  readonly timestamp: string
  /** Of the message that it is about; null: it is about none. */
  readonly messageId: string | null
  readonly status: string | null
}

/** The receiver of webhooks that a backend would have, on this machine. */
export interface DemoReceiver {
  readonly url: string
  /**
   * Makes an endpoint that delivers here, in place of that of an earlier run.
   * @param onEvent called for each event; the same one may come twice
   */
  subscribe(parts: SubscriptionParts, onEvent: (event: Received) => void): Promise<void>
  stop(): Promise<void>
}

interface SubscriptionParts {
  readonly store: Store
  readonly config: Config
  readonly workspaceId: string
}

const description = 'the receiver of the demo'

export function startDemoReceiver(): DemoReceiver {
  /** Null: no endpoint delivers here yet. */
  let subscribed: { readonly secret: string; readonly onEvent: (event: Received) => void } | null = null
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const body = await request.text()
      if (subscribed === null || !isSigned(request.headers, body, subscribed.secret))
        return new Response('no signature of the endpoint', { status: 400 })
      subscribed.onEvent(receivedOf(body))
      return new Response(null, { status: 204 })
    },
  })
  const url = `http://127.0.0.1:${server.port}/hook`
  return {
    url,
    async subscribe({ store, config, workspaceId }, onEvent) {
      const at = store.clock.now()
      const former = (await store.read.webhooks(workspaceId)).filter(webhook => webhook.description === description)
      for (const { id } of former) await store.write.removeWebhook({ endpointId: id, at })
      const vault = await unlockVault(store, config)
      const added = await addWebhook(store, webhookParts({ config }, vault), workspaceId, { url, description })
      if (added instanceof Refused) throw new Error(`the receiver cannot be subscribed: ${added.message}`)
      subscribed = { secret: added.secret, onEvent }
    },
    stop: () => server.stop(true),
  }
}

/** A receiver of yours has `verifyWebhook` for that, of the clients or of a library of Standard Webhooks. */
function isSigned(headers: Headers, body: string, secret: string): boolean {
  const id = headers.get('webhook-id') ?? ''
  const seconds = Number(headers.get('webhook-timestamp'))
  const { 'webhook-signature': expected = '' } = webhookHeaders([secret], { id, seconds, body })
  return headers.get('webhook-signature') === expected
}

function receivedOf(body: string): Received {
  const event = parseJson(body)
  const message = field(field(event, 'data'), 'message')
  return {
    type: text(field(event, 'type')) ?? '',
    timestamp: text(field(event, 'timestamp')) ?? '',
    messageId: text(field(message, 'id')),
    status: text(field(message, 'status')),
  }
}
