import type { Channel, Contact, Line, MessageDraft, MessageStatusView } from '../../db/contract/records.ts'
import { decideAlike, isUsedUp, readSettings } from '../../db/contract/sendSettings.ts'
import { draftedOf } from '../../db/contract/statusView.ts'
import type { SendSettings, Store, UsedKey } from '../../db/contract/store.ts'
import { type Clock, type EpochMs, expiredBy, within } from '../base/clock.ts'
import type { Credentials } from '../base/credentials.ts'
import type { Refusal } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import { clockDifferenceMsMax } from '../base/runningTime.ts'
import { Unavailable } from '../base/unavailable.ts'
import { sendRequest } from '../graph/request.ts'
import { hasOpenWindow } from '../inbound/window.ts'
import type { MediaLibrary } from '../media/outgoing/library.ts'
import { monthOf } from '../message/plan.ts'
import { eventless } from '../message/state.ts'
import { type KeyReads, readsOf } from '../reading/keyReads.ts'
import type { Tracer } from '../telemetry/tracing.ts'
import { type AwaitedEnd, awaitEnd } from './awaitedEnd.ts'
import { type ComposeParts, compose, type RequestedContent, type ToCompose } from './compose.ts'
import { directSendRefusal } from './directSend.ts'
import { chooseLine } from './line.ts'
import type { Outbox, OutboxAcceptance } from './outbox.ts'
import type { ShownMedia } from './outboxMessage.ts'
import { quotedBy } from './quoted.ts'
import { busy, keyConflict, lineRemoved, planExceeded, queueFull, upstreamRefusal, windowClosed } from './refusals.ts'

/** A send as its body says it, checked field by field; nothing has been looked up yet. */
export interface SendRequest {
  /** `+` and digits; null when the recipient is a contact, or named by its user id. */
  readonly phone: string | null
  readonly contactId: string | null
  /** The upstream's id of the recipient. */
  readonly userId: string | null
  readonly phoneNumberId: string | null
  readonly content: RequestedContent
  /** The message that it answers: our id of it, or the upstream's. */
  readonly replyTo: string | null
  /** Refused unless the upstream's window for everything is open. */
  readonly requireOpenWindow: boolean
  /** The contact's active flow sessions are closed before sending; only the named line's when one is named. */
  readonly revalidateFlowSession: boolean
  readonly idempotencyKey: string | null
  /** The caller's own word for the message. */
  readonly reference: string | null
  /** The SHA-256 of the canonical body; computed only when there is a key to keep it with. */
  readonly fingerprint: () => string
}

export type SendOutcome =
  | { readonly kind: 'created'; readonly message: MessageStatusView }
  | { readonly kind: 'replayed'; readonly message: MessageStatusView }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

export interface SubmissionParts extends Omit<ComposeParts, 'read' | 'usedKey'> {
  readonly store: Store
  readonly media: MediaLibrary
  readonly outbox: Outbox
  readonly credentials: Credentials
  readonly clock: Clock
  /** Null when tracing is off. */
  readonly tracer: Tracer | null
  readonly idempotencyTtlMs: number
  readonly sendWaitMs: number
}

/** The caller of a send, and its request. */
export interface SendCaller {
  readonly workspaceId: string
  /** Null for somebody in the console. */
  readonly keyId: string | null
  /** The lines that it sends from and sees; null: all of the workspace. */
  readonly lineIds: readonly string[] | null
  /** The scope of idempotency keys: that of the API key; without a key, the id of the workspace. */
  readonly scope: string
  /** The caller's `X-Request-Id`; null when it gave none. */
  readonly requestId: string | null
  /** The caller's `traceparent`; null when it gave none. */
  readonly traceparent: string | null
  /** What decides on it, as it was read with the key; null: not read yet. */
  readonly settings: SendSettings | null
}

/**
 * A database that has not stored a message may not answer a read either: its caller has waited long enough by then. An
 * answer comes within this time where there is one.
 */
const lookMsMax = 1_000

const refused = (refusal: Refusal): SendOutcome => ({ kind: 'refused', refusal })

/**
 * One send, from a checked request to its outcome. Order of checks: idempotency, plan, line, recipient, template. Then
 * the message is accepted in one durable step, and the outbox sends it. The answer comes once the upstream's answer is
 * on disk. After `sendWaitMs`, or at a stop, it is `QUEUED`, and the message is sent later.
 * @param renew reads the caller anew, where its settings are kept and no acceptance has shown that they hold. It throws
 *   when this is no caller any more
 */
