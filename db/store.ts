import type { EpochMs } from '../src/clock.ts'
import type { ChannelSecret } from '../src/credentials.ts'
import type { ApiKey, KeyRotation, NewKey, User, UserRole, Workspace } from './accounts.ts'
import type { AuditEntry, AuditQuery, MessageQuery, MonthlyUsage } from './queries.ts'
import type {
  Acceptance,
  CallbackReceipt,
  CallbackRefusal,
  Channel,
  Contact,
  Deferral,
  FlowSession,
  Inbound,
  InboundEntry,
  Line,
  MediaUpload,
  Message,
  MessageDraft,
  MessageStatusView,
  NewLine,
  RateWindow,
  Recorded,
  Report,
  Resumable,
  SealedChannel,
  Template,
  TimelineEntry,
} from './records.ts'
import type { RemovalWrites } from './removals.ts'
import type { ToldUpdate, UpstreamUpdate } from './updates.ts'

/*
 * What the domain may ask of storage. Every verb is one atomic step, isolated from every other, and resolves only once
 * its effect is on disk. Nothing of a particular database shows here, so that a second implementation can follow; domain
 * code therefore never decides on a value read earlier: what must be decided atomically is one verb.
 */

export interface StoreWrites extends RemovalWrites {
  /** Stores the value unless the property has one. @returns the value that it has then. */
  claimProperty(property: { name: string; value: string }): Promise<string>
  createWorkspace(workspace: Workspace): Promise<Workspace>
  /** @returns null when there is no such workspace. */
  setMonthlyLimit(change: { workspaceId: string; limit: number | null }): Promise<Workspace | null>
  /** Connects an account, or replaces the secrets of one that is connected already: its id and lines stay. */
  connectChannel(channel: Channel): Promise<Channel | null>
  /** Puts one sealed secret in the place of another. @returns null when there is no such channel. */
  replaceSecret(change: {
    channelId: string
    secret: ChannelSecret
    sealed: string
    at: EpochMs
  }): Promise<Channel | null>
  /**
   * Puts other secrets in the place of all these channels' at once, under another key.
   * @param check the property that tells whether a key is that one
   */
  replaceSecrets(change: {
    check: { name: string; value: string }
    channels: readonly SealedChannel[]
    at: EpochMs
  }): Promise<void>
  /**
   * Puts the same secrets, sealed with another key, in the place of all channels' at once. @returns false, and nothing is
   * changed, when a secret or the key is not the one that was read
   */
  rotateSecrets(change: {
    formerCheck: string
    former: readonly SealedChannel[]
    check: { name: string; value: string }
    channels: readonly SealedChannel[]
    at: EpochMs
  }): Promise<boolean>
  addLine(line: NewLine): Promise<{ outcome: 'added'; line: Line } | { outcome: 'unknownChannel' | 'taken' }>
  /**
   * Changes only what is given. A default line that is deactivated is the default no longer, also once it is active
   * again. @returns null when there is no such line.
   */
  changeLine(change: {
    lineId: string
    active?: boolean
    perSecond?: number
    pairSeconds?: number
  }): Promise<{ line: Line; wasDefault: boolean } | null>
  /** Makes an active line the only default of its workspace, or takes that away from it. */
  setDefaultLine(change: {
    lineId: string
    isDefault: boolean
  }): Promise<{ outcome: 'changed'; line: Line } | { outcome: 'unknownLine' | 'inactive' }>
  /** @returns null when there is no such workspace. */
  createKey(key: NewKey): Promise<ApiKey | null>
  /**
   * Makes a successor in the same scope, with the label and networks of the key, which itself ends at `formerExpiresAt`,
   * or earlier where it was to end earlier. A key that does not work any more has no successor.
   */
  rotateKey(rotation: {
    keyId: string
    successor: { id: string; secretHash: string; expiresAt?: EpochMs | null }
    at: EpochMs
    formerExpiresAt: EpochMs
  }): Promise<KeyRotation>
  /** Changes only what is given; null takes the limit away. @returns null when there is no such key. */
  limitKey(change: {
    keyId: string
    expiresAt?: EpochMs | null
    allowedNetworks?: readonly string[] | null
  }): Promise<ApiKey | null>
  /** Keeps when keys were last used. In batches: a request does not wait for it. */
  recordKeyUse(change: { uses: readonly { keyId: string; at: EpochMs }[] }): Promise<void>
  /** A second revocation keeps the first one's time. @returns null when there is no such key. */
  revokeKey(change: { keyId: string; at: EpochMs }): Promise<ApiKey | null>
  /**
   * Without a role, the first user of a workspace becomes its owner and any other a member. The email address is stored
   * in lower case.
   */
  createUser(
    user: Omit<User, 'role'> & { role: UserRole | null; passwordHash: string },
  ): Promise<{ outcome: 'created'; user: User } | { outcome: 'unknownWorkspace' | 'emailTaken' }>
  /** @returns null when there is no such user. */
  resetPassword(change: { userId: string; passwordHash: string; at: EpochMs }): Promise<User | null>
  /**
   * Makes the channel's templates equal to the listing; what the upstream no longer lists becomes `DELETED`, unless the
   * listing is partial: what it lacks may be there.
   */
  replaceTemplates(listing: {
    channelId: string
    templates: readonly Template[]
    at: EpochMs
    isPartial?: boolean
    /** When it had been read. */
    recordedAt: EpochMs
  }): Promise<void>
  /** Adds a contact, or gives the one with this phone or user id its new name. @returns null when there is no such workspace. */
  saveContact(contact: Contact): Promise<Contact | null>

