import type { EpochMs } from '../../src/base/clock.ts'
import type { Details } from '../../src/base/errors.ts'
import type { PaymentStatus } from '../../src/base/eventTypes.ts'
import type { MessageEvent, MessageRecord, ReportEvent } from '../../src/message/state.ts'
import type { MessageStatus } from '../../src/message/statuses.ts'
import type { CallerField, FieldFilters, messageFields } from '../messageFields.ts'
import type { Row } from '../schema/tables.ts'
import type { InboundFile, NewFile } from './files.ts'

/*
 * What the store keeps, as the domain sees it. Every id is text, every time epoch milliseconds. What is a row of a
 * table is described in `schema/`.
 */

/** A workspace's connection to one upstream account. The secrets are sealed; only the vault opens them. */
export type Channel = Omit<Row<'channels'>, 'removedAt' | 'templateGeneration'>

/** A channel to connect: without an app id, the stored one stays. */
export type NewChannel = Omit<Channel, 'appId'> & { readonly appId?: string | null }

/** The secrets of a channel as they are stored. */
export type SealedChannel = Pick<Channel, 'id' | 'sealedAccessToken' | 'sealedAppSecret' | 'sealedVerifyToken'>

export type Line = Omit<Row<'lines'>, 'seq' | 'removedAt'>

/** What the upstream says of a number. */
type ToldOfNumber = Pick<Line, 'quality' | 'messagingLimit'>

/** A line as it is added: never the default, and without what the upstream has not told. */
export type NewLine = Omit<Line, 'isDefault' | 'directSend' | 'name' | 'label' | keyof ToldOfNumber> &
  Partial<Pick<Line, 'name'> & ToldOfNumber>

/** What the upstream says of a line's number now. */
export type ToldLine = Pick<Line, 'id'> & ToldOfNumber

/** One name in one language. `components` is the upstream's structure as JSON text. */
export type Template = Row<'templates'>

/** A template to store: without a reason unless the upstream gives one. */
export type NewTemplate = Omit<Template, 'rejectedReason'> & { readonly rejectedReason?: string | null }

export type Contact = Omit<
  Row<'contacts'>,
  'phoneToldAt' | 'mergedInto' | 'heardSeq' | 'spokenSeq' | 'readSeq' | 'unreadAt' | 'doneSeq' | 'takenBy'
>

/** The part of a message that events change, with its ids: what an event answers. */
export interface MessageState extends MessageRecord {
  readonly id: string
  readonly workspaceId: string
  readonly status: MessageStatus
}

/** What callers poll for: the state of a message, and what they see of its draft. */
export interface MessageStatusView extends MessageState, Pick<Row<'messages'>, CallerField> {
  readonly lineId: string
}
/** The same but for what is of another table. */
export type StoredView = Omit<MessageStatusView, 'lineId'>

export interface Message extends MessageStatusView, Pick<Row<'messages'>, keyof typeof messageFields> {
  readonly channelId: string
  /** The key that sent it; null when somebody in the console did. */
  readonly apiKeyId: string | null
}

/** What messages are filtered by: each has this name in the console, its address and the commands too. */
export interface MessageFilter extends FieldFilters {
  readonly recipient: string
  readonly line: string
  /** Any of these. */
  readonly status: readonly MessageStatus[]
  /** `withoutOne`: those that no key sent. */
  readonly key: string
  /** Why it failed, as it is counted: `131026`, or a sentence of ours (src/message/counts.ts). */
  readonly cause: string
}

/** Which messages of a workspace. Absent fields do not filter. */
export interface MessageQuery extends Readonly<{ [Field in keyof MessageFilter]?: MessageFilter[Field] | undefined }> {
  readonly workspaceId: string
  readonly since?: EpochMs | undefined
  /** Exclusive. */
  readonly until?: EpochMs | undefined
  /** The id of the last message of the previous page. */
  readonly after?: string | undefined
  readonly limit: number
}

