import { Elysia } from 'elysia'
import type { WebhookEndpoint } from '../../../db/contract/webhooks.ts'
import { numberIn } from '../../base/ids.ts'
import { operations } from '../../operations/webhookSchemas.ts'
import {
  deliveriesOf,
  replayEvents,
  replayedOf,
  testedTypeDefault,
  testWebhook,
  webhookOf,
} from '../../operations/webhooks.ts'
import { exampleEvent } from '../../webhooks/eventSchema.ts'
import { deliveryView } from '../../webhooks/view.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { done, found } from '../refusals.ts'
import { iso } from '../shapes.ts'
import { aboutEvents } from './about.ts'
import {
  deliveriesAnswer,
  deliveriesQuery,
  deliveryAnswer,
  replayAnswer,
  replayBody,
  testAnswer,
  testBody,
} from './schemas.ts'

/** What became of events at an endpoint, delivering them again, and trying it with an example. */
export function webhookDeliveryRoutes(parts: ConsoleParts) {
  const { read } = parts.store

  /** @returns the event as it would be sent now; null: it is not kept any more */
  async function eventOf(webhook: WebhookEndpoint, seq: number) {
    const { events } = await read.events({ workspaceId: webhook.workspaceId, after: seq - 1, limit: 1 })
    const event = events.find(found => found.seq === seq)
    return event ? parts.webhooks.bodyOf(webhook, event) : null
  }

  return new Elysia({ name: 'console-webhook-deliveries', prefix: '/workspaces/:workspaceId/webhooks/:webhookId' })
    .use(guard(parts))
    .get(
      '/deliveries',
      async ({ member, params, query }) => {
        const { deliveries, next } = done(await deliveriesOf(member, params.webhookId, query))
        const { workspaceId } = member
        const seqs = deliveries.map(({ eventId }) => numberIn('evt', workspaceId, eventId))
        const about = await aboutEvents(
          read,
          workspaceId,
          seqs.filter(seq => seq !== null),
        )
        return {
          deliveries: deliveries.map((delivery, at) => ({ ...delivery, about: about.get(seqs[at] ?? 0) ?? null })),
          next,
        }
      },
      {
        role: 'viewer',
        query: deliveriesQuery,
        response: deliveriesAnswer,
        ...operations.deliveries,
      },
    )
    .get(
      '/deliveries/:eventId',
      async ({ member, params }) => {
        const webhook = done(await webhookOf(member, params.webhookId))
        const { workspaceId } = member
        const seq = numberIn('evt', workspaceId, params.eventId)
        const delivery = found(seq === null ? null : await read.delivery({ endpointId: webhook.id, seq }), 'delivery')
        const about = await aboutEvents(read, workspaceId, [delivery.seq])
        return {
          ...deliveryView(workspaceId, delivery),
          about: about.get(delivery.seq) ?? null,
          event: await eventOf(webhook, delivery.seq),
        }
      },
      { role: 'viewer', response: deliveryAnswer, summary: 'Show a delivery, with what is sent' },
    )
    .post(
      '/test',
      async ({ member, params, body: { type = testedTypeDefault } }) => {
        const sent = done(await testWebhook(member, parts.webhooks, params.webhookId, exampleEvent(type)))
        return { eventId: sent.eventId, type, ...sent.attempt, at: iso(sent.attempt.at) }
      },
      {
        role: 'admin',
        body: testBody,
        response: testAnswer,
        ...operations.test,
      },
    )
    .post(
      '/replay',
      async ({ member, params, body }) => ({
        due: done(await replayEvents(member, parts.webhooks, params.webhookId, done(replayedOf(body)))).due,
      }),
      {
        role: 'admin',
        body: replayBody,
        response: replayAnswer,
        ...operations.replay,
      },
    )
}
