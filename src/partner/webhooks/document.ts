import type { DocumentDecoration } from 'elysia'
import { described, type Static, type TSchema, Type } from '../../base/schema.ts'
import * as fields from '../../operations/webhookSchemas.ts'
import { answer, jsonBody, type Parameters, queryParameters } from '../docs/operation.ts'
import * as schemas from './schemas.ts'

/*
 * The operations of endpoints in the API document.
 */

const endpointSchema = described(
  'Webhook',
  'An endpoint: an address to which events are posted.',
  fields.endpointFields,
)
const envelope = <Data extends TSchema>(title: string, description: string, data: Data) =>
  described(title, description, { success: Type.Literal(true), data })

const example: Static<typeof endpointSchema> = {
  id: 'hook_01jd4v7m9xf5ksxj1q5y8p0c3f',
  url: 'https://shop.example.com/hook',
  format: 'events',
  events: ['message.delivered', 'message.received'],
  description: 'The shop',
  workspaceId: 'ws_01jd4v7m9xf5ksxj1q5y8p0c3d',
  lineIds: null,
  hasHeaders: false,
  state: 'works',
  disabledAt: null,
  disabledReason: null,
  failingSince: null,
  deliveredAt: '2026-03-01T09:30:02.000Z',
  failedAt: null,
  createdAt: '2026-02-20T10:15:00.000Z',
}
const exampleSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='
const exampleAttempt = { at: '2026-03-01T09:30:02.000Z', durationMs: 84, status: 200, error: null, answer: 'taken' }
const newExample = { url: example.url, events: example.events, description: example.description }

const parameters: Parameters = [
  {
    name: 'webhookId',
    in: 'path',
    required: true,
    description: 'The endpoint, `hook_…`.',
    schema: { type: 'string' },
    example: example.id,
  },
]
const tags = ['Webhooks']

/** @param value the data of the example */
const answered = (title: string, description: string, data: TSchema, value: unknown) =>
  answer(description, envelope(title, description, data), {
    webhook: { summary: description, value: { success: true, data: value } },
  })

export const details = {
  list: {
    ...{ operationId: 'listWebhooks', summary: 'List webhooks', tags },
    description: 'The endpoints of the workspace, the oldest first; there are at most 100.',
    responses: {
      200: answered(
        'WebhookListAnswer',
        'The endpoints.',
        described('WebhookList', 'The endpoints.', { webhooks: Type.Array(endpointSchema, { description: 'Each.' }) }),
        { webhooks: [example] },
      ),
    },
  },
  add: {
    ...{ ...fields.operations.add, operationId: 'addWebhook', tags },
    requestBody: jsonBody(schemas.newSchema, { shop: { summary: 'Two types of events', value: newExample } }),
    responses: {
      201: answered(
        'NewWebhookAnswer',
        'The endpoint is made.',
        described('WebhookWithSecret', 'An endpoint, this once with its secret.', {
          ...fields.endpointFields,
          secret: fields.secret,
        }),
        { ...example, state: 'untried', deliveredAt: null, secret: exampleSecret },
      ),
    },
  },
  get: {
    ...{ operationId: 'getWebhook', summary: 'Get a webhook', tags, parameters },
    description: 'An endpoint as it is now, without its secret.',
    responses: { 200: answered('WebhookAnswer', 'The endpoint.', endpointSchema, example) },
  },
  change: {
    ...{ operationId: 'changeWebhook', summary: 'Change a webhook', tags, parameters },
    description:
      'All of it: `events` and `lineIds` that are left out mean all. Only `headers` and `isOn` stay as they are when ' +
      'they are left out; a new address drops the headers, unless they are given again.',
    requestBody: jsonBody(schemas.changeSchema, {
      off: { summary: 'Switched off', value: { ...newExample, isOn: false } },
    }),
    responses: {
      200: answered(
        'ChangedWebhookAnswer',
        'The endpoint as it is now.',
        described('ChangedWebhook', 'An endpoint that was changed.', {
          ...fields.endpointFields,
          hasDroppedHeaders: fields.hasDroppedHeaders,
        }),
        {
          ...example,
          state: 'off',
          disabledAt: '2026-03-01T09:31:00.000Z',
          disabledReason: 'switchedOff',
          hasDroppedHeaders: false,
        },
      ),
    },
  },
  remove: {
    ...{ ...fields.operations.remove, operationId: 'removeWebhook', tags, parameters },
    responses: { 200: answered('WebhookAnswer', 'The endpoint.', endpointSchema, example) },
  },
  rotate: {
    ...{ operationId: 'rotateWebhook', summary: "Rotate a webhook's secret", tags, parameters },
    description: 'Until the grace has passed, 24 hours when it is left out, each request has a signature of both.',
    requestBody: {
      ...jsonBody(schemas.rotationSchema, { twoHours: { summary: 'Both for two hours', value: { graceHours: 2 } } }),
      required: false,
    },
    responses: {
      200: answered(
        'RotatedWebhookAnswer',
        'The new secret, shown this once.',
        described('RotatedWebhook', 'A new secret.', { secret: fields.secret, formerUntil: fields.formerUntil }),
        { secret: exampleSecret, formerUntil: '2026-03-02T09:30:00.000Z' },
      ),
    },
  },
  test: {
    ...{ ...fields.operations.test, operationId: 'testWebhook', tags, parameters },
    requestBody: {
      ...jsonBody(schemas.testSchema, { read: { summary: 'One type', value: { type: 'message.read' } } }),
      required: false,
    },
    responses: {
      200: answered(
        'TestedWebhookAnswer',
        'What the receiver answered.',
        described('TestedWebhook', 'An attempt with an example.', fields.testedFields),
        { eventId: 'evt_test01jd4v7m9xf5ksxj1q5y', type: 'message.read', ...exampleAttempt },
      ),
    },
  },
  deliveries: {
    ...{ ...fields.operations.deliveries, operationId: 'listDeliveries', tags },
    parameters: [...parameters, ...queryParameters(schemas.deliveriesSchema)],
    responses: {
      200: answered(
        'DeliveryListAnswer',
        'A page of deliveries.',
        described('DeliveryList', 'A page of deliveries.', {
          deliveries: Type.Array(described('Delivery', 'An event at an endpoint.', fields.deliveryFields), {
            description: 'The newest event first.',
          }),
          next: fields.next,
        }),
        {
          deliveries: [
            {
              ...{ eventId: 'evt_0000000005xj1q5y8p0c3dabcd', type: 'message.delivered', state: 'delivered' },
              ...{ attemptCount: 1, attempts: [{ ...exampleAttempt, answer: null }], nextAt: null },
            },
          ],
          next: null,
        },
      ),
    },
  },
  replay: {
    ...{ ...fields.operations.replay, operationId: 'replayEvents', tags, parameters },
    requestBody: jsonBody(schemas.replaySchema, {
      failed: { summary: 'What failed since a time', value: { failedSince: '2026-03-01T00:00:00.000Z' } },
    }),
    responses: {
      200: answered('ReplayAnswer', 'They are due now.', described('Replay', 'A replay.', fields.dueFields), {
        due: 12,
      }),
    },
  },
} satisfies Record<string, DocumentDecoration>