  /** Stores idempotency key, plan count and message as one. Resolves only once all three are on disk. */
  acceptMessage(draft: MessageDraft): Promise<Acceptance>
  /**
   * Applies an event to a message through the state machine and keeps it on the timeline. Safe to repeat.
   * A refusal frees the idempotency key and gives the plan count back; acceptance applies what was parked for it.
   * @returns the message as it stands then; null when there is no such message.
   */
  recordEvent(recorded: Recorded): Promise<MessageStatusView | null>
  /**
   * Marks messages that wait as handed over, before they are.
   * @returns the ids of those that may go; not of those that a callback has shown meanwhile to have gone out before
   */
  clearMessages(change: { messageIds: readonly string[]; at: EpochMs }): Promise<string[]>
  /** Marks messages as not handed over: nothing of them has left, or the upstream definitely did not take them. */
  deferMessages(change: { messages: readonly Deferral[]; at: EpochMs }): Promise<null>
  /**
   * Applies callbacks in one step; those that match no message are parked, `foreign` ones among them: they name a message
   * of another channel. Files that the upstream lost are forgotten.
   */
  applyReports(batch: {
    channelId: string
    reports: readonly Report[]
    recordedAt: EpochMs
  }): Promise<{ applied: number; parked: number; foreign: number }>
  /**
   * Keeps users' messages, makes or refreshes their contacts, has contacts follow users to another number or user id, and
   * closes the flows that they answer. On a line of another
   * workspace alone they make no contact.
   */
  recordInbound(batch: { channelId: string; messages: readonly Inbound[]; recordedAt: EpochMs }): Promise<void>
  /**
   * Applies an update of a template to the account's channel in the same workspace as the channel that proved it. One older
   * than the record, or than another update of it, changes nothing. @returns the ids of the channels whose listing should be read again.
   */
  applyTemplateUpdate(update: {
    channelId: string
    accountId: string
    name: string
    language: string
    /** Null: the event says nothing about whether it can be sent. */
    status: string | null
    /** The upstream's time, which may differ from ours. */
    at: EpochMs
    recordedAt: EpochMs
  }): Promise<string[]>
  /** Notes that a callback was accepted, or refused; an earlier moment than the noted one changes nothing. */
  noteCallback(receipt: { channelId: string; at: EpochMs; refusal: CallbackRefusal | null }): Promise<void>
  /** Keeps in the audit what somebody did that no other verb tells, for example a sign-in. */
  noteAction(action: { action: string; subject: string }): Promise<void>
  /**
   * Keeps the last update of each kind about an account, line, template or contact of the channel's workspace; what is
   * about nothing known is left out. @returns how many were kept
   */
  keepUpdates(batch: { channelId: string; updates: readonly ToldUpdate[]; recordedAt: EpochMs }): Promise<number>
  rememberMedia(upload: MediaUpload): Promise<void>
  /** The upstream does not know these ids any more. */
  forgetMedia(uploads: { lineId: string; mediaIds: readonly string[] }): Promise<void>
  /** What was handed over when the last process ended becomes UNKNOWN. @returns how many. */
  markInterrupted(change: { at: EpochMs }): Promise<number>
  /** Gives up at most `limit` messages that have been UNKNOWN since before `lostBefore`. @returns how many. */
  abandonUnknown(change: { lostBefore: EpochMs; at: EpochMs; reason: string; limit: number }): Promise<number>

