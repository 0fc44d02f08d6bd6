import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NewKey } from '../../db/contract/accounts.ts'
import { type ApiRequest, blocksOf, type RequestOutcome } from '../../db/contract/apiRequests.ts'
import type {
  Acceptance,
  Channel,
  HandOvers,
  Inbound,
  Line,
  MessageDraft,
  Report,
  ReportedTo,
  Template,
} from '../../db/contract/records.ts'
import type { Store, StoreReads, StoreWrites } from '../../db/contract/store.ts'
import type { SignInPlace } from '../../db/contract/users.ts'
import type { AttemptOutcome } from '../../db/contract/webhookDelivery.ts'
import type { DeliveryAttempt, NewWebhook } from '../../db/contract/webhooks.ts'
import { keepingSettings } from '../../db/rules/keptSettings.ts'
import { migrate } from '../../db/sqlite/migrate.ts'
import { type Connection, closeWriter, openForReading, openForWriting } from '../../db/sqlite/open.ts'
import { sendReads } from '../../db/sqlite/sendReads.ts'
import { storeReads } from '../../db/sqlite/store.ts'
import { rememberingVerbs, storeWrites } from '../../db/sqlite/writes.ts'
import { hourMs } from '../../src/base/durations.ts'
import type { MessageEvent, ReportEvent } from '../../src/message/state.ts'
import type { VerbAnswer } from '../../src/threads/protocol.ts'

/** 2026-01-01T00:00:00Z. */
export const t0 = Date.UTC(2026, 0, 1)
/** From where users of the tests sign in. */
export const office: SignInPlace = { device: 'Firefox on Linux', network: '192.0.2.0/24' }

export interface TestFolder {
  readonly path: string
  readonly file: string
  remove(): void
}