/** One entry of a message's timeline. */
export type TimelineEntry = Omit<Row<'messageEvents'>, 'messageSeq' | 'detail'> & {
  readonly detail: Details | null
  /** What a status said, as it came; kept in `detail` where an endpoint of the platform's format was there. */
  readonly callback?: Details
}

/** What a message has of its status view before anything has happened to it. */
export type DraftedFields =
  | 'id'
  | 'workspaceId'
  | 'createdAt'
  | 'dispatchedAt'
  | 'lineId'
  | Exclude<CallerField, 'idempotencyKey'>

/**
 * A message as it is offered for acceptance; ids are chosen by the caller, so that repeating the verb is harmless. Its
 * `dispatchedAt` is set when it is handed to an idle line at once; null when it has to wait its turn.
 */
export interface MessageDraft
  extends Omit<Message, Exclude<keyof MessageStatusView, DraftedFields> | 'idempotencyKey'> {
  /** The upstream request body. */
  readonly payload: string
  readonly idempotency: {
    /** That of the API key; without a key, the id of the workspace. */
    readonly scope: string
    readonly key: string
    readonly fingerprint: string
    readonly expiresAt: EpochMs
  } | null
  /** Set when the message opens a flow for a contact. */
  readonly opensFlow: { readonly contactId: string; readonly flowToken: string | null } | null
  /** Set when the contact's active flows are to be closed first; on every line when none is named. */
  readonly closesFlows: { readonly contactId: string; readonly lineId: string | null } | null
  /** That of the settings it was decided by, when these were kept. */
  readonly generation?: number | undefined
}

/**
 * Whether a message that asks to leave may do so. A held one is stored as waiting: other instances have used up the
 * pace of its line, or the line is paused.
 */
export type HandOver =
  /** `validMs`: it may leave only within this time, counted from before the call; null: at any time. */
  | { readonly state: 'handedOver'; readonly validMs: number | null }
  /** `waitMs`: when to ask again. */
  | { readonly state: 'held'; readonly waitMs: number }

export type Acceptance =
  /** `handOver`: null when it did not ask to leave, which is without a `dispatchedAt`. */
  | { readonly outcome: 'accepted'; readonly handOver: HandOver | null }
  | { readonly outcome: 'replayed'; readonly messageId: string }
  | { readonly outcome: 'conflict' }
  | { readonly outcome: 'planExhausted'; readonly limit: number; readonly used: number }
  /** The line was removed after it had been chosen. */
  | { readonly outcome: 'lineRemoved' }
  /** Nothing was looked at: what decides on it has changed since the draft's generation, or its key was revoked. */
  | { readonly outcome: 'outdated' }

/** The results for messages of one line that asked to leave. Each is in exactly one group. */
export interface HandOvers {
  /** They may leave, as in HandOver. */
  readonly handedOver: { readonly messageIds: readonly string[]; readonly validMs: number | null }
  /** They are stored as waiting, as in HandOver; `waitMs` is 0 when there are none. */
  readonly held: { readonly messageIds: readonly string[]; readonly waitMs: number }
  /**
   * Another instance has them now, or has sent them, or their hand-over would break a promise. Nothing was changed:
   * they are dropped here.
   */
  readonly taken: readonly string[]
  /** Not QUEUED any more, or gone: a callback has shown that an earlier attempt went out. They must not leave. */
  readonly overtaken: readonly string[]
}

/** `waiting`: messages that were accepted and are not sent yet; they would be lost. */
export type Removal<Removed> =
  | { readonly outcome: 'removed'; readonly removed: Removed }
  | { readonly outcome: 'waiting'; readonly waiting: number }
  | { readonly outcome: 'unknown' }

/** An event with its details for the timeline. */
export interface Recorded<E extends MessageEvent = MessageEvent> {
  readonly messageId: string
  readonly event: E
  readonly detail: Details | null
  /** When we stored it. */
  readonly recordedAt: EpochMs
  /** Of the message, where the caller knows it: PostgreSQL locks the channel, and need not look for it first. */
  readonly channelId?: string
}