  countRequests(change: { windows: readonly RateWindow[] }): Promise<void>
  /** Each prune deletes at most `limit` rows, so that it never holds back a send. @returns how many. */
  pruneIdempotencyKeys(prune: { expiredBefore: EpochMs; limit: number }): Promise<number>
  pruneRateWindows(prune: { startedBefore: EpochMs; limit: number }): Promise<number>
  /** Also drops the oldest beyond `keep`: genuine but unmatched callbacks must not fill the disk. */
  pruneParkedReports(prune: { recordedBefore: EpochMs; keep: number; limit: number }): Promise<number>
  pruneMedia(prune: { expiredBefore: EpochMs; limit: number }): Promise<number>
  pruneMessages(prune: { createdBefore: EpochMs; limit: number }): Promise<number>
  /** Drops what was sent with messages, but not of those that are still to be sent. */
  pruneContents(prune: { createdBefore: EpochMs; limit: number }): Promise<number>
  /** Drops what users wrote; their messages stay. */
  pruneInboundContents(prune: { recordedBefore: EpochMs; limit: number }): Promise<number>
  /** What users sent. */
  pruneInbound(prune: { recordedBefore: EpochMs; limit: number }): Promise<number>
  /** Also drops the oldest beyond `keep`. */
  pruneAudit(prune: { recordedBefore: EpochMs; keep: number; limit: number }): Promise<number>
}

/** Lists are whole where they have no `limit` and nothing else is said. */
export interface StoreReads {
  property(name: string): Promise<string | null>
  workspaces(): Promise<Workspace[]>
  workspace(workspaceId: string): Promise<Workspace | null>
  /** The workspace's monthly limit and what is counted against it in `month` (`2026-01`, UTC). */
  plan(query: { workspaceId: string; month: string }): Promise<{ limit: number | null; used: number }>
  key(keyId: string): Promise<(ApiKey & { secretHash: string }) | null>
  keys(workspaceId: string): Promise<ApiKey[]>
  /** Those of every workspace when none is named. */
  users(workspaceId: string | null): Promise<User[]>
  user(userId: string): Promise<User | null>
  /** In any case of letters; the one read that has the hash, for signing in. */
  userByEmail(email: string): Promise<(User & { passwordHash: string }) | null>
  channel(channelId: string): Promise<Channel | null>
  /** All of them when no workspace is named. */
  channels(workspaceId: string | null): Promise<Channel[]>
  /** Of the channels that got any callback. */
  callbackReceipts(): Promise<CallbackReceipt[]>
  line(lineId: string): Promise<Line | null>
  lines(workspaceId: string): Promise<Line[]>
  /** Every record of that name, whatever its language and status. */
  templatesNamed(query: { channelId: string; name: string }): Promise<Template[]>
  /** `approved`: only those that can be sent. */
  templates(query: { workspaceId: string; approved: boolean; name?: string }): Promise<Template[]>
  /** The id of a contact that was merged into another leads to that one. */
  contact(query: { workspaceId: string; contactId: string }): Promise<Contact | null>
  /** In whichever workspace: for the operator alone. */
  contactById(contactId: string): Promise<Contact | null>
  /** How many messages wait to be sent to a contact. */
  waitingFor(query: { workspaceId: string; contactId: string; addresses: readonly string[] }): Promise<number>
  contacts(query: { workspaceId: string; limit: number }): Promise<Contact[]>
  /** A key that expired counts as absent. */
  idempotencyKey(query: {
    scope: string
    key: string
    at: EpochMs
  }): Promise<{ fingerprint: string; messageId: string } | null>
  message(messageId: string): Promise<Message | null>
  statusView(messageId: string): Promise<MessageStatusView | null>
  /** Newest first. */
  messages(query: MessageQuery): Promise<Message[]>
  /** By our id, else by the upstream's, else by an idempotency key, which several callers may have used. */
  messagesReferred(reference: string): Promise<Message[]>
  /** The upstream request body, as long as it is kept. */
  messageContent(messageId: string): Promise<string | null>
  /** How many messages are UNKNOWN, and since when the oldest of them is. */
  unknownMessages(): Promise<{ count: number; since: EpochMs | null }>
  /** What counts against the monthly limits, latest month first; all workspaces and months where none is named. */
  usage(query: { workspaceId: string | null; month: string | null; limit: number }): Promise<MonthlyUsage[]>
  /** Oldest first: the first 1,000. */
  timeline(messageId: string): Promise<TimelineEntry[]>
  /** Never handed over: at most `limit`, oldest first, after the id `after` (`''` to begin). */
  resumable(query: { after: string; limit: number }): Promise<Resumable[]>
  /** Newest first. */
  inbound(query: { contactId: string; limit: number }): Promise<InboundEntry[]>
  /** What the upstream said of the thing with this id, newest first. */
  updates(subject: string): Promise<UpstreamUpdate[]>
  /** Newest first: the last 1,000. */
  flowSessions(contactId: string): Promise<FlowSession[]>
  /** An id that expired counts as absent. */
  media(query: { lineId: string; link: string; format: string; at: EpochMs }): Promise<string | null>
  /** Newest first. */
  auditEntries(query: AuditQuery): Promise<AuditEntry[]>
  rateWindows(startedSince: EpochMs): Promise<RateWindow[]>
}

export interface Store {
  readonly read: StoreReads
  readonly write: StoreWrites
  /** Finishes what was asked, then closes the file. */
  close(): Promise<void>
}
