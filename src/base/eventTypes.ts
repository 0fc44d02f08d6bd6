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

/**
 * How an endpoint of webhooks is spoken to: with the events of the partner API, or with the callbacks of the upstream
 * platform, for programs that were written for it.
 */
export const webhookFormats = ['events', 'platform'] as const
export type WebhookFormat = (typeof webhookFormats)[number]

/** The types for which the platform has a callback that names a line. An endpoint of its format gets these. */
export const platformTypes = [
  'message.sent',
  'message.delivered',
  'message.read',
  'message.failed',
  'message.received',
] as const satisfies readonly EventType[]
export type PlatformType = (typeof platformTypes)[number]

/** Recorded only where an endpoint names it: most callers have just sent the message, and know it. */
export const askedType: EventType = 'message.queued'
