import type { Clock, EpochMs } from '../../src/base/clock.ts'
import type { DeletedMessages } from '../../src/message/deleted.ts'
import type { Measures } from '../../src/telemetry/metrics.ts'
import type { AuditedChanges } from '../schema/audit.ts'
import type { Row } from '../schema/tables.ts'
import type { ApiKey, LimitChange, OptOutSettings, Plan, PutAwayFinding, StoredKey, Workspace } from './accounts.ts'
import type { ApiRequestReads, ApiRequestWrites } from './apiRequests.ts'
import type { BatchReads, BatchWork, BatchWrites } from './batches.ts'
import type { ContactReads } from './contacts.ts'
import type { ConversationReads, ConversationStateWrites, ConversationWrites } from './conversations.ts'
import type { EventReads, EventWrites } from './events.ts'
import type { FileWrites, SentFile } from './files.ts'
import type { InboundReads } from './inbound.ts'
import type { KeyWrites } from './keys.ts'
import type { MemberReads, MemberWrites } from './members.ts'
import type { MessageReads } from './messageReads.ts'
import type { OptOutReads, OptOutWrites } from './optOuts.ts'
import type { PriceRateWrites } from './priceRates.ts'
import type { AuditEntry, AuditQuery, Author, NotedAction } from './queries.ts'
import type {
  Acceptance,
  CallbackReceipt,
  CallbackRefusal,
  Channel,
  Contact,
  Deferral,
  FlowSession,
  HandOvers,
  IdentityNews,
  Inbound,
  Line,
  Message,
  MessageDraft,
  MessageState,
  NewChannel,
  NewLine,
  PaymentReport,
  RateWindow,
  Recorded,
  Report,
  Resumable,
  Template,
  ToldLine,
} from './records.ts'
import type { ErasureReads, RemovalWrites } from './removals.ts'
import type { RescheduleWrites, ScheduledReads, ScheduledWrites } from './scheduled.ts'
import type { SecondFactorReads, SecondFactorWrites } from './secondFactor.ts'
import type { SecretWrites } from './secrets.ts'
import type { Shared } from './shared.ts'
import type { TemplateWrites } from './templates.ts'
import type { ToldUpdate, UpstreamUpdate } from './updates.ts'
import type { UsageReads, UsageWrites } from './usage.ts'
import type { UserReads, UserWrites } from './users.ts'
import type { WaitingDelivery, WaitingFile, Walk, Walked } from './waits.ts'
import type { WebhookDeliveryReads, WebhookDeliveryWrites } from './webhookDelivery.ts'
import type { WebhookReads, WebhookWrites } from './webhooks.ts'

/*
 * The interface of the storage. Every verb is one atomic step, isolated from every other, and resolves only once its
 * effect is on disk. It shows nothing of a particular database, so that there can be a second implementation. Therefore
 * domain code never decides on a value that it read earlier: an atomic decision is one verb.
 */

