import { type EventType, eventTypes, type PaymentStatus, paymentStatuses } from '../base/eventTypes.ts'
import { type TObject, type TProperties, type TSchema, Type } from '../base/schema.ts'
import { exampleInbound, inboundSchema, usernameMeaning } from '../inbound/inboundSchema.ts'
import { wishSourceSchema } from '../inbound/preferences.ts'
import type { BatchState } from '../message/batches.ts'
import { platformSource } from '../message/optOut.ts'
import { exampleMessage, examplePricing, messageSchema } from '../sending/messageSchema.ts'
import { batchData } from './batchData.ts'
import { examplePayment } from './platformExamples.ts'

const nullable = (schema: TSchema, description: string) => Type.Union([schema, Type.Null()], { description })
const part = (title: string, description: string, properties: TProperties) =>
  Type.Object(properties, { additionalProperties: false, title, description })

const contactSchema = part('EventContact', 'A contact of the workspace, as it was at the event.', {
  id: Type.String({ description: '`contact_…`' }),
  phone: nullable(Type.String(), '`+` and digits. Null for a user who is known by the user id alone.'),
  userId: nullable(Type.String(), "The upstream platform's id of the user for this business."),
  name: nullable(Type.String(), 'As the user or your side named it last.'),
  username: nullable(Type.String(), usernameMeaning),
})

const templateSchema = part('EventTemplate', 'A template, as it was at the event.', {
  id: Type.String({ description: '`tpl_…`' }),
  name: Type.String(),
  language: Type.String(),
  category: Type.String({ examples: ['UTILITY'] }),
  status: Type.String({ description: 'Only `APPROVED` can be sent.', examples: ['APPROVED'] }),
})

const channelSchema = part('EventChannel', 'A connected account.', { id: Type.String({ description: '`chan_…`' }) })

const lineSchema = part('EventLine', 'A line, as it was at the event.', {
  id: Type.String({ description: '`line_…`' }),
  number: Type.String({ description: '`+` and digits.' }),
})

const alertSchema = part('EventAlert', 'What the upstream platform said.', {
  kind: Type.String({
    description: 'Its field, with its event where it has one.',
    examples: ['account_update DISABLED_UPDATE'],
  }),
  detail: Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        'As it came; of a long one `cut`, its beginning. Empty where this service has no place for it: it may be ' +
        'about people.',
    },
  ),
})

const paymentSchema = part('EventPayment', 'What the upstream platform says of a payment.', {
  status: Type.Enum(paymentStatuses),
  referenceId: nullable(Type.String(), 'That of the order, as your side gave it.'),
  amount: nullable(
    Type.Object({}, { additionalProperties: true }),
    'As it came: `value` divided by `offset` is the amount in its currency.',
  ),
  currency: nullable(Type.String(), 'As `INR`.'),
  detail: Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'Its `payment` as it came, with the `transaction`, but without who pays; of a long one `cut`.',
    },
  ),
})

