import { eventTypes } from '../../events.ts'
import { closed, Type, wire } from '../../schema.ts'
import { ownHeadersMax } from '../../webhooks/headers.ts'
import { graceMsMax } from '../../webhooks/secrets.ts'
import { moment, momentOrNull, orNull, shape, textOrNull, wired, wiredQuery } from '../shapes.ts'

/** As long as an address may be (src/webhooks/address.ts). */
const urlLengthMax = 2_048
const descriptionLengthMax = 120
/** A line of each number that a workspace has; more is a mistake. */
const lineIdsMax = 100
const idLengthMax = 100
const hourMs = 3_600_000
/** Deliveries on one page. */
const pageMax = 100
export const pageDefault = 50

const eventType = Type.Enum([...eventTypes])
const url = Type.String({ minLength: 1, maxLength: urlLengthMax, description: 'https, or http in an allowed network.' })
const description = orNull(Type.String({ minLength: 1, maxLength: descriptionLengthMax }))
const events = orNull(Type.Array(eventType, { minItems: 1, maxItems: eventTypes.length }), {
  description: 'The types of events that it gets; null: all.',
})
const lineIds = orNull(Type.Array(Type.String({ maxLength: idLengthMax }), { minItems: 1, maxItems: lineIdsMax }), {
  description: 'Only messages of these lines, and what is about no line; null: of all lines.',
})
const headers = Type.Record(Type.String(), Type.String(), {
  maxProperties: ownHeadersMax,
  description: 'Sent with each request, as `Authorization`. They are sealed, and never read back.',
})

const webhookFields = {
  id: Type.String({ description: '`hook_…`' }),
  url: Type.String(),
  events,
  description: textOrNull,
  workspaceId: Type.String(),
  lineIds,
  hasHeaders: Type.Boolean(),
  state: Type.Enum(['works', 'failing', 'off', 'untried'], {
    description: 'Whether it works: by its last attempt. `untried`: there was none, or none since it was switched on.',
  }),
  disabledAt: momentOrNull,
  disabledReason: orNull(Type.Enum(['switchedOff', 'gone', 'failing', 'secretLost']), {
    description: 'A user did it; it answered 410; it failed for five days; its secrets are lost.',
  }),
  failingSince: orNull(moment, { description: 'Of the first failure since the last success.' }),
  deliveredAt: orNull(moment, { description: 'Of the last success.' }),
  failedAt: orNull(moment, { description: 'Of the last failure.' }),
  createdAt: moment,
}
const secret = Type.String({ description: '`whsec_…`, which signs each request. Shown this once.' })
const webhookSchema = shape('Webhook', webhookFields)
export const webhookAnswer = wire(webhookSchema)
export const webhookSecretAnswer = wired('WebhookWithSecret', { ...webhookFields, secret })
export const rotatedAnswer = wired('RotatedWebhook', {
  ...webhookFields,
  secret,
  formerUntil: orNull(moment, { description: 'Until then the former secret signs too; null: no longer.' }),
})
export const webhooksAnswer = wired('WebhookList', {
  webhooks: Type.Array(webhookSchema),
  eventTypes: Type.Array(closed({ type: Type.String(), meaning: Type.String() }), {
    description: 'What an endpoint can get.',
  }),
})

export const newWebhookBody = wired('NewWebhook', {
  url,
  description: Type.Optional(description),
  events: Type.Optional(events),
  lineIds: Type.Optional(lineIds),
  headers: Type.Optional(headers),
})
/** A change names all of it, so that null can say "all" or "none". Headers that are left out stay as they are. */
export const webhookChangeBody = wired('WebhookChange', {
  url,
  description,
  events,
  lineIds,
  headers: Type.Optional(headers),
})
export const webhookStateBody = wired('WebhookStateChange', {
  isOn: Type.Boolean({ description: 'On again, it goes on where it stopped.' }),
})
export const rotationBody = wired('WebhookRotation', {
  graceHours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: graceMsMax / hourMs,
      description: 'How long the former secret signs beside the new one; 24 when absent.',
    }),
  ),
})
export const testBody = wired('WebhookTest', { type: Type.Optional(eventType) })
export const replayBody = wire(
  closed(
    {
      eventId: Type.Optional(
        Type.String({ maxLength: idLengthMax, description: 'This event, whatever became of it.' }),
      ),
      failedSince: Type.Optional(
        Type.String({
          format: 'date-time',
          description: 'What failed, or waits for another try, of events since then.',
        }),
      ),
      since: Type.Optional(Type.String({ format: 'date-time', description: 'All events since then.' })),
    },
    { minProperties: 1, title: 'WebhookReplay' },
  ),
)
export const replayAnswer = wired('WebhookReplayed', {
  due: Type.Integer({ description: 'How many events are delivered again.' }),
})

const attemptFields = {
  at: moment,
  durationMs: Type.Integer(),
  status: orNull(Type.Integer(), { description: 'HTTP; null: there was no answer.' }),
  error: orNull(Type.String(), { description: 'Why there was no answer.' }),
  answer: orNull(Type.String(), { description: 'The first characters of the answer.' }),
}
const deliveryFields = {
  eventId: Type.String(),
  type: Type.String(),
  state: Type.Enum(['pending', 'delivered', 'failed'], {
    description: '`pending`: an attempt is to come. `failed`: none is made by itself.',
  }),
  attemptCount: Type.Integer({ description: 'All that were ever made.' }),
  attempts: Type.Array(shape('WebhookAttempt', attemptFields), { description: 'The last ones, oldest first.' }),
  nextAt: orNull(moment, { description: 'Of the next attempt; null: none is to come.' }),
}
export const testAnswer = wired('WebhookTested', { eventId: Type.String(), type: Type.String(), ...attemptFields })
export const deliveriesQuery = wiredQuery({
  state: Type.Optional(Type.Enum(['pending', 'delivered', 'failed'])),
  before: Type.Optional(Type.String({ description: 'The `next` of the page before.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: pageMax })),
})
export const deliveriesAnswer = wired('WebhookDeliveries', {
  deliveries: Type.Array(shape('WebhookDelivery', deliveryFields)),
  next: orNull(Type.String(), { description: '`before` of the next page; null at the end.' }),
})
export const deliveryAnswer = wired('WebhookDeliveryDetails', {
  ...deliveryFields,
  event: orNull(Type.Unknown(), {
    description: 'The body, as it would be sent now; null: the event is not kept any more.',
  }),
})