export interface StoreWrites
  extends GatewayWrites,
    BatchWrites,
    ConversationStateWrites,
    KeyWrites,
    OptOutWrites,
    PriceRateWrites,
    RemovalWrites,
    RescheduleWrites,
    SecretWrites,
    TemplateWrites,
    UserWrites,
    MemberWrites,
    SecondFactorWrites,
    WebhookWrites {
  /** A limit given here is the operator's: the ceiling as well. */
  createWorkspace(
    workspace: Omit<Workspace, 'monthlyCeiling' | 'deletedMessages' | 'quietHours' | keyof OptOutSettings>,
  ): Promise<Workspace>
  /** @returns null when there is no such workspace. */
  renameWorkspace(change: { workspaceId: string; name: string }): Promise<Workspace | null>
  /** Sets the owners' own limit. `aboveCeiling`: it is more than the operator allows, or none. */
  setMonthlyLimit(change: { workspaceId: string; limit: number | null }): Promise<LimitChange>
  /**
   * Sets the limit of the operator, up to which owners choose their own. One that they have set lower stays.
   * @returns null when there is no such workspace
   */
  setMonthlyCeiling(change: { workspaceId: string; ceiling: number | null }): Promise<Workspace | null>
  /** From the next read on, also for what was deleted before. @returns null when there is no such workspace. */
  setDeletedMessages(change: { workspaceId: string; deletedMessages: DeletedMessages }): Promise<Workspace | null>
  /** Again by another one: the later name and date stay. */
  putAwayFinding(put: PutAwayFinding): Promise<void>
  /** Shows it again at once. */
  bringBackFinding(finding: Pick<PutAwayFinding, 'workspaceId' | 'finding'>): Promise<void>
  /** Connects an account. If it is already connected, replaces its secrets: its id and lines stay. */
  connectChannel(channel: NewChannel): Promise<Channel | null>
  /** @returns null when there is no such channel. */
  setAppId(change: { channelId: string; appId: string | null; at: EpochMs }): Promise<Channel | null>
  addLine(line: NewLine): Promise<{ outcome: 'added'; line: Line } | { outcome: 'unknownChannel' | 'taken' }>
  /**
   * Changes only the given fields. A default line that is deactivated is no longer the default, also when it is
   * activated again. @returns null when there is no such line.
   */
  changeLine(change: {
    lineId: string
    active?: boolean
    perSecond?: number
    pairSeconds?: number
    directSend?: boolean
    label?: string | null
  }): Promise<{ line: Line; wasDefault: boolean } | null>
  /** Makes an active line the default of its workspace, or no longer the default. */
  setDefaultLine(change: {
    lineId: string
    isDefault: boolean
  }): Promise<{ outcome: 'changed'; line: Line } | { outcome: 'unknownLine' | 'inactive' }>
  /**
   * Adds a contact, or gives the one with this phone or user id its new name; `ifNew`: who has the phone stays so.
   * @returns null when there is no such workspace.
   */
  saveContact(contact: Omit<Contact, 'username' | 'blockedOn'> & { readonly ifNew?: boolean }): Promise<Contact | null>
  /** Names a contact, or takes its name. @returns null when there is no such contact, or it was forgotten. */
  renameContact(
    change: Pick<Contact, 'workspaceId' | 'name'> & { contactId: string; at: EpochMs },
  ): Promise<Contact | null>
  /**
   * Notes that the platform blocks a person on these lines, or does so no more. A line that was removed, and a contact
   * that was forgotten, get no mark. What a person wrote is read once it is blocked.
   * @returns whether it was noted otherwise
   */
  keepBlocked(change: {
    workspaceId: string
    contactId: string
    lineIds: readonly string[]
    isBlocked: boolean
  }): Promise<boolean>
  /** Stores an audit entry for something that no other verb does, for example a send. */
  noteAction(action: { action: NotedAction; subject: string; changes?: AuditedChanges }): Promise<void>
  /**
   * Applies an event to a message through the state machine and keeps it on the timeline. Safe to repeat. A refusal
   * frees the idempotency key and reduces the plan count again. An acceptance applies the parked callbacks.
   * @returns what has become of the message; null when there is no such message.
   */
  recordEvent(recorded: Recorded): Promise<MessageState | null>
}