export async function sendMessage(
  parts: SubmissionParts,
  caller: SendCaller,
  request: SendRequest,
  renew: () => Promise<SendCaller> = async () => ({ ...caller, settings: null }),
): Promise<SendOutcome> {
  for (let by = caller; ; ) {
    const { outcome, isProved } = await attempt(parts, by, request, renew)
    if (isProved) return outcome
    const renewed = await renew()
    if (outcome && decideAlike(by.settings, renewed.settings)) return outcome
    by = renewed
  }
}

type Attempted =
  | { readonly isProved: true; readonly outcome: SendOutcome }
  /** `outcome`: null when the settings are known to be out of date. */
  | { readonly isProved: false; readonly outcome: SendOutcome | null }

const outdated: Attempted = { isProved: false, outcome: null }

async function attempt(
  parts: SubmissionParts,
  caller: SendCaller,
  request: SendRequest,
  renew: () => Promise<SendCaller>,
): Promise<Attempted> {
  const { clock, outbox } = parts
  const { read } = parts.store
  const generation = caller.settings?.generation
  const early = (outcome: SendOutcome): Attempted => ({ isProved: generation === undefined, outcome })
  const now = clock.now()
  const { workspaceId, scope } = caller
  const idempotency = idempotencyOf(request, scope, now + parts.idempotencyTtlMs)
  // The acceptance looks for the key, before all that it decides. Here it is looked for only before something is
  // refused, or asked of the upstream: so most sends are spared a read.
  let looking: Promise<UsedKey | null> | null = null
  const at = expiredBy(clock, parts.idempotencyTtlMs)
  const usedKey = () =>
    (looking ??= idempotency ? read.idempotencyKey({ workspaceId, scope, key: idempotency.key, at }) : notUsed())
  const repeat = async ({ fingerprint, messageId }: UsedKey) =>
    early(fingerprint === idempotency?.fingerprint ? await replay(parts, messageId) : refused(keyConflict))
  const usedKeySoon = () => within(clock, lookMsMax, usedKey())
  const refuse = async (refusal: Refusal) => {
    const used = await usedKey()
    return used ? repeat(used) : early(refused(refusal))
  }
  // The time has jumped ahead: by it, the acceptance would take keys for expired that are in force.
  const inForce = now - at > clockDifferenceMsMax ? await usedKey() : null
  if (inForce) return repeat(inForce)

  const shown = readsOf(read, caller)
  const routed = await route(parts, shown, caller, request, now).next()
  if (!routed.done) return refuse(routed.value)
  const { line, channel, contact, recipient, quotedId } = routed.value ?? unrouted()
  const addressed = { id: newId('msg'), line, recipient, content: request.content, quotedId, read: shown }
  let hasAsked = false
  // The upstream is asked for nothing on behalf of who may not send any more.
  const mayAsk = async () => {
    hasAsked = true
    return generation !== undefined && !decideAlike(caller.settings, (await renew()).settings) ? 'outdated' : usedKey()
  }
  const written = await write(parts, addressed, channel, mayAsk).catch(async error => {
    const used = await (error instanceof Unavailable ? usedKeySoon() : usedKey())
    if (used) return { ok: false, used } as const
    if (generation !== undefined) await renew()
    throw error
  })
  if (!written.ok) {
    if (!('used' in written)) return refuse(written.refusal)
    return written.used === 'outdated' ? outdated : repeat(written.used)
  }
  // What it was asked may have taken a minute, and no generation shows whether the settings are still the same.
  if (hasAsked && generation === undefined && caller.settings !== null) {
    const renewed = await renew()
    if (!decideAlike(caller.settings, renewed.settings)) return outdated
  }
  // Checked again: other sends may have come while media were uploaded. There is no await between here and the
  // reservation.
  if (outbox.isFull(line.id)) return refuse(queueFull)
  const draft = {
    id: addressed.id,
    workspaceId,
    channelId: line.channelId,
    lineId: line.id,
    contactId: contact?.id ?? request.contactId,
    recipient,
    type: request.content.type,
    templateName: request.content.type === 'template' ? request.content.name : null,
    templateLanguage: written.language,
    payload: written.payload,
    createdAt: now,
    apiKeyId: caller.keyId,
    requestId: caller.requestId,
    reference: request.reference,
    idempotency,
    opensFlow: contact && openedFlow(contact.id, request),
    closesFlows: contact && closedFlows(contact.id, request, caller.lineIds === null ? null : line.id),
    generation,
  }
  const trace = parts.tracer?.begin(caller.traceparent, now, traced(draft))
  const media = shownMedia(parts, addressed, written.mediaIds)
  const acceptance = await acceptedBy(outbox.accept(draft, line, written.accessToken, media, trace))
  if (acceptance.outcome === 'unavailable') {
    const used = await usedKeySoon()
    return used ? repeat(used) : early(refused(busy('The message could not be stored.')))
  }
  if (acceptance.outcome === 'outdated') return outdated
  const answer = answerTo(parts, draft, acceptance)
  return { isProved: true, outcome: await (acceptance.outcome === 'accepted' ? afterAcceptance(answer) : answer) }
}

