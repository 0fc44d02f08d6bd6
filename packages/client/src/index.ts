export type { EventPage, InboundPage, MessagePage } from './answers.ts'
export {
  type CallOptions,
  type ClientOptions,
  type EventFilter,
  type InboundFilter,
  type InboundOptions,
  type MessageFilter,
  type Settings,
  type StatusOptions,
  type TemplateFilter,
  WaypostClient,
} from './client.ts'
export type { Credentials } from './credentials.ts'
export {
  GatewayRefusal,
  MessageFailed,
  NoAnswer,
  WaitTimeout,
  WebhookNotVerified,
  type WebhookProblem,
} from './errors.ts'
export type { Attempt, AttemptEnd, Hooks } from './hooks.ts'
export type { ByteRange, MediaFile } from './media.ts'
export type { Surroundings } from './transport.ts'
export type {
  Contact,
  ContactFilter,
  ContactsSend,
  Event,
  ExampleValues,
  FileSend,
  InboundMessage,
  InteractiveSend,
  Line,
  LocationSend,
  Message,
  MessageCheck,
  ReactionSend,
  ReadMark,
  SendBody,
  Template,
  TemplateSend,
  TextSend,
  UploadedMedia,
} from './types.ts'
export type { FinalMessage, ReachedMessage, WaitedStatus, WaitOptions } from './wait.ts'
export { verifyWebhook, type WebhookHeaders } from './webhook.ts'