const dataOf = {
  message: Type.Object({ message: messageSchema }, { additionalProperties: false }),
  inbound: Type.Object({ inbound: inboundSchema }, { additionalProperties: false }),
  payment: Type.Object(
    {
      channel: channelSchema,
      line: Type.Union([lineSchema, Type.Null()]),
      // The message that asked for it. Left out where none here is known to have.
      message: Type.Optional(messageSchema),
      payment: paymentSchema,
    },
    { additionalProperties: false },
  ),
  contact: Type.Object(
    {
      contact: contactSchema,
      changed: Type.Array(Type.String(), { description: 'Which of `phone`, `userId`, `name`, `username` changed.' }),
    },
    { additionalProperties: false },
  ),
  preference: Type.Object(
    {
      contact: contactSchema,
      preference: part('EventPreference', 'What the user wishes.', {
        category: nullable(Type.String(), 'Of messages; so far `marketing_messages`.'),
        value: nullable(Type.String(), '`stop` or `resume`.'),
        detail: nullable(Type.String(), "The upstream platform's sentence about it."),
        source: wishSourceSchema,
      }),
    },
    { additionalProperties: false },
  ),
  template: Type.Object(
    {
      channel: channelSchema,
      template: templateSchema,
      previous: part('EventTemplateState', 'What it was before.', { status: Type.String(), category: Type.String() }),
      reason: nullable(Type.String(), "Why, in the upstream platform's word, as `INVALID_FORMAT`. Null: it gave none."),
      recommendation: nullable(
        Type.String(),
        'Its sentence: what to do, or what happened. It comes with callbacks alone.',
      ),
    },
    { additionalProperties: false },
  ),
  quality: Type.Object(
    {
      template: templateSchema,
      quality: part('EventQuality', "The upstream platform's words: `GREEN`, `YELLOW`, `RED`, `UNKNOWN`.", {
        previous: nullable(Type.String(), 'Null when it did not say.'),
        current: nullable(Type.String(), 'Null when it did not say.'),
      }),
    },
    { additionalProperties: false },
  ),
  report: Type.Object(
    // Left out while the listing has not been read since it was made.
    { template: Type.Optional(templateSchema), report: alertSchema },
    { additionalProperties: false },
  ),
  webhook: Type.Object(
    {
      webhook: part('EventWebhook', 'An endpoint that gets events, as it was when it was switched off.', {
        id: Type.String({ description: '`hook_…`' }),
        url: Type.String({ description: 'Without its query, which may be a secret.' }),
        description: nullable(Type.String(), 'As your side wrote it.'),
        reason: Type.Union([Type.Literal('gone'), Type.Literal('failing')], {
          description: '`gone`: it answered 410. `failing`: no attempt has worked for five days.',
        }),
        failingSince: nullable(Type.String({ format: 'date-time' }), 'The first failure after the last success.'),
      }),
    },
    { additionalProperties: false },
  ),
  batch: batchData,
  alert: Type.Object(
    { channel: channelSchema, line: Type.Union([lineSchema, Type.Null()]), alert: alertSchema },
    { additionalProperties: false },
  ),
}

interface EventKind {
  /** The name of its schema. */
  readonly title: string
  readonly meaning: string
  readonly data: TObject
  /** Fields of an example, beside those that all have. */
  readonly example: { readonly timestamp: string; readonly sequence: number | null; readonly data: object }
}

const message = (
  title: string,
  meaning: string,
  example: { sequence: number; timestamp: string; message: Partial<Record<keyof typeof exampleMessage, unknown>> },
): EventKind => ({
  ...{ title, meaning, data: dataOf.message },
  example: {
    timestamp: example.timestamp,
    sequence: example.sequence,
    data: { message: { ...exampleMessage, ...example.message } },
  },
})

const exampleContact = {
  id: 'contact_01jd4v7m9xf5ksxj1q5y8p0c3k',
  phone: '+4915112345678',
  userId: null,
  name: 'Ada Lovelace',
  username: null,
}
const exampleTemplate = {
  id: 'tpl_01jd4v7m9xf5ksxj1q5y8p0c3g',
  name: 'order_confirmation',
  language: 'en_US',
  category: 'UTILITY',
  status: 'PAUSED',
}
const examplePreference = {
  category: 'marketing_messages',
  value: 'stop',
  detail: 'User requested to stop marketing messages',
  source: platformSource,
}
const exampleChannel = { id: 'chan_01jd4v7m9xf5ksxj1q5y8p0c3d' }
const about = (timestamp: string, data: object) => ({ timestamp, sequence: null, data })
const at = '2026-03-01T09:32:00.000Z'

const batchEvent = (
  title: string,
  state: BatchState,
  meaning: string,
  counts: object,
  reason: object | null = null,
): EventKind => {
  const batch = { id: 'batch_01jd4v7m9xf5ksxj1q5y8p0c3n', name: 'Spring news', state }
  const all = { total: 1_000, waiting: 0, messages: 0, failed: 0, skipped: 12, cancelled: 0, ...counts }
  return { title, meaning, data: dataOf.batch, example: about(at, { batch, counts: all, reason }) }
}

