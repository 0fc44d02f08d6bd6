/**
 * The types of events that a workspace's callers can read (docs/partner-api.md#events). One type has one shape for
 * ever: what no longer fits it gets another type.
 */
export const eventTypes = [
  'message.queued',
  'message.sent',
  'message.delivered',
  'message.read',
  'message.failed',
  'message.unknown',
  'message.received',
  'contact.updated',
  'contact.preference_changed',
  'template.updated',
  'template.quality_changed',
  'channel.alert',
  'webhook.disabled',
] as const

export type EventType = (typeof eventTypes)[number]

/** Recorded only where an endpoint names it: most callers have just sent the message, and know it. */
export const askedType: EventType = 'message.queued'