/** The verbs of what the gateway does by itself: no person asks for them, and the audit keeps none. */
export interface GatewayWrites
  extends ApiRequestWrites,
    BatchWork,
    ConversationWrites,
    EventWrites,
    FileWrites,
    PropertyWrites,
    ScheduledWrites,
    UsageWrites,
    WebhookDeliveryWrites {
  /**
   * Stores idempotency key, plan count and message in one step. Resolves only once all three are on disk. A draft with
   * a `dispatchedAt` asks to leave; a held one is stored without it.
   */
  acceptMessage(draft: MessageDraft): Promise<Acceptance>
  /**
   * Marks waiting messages of one line as handed over, before the hand-over. Safe to repeat.
   * @returns which of them may leave
   */
  handOverMessages(change: { messageIds: readonly string[]; at: EpochMs }): Promise<HandOvers>
  /**
   * Marks messages as waiting: nothing of them has left, or the upstream definitely did not take them.
   * @returns the ids of those that another instance has now. Nothing of them was changed
   */
  deferMessages(change: { messages: readonly Deferral[]; at: EpochMs }): Promise<readonly string[]>
  /**
   * Takes messages that were never handed over and that no living process has: at most `limit`, those of one workspace
   * oldest first, after the message `after` (null to begin). From then on this process owns them. A message whose
   * acceptance or claim here ended in an error counts as owned by no process. When one process has the database, it
   * owns none at its start.
   */
  claimWaiting(query: { after: Pick<Message, 'id' | 'workspaceId'> | null; limit: number }): Promise<Resumable[]>
  /**
   * Applies status callbacks in one step. Those without a message are parked, also `foreign` ones: they name a message
   * of another channel. The ids of files that the upstream lost are deleted.
   */
  applyReports(batch: {
    channelId: string
    reports: readonly Report[]
    recordedAt: EpochMs
  }): Promise<{ applied: number; parked: number; foreign: number }>
  /**
   * Tells of payments, each once, and adds them to the timelines of the messages that asked for them. One whose message
   * is not known is told without it: then who pays is kept as a contact, so that it is erased with the person.
   */
  recordPayments(batch: { channelId: string; payments: readonly PaymentReport[]; recordedAt: EpochMs }): Promise<void>
  /**
   * Stores users' messages, adds or updates their contacts, moves contacts to a new number or user id, and closes the
   * flows that they answer. A message on a line that belongs only to another workspace makes no contact.
   */
  recordInbound(batch: { channelId: string; messages: readonly Inbound[]; recordedAt: EpochMs }): Promise<void>
  /**
   * Moves contacts to a new user id, as a message of the user's change does; both may come, in any order. What names a
   * line that belongs only to another workspace changes nothing.
   */
  followIdentities(batch: { channelId: string; changes: readonly IdentityNews[]; recordedAt: EpochMs }): Promise<void>
  /**
   * Keeps that the upstream writes a number that was sent to in another way. The contacts of both numbers are one from
   * then on, unless they have different user ids, or the spelling was shown to be somebody's own number since.
   */
  keepSpelling(kept: {
    workspaceId: string
    spelling: string
    number: string
    at: EpochMs
    recordedAt: EpochMs
  }): Promise<void>
  /** Keeps what the upstream says of the numbers of these lines. */
  keepLines(told: { lines: readonly ToldLine[] }): Promise<void>
  /** Notes when a callback was accepted or refused. An earlier time than the stored one changes nothing. */
  noteCallback(receipt: { channelId: string; at: EpochMs; refusal: CallbackRefusal | null }): Promise<void>
  /**
   * Stores the last update of each kind about an account, line, template or contact of the channel's workspace. Updates
   * about anything unknown are left out. @returns how many were stored
   */
  keepUpdates(batch: { channelId: string; updates: readonly ToldUpdate[]; recordedAt: EpochMs }): Promise<number>
  /**
   * Messages that were handed over by a process that has ended become UNKNOWN. Also those whose acceptance here ended
   * in an error. @returns how many.
   */
  markInterrupted(change: { at: EpochMs }): Promise<number>
  /** Settles as FAILED at most `limit` messages that have been UNKNOWN since before `lostBefore`. @returns how many. */
  abandonUnknown(change: { lostBefore: EpochMs; at: EpochMs; reason: string; limit: number }): Promise<number>
  /** Stores when keys were last used. In batches, so that no request waits for it. */
  recordKeyUse(change: { uses: readonly { keyId: string; at: EpochMs }[] }): Promise<void>
  /**
   * Makes what waits for a moment that a clock has set which was ahead wait for one step of its schedule from `at` on:
   * erasures, the pace of lines. Safe to repeat, and by any process.
   */
  shortenWaits(change: { at: EpochMs }): Promise<void>
  /**
   * The same for files. Many may wait rightly, and only their attempts tell: so it looks at `limit` of them.
   * @param change `fileWaitsMs`: how long one waits after so many attempts; after more, the last of them
   */
  shortenFileWaits(change: Walk<WaitingFile> & { fileWaitsMs: readonly number[] }): Promise<Walked<WaitingFile>>
  /** The same for attempts of deliveries, of which a million may wait. */
  shortenDeliveryWaits(change: Walk<WaitingDelivery>): Promise<Walked<WaitingDelivery>>
  countRequests(change: { windows: readonly RateWindow[] }): Promise<void>
  /** Each prune deletes at most `limit` rows, so that it never holds back a send. @returns how many. */
  /**
   * @param prune `usualUntil`: until when most keys live. Those that live longer are of messages that wait for their
   *   time
   */
  pruneIdempotencyKeys(prune: { expiredBefore: EpochMs; usualUntil: EpochMs; limit: number }): Promise<number>
  pruneRateWindows(prune: { startedBefore: EpochMs; limit: number }): Promise<number>
  /** Also drops the oldest beyond `keep`: genuine but unmatched callbacks must not fill the disk. */
  pruneParkedReports(prune: { recordedBefore: EpochMs; keep: number; limit: number }): Promise<number>
  /** The numbers of the days before `before`, `2026-01-31`. */
  pruneDailyCounts(prune: { before: string; limit: number }): Promise<number>
  pruneMessages(prune: { createdBefore: EpochMs; limit: number }): Promise<number>
  /** Drops the contents of messages, except of those that are still to be sent. */
  pruneContents(prune: { createdBefore: EpochMs; limit: number }): Promise<number>
  /** Drops the contents of users' messages; their records stay. */
  pruneInboundContents(prune: { recordedBefore: EpochMs; limit: number }): Promise<number>
  pruneInbound(prune: { recordedBefore: EpochMs; limit: number }): Promise<number>
  pruneFormerNames(prune: { recordedBefore: EpochMs; limit: number }): Promise<number>
  /** Also drops the oldest beyond `keep`. */
  pruneAudit(prune: { recordedBefore: EpochMs; keep: number; limit: number }): Promise<number>
}

