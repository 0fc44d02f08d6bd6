import { closed, Type } from '../../base/schema.ts'
import * as fields from '../../operations/webhookSchemas.ts'
import { webhookFields as given } from '../../operations/webhooks.ts'
import { orNull, shape, wired, wiredQuery } from '../shapes.ts'

/** Of the last deliveries of an endpoint, by which it is judged at a glance. */
export const latelyMax = 20

const { endpointFields, secret, deliveryFields } = fields
export const webhookAnswer = wired('Webhook', endpointFields)
export const webhookChangedAnswer = wired('ChangedWebhook', {
  ...endpointFields,
  hasDroppedHeaders: fields.hasDroppedHeaders,
})
export const webhookSecretAnswer = wired('WebhookWithSecret', { ...endpointFields, secret })
export const rotatedAnswer = wired('RotatedWebhook', { secret, formerUntil: fields.formerUntil })
const listedFields = {
  ...endpointFields,
  lately: Type.Array(fields.deliveryState, { description: 'How its last deliveries stand, the newest event first.' }),
}
export const webhookSeenAnswer = wired('SeenWebhook', {
  ...listedFields,
  capacity: orNull(
    closed({
      medianMs: Type.Integer({ description: 'Within which its answers came.' }),
      perSecond: Type.Integer({ description: 'Events that it can take at most, while it answers so.' }),
    }),
    { description: 'By its last deliveries; null: there was none.' },
  ),
})
export const webhooksAnswer = wired('WebhookList', {
  webhooks: Type.Array(closed(listedFields)),
  eventTypes: Type.Array(closed({ type: Type.String(), meaning: Type.String() })),
})

/**
 * A change names all of it, so that null can say "all" or "none". Headers that are left out stay, unless the address is
 * new.
 */
export const webhookChangeBody = wired('WebhookChange', {
  ...given,
  headers: Type.Optional(given.headers),
  verifyToken: Type.Optional(given.verifyToken),
})
export const newWebhookBody = wired('NewWebhook', fields.newEndpointFields)
export const webhookStateBody = wired('WebhookStateChange', { isOn: fields.isOn })
export const rotationBody = wired('WebhookRotation', fields.rotationFields)
export const testBody = wired('WebhookTest', fields.testFields)
export const replayBody = wired('WebhookReplay', fields.replayFields)
export const replayAnswer = wired('WebhookReplayed', fields.dueFields)

export const testAnswer = wired('WebhookTested', fields.testedFields)
export const deliveriesQuery = wiredQuery(fields.deliveriesFields)
const about = orNull(
  closed({
    messageId: orNull(Type.String(), { description: 'Of the message that was sent; null: it is about none.' }),
    contactId: orNull(Type.String()),
    name: orNull(Type.String(), { description: 'Of the person, else the number or user id; null: not known.' }),
    words: orNull(Type.String(), {
      description: 'The first words of the message, else the name of its template; null: it has none.',
    }),
  }),
  { description: 'Whom it is about; null: no person, or it is not kept any more.' },
)
export const deliveriesAnswer = wired('WebhookDeliveries', {
  deliveries: Type.Array(shape('WebhookDelivery', { ...deliveryFields, about })),
  next: fields.next,
})
export const deliveryAnswer = wired('WebhookDeliveryDetails', {
  ...deliveryFields,
  about,
  event: orNull(Type.Unknown(), {
    description: 'The body, as it would be sent now; null: the event is not kept any more.',
  }),
})
