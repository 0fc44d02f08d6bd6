import type { WebhookEndpoint } from '../../db/contract/webhooks.ts'
import { createVault } from '../../src/base/crypto.ts'
import { newId } from '../../src/base/ids.ts'
import { newSecrets, sealHeaders, sealSecrets, type WebhookSecret } from '../../src/webhooks/secrets.ts'
import type { ManualClock } from '../clock.ts'
import { eventually } from '../eventually.ts'
import { startTestGateway, type TestGateway } from '../gateway.ts'

const secretKey = 'the-key-of-these-tests-0123456789abcdef'
const vault = createVault(secretKey)

/** What such a gateway is started with: it may deliver to this machine. */
export const webhookEnv = { SECRET_KEY: secretKey, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }

type WebhookFields = Partial<WebhookEndpoint> & { readonly url: string }
interface Sealed {
  readonly secrets?: readonly WebhookSecret[]
  readonly headers?: Record<string, string>
}

/** @returns the id of an endpoint that is on */
export async function addWebhook(
  { gateway: { store }, workspaceId }: TestGateway,
  fields: WebhookFields,
  { secrets = newSecrets(), headers = {} }: Sealed = {},
): Promise<string> {
  const id = newId('hook')
  const sealed = { sealedSecrets: sealSecrets(vault, id, secrets), sealedHeaders: sealHeaders(vault, id, headers) }
  const usual = { id, workspaceId, description: null, types: null, lineIds: null, createdAt: store.clock.now() }
  const format = 'events'
  const added = await store.write.addWebhook({ ...usual, format, ...fields, ...sealed })
  if (added.outcome !== 'added') throw new Error(`the webhook was not added: ${added.outcome}`)
  return id
}

/** A gateway whose webhooks a test follows. */
export interface Delivering extends TestGateway {
  readonly clock: ManualClock
  /** As below. */
  addWebhook(fields: WebhookFields, sealed?: Sealed): Promise<string>
  webhook(id: string): Promise<WebhookEndpoint>
  /** By a caller. @returns the id of the message */
  message(fields?: object): Promise<string>
  /** Lets time pass in small steps until the check passes. */
  until<Value>(check: () => Value | Promise<Value>): Promise<Value>
  /** Lets that much time pass, with all that happens in it. */
  pass(ms: number): Promise<void>
}

/** Short beside every time that a test looks at, and longer than the waits of the deliverer for more. */
const stepMs = 120
/** Turns of the threads and of sockets, between two steps. */
const turnsMs = 4

/** @param clock moves only when the test moves it */
export async function startDelivering(
  clock: ManualClock,
  options: { dataDir?: string; env?: Record<string, string> } = {},
): Promise<Delivering> {
  const gateway = await startTestGateway({ ...options, clock, env: { ...webhookEnv, ...options.env } })
  const { read } = gateway.gateway.store

  const tests: Omit<Delivering, keyof TestGateway> = {
    clock,
    addWebhook: (fields, sealed) => addWebhook(gateway, fields, sealed),
    async webhook(id) {
      const webhook = await read.webhook(id)
      if (!webhook) throw new Error('the webhook is gone')
      return webhook
    },
    async message(fields = {}) {
      const { json, text } = await gateway.send({ type: 'text', phone: '+4915112345678', content: 'hi', ...fields })
      if (!json?.data) throw new Error(text)
      return json.data.id
    },
    until: check =>
      eventually(() => {
        clock.advance(stepMs)
        return check()
      }),
    async pass(ms) {
      for (let passed = 0; passed < ms; passed += stepMs) {
        clock.advance(stepMs)
        await Bun.sleep(turnsMs)
      }
    },
  }
  return { ...gateway, ...tests }
}

/** As the store gives it, without one. */
export const endpoint = (fields: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  ...{ id: 'hook_1', workspaceId: 'ws_1', url: 'https://receiver.example', description: null },
  ...{ types: null, lineIds: null, sealedSecrets: 's', sealedHeaders: null, disabledAt: null, disabledReason: null },
  ...{ failingSince: null, deliveredAt: null, failedAt: null, position: 0, createdAt: Date.UTC(2026, 0, 1) },
  format: 'events',
  ...fields,
})
