import { Elysia } from 'elysia'
import { numberedId, numberIn } from '../../base/ids.ts'
import { eventNumberOf, replayEvents, testedTypeDefault, testWebhook, webhookOf } from '../../operations/webhooks.ts'
import { exampleEvent } from '../../partner/eventSchema.ts'
import { eventView } from '../../partner/eventView.ts'
import { pageDefault } from '../../reading/steps.ts'
import { deliveryView } from '../../webhooks/view.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { done, found, wrongField } from '../refusals.ts'
import { iso } from '../shapes.ts'
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
  async function eventOf(workspaceId: string, seq: number) {
    const { events } = await read.events({ workspaceId, after: seq - 1, limit: 1 })
    const event = events.find(found => found.seq === seq)
    return event ? eventView(workspaceId, event) : null
  }

  return new Elysia({ name: 'console-webhook-deliveries', prefix: '/workspaces/:workspaceId/webhooks/:webhookId' })
    .use(guard(parts))
    .get(
      '/deliveries',
      async ({ member, params, query: { state, before, limit = pageDefault } }) => {
        const { id: endpointId } = done(await webhookOf(member, params.webhookId))
        const { workspaceId } = member
        const number = before === undefined ? undefined : done(eventNumberOf(workspaceId, before, '/before'))
        // One more than is shown says whether there is a next page.
        const all = await read.deliveries({ endpointId, state, before: number, limit: limit + 1 })
        const shown = all.slice(0, limit)
        const last = shown.at(-1)
        return {
          deliveries: shown.map(delivery => deliveryView(workspaceId, delivery)),
          next: all.length > limit && last ? numberedId('evt', workspaceId, last.seq) : null,
        }
      },
      {
        role: 'viewer',
        query: deliveriesQuery,
        response: deliveriesAnswer,
        summary: "List a webhook's deliveries",
        description: 'The newest event first. An event that was not tried yet has none.',
      },
    )
    .get(
      '/deliveries/:eventId',
      async ({ member, params }) => {
        const { id: endpointId } = done(await webhookOf(member, params.webhookId))
        const { workspaceId } = member
        const seq = numberIn('evt', workspaceId, params.eventId)
        const delivery = found(seq === null ? null : await read.delivery({ endpointId, seq }), 'delivery')
        return { ...deliveryView(workspaceId, delivery), event: await eventOf(workspaceId, delivery.seq) }
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
        summary: 'Send a test event',
        description: 'An example, at once and only once, to an endpoint that is on or off. It is stored nowhere.',
      },
    )
    .post(
      '/replay',
      async ({ member, params, body }) => ({
        due: done(await replayEvents(member, parts.webhooks, params.webhookId, replayedOf(body))).due,
      }),
      {
        role: 'admin',
        body: replayBody,
        response: replayAnswer,
        summary: 'Deliver events again',
        description:
          'One event, what failed since a time, or all since a time: exactly one of the three. A long history takes ' +
          'its time, so that sends go on, and goes on when the caller is gone; a workspace has one such replay at a ' +
          'time (409).',
      },
    )
}

/** @throws GatewayError unless exactly one is named */
function replayedOf(given: { readonly eventId?: string; readonly failedSince?: string; readonly since?: string }) {
  const { eventId = '', failedSince, since } = given
  if (Object.keys(given).length !== 1) throw wrongField('', 'must have one of eventId, failedSince and since')
  if (failedSince !== undefined) return { failedSince: Date.parse(failedSince) }
  return since === undefined ? { eventId } : { since: Date.parse(since) }
}