/** The settings that decide on the sends of a workspace before their content is written. */
export interface SendSettings {
  /** Of the plan: `2026-01`, UTC. */
  readonly month: string
  readonly plan: Plan
  readonly lines: readonly Line[]
  /** At least those of the lines. */
  readonly channels: readonly Channel[]
  /**
   * Undefined: read just now. Else they are kept, with their key, and `used` is 0. Only an acceptance of this
   * generation shows that they still hold; any other answer reads them anew first.
   */
  readonly generation?: number
}

/** `settings`: null when reading them with the key saves nothing. */
export type SendingKey = StoredKey & { readonly settings: SendSettings | null }

/** An idempotency key that has a message. */
export interface UsedKey {
  readonly fingerprint: string
  readonly messageId: string
}

/** A list without a `limit` is complete, unless its comment says otherwise. */
export interface StoreReads
  extends ApiRequestReads,
    BatchReads,
    ContactReads,
    ConversationReads,
    ErasureReads,
    EventReads,
    InboundReads,
    MessageReads,
    OptOutReads,
    UsageReads,
    UserReads,
    MemberReads,
    ScheduledReads,
    SecondFactorReads,
    WebhookReads,
    WebhookDeliveryReads {
  property(name: string): Promise<string | null>
  workspaces(): Promise<Workspace[]>
  workspace(workspaceId: string): Promise<Workspace | null>
  /** @param query.month `2026-01`, UTC */
  plan(query: { workspaceId: string; month: string }): Promise<Plan>
  key(keyId: string): Promise<StoredKey | null>
  /** The key of a send, and what else decides on it. `isAnew`: as they are now, whatever is kept. */
  sendingKey(query: { keyId: string; month: string; isAnew: boolean }): Promise<SendingKey | null>
  keys(workspaceId: string): Promise<ApiKey[]>
  channel(channelId: string): Promise<Channel | null>
  /** All of them when no workspace is named. */
  channels(workspaceId: string | null): Promise<Channel[]>
  /** What lines, channels and webhooks of the workspace were called that were removed, by id: their rows stay. */
  removedNames(query: { workspaceId: string; ids: readonly string[] }): Promise<ReadonlyMap<string, string>>
  /** Only channels that received a callback. */
  callbackReceipts(): Promise<CallbackReceipt[]>
  line(lineId: string): Promise<Line | null>
  lines(workspaceId: string): Promise<Line[]>
  /** Every record of that name, in any language and status. */
  templatesNamed(query: { channelId: string; name: string }): Promise<Template[]>
  /** Also one that is deleted. */
  template(templateId: string): Promise<Template | null>
  /** By the upstream's id; null also for one that is deleted. */
  templateListed(query: { workspaceId: string; upstreamId: string }): Promise<Template | null>
  /** The templates of a channel in the order of their names and languages, in any status, so many at a time. */
  templateStep(query: {
    channelId: string
    after: Pick<Template, 'name' | 'language'> | null
    limit: number
  }): Promise<Template[]>
  /** Of each channel a number that grows with each change of its templates. */
  templateGenerations(workspaceId: string): Promise<{ channelId: string; generation: number }[]>
  /** `approved`: only those that can be sent. */
  templates(query: { workspaceId: string; approved: boolean; name?: string }): Promise<Template[]>
  /** A key that expired counts as absent. */
  idempotencyKey(query: { workspaceId: string; scope: string; key: string; at: EpochMs }): Promise<UsedKey | null>
  /** The upstream's updates about this id, newest first. */
  updates(subject: string): Promise<UpstreamUpdate[]>
  /** Newest first: the last 1,000. */
  flowSessions(contactId: string): Promise<FlowSession[]>
  /** An id that expired counts as absent. */
  media(query: { lineId: string; link: string; format: string; at: EpochMs }): Promise<string | null>
  /** Of messages of these lines, by the upstream's ids of what they showed. One that was given up has none. */
  sentFiles(query: {
    workspaceId: string
    lineIds: readonly string[]
    mediaIds: readonly string[]
  }): Promise<SentFile[]>
  /** Newest first. */
  auditEntries(query: AuditQuery): Promise<AuditEntry[]>
  /** Those that are still away. */
  putAwayFindings(query: { workspaceId: string; at: EpochMs }): Promise<PutAwayFinding[]>
  rateWindows(startedSince: EpochMs): Promise<RateWindow[]>
}

export interface Store {
  /** The clock for stored times: on a server, the time of the database. */
  readonly clock: Clock
  readonly read: StoreReads
  readonly write: StoreWrites
  /** Null: one process has the database to itself, so no message is ever held or taken. */
  readonly shared: Shared | null
  /** The same verbs on behalf of a person: the audit keeps changes with this author. */
  writeAs(author: Author): StoreWrites
  /** @returns what the store has measured of its own work; null when it never answered */
  measures(): Promise<Measures | null>
  /** Finishes the open calls, then closes the file. */
  close(): Promise<void>
}

/** A property of the database itself. */
type Property = Row<'properties'>

/** Data that is stored once for the whole database. */
interface PropertyWrites {
  /** Stores the value unless the property already has one. @returns the value of the property after that. */
  claimProperty(property: Property): Promise<string>
  /** Stores the value in place of the one before. */
  putProperty(property: Property): Promise<void>
}
