import { closed, Type } from '../../base/schema.ts'
import { graceFields, idField } from '../../operations/fields.ts'
import { eventTypeField, webhookFields as fields } from '../../operations/webhooks.ts'
import { pageMax } from '../../reading/steps.ts'
import { graceMsMax } from '../../webhooks/secrets.ts'
import { moment, momentOrNull, orNull, shape, textOrNull, wired, wiredQuery } from '../shapes.ts'

/** Of the last deliveries of an endpoint, by which it is judged at a glance. */
export const latelyMax = 20

const deliveryState = Type.Enum(['pending', 'delivered', 'failed'], {
  description: '`pending`: an attempt is to come. `failed`: none is made by itself.',
})
const webhookFields = {
  id: Type.String({ description: '`hook_…`' }),
  url: Type.String(),
  events: fields.events,
  description: textOrNull,
  workspaceId: Type.String(),
  lineIds: fields.lineIds,
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
export const webhookAnswer = wired('Webhook', webhookFields)
export const webhookChangedAnswer = wired('ChangedWebhook', {
  ...webhookFields,
  hasDroppedHeaders: Type.Boolean({
    description: 'The address is new, and the headers of the one before were dropped: they were meant for that one.',
  }),
})
export const webhookSecretAnswer = wired('WebhookWithSecret', { ...webhookFields, secret })
export const rotatedAnswer = wired('RotatedWebhook', {
  secret,
  formerUntil: orNull(moment, { description: 'Until then the former secret signs too; null: no longer.' }),
})
const seenFields = {
  ...webhookFields,
  lately: Type.Array(deliveryState, { description: 'How its last deliveries stand, the newest event first.' }),
  capacity: orNull(
    closed({
      medianMs: Type.Integer({ description: 'Within which its answers came.' }),
      perSecond: Type.Integer({ description: 'Events that it can take at most, while it answers so.' }),
    }),
    { description: 'By its last deliveries; null: there was none.' },
  ),
}
export const webhookSeenAnswer = wired('SeenWebhook', seenFields)
export const webhooksAnswer = wired('WebhookList', {
  webhooks: Type.Array(closed(seenFields)),
  eventTypes: Type.Array(closed({ type: Type.String(), meaning: Type.String() })),
})

/**
 * A change names all of it, so that null can say "all" or "none". Headers that are left out stay, unless the address is
 * new.
 */
export const webhookChangeBody = wired('WebhookChange', { ...fields, headers: Type.Optional(fields.headers) })
export const newWebhookBody = wired('NewWebhook', {
  url: fields.url,
  description: Type.Optional(fields.description),
  events: Type.Optional(fields.events),
  lineIds: Type.Optional(fields.lineIds),
  headers: Type.Optional(fields.headers),
})
export const webhookStateBody = wired('WebhookStateChange', { isOn: Type.Boolean() })
export const rotationBody = wired('WebhookRotation', graceFields(graceMsMax))
export const testBody = wired('WebhookTest', { type: Type.Optional(eventTypeField) })
/** `failedSince`: what failed, or waits for another try, of events since then. */
export const replayBody = wired('WebhookReplay', {
  eventId: Type.Optional(idField),
  failedSince: Type.Optional(moment),
  since: Type.Optional(moment),
})
export const replayAnswer = wired('WebhookReplayed', { due: Type.Integer() })

const attemptFields = {
  at: moment,
  durationMs: Type.Integer(),
  status: orNull(Type.Integer(), { description: 'HTTP; null: there was no answer.' }),
  error: orNull(Type.String(), { description: 'Why there was no whole answer; null: there was one.' }),
  answer: orNull(Type.String(), {
    description: 'The first characters of the answer; null also where a first attempt worked.',
  }),
}
const deliveryFields = {
  eventId: Type.String(),
  type: Type.String(),
  state: deliveryState,
  attemptCount: Type.Integer({ description: 'All that were ever made.' }),
  attempts: Type.Array(shape('WebhookAttempt', attemptFields), { description: 'The last ones, oldest first.' }),
  nextAt: orNull(moment, { description: 'Of the next attempt; null: none is to come.' }),
}
export const testAnswer = wired('WebhookTested', { eventId: Type.String(), type: Type.String(), ...attemptFields })
export const deliveriesQuery = wiredQuery({
  state: Type.Optional(deliveryState),
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