interface Route {
  readonly line: Line
  readonly channel: Channel | undefined
  readonly contact: Contact | null
  readonly recipient: string
  readonly quotedId: string | null
}

/**
 * From which line a message goes to whom, under the plan of its workspace as it is at `now`. It yields each refusal: a
 * send ends with the first, and a check goes on for the others.
 * @returns null, after a refusal, when there is no line or no recipient
 */
export async function* route(
  { store, outbox }: Pick<SubmissionParts, 'store' | 'outbox'>,
  read: KeyReads,
  { workspaceId, lineIds, settings }: Pick<SendCaller, 'workspaceId' | 'lineIds' | 'settings'>,
  request: SendRequest,
  now: EpochMs,
): AsyncGenerator<Refusal, Route | null> {
  const month = monthOf(now)
  const { plan, lines, channels } =
    settings?.month === month ? settings : await readSettings(store.read, { workspaceId, month })
  if (plan.limit !== null && isUsedUp(plan)) yield planExceeded(plan.limit, plan.used, now)
  const choice = chooseLine(lines, request.phoneNumberId, lineIds)
  const line = choice.ok ? choice.line : null
  if (!choice.ok) yield choice.refusal
  if (line && outbox.isFull(line.id)) yield queueFull
  const contact = await contactOf(read, workspaceId, request)
  const { phone, userId } = request
  // A user has the id that it has now, and is written to by it alone: the number may be another's by now.
  const recipient = userId === null ? (phone ?? contact?.phone ?? contact?.userId ?? null) : (contact?.userId ?? userId)
  if (recipient === null) yield { reason: 'NOT_FOUND', message: 'contactId names no contact of this workspace.' }
  if (line && recipient !== null) {
    const unsent = directSendRefusal('direct' in request.content ? request.content.direct : null, line, recipient)
    if (unsent) yield unsent
    if (request.requireOpenWindow && !(await hasOpenWindow(read, { workspaceId, line, contact, recipient, now })))
      yield windowClosed
  }
  const to = { lineId: line?.id ?? null, recipient, contactId: contact?.id ?? null }
  const quoted = await quotedBy(read, workspaceId, request, to)
  if (!quoted.ok) yield quoted.refusal
  if (!line || recipient === null) return null
  const channel = channels.find(({ id }) => id === line.channelId)
  return { line, channel, contact, recipient, quotedId: quoted.ok ? quoted.channelMessageId : null }
}

/** @throws Error: nothing was refused, so there is a line and a recipient */
function unrouted(): never {
  throw new Error('a send without a line or a recipient')
}

/** As it is now: an id that a caller knows may be of a merged contact, or one that its user has left. */
async function contactOf(read: KeyReads, workspaceId: string, { contactId, userId }: SendRequest) {
  if (contactId !== null) return read.contact({ workspaceId, contactId })
  return userId === null ? null : ((await read.contactsAt({ workspaceId, addresses: [userId] })).get(userId) ?? null)
}

/** Of a message without a key, and of one that has its key itself by now. */
const notUsed = async () => null

/** What the upstream's request of a message is written from. */
interface AddressedContent extends ToCompose {
  readonly id: string
  /** What its caller sees. */
  readonly read: KeyReads
}

/** Writes the upstream's request of a message. */
export async function write(
  parts: Pick<SubmissionParts, 'credentials'> & Omit<ComposeParts, 'read' | 'usedKey'>,
  { id, read, ...asked }: AddressedContent,
  channel: Channel | null | undefined,
  usedKey: ComposeParts['usedKey'],
) {
  if (!channel) throw new Error('a line without its channel')
  const accessToken = parts.credentials.open(channel, 'accessToken')
  const { templates, media, templateRefresher } = parts
  const composeParts = { read, templates, media, templateRefresher, usedKey }
  const composition = await compose(composeParts, accessToken, asked)
  if (!composition.ok) return composition
  const { content, mediaIds } = composition
  const language = content.type === 'template' ? content.template.language.code : null
  const payload = sendRequest(asked.recipient, content, id, asked.quotedId)
  return { ok: true, payload, language, mediaIds, accessToken } as const
}

