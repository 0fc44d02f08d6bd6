/**
 * The types of events that a workspace's callers can read (docs/partner-api.md#events). One type has one shape for
 * ever: what no longer fits it gets another type.
 */
export const eventTypes = [
  'message.scheduled',
  'message.released',
  'message.cancelled',
  'message.queued',
  'message.sent',
  'message.delivered',
  'message.read',
  'message.failed',
  'message.unknown',
  'message.received',
  'payment.pending',
  'payment.captured',
  'payment.failed',
  'contact.updated',
  'contact.preference_changed',
  'template.updated',
  'template.quality_changed',
  'template.reported',
  'channel.alert',
  'webhook.disabled',
  'batch.started',
  'batch.paused',
  'batch.done',
] as const

export type EventType = (typeof eventTypes)[number]

/**
 * How an endpoint of webhooks is spoken to: with the events of the partner API, or with the callbacks of the upstream
 * platform, for programs that were written for it.
 */
export const webhookFormats = ['events', 'platform'] as const
export type WebhookFormat = (typeof webhookFormats)[number]

/** What becomes of a payment. The message that asked for it keeps its status. */
export const paymentStatuses = ['pending', 'captured', 'failed'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

/** @returns the type of event, which is its entry on the message's timeline too */
export const paymentType = (status: PaymentStatus) => `payment.${status}` as const satisfies EventType
export const paymentTypes = paymentStatuses.map(paymentType)
export type PaymentType = ReturnType<typeof paymentType>
export const isPaymentType = (type: EventType): type is PaymentType => paymentTypes.some(known => known === type)

/** Those of messages. */
export const platformMessageTypes = [
  'message.sent',
  'message.delivered',
  'message.read',
  'message.failed',
  'message.received',
] as const satisfies readonly EventType[]

/**
 * The types whose callback names a line. An endpoint of the platform's format that names no types gets these: some
 * programs break on a callback that names none.
 */
export const platformLineTypes = [...platformMessageTypes, ...paymentTypes] as const satisfies readonly EventType[]

/** The types for which the platform has a callback. Those of no message bring it as it came. */
export const platformTypes = [
  ...platformLineTypes,
  'contact.preference_changed',
  'template.quality_changed',
  'template.reported',
  'channel.alert',
] as const satisfies readonly EventType[]
export type PlatformType = (typeof platformTypes)[number]

export const isPlatformType = (type: EventType): type is PlatformType => platformTypes.some(known => known === type)

/** Most callers have just sent the message, and know it. */
export const queuedType: EventType = 'message.queued'
/** What it changes of a template is told by another type, and in time. */
export const reportedType: EventType = 'template.reported'
/** Recorded only where an endpoint names them. */
export const askedTypes: readonly EventType[] = [queuedType, reportedType]