const payment = (title: string, status: PaymentStatus, meaning: string): EventKind => {
  const { reference_id: referenceId, amount, currency } = examplePayment
  const line = { id: exampleMessage.lineId, number: '+15550783881' }
  const message = { ...exampleMessage, type: 'interactive' }
  const data = {
    ...{ channel: exampleChannel, line, message },
    payment: { status, referenceId, amount, currency, detail: examplePayment },
  }
  return { title, meaning, data: dataOf.payment, example: { timestamp: at, sequence: 5, data } }
}

const scheduled = {
  ...{ channelMessageId: null, sentAt: null },
  ...{ createdAt: '2026-03-01T08:00:00.000Z', sendAt: '2026-03-01T09:30:00.000Z' },
}

/** Every type of event: its schema, what it means, and an example. */
export const eventKinds: Readonly<Record<EventType, EventKind>> = {
  'message.scheduled': message('MessageScheduledEvent', 'It waits for its time; again when it was moved to another.', {
    ...{ sequence: 1, timestamp: '2026-03-01T08:00:00.000Z' },
    message: { ...scheduled, status: 'SCHEDULED' },
  }),
  'message.released': message('MessageReleasedEvent', 'Its time has come: it waits for its turn.', {
    ...{ sequence: 2, timestamp: '2026-03-01T09:30:00.120Z' },
    message: { ...scheduled, status: 'QUEUED' },
  }),
  'message.cancelled': message('MessageCancelledEvent', 'It was taken back before its time.', {
    ...{ sequence: 2, timestamp: '2026-03-01T08:30:00.000Z' },
    message: { ...scheduled, status: 'CANCELLED' },
  }),
  'message.queued': message('MessageQueuedEvent', 'It was accepted. Recorded only while a webhook names this type.', {
    ...{ sequence: 1, timestamp: '2026-03-01T09:30:00.000Z' },
    message: { status: 'QUEUED', channelMessageId: null, sentAt: null },
  }),
  'message.sent': message('MessageSentEvent', 'The upstream platform took the message.', {
    ...{ sequence: 2, timestamp: '2026-03-01T09:30:00.412Z', message: {} },
  }),
  'message.delivered': message('MessageDeliveredEvent', 'It is on the device.', {
    ...{ sequence: 3, timestamp: '2026-03-01T09:30:02.000Z' },
    message: { status: 'DELIVERED', deliveredAt: '2026-03-01T09:30:02.000Z', pricing: examplePricing },
  }),
  'message.read': message('MessageReadEvent', 'The user opened it.', {
    ...{ sequence: 4, timestamp: '2026-03-01T09:31:15.000Z' },
    message: { status: 'READ', deliveredAt: '2026-03-01T09:30:02.000Z', readAt: '2026-03-01T09:31:15.000Z' },
  }),
  'message.failed': message('MessageFailedEvent', 'It was refused, or failed later: see `failureReason`.', {
    ...{ sequence: 3, timestamp: '2026-03-01T09:30:05.000Z' },
    message: { status: 'FAILED', failureReason: '131026: Message undeliverable' },
  }),
  'message.unknown': message('MessageUnknownEvent', 'It was handed over and the answer was lost. It is never resent.', {
    ...{ sequence: 2, timestamp: '2026-03-01T09:30:20.000Z' },
    message: { status: 'UNKNOWN', channelMessageId: null, sentAt: null },
  }),
  'message.received': {
    title: 'MessageReceivedEvent',
    meaning: 'A user wrote, pressed a button or answered a form.',
    data: dataOf.inbound,
    example: about(at, { inbound: exampleInbound }),
  },
  'payment.pending': payment('PaymentPendingEvent', 'pending', 'The user tried to pay, and the outcome is open.'),
  'payment.captured': payment('PaymentCapturedEvent', 'captured', 'The payment succeeded.'),
  'payment.failed': payment('PaymentFailedEvent', 'failed', 'The payment failed. The message did not.'),
  'contact.updated': {
    title: 'ContactUpdatedEvent',
    meaning: 'The number, the user id or the name of a contact is another one.',
    data: dataOf.contact,
    example: about(at, { contact: exampleContact, changed: ['name'] }),
  },
  'contact.preference_changed': {
    title: 'ContactPreferenceChangedEvent',
    meaning: 'A user wants no marketing messages any more, or wants them again: see its `source`.',
    data: dataOf.preference,
    example: about(at, { contact: exampleContact, preference: examplePreference }),
  },
  'template.updated': {
    title: 'TemplateUpdatedEvent',
    meaning: 'The status or the category of a template is another one.',
    data: dataOf.template,
    example: about(at, {
      ...{ channel: exampleChannel, template: exampleTemplate },
      previous: { status: 'APPROVED', category: 'UTILITY' },
      ...{ reason: 'INCORRECT_CATEGORY', recommendation: 'Choose the category marketing, and send it again.' },
    }),
  },
  'template.quality_changed': {
    title: 'TemplateQualityChangedEvent',
    meaning: 'The upstream platform rates a template otherwise.',
    data: dataOf.quality,
    example: about(at, {
      ...{ template: { ...exampleTemplate, status: 'APPROVED' }, quality: { previous: 'GREEN', current: 'YELLOW' } },
    }),
  },
  'template.reported': {
    title: 'TemplateReportedEvent',
    meaning:
      'The upstream platform says something of a template, also what was known: it was approved, paused, flagged. ' +
      'Recorded only while a webhook names this type.',
    data: dataOf.report,
    example: about(at, {
      template: { ...exampleTemplate, status: 'APPROVED' },
      report: { kind: 'message_template_status_update', detail: { event: 'FLAGGED' } },
    }),
  },
  'channel.alert': {
    title: 'ChannelAlertEvent',
    meaning:
      'The upstream platform says something of the account or of a line: a restriction, a limit, a review; or ' +
      'something that this service has no place for: a call, a chat that its own agent answers.',
    data: dataOf.alert,
    example: about(at, {
      ...{ channel: exampleChannel, line: null },
      alert: { kind: 'account_update DISABLED_UPDATE', detail: { event: 'DISABLED_UPDATE' } },
    }),
  },
  'webhook.disabled': {
    title: 'WebhookDisabledEvent',
    meaning:
      'An endpoint gets nothing any more until somebody switches it on: it answered 410, or failed for five days.',
    data: dataOf.webhook,
    example: about(at, {
      webhook: {
        id: 'hook_01jd4v7m9xf5ksxj1q5y8p0c3m',
        url: 'https://example.com/waypost',
        description: 'Order desk',
        reason: 'failing',
        failingSince: '2026-02-24T09:31:12.000Z',
      },
    }),
  },
  'batch.started': batchEvent('BatchStartedEvent', 'running', 'Its items become messages from now on.', {
    waiting: 988,
  }),
  'batch.paused': batchEvent(
    'BatchPausedEvent',
    'paused',
    'No further item becomes a message until somebody resumes it: it was paused, or paused itself and says why.',
    { waiting: 640, messages: 348 },
    { code: 'template', message: 'The template order_confirmation is paused by the upstream platform.' },
  ),
  'batch.done': batchEvent(
    'BatchDoneEvent',
    'done',
    'Nothing of it waits any more: all became messages, or it was cancelled.',
    {
      messages: 988,
    },
  ),
}

/** The schema of one type of event. */
export const schemaOf = (type: EventType) => {
  const { title, meaning, data } = eventKinds[type]
  return part(title, meaning, {
    id: Type.String({ description: '`evt_…`. Ids of a workspace sort in the order of the list.' }),
    type: Type.Literal(type),
    timestamp: Type.String({
      format: 'date-time',
      description: "The event's own time, which may lie before that of an earlier one.",
    }),
    sequence: nullable(
      Type.Integer(),
      'Counts the events of one message; its acceptance is 1. Null when the event is about no message that was sent.',
    ),
    data,
  })
}

/** Any event. */
export const eventSchema = Type.Union(eventTypes.map(schemaOf), {
  title: 'Event',
  description: 'One thing that happened. Types may be added: ignore those that you do not know.',
})

/** An event of the API document. */
export const exampleEvent = (type: EventType) => ({
  id: 'evt_0000000005xj1q5y8p0c3dabcd',
  type,
  ...eventKinds[type].example,
})
