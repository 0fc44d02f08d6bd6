import { Elysia } from 'elysia'
import type { WebhookEndpoint } from '../../../db/webhooks.ts'
import { GatewayError, type Issue, invalid } from '../../errors.ts'
import { eventTypes } from '../../events.ts'
import { eventKinds } from '../../partner/eventSchema.ts'
import { hourMs } from '../../time/durations.ts'
import { addWebhook, changeWebhook, rotateWebhook, tooManyWebhooks } from '../../webhooks/endpoints.ts'
import { webhookView } from '../../webhooks/view.ts'
import { guard, type MemberCaller } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { conflict, found, ownOf, unknown } from '../refusals.ts'
import { graceHoursDefault, isoOrNull } from '../shapes.ts'
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

const noun = 'webhook'
export const secretLost = 'Its secret is lost, so nothing could be signed. Rotate the secret first.'

/** The endpoint of the path, of the caller's workspace. @throws GatewayError NOT_FOUND */
export const webhookOf = async ({ store }: ConsoleParts, member: MemberCaller, webhookId: string) =>
  ownOf(member, await store.read.webhook(webhookId), noun)

/** Where a workspace's events are delivered. */
export function webhookRoutes(parts: ConsoleParts) {
  const { clock, webhooks, store } = parts

  /** @throws GatewayError for what was wrong */
  async function change({ write }: MemberCaller, webhookId: string, to: Parameters<typeof changeWebhook>[2]) {
    const changed = await changeWebhook(webhooks, write, to, { webhookId, at: clock.now() })
    switch (changed.outcome) {
      case 'changed':
        return { ...webhookView(changed.webhook), hasDroppedHeaders: changed.hasDroppedHeaders }
      case 'invalid':
        throw refused(changed.issues)
      case 'unknownWebhook':
        throw unknown(noun)
      case 'secretLost':
        throw conflict(secretLost)
    }
  }

  async function seen(webhook: WebhookEndpoint) {
    const last = await store.read.deliveries({ endpointId: webhook.id, limit: latelyMax })
    return { ...webhookView(webhook), lately: last.map(({ state }) => state) }
  }

  return new Elysia({ name: 'console-webhooks', prefix: '/workspaces/:workspaceId/webhooks' })
    .use(guard(parts))
    .get(
      '',
      async ({ member }) => {
        const shown = []
        // One after the other: a workspace may have a hundred, and sends go on between the turns.
        for (const webhook of await store.read.webhooks(member.workspaceId)) {
          await member.turn()
          shown.push(await seen(webhook))
        }
        return { webhooks: shown, eventTypes: eventTypes.map(type => ({ type, meaning: eventKinds[type].meaning })) }
      },
      { role: 'viewer', response: webhooksAnswer, summary: 'List webhooks', description: 'Oldest first.' },
    )
    .post(
      '',
      async ({ member: { write, workspaceId }, body }) => {
        const { url, description = null, events = null, lineIds = null, headers = {} } = body
        const draft = { url, description, types: events, lineIds, headers }
        const added = await addWebhook(webhooks, write, draft, { workspaceId, at: clock.now() })
        switch (added.outcome) {
          case 'added':
            return { ...webhookView(added.webhook), secret: added.secret }
          case 'invalid':
            throw refused(added.issues)
          case 'unknownWorkspace':
            throw unknown('workspace')
          case 'tooMany':
            throw conflict(tooManyWebhooks)
        }
      },
      {
        role: 'admin',
        body: newWebhookBody,
        response: webhookSecretAnswer,
        summary: 'Add a webhook',
        description: 'The only answer with its secret. Its first event is the next one of the workspace.',
      },
    )
    .get('/:webhookId', async ({ member, params }) => seen(await webhookOf(parts, member, params.webhookId)), {
      role: 'viewer',
      response: webhookSeenAnswer,
      summary: 'Show a webhook',
    })
    .put(
      '/:webhookId',
      async ({ member, params, body: { events: types, ...body } }) => {
        const { id } = await webhookOf(parts, member, params.webhookId)
        return change(member, id, { ...body, types })
      },
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
      async ({ member, params, body: { isOn } }) => {
        const { id } = await webhookOf(parts, member, params.webhookId)
        return change(member, id, { isOn })
      },
      {
        role: 'admin',
        body: webhookStateBody,
        response: webhookChangedAnswer,
        summary: 'Switch a webhook on or off',
        description: 'Off, nothing is delivered. On again, it goes on where it stopped.',
      },
    )
    .post(
      '/:webhookId/rotate',
      async ({ member, params, body: { graceHours = graceHoursDefault } }) => {
        const webhook = await webhookOf(parts, member, params.webhookId)
        const grace = { graceMs: graceHours * hourMs, at: clock.now() }
        const rotated = await rotateWebhook(webhooks, member.write, webhook, grace)
        if (rotated === null) throw conflict('Its secrets were changed at the same moment. Try again.')
        return { secret: rotated.secret, formerUntil: isoOrNull(rotated.formerUntil) }
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
      async ({ member, params }) => {
        const { id } = await webhookOf(parts, member, params.webhookId)
        const removed = await member.write.removeWebhook({ endpointId: id, at: clock.now() })
        return webhookView(found(removed, noun))
      },
      {
        role: 'admin',
        response: webhookAnswer,
        summary: 'Remove a webhook',
        description: 'For good, with its secret and the record of its deliveries.',
      },
    )
}

const refused = (issues: readonly Issue[]) => new GatewayError(invalid(issues))
