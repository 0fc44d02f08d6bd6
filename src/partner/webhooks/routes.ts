import { Elysia } from 'elysia'
import type { Store } from '../../../db/contract/store.ts'
import { invalid } from '../../base/errors.ts'
import { partnerPrefix } from '../../http/calls.ts'
import { Refused } from '../../operations/act.ts'
import { graceMsOf } from '../../operations/fields.ts'
import {
  addWebhook,
  changeWebhook,
  deliveriesOf,
  removeWebhook,
  replayEvents,
  replayedOf,
  rotateWebhook,
  testedTypeDefault,
  testWebhook,
  type WebhookParts,
  webhookOf,
} from '../../operations/webhooks.ts'
import { exampleEvent } from '../../webhooks/eventSchema.ts'
import type { ExampleParts } from '../../webhooks/example.ts'
import type { Replays } from '../../webhooks/replays.ts'
import { webhookView } from '../../webhooks/view.ts'
import { bodyReader } from '../body.ts'
import type { Endpoint, EndpointContext, Outcome } from '../endpoint.ts'
import { strictQuery } from '../query.ts'
import { details } from './document.ts'
import * as schemas from './schemas.ts'

export interface WebhookRouteParts {
  readonly store: Pick<Store, 'clock'>
  readonly webhooks: WebhookParts & ExampleParts & { readonly replays: Replays }
}

const readNew = bodyReader(schemas.newSchema)
const readChange = bodyReader(schemas.changeSchema)
const readRotation = bodyReader(schemas.rotationSchema, { isOptional: true })
const readTest = bodyReader(schemas.testSchema, { isOptional: true })
const readReplay = bodyReader(schemas.replaySchema)
const checkQuery = strictQuery(schemas.deliveriesSchema)

interface WebhookContext extends EndpointContext {
  readonly params: { readonly webhookId: string }
}

const at = `${partnerPrefix}/webhooks`
const iso = (moment: number) => new Date(moment).toISOString()

/** @param data what is answered of an act that was done */
const told = <Done extends object>(
  done: Done | Refused,
  data: (done: Done) => unknown,
  status: 200 | 201 = 200,
): Outcome =>
  done instanceof Refused
    ? { ok: false, refusal: done }
    : { ok: true, status, body: { success: true, data: data(done) } }

/**
 * `/webhooks` (docs/partner-api.md#managing-webhooks): endpoints, by keys that may. The acts are those of the console,
 * and the audit names the key.
 */
export function webhookRoutes({ store, webhooks }: WebhookRouteParts, endpoint: Endpoint) {
  const { clock } = store
  const answers = {
    list: endpoint('GET /webhooks', async ({ actor, workspaceId }) =>
      told({ webhooks: (await actor.read.webhooks(workspaceId)).map(webhookView) }, data => data),
    ),
    add: endpoint('POST /webhooks', async caller => {
      const added = await addWebhook(caller.actor, webhooks, caller.workspaceId, await readNew(caller, clock))
      return told(added, ({ webhook, secret }) => ({ ...webhookView(webhook), secret }), 201)
    }),
    get: endpoint<WebhookContext>('GET /webhooks/:webhookId', async (caller, { params }) =>
      told(await webhookOf(caller.actor, params.webhookId), webhookView),
    ),
    change: endpoint<WebhookContext>('PUT /webhooks/:webhookId', async (caller, { params }) => {
      const whole = { description: null, events: null, lineIds: null, ...(await readChange(caller, clock)) }
      const changed = await changeWebhook(caller.actor, webhooks, params.webhookId, whole)
      return told(changed, ({ webhook, hasDroppedHeaders }) => ({ ...webhookView(webhook), hasDroppedHeaders }))
    }),
    remove: endpoint<WebhookContext>('DELETE /webhooks/:webhookId', async (caller, { params }) =>
      told(await removeWebhook(caller.actor, params.webhookId), webhookView),
    ),
    rotate: endpoint<WebhookContext>('POST /webhooks/:webhookId/rotate', async (caller, { params }) => {
      const grace = { graceMs: graceMsOf(await readRotation(caller, clock)) }
      const rotated = await rotateWebhook(caller.actor, webhooks, params.webhookId, grace)
      return told(rotated, ({ secret, formerUntil }) => ({
        secret,
        formerUntil: formerUntil === null ? null : iso(formerUntil),
      }))
    }),
    test: endpoint<WebhookContext>('POST /webhooks/:webhookId/test', async (caller, { params }) => {
      const { type = testedTypeDefault } = await readTest(caller, clock)
      const tested = await testWebhook(caller.actor, webhooks, params.webhookId, exampleEvent(type))
      return told(tested, ({ eventId, attempt }) => ({ eventId, type, ...attempt, at: iso(attempt.at) }))
    }),
    deliveries: endpoint<WebhookContext>('GET /webhooks/:webhookId/deliveries', async (caller, { request, params }) => {
      const query = checkQuery(request)
      if (!query.ok) return { ok: false, refusal: invalid(query.issues) }
      return told(await deliveriesOf(caller.actor, params.webhookId, query.value), data => data)
    }),
    replay: endpoint<WebhookContext>('POST /webhooks/:webhookId/replay', async (caller, { params }) => {
      const replayed = replayedOf(await readReplay(caller, clock))
      if (replayed instanceof Refused) return { ok: false, refusal: replayed }
      return told(await replayEvents(caller.actor, webhooks, params.webhookId, replayed), ({ due }) => ({ due }))
    }),
  }
  return new Elysia({ name: 'partner-webhooks' })
    .get(at, ({ request, server }) => answers.list({ request, server }), { detail: details.list })
    .post(at, ({ request, server }) => answers.add({ request, server }), { parse: 'none', detail: details.add })
    .get(`${at}/:webhookId`, ({ request, server, params }) => answers.get({ request, server, params }), {
      detail: details.get,
    })
    .put(`${at}/:webhookId`, ({ request, server, params }) => answers.change({ request, server, params }), {
      parse: 'none',
      detail: details.change,
    })
    .delete(`${at}/:webhookId`, ({ request, server, params }) => answers.remove({ request, server, params }), {
      parse: 'none',
      detail: details.remove,
    })
    .post(`${at}/:webhookId/rotate`, ({ request, server, params }) => answers.rotate({ request, server, params }), {
      parse: 'none',
      detail: details.rotate,
    })
    .post(`${at}/:webhookId/test`, ({ request, server, params }) => answers.test({ request, server, params }), {
      parse: 'none',
      detail: details.test,
    })
    .get(
      `${at}/:webhookId/deliveries`,
      ({ request, server, params }) => answers.deliveries({ request, server, params }),
      { detail: details.deliveries },
    )
    .post(`${at}/:webhookId/replay`, ({ request, server, params }) => answers.replay({ request, server, params }), {
      parse: 'none',
      detail: details.replay,
    })
}
