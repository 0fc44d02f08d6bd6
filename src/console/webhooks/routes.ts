import { Elysia } from 'elysia'
import type { WebhookEndpoint } from '../../../db/contract/webhooks.ts'
import { eventTypes } from '../../base/eventTypes.ts'
import { graceMsOf } from '../../operations/fields.ts'
import { operations, whetherOn } from '../../operations/webhookSchemas.ts'
import {
  addWebhook,
  type ChangedWebhook,
  changeWebhook,
  removeWebhook,
  rotateWebhook,
  webhookOf,
} from '../../operations/webhooks.ts'
import { eventKinds } from '../../webhooks/eventSchema.ts'
import { capacityOf } from '../../webhooks/places.ts'
import { webhookView } from '../../webhooks/view.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { done } from '../refusals.ts'
import { isoOrNull } from '../shapes.ts'
import {
  latelyMax,
  newWebhookBody,
  rotatedAnswer,
  rotationBody,
  webhookAnswer,
  webhookChangeBody,
  webhookChangedAnswer,
  webhookSecretAnswer,
  webhookSeenAnswer,
  webhookStateBody,
  webhooksAnswer,
} from './schemas.ts'

/** Where a workspace's events are delivered. */
export function webhookRoutes(parts: ConsoleParts) {
  const { webhooks, store } = parts

  const changed = ({ webhook, hasDroppedHeaders }: ChangedWebhook) => ({
    ...webhookView(webhook),
    hasDroppedHeaders,
  })

  async function seen(webhook: WebhookEndpoint) {
    const last = await store.read.deliveries({ endpointId: webhook.id, limit: latelyMax })
    return { ...webhookView(webhook), lately: last.map(({ state }) => state), capacity: capacityOf(last) }
  }

  return new Elysia({ name: 'console-webhooks', prefix: '/workspaces/:workspaceId/webhooks' })
    .use(guard(parts))
    .get(
      '',
      async ({ member: { workspaceId } }) => {
        const webhooks = await store.read.webhooks(workspaceId)
        // Of all in one read: a workspace may have a hundred, and a page asks every five seconds.
        const states = await store.read.lastStates({ workspaceId, limit: latelyMax })
        return {
          webhooks: webhooks.map(webhook => ({ ...webhookView(webhook), lately: states.get(webhook.id) ?? [] })),
          eventTypes: eventTypes.map(type => ({ type, meaning: eventKinds[type].meaning })),
        }
      },
      { role: 'viewer', response: webhooksAnswer, summary: 'List webhooks', description: 'Oldest first.' },
    )
    .post(
      '',
      async ({ member, body }) => {
        const { webhook, secret } = done(await addWebhook(member, webhooks, member.workspaceId, body))
        return { ...webhookView(webhook), secret }
      },
      {
        role: 'admin',
        body: newWebhookBody,
        response: webhookSecretAnswer,
        ...operations.add,
      },
    )
    .get('/:webhookId', async ({ member, params }) => seen(done(await webhookOf(member, params.webhookId))), {
      role: 'viewer',
      response: webhookSeenAnswer,
      summary: 'Show a webhook',
    })
    .put(
      '/:webhookId',
      async ({ member, params, body }) => changed(done(await changeWebhook(member, webhooks, params.webhookId, body))),
      {
        role: 'admin',
        body: webhookChangeBody,
        response: webhookChangedAnswer,
        summary: 'Change a webhook',
        description: 'All of it; headers that are left out stay as they are, and are dropped where the address is new.',
      },
    )
    .put(
      '/:webhookId/state',
      async ({ member, params, body }) => changed(done(await changeWebhook(member, webhooks, params.webhookId, body))),
      {
        role: 'admin',
        body: webhookStateBody,
        response: webhookChangedAnswer,
        summary: 'Switch a webhook on or off',
        description: whetherOn,
      },
    )
    .post(
      '/:webhookId/rotate',
      async ({ member, params, body }) => {
        const grace = { graceMs: graceMsOf(body) }
        const { secret, formerUntil } = done(await rotateWebhook(member, webhooks, params.webhookId, grace))
        return { secret, formerUntil: isoOrNull(formerUntil) }
      },
      {
        role: 'admin',
        body: rotationBody,
        response: rotatedAnswer,
        summary: "Rotate a webhook's secret",
        description: 'Until the grace has passed, each request has a signature of both.',
      },
    )
    .delete(
      '/:webhookId',
      async ({ member, params }) => webhookView(done(await removeWebhook(member, params.webhookId))),
      {
        role: 'admin',
        response: webhookAnswer,
        ...operations.remove,
      },
    )
}