/** @returns the files that a message shows, uploaded again when the upstream has lost one; null: it has none */
function shownMedia(parts: SubmissionParts, addressed: AddressedContent, ids: readonly string[]): ShownMedia | null {
  if (ids.length === 0) return null
  const renew = async () => {
    const again = await write(parts, addressed, await parts.store.read.channel(addressed.line.channelId), notUsed)
    return again.ok ? { payload: again.payload, ids: again.mediaIds } : null
  }
  return { ids, renew }
}

/** 503 says that nothing was accepted. When the database fails after the acceptance, the answer must be another one. */
async function afterAcceptance(answer: Promise<SendOutcome>): Promise<SendOutcome> {
  try {
    return await answer
  } catch (cause) {
    throw new Error('the message was accepted, and what became of it cannot be read', { cause })
  }
}

async function answerTo(
  parts: SubmissionParts,
  draft: Omit<MessageDraft, 'dispatchedAt'>,
  acceptance: Exclude<OutboxAcceptance, { outcome: 'outdated' }>,
): Promise<SendOutcome> {
  switch (acceptance.outcome) {
    case 'accepted':
      try {
        return outcomeOf(await awaitEnd(parts, draft.id, acceptance.end), 'created')
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error
        // The database cannot be read now, but it is known that the message was accepted and had no end so far.
        return { kind: 'created', message: asAccepted(draft) }
      }
    case 'replayed':
      return replay(parts, acceptance.messageId)
    case 'conflict':
      return refused(keyConflict)
    case 'lineRemoved':
      return refused(lineRemoved)
    case 'planExhausted':
      return refused(planExceeded(acceptance.limit, acceptance.used, draft.createdAt))
  }
}

const asAccepted = (draft: Omit<MessageDraft, 'dispatchedAt'>): MessageStatusView => {
  const { id, workspaceId, createdAt } = draft
  return { ...eventless, ...{ id, workspaceId, createdAt, dispatchedAt: null, status: 'QUEUED' }, ...draftedOf(draft) }
}

/** What a trace says of a message: our ids, nothing of its recipient or content. */
const traced = ({ id, workspaceId, lineId, type }: Pick<MessageDraft, 'id' | 'workspaceId' | 'lineId' | 'type'>) => ({
  'waypost.message.id': id,
  'waypost.workspace.id': workspaceId,
  'waypost.line.id': lineId,
  'waypost.message.type': type,
})

/** A flow message to a contact opens a session, which the contact's reply closes. */
function openedFlow(contactId: string, { content }: SendRequest): MessageDraft['opensFlow'] {
  if (content.type !== 'interactive' || !content.flow) return null
  return { contactId, flowToken: content.flow.token }
}

/** @param only the line of a caller that is limited to lines: what is open on others is not its own; null: it is not */
const closedFlows = (
  contactId: string,
  { revalidateFlowSession, phoneNumberId }: SendRequest,
  only: string | null,
): MessageDraft['closesFlows'] => (revalidateFlowSession ? { contactId, lineId: phoneNumberId ?? only } : null)

const idempotencyOf = ({ idempotencyKey: key, fingerprint }: SendRequest, scope: string, expiresAt: number) =>
  key === null ? null : { scope, key, fingerprint: fingerprint(), expiresAt }

async function acceptedBy(accepting: ReturnType<Outbox['accept']>) {
  try {
    return await accepting
  } catch (error) {
    // A stop or a full disk: nothing was stored. A writer that died may have stored it, and that is another error.
    if (error instanceof Unavailable) return { outcome: 'unavailable' } as const
    throw error
  }
}

const outcomeOf = ({ message, fault }: AwaitedEnd, kind: 'created' | 'replayed'): SendOutcome =>
  fault ? refused(upstreamRefusal(message.id, fault)) : { kind, message }

/**
 * A replay waits for the first request if that is still under way, and is answered as it was: then with the message as
 * it is. A refusal frees the key, so there is nothing to replay: both callers are answered the same.
 */
export const replay = async (parts: SubmissionParts, messageId: string): Promise<SendOutcome> =>
  outcomeOf(await awaitEnd(parts, messageId), 'replayed')