/** A message that has to wait after all. */
export interface Deferral {
  readonly messageId: string
  /** The request body to send at the next attempt; null when it stays the same. */
  readonly payload: string | null
  /** Why the upstream did not take it, to be kept on the timeline; null to keep nothing. */
  readonly refusal: Details | null
}

/** A status callback. `messageId` is our id as the upstream echoed it; null when it did not. */
export interface Report {
  readonly messageId: string | null
  readonly event: ReportEvent
  readonly detail: Details | null
  /** The upstream could not use a file of the message: forget the ids of its uploads. */
  readonly isMediaGone: boolean
  /** Left out: it names neither. */
  readonly to?: ReportedTo
}

/** The line and the person that a status names. */
export interface ReportedTo {
  readonly upstreamPhoneId: string | null
  /** `+` and digits. */
  readonly phone: string | null
  readonly userId: string | null
}

/** A callback about the payment that a message asked for. It says nothing of the message itself. */
export interface PaymentReport extends Pick<Report, 'messageId'> {
  readonly channelMessageId: string
  readonly status: PaymentStatus
  readonly at: EpochMs
  /** The upstream's `payment`, with nothing that names a person. */
  readonly detail: Details
  /** The entry of the callback that says it, with nothing else; kept where the message is not known. */
  readonly callback: Details
  readonly to: ReportedTo
  /** The id to use should who pays be a new contact. */
  readonly newContactId: string
}

/** A message that was accepted and never handed over: a later process sends it. */
export interface Resumable {
  readonly message: Message
  readonly payload: string
}

/** A message of a user, as a callback brought it. */
export interface Inbound {
  readonly channelMessageId: string
  /** The upstream's word for its kind; unknown ones are kept like the others. */
  readonly kind: string
  readonly at: EpochMs
  readonly from: {
    /** `+` and digits. */
    readonly phone: string | null
    readonly userId: string | null
    readonly name: string | null
    /** Without its `@`. Null: the user has none. Left out: nothing is said of it. */
    readonly username?: string | null
    /** The id to use should the contact be new. */
    readonly newContactId: string
  }
  readonly upstreamPhoneId: string | null
  /** Set when the user's number or user id has changed. `from` is the new identity. */
  readonly identityChange: { readonly formerPhone: string | null; readonly formerUserId: string | null } | null
  /** Set when it answers a flow: by the flow's token, else by the upstream's id of the message that opened it. */
  readonly flowReply: { readonly flowToken: string | null; readonly openedBy: string | null } | null
  /** The upstream's message, JSON. */
  readonly content: string
  /** The whole of a short text to the business alone, or of a pressed button, as words are compared (`saidWord`). */
  readonly said?: string | null
  /** The file that it brings. */
  readonly file?: NewFile | null
  /** The files that it brings with a form. Their ids follow from it (src/message/formFiles.ts). */
  readonly formFiles?: readonly Omit<NewFile, 'id'>[]
  /** It is from before the line was connected: nobody waits for it. */
  readonly isPast?: boolean
}

/**
 * What a callback that brings no message says of a user: that it has another user id; or, without an `identityChange`,
 * that a number and a user id are of one, and how the user is called.
 */
export type IdentityNews = Pick<Inbound, 'at' | 'from' | 'upstreamPhoneId' | 'identityChange'>

/** One entry of a contact's timeline. */
export type InboundEntry = Omit<
  Row<'inboundMessages'>,
  'channelId' | 'contactId' | 'phone' | 'formerPhone' | 'content' | 'workspaceId' | 'seq' | 'fileId'
> & {
  /** Its number in the workspace. */
  readonly seq: number
  readonly content: Details
  /** Null: it brought none, or the file was erased. */
  readonly file: InboundFile | null
}

export type FlowSession = Row<'flowSessions'>

export type RateWindow = Row<'rateWindows'>

/** What a channel's listener got last; null: never. */
export type CallbackReceipt = Row<'callbackReceipts'>

/** Why a callback was not taken. */
export type CallbackRefusal = NonNullable<CallbackReceipt['refusal']>