/** An empty folder of its own, with room for a database file. */
export function makeFolder(): TestFolder {
  const path = mkdtempSync(join(tmpdir(), 'waypost-db-'))
  return { path, file: join(path, 'waypost.db'), remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** A migrated file with the writer's connection and a reader's, both in this thread. */
export interface TestDatabase {
  readonly folder: TestFolder
  readonly writer: Connection
  readonly reader: Connection
  /** Their names. */
  readonly verbs: readonly string[]
  readonly read: StoreReads
  /** Runs one verb as the writer thread does: a batch of its own. */
  write<Verb extends keyof StoreWrites>(
    verb: Verb,
    argument: Parameters<StoreWrites[Verb]>[0],
  ): ReturnType<StoreWrites[Verb]>
  /** Runs calls as one batch. */
  batch(...calls: readonly (readonly [verb: keyof StoreWrites, argument: unknown])[]): Promise<VerbAnswer[]>
  close(): void
}

/** A migrated file without rows, made once: each test gets a copy. */
let migrated: Uint8Array | null = null

function migratedFile(): Uint8Array {
  const folder = makeFolder()
  const writer = openForWriting(folder.file)
  migrate(writer.client, t0)
  const bytes = writer.client.serialize()
  writer.client.close()
  folder.remove()
  return bytes
}

/** @returns tells whether the connection has changed what decides on a send since it was asked last */
function watchSettings({ client }: Connection): () => boolean {
  client.run('CREATE TEMP TABLE changed (workspace_id TEXT) STRICT')
  client.run(`CREATE TEMP TRIGGER watched AFTER UPDATE OF settings_generation ON workspaces BEGIN
    INSERT INTO changed VALUES (NEW.id); END`)
  // With the comment it is none of those whose plans are checked.
  const take = client.query<object, []>('/* of the test */ DELETE FROM changed RETURNING workspace_id')
  return () => take.all().length > 0
}

export function openDatabase({ keepsContents = true } = {}): TestDatabase {
  migrated ??= migratedFile()
  const folder = makeFolder()
  writeFileSync(folder.file, migrated)
  const writer = openForWriting(folder.file)
  // As in the threads of tests (`unsynced.ts`).
  writer.client.run('PRAGMA synchronous = OFF')
  const { verbs, commit } = storeWrites(writer, { keepsContents })
  const reader = openForReading(folder.file)
  const changed = watchSettings(writer)
  const batch: TestDatabase['batch'] = async (...calls) => {
    const answers = await commit(calls.map(([verb, argument], index) => ({ id: index + 1, verb, argument })))
    if (changed() && calls.every(([verb]) => rememberingVerbs.has(verb)))
      throw new Error(`${calls.map(([verb]) => verb)}: the memory of the writer does not follow a change of settings`)
    return answers
  }
  return {
    folder,
    writer,
    reader,
    verbs,
    read: keepingSettings({ ...sendReads(reader), ...storeReads(reader) }),
    batch,
    // The engine's own type of the verb is lost in the batch.
    write: (async (verb: keyof StoreWrites, argument: unknown) => {
      const [answer] = await batch([verb, argument])
      if (!answer?.ok) throw new Error(answer?.message)
      return answer.value
    }) as unknown as TestDatabase['write'],
    close() {
      reader.client.close()
      closeWriter(writer)
      folder.remove()
    },
  }
}

export const channel = (fields: Partial<Channel> = {}): Channel => ({
  id: 'chan_1',
  workspaceId: 'ws_1',
  accountId: '100001',
  appId: null,
  sealedAccessToken: 'v1.token',
  sealedAppSecret: 'v1.secret',
  sealedVerifyToken: 'v1.verify',
  createdAt: t0,
  updatedAt: t0,
  ...fields,
})

export const apiKey = (fields: Partial<NewKey> = {}): NewKey => ({
  id: 'pk_seed',
  workspaceId: 'ws_1',
  label: 'backend',
  createdAt: t0,
  secretHash: 'h'.repeat(64),
  ...fields,
})

/** Without a pace: an engine for several instances would give each departure a time. */
export const line = (fields: Partial<Line> = {}): Line => ({
  id: 'line_1',
  workspaceId: 'ws_1',
  channelId: 'chan_1',
  upstreamPhoneId: '106540352242922',
  number: '+15550783881',
  name: 'Acme',
  label: null,
  quality: null,
  messagingLimit: null,
  directSend: false,
  active: true,
  isDefault: false,
  perSecond: 0,
  pairSeconds: 6,
  createdAt: t0,
  ...fields,
})

/** What names the messages of another workspace, which `addOther` adds. */
export const ofOther = { workspaceId: 'ws_2', channelId: 'chan_2', lineId: 'line_other' } as const

/** Another workspace, with a channel and a line. */
export async function addOther(db: Writer, monthlyMessageLimit: number | null = null): Promise<void> {
  const { workspaceId, channelId } = ofOther
  await db.write('createWorkspace', { id: workspaceId, name: 'Other', monthlyMessageLimit, createdAt: t0 })
  await db.write('connectChannel', channel({ id: channelId, workspaceId, accountId: '100002' }))
  await db.write('addLine', line({ id: ofOther.lineId, workspaceId, channelId, upstreamPhoneId: 'other' }))
}

export const template = (fields: Partial<Template> = {}): Template => ({
  id: 'tpl_1',
  channelId: 'chan_1',
  upstreamId: '1001',
  name: 'order_confirmation',
  language: 'en_US',
  category: 'UTILITY',
  status: 'APPROVED',
  parameterFormat: 'POSITIONAL',
  components: '[]',
  rejectedReason: null,
  updatedAt: t0,
  lastUpdateAt: null,
  ...fields,
})

export const draft = (fields: Partial<MessageDraft> = {}): MessageDraft => ({
  id: 'msg_1',
  workspaceId: 'ws_1',
  channelId: 'chan_1',
  lineId: 'line_1',
  contactId: null,
  recipient: '+4930123456',
  type: 'text',
  templateName: null,
  templateLanguage: null,
  payload: '{"to":"+4930123456"}',
  createdAt: t0,
  dispatchedAt: t0,
  apiKeyId: null,
  requestId: null,
  reference: null,
  againOf: null,
  idempotency: null,
  opensFlow: null,
  closesFlows: null,
  ...fields,
})

export const withKey = (key: string, fingerprint = 'f1', expiresAt = t0 + 24 * hourMs, apiKeyId = 'pk_seed') => ({
  apiKeyId,
  idempotency: { scope: apiKeyId, key, fingerprint, expiresAt },
})

/** A message that may leave at once. @param validMs as in HandOver */
export const acceptedToLeave = (validMs: number | null) =>
  ({ outcome: 'accepted', handOver: { state: 'handedOver', validMs } }) as const satisfies Acceptance

/** The same, as one process is answered. */
export const acceptedNow = acceptedToLeave(null)

/** The same for a message that does not ask to leave. */
export const acceptedToWait = { outcome: 'accepted', handOver: null } as const satisfies Acceptance

/** What became of messages that asked to leave. */
export const handOvers = (groups: {
  handedOver?: readonly string[]
  validMs?: number | null
  held?: readonly string[]
  waitMs?: number
  taken?: readonly string[]
  overtaken?: readonly string[]
}): HandOvers => ({
  handedOver: { messageIds: groups.handedOver ?? [], validMs: groups.validMs ?? null },
  held: { messageIds: groups.held ?? [], waitMs: groups.waitMs ?? 0 },
  taken: groups.taken ?? [],
  overtaken: groups.overtaken ?? [],
})

/** A recorded event of a message of `chan_1`; `at` is also when we recorded it. */
export const recorded = (messageId: string, event: MessageEvent, detail: Record<string, unknown> | null = null) => ({
  messageId,
  channelId: channel().id,
  event,
  detail,
  recordedAt: 'at' in event ? event.at : t0,
})

export const accepted = (messageId: string, channelMessageId = `wamid.${messageId}`, at = t0 + 100) =>
  recorded(messageId, { kind: 'accepted', at, channelMessageId, waId: null })

export const refused = (messageId: string, at = t0 + 100) =>
  recorded(messageId, { kind: 'refused', at, reason: '131026: undeliverable' })

export function report(
  status: ReportEvent['status'],
  fields: {
    messageId?: string | null
    channelMessageId?: string
    at?: number
    reason?: string
    code?: number
    pricing?: number | null
    to?: ReportedTo
  } = {},
): Report {
  const { messageId = 'msg_1', channelMessageId = 'wamid.msg_1', at = t0 + 1_000, code, pricing = null } = fields
  const reason = status === 'failed' ? (fields.reason ?? '131026: undeliverable') : null
  return {
    messageId,
    event: { kind: 'reported', status, at, channelMessageId, reason, pricing },
    detail: code === undefined ? null : { errors: [{ code }] },
    isMediaGone: false,
    ...(fields.to && { to: fields.to }),
  }
}

/** A message of a user, which makes `contact_1`. */
export const inbound = (fields: Partial<Inbound> = {}): Inbound => ({
  channelMessageId: 'wamid.in1',
  kind: 'text',
  at: t0,
  from: { phone: '+4930123456', userId: null, name: 'Ada', newContactId: 'contact_1' },
  upstreamPhoneId: '106540352242922',
  identityChange: null,
  flowReply: null,
  content: '{"text":{"body":"hello"}}',
  ...fields,
})

/** An endpoint of `ws_1` that gets all events. */
export const webhook = (fields: Partial<NewWebhook> = {}): NewWebhook => ({
  id: 'hook_1',
  workspaceId: 'ws_1',
  url: 'https://receiver.example/events',
  description: null,
  types: null,
  lineIds: null,
  sealedSecrets: 'v1.signing',
  sealedHeaders: null,
  createdAt: t0,
  format: 'events',
  ...fields,
})

/** A call of a key, as it is kept. */
export const apiRequest = (fields: Partial<ApiRequest> = {}): ApiRequest => ({
  ...{ at: t0, keyId: 'pk_1', call: 'POST /messages/send', status: 201, ms: 12.5, requestId: 'request-1' },
  ...{ messageId: 'msg_1', refusal: null },
  ...fields,
})

/** Such calls as the store takes them. */
export const requestBlocks = (
  requests: readonly ApiRequest[] = [apiRequest()],
  outcome: RequestOutcome = 'answered',
  workspaceId = 'ws_1',
) => ({ blocks: blocksOf({ workspaceId, outcome }, requests) })

/** What became of an attempt to deliver an event. */
export const outcome = (
  seq: number,
  fields: Partial<AttemptOutcome> = {},
): AttemptOutcome & { readonly attempt: DeliveryAttempt } => ({
  ...{ seq, type: 'message.sent', messageSeq: null, state: 'delivered', nextAt: null },
  ...fields,
  attempt: fields.attempt ?? { at: t0 + 200, durationMs: 5, status: 200, error: null, answer: 'ok' },
})

/** Runs verbs, at once or later. */
export interface Writer {
  write<Verb extends keyof StoreWrites>(verb: Verb, argument: Parameters<StoreWrites[Verb]>[0]): unknown
}

/** A workspace, a channel, a line and an API key, as most tests need them. */
export async function seed(db: Writer, fields: { monthlyMessageLimit?: number | null } = {}): Promise<void> {
  await db.write('createWorkspace', { id: 'ws_1', name: 'Acme', monthlyMessageLimit: null, createdAt: t0, ...fields })
  await db.write('connectChannel', channel())
  await db.write('addLine', line())
  await db.write('createKey', apiKey())
}

/** The same through the store of a running gateway. */
export async function seedStore({ write }: Store): Promise<void> {
  await write.createWorkspace({ id: 'ws_1', name: 'Acme', monthlyMessageLimit: null, createdAt: t0 })
  await write.connectChannel(channel())
  await write.addLine(line())
  await write.createKey(apiKey())
}

/** How many messages count against the plan in the month of `t0`. */
export const used = async (db: Pick<Store, 'read'>): Promise<number> =>
  (await db.read.plan({ workspaceId: 'ws_1', month: '2026-01' })).used
