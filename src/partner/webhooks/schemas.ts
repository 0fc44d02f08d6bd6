import { closed, described, Type } from '../../base/schema.ts'
import * as fields from '../../operations/webhookSchemas.ts'

/* The bodies and queries of callers. */

export const newSchema = described('NewWebhook', 'An endpoint that is to be made.', fields.newEndpointFields)
export const changeSchema = described('WebhookChange', 'All that an endpoint is to be.', {
  ...fields.givenFields,
  isOn: Type.Optional(fields.isOn),
})
export const rotationSchema = described('WebhookRotation', 'How the secret changes.', fields.rotationFields)
export const testSchema = described('WebhookTest', 'What is tried.', fields.testFields)
export const replaySchema = described('WebhookReplay', 'Exactly one of the three.', fields.replayFields)
export const deliveriesSchema = closed(fields.deliveriesFields)
