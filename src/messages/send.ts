import type { Line, MessageDraft, MessageStatusView } from '../../db/records.ts'
import type { Store } from '../../db/store.ts'
import type { Clock, EpochMs } from '../clock.ts'
import type { Credentials } from '../credentials.ts'
import type { Refusal } from '../errors.ts'
import { failureReason, type UpstreamFault } from '../graph/answer.ts'
import { sendRequest } from '../graph/request.ts'
import { newId } from '../ids.ts'
import { isoTime } from '../isoTime.ts'
import { monthEnd, monthOf } from '../message/plan.ts'
import { WorkerUnavailable } from '../queue/mailbox.ts'
import type { TemplateRefresher } from '../templates/refresh.ts'
import { busy } from './busy.ts'
import { type ComposeParts, compose } from './compose.ts'
import type { Dispatcher, Settled } from './dispatch.ts'
import type { Held, HeldKeys } from './heldKeys.ts'
import type { SendJob } from './job.ts'
import { type LearnerParts, lacksMedia, learnt } from './learn.ts'
import { chooseLine } from './line.ts'
import type { SendRequest } from './request.ts'

export type SendOutcome =
  | { readonly kind: 'created'; readonly message: MessageStatusView }
  | { readonly kind: 'replayed'; readonly message: MessageStatusView }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

export interface SenderParts extends Omit<ComposeParts, 'read' | 'templateRefresher'>, LearnerParts {
  readonly dispatcher: Dispatcher
  readonly heldKeys: HeldKeys<SendOutcome>
  readonly templateRefresher: Pick<TemplateRefresher, 'request' | 'renew'>
  readonly credentials: Credentials
  readonly clock: Clock
  readonly idempotencyTtlMs: number
  readonly sendWaitMs: number
}

/** Who sends. */
export interface SendCaller {
  readonly workspaceId: string
  readonly keyId: string
  /** Of idempotency keys: that of the API key. */
  readonly scope: string
}

const refused = (refusal: Refusal): SendOutcome => ({ kind: 'refused', refusal })

/**
 * One send, from a checked request to its outcome. Order of checks: idempotency, plan, line, recipient, template. Then
 * the message is accepted in one durable step, handed to its line's sender, and answered once the upstream's answer is
 * on disk, or after `sendWaitMs` as `QUEUED` while the work goes on. When the upstream does not know a file any more that
 * we had uploaded from a link, it is uploaded again and sent once more, as another message (upstream reference 4.3).
 */
export async function sendMessage(
  parts: SenderParts,
  caller: SendCaller,
  request: SendRequest,
  isOnceMore = false,
): Promise<SendOutcome> {
  const { store, dispatcher, heldKeys, clock } = parts
  const { workspaceId, keyId: apiKeyId, scope } = caller
  const now = clock.now()

  const idempotency = idempotencyOf(request, scope, now + parts.idempotencyTtlMs)
  if (idempotency && !isOnceMore) {
    const first = await firstUse(parts, idempotency, now)
    if (first) return first
  }
  const plan = await store.read.plan({ workspaceId, month: monthOf(now) })
  if (plan.limit !== null && plan.used >= plan.limit) return refused(planExceeded(plan.limit, plan.used, now))

  const choice = chooseLine(await store.read.lines(workspaceId), request.phoneNumberId)
  if (!choice.ok) return refused(choice.refusal)
  const { line } = choice
  if (dispatcher.isFull(line.id)) return refused(queueFull)
  const recipient = request.phone ?? (await addressOf(store, workspaceId, request.contactId))
  if (recipient === null)
    return refused({ reason: 'NOT_FOUND', message: 'contactId names no contact of this workspace.' })
  const accessToken = await accessTokenOf(parts, line.channelId)
  const { templates, media, templateRefresher } = parts
  const composeParts = { read: store.read, templates, media, templateRefresher }
  const composition = await compose(composeParts, line, accessToken, request.content)
  if (!composition.ok) return refused(composition.refusal)
  // Again: others may have come while media were uploaded. Nothing is waited for from here until its place is taken.
  if (dispatcher.isFull(line.id)) return refused(queueFull)
  if (idempotency && !isOnceMore) {
    const held = heldKeys.find(scope, idempotency.key)
    if (held) return held.fingerprint === idempotency.fingerprint ? join(held) : refused(conflict)
  }
  const id = newId('msg')
  const draft: MessageDraft = {
    id,
    workspaceId,
    channelId: line.channelId,
    lineId: line.id,
    contactId: request.contactId,
    recipient,
    type: request.content.type,
    payload: sendRequest(recipient, composition.content, id),
    createdAt: now,
    dispatchedAt: dispatcher.foretell(line),
    apiKeyId,
    idempotency,
    opensFlow: openedFlow(request),
    closesFlows: closedFlows(request),
  }
  const { mediaIds } = composition
  if (mediaIds.length === 0 || isOnceMore) return offer(parts, draft, line, accessToken, mediaIds, null)
  const onceMore = () => sendMessage(parts, caller, request, true)
  const outcome = offer(parts, draft, line, accessToken, mediaIds, onceMore)
  return idempotency ? heldKeys.hold(scope, idempotency, outcome) : outcome
}

/**
 * Accepts the message, has it sent and waits for its end.
 * @param mediaIds the uploaded files that it shows
 * @param onceMore what to do when the upstream does not know one of them any more; null: it is refused
 */
async function offer(
  parts: SenderParts,
  draft: MessageDraft,
  line: Line,
  accessToken: string,
  mediaIds: readonly string[],
  onceMore: (() => Promise<SendOutcome>) | null,
): Promise<SendOutcome> {
  const acceptance = await accept(parts, draft)
  switch (acceptance.outcome) {
    case 'accepted': {
      const settled = parts.dispatcher.submit(jobFor(draft, line, accessToken))
      const ended = settled.then(end => learnt(parts, line, mediaIds, end))
      const end = await settledInTime(parts, ended)
      if (end === null) return { kind: 'created', message: await existing(parts.store, draft.id) }
      // A definite refusal, which has freed the idempotency key and given the plan's count back.
      return onceMore && refusalOf(end) && lacksMedia(end) ? onceMore() : outcomeOf(end)
    }
    case 'replayed':
      return replay(parts, acceptance.messageId)
    case 'conflict':
      return refused(conflict)
    case 'lineRemoved':
      return refused({ reason: 'PHONE_NUMBER_NOT_FOUND', message: 'The line was removed while the message was sent.' })
    case 'planExhausted':
      return refused(planExceeded(acceptance.limit, acceptance.used, draft.createdAt))
    case 'unavailable':
      return refused(busy('The message could not be stored.'))
  }
}

/** A flow message to a contact opens a session, which the contact's reply closes. */
function openedFlow({ contactId, content }: SendRequest): MessageDraft['opensFlow'] {
  if (contactId === null || content.type !== 'interactive' || !content.flow) return null
  return { contactId, flowToken: content.flow.token }
}

const closedFlows = ({ revalidateFlowSession, contactId, phoneNumberId }: SendRequest): MessageDraft['closesFlows'] =>
  revalidateFlowSession && contactId !== null ? { contactId, lineId: phoneNumberId } : null

const idempotencyOf = ({ idempotencyKey: key, fingerprint }: SendRequest, scope: string, expiresAt: number) =>
  key === null ? null : { scope, key, fingerprint: fingerprint(), expiresAt }

/** @returns the job that a line's sender takes. */
export const jobFor = (
  message: Pick<MessageDraft, 'id' | 'channelId' | 'recipient' | 'payload' | 'dispatchedAt'>,
  line: Line,
  accessToken: string,
): SendJob => ({
  messageId: message.id,
  channelId: message.channelId,
  lineId: line.id,
  upstreamPhoneId: line.upstreamPhoneId,
  accessToken,
  recipient: message.recipient,
  payload: message.payload,
  perSecond: line.perSecond,
  pairSeconds: line.pairSeconds,
  isDispatched: message.dispatchedAt !== null,
})

/** @throws Error when the channel is gone or its secret does not open: neither is the caller's doing */
export async function accessTokenOf(
  { store, credentials }: Pick<SenderParts, 'store' | 'credentials'>,
  channelId: string,
): Promise<string> {
  const channel = await store.read.channel(channelId)
  if (!channel) throw new Error('a line without its channel')
  return credentials.open(channel, 'accessToken')
}

async function addressOf(store: Store, workspaceId: string, contactId: string | null): Promise<string | null> {
  const contact = contactId === null ? null : await store.read.contact({ workspaceId, contactId })
  return contact?.phone ?? contact?.userId ?? null
}

async function accept({ store, dispatcher }: SenderParts, draft: MessageDraft) {
  dispatcher.expect(draft.id, draft.lineId, draft.payload)
  try {
    const acceptance = await store.write.acceptMessage(draft)
    if (acceptance.outcome !== 'accepted') dispatcher.forget(draft.id)
    return acceptance
  } catch (error) {
    dispatcher.forget(draft.id)
    // Stopping or a full disk: nothing was stored. A writer that died may have stored it: nothing is claimed then.
    if (error instanceof WorkerUnavailable) return { outcome: 'unavailable' } as const
    throw error
  }
}

/** @returns null when the message is still on its way after the time a caller waits for. */
function settledInTime({ clock, sendWaitMs }: SenderParts, settled: Promise<Settled>): Promise<Settled | null> {
  return new Promise((resolve, reject) => {
    const cancelTimer = clock.setTimer(sendWaitMs, () => resolve(null))
    settled.then(cancelTimer, cancelTimer)
    settled.then(resolve, reject)
  })
}

function outcomeOf(end: Settled): SendOutcome {
  const fault = refusalOf(end)
  // A lost answer is no refusal: the message exists, and its status says UNKNOWN.
  return fault ? refused(upstreamRefusal(end.message.id, fault)) : { kind: 'created', message: end.message }
}

/** @returns why it was refused; null when it was not, or when a callback has shown that it went out all the same. */
const refusalOf = ({ message, answer }: Settled): UpstreamFault | null =>
  answer.kind === 'refused' && message.status === 'FAILED' ? answer.fault : null

/** @returns null when the key is free. */
async function firstUse(
  parts: SenderParts,
  { scope, key, fingerprint }: { scope: string; key: string; fingerprint: string },
  at: EpochMs,
): Promise<SendOutcome | null> {
  const held = parts.heldKeys.find(scope, key)
  if (held?.fingerprint === fingerprint) return join(held)
  // The disk has the last word: what holds the key may be on its way there, and too late.
  const used = await parts.store.read.idempotencyKey({ scope, key, at })
  if (used?.fingerprint === fingerprint) return replay(parts, used.messageId)
  return used || held ? refused(conflict) : null
}

/** A replay waits for the first request, if that is still in flight, and shows the message as it stands then. */
async function replay(parts: SenderParts, messageId: string): Promise<SendOutcome> {
  const underWay = parts.dispatcher.find(messageId)
  const end = underWay ? await settledInTime(parts, underWay) : null
  // A refusal frees the key, so there is nothing to replay: both callers learn the same.
  const fault = end && refusalOf(end)
  if (fault) return refused(upstreamRefusal(messageId, fault))
  return { kind: 'replayed', message: end?.message ?? (await existing(parts.store, messageId)) }
}

/** The same for a first request that may send once more: its last attempt is the one that counts. */
async function join(first: Held<SendOutcome>): Promise<SendOutcome> {
  const outcome = await first.outcome
  return outcome.kind === 'refused' ? outcome : { kind: 'replayed', message: outcome.message }
}

async function existing(store: Store, messageId: string): Promise<MessageStatusView> {
  const message = await store.read.statusView(messageId)
  if (!message) throw new Error('an idempotency key points to a message that does not exist')
  return message
}

function upstreamRefusal(messageId: string, fault: UpstreamFault): Refusal {
  const { code, subcode, title, details, traceId, retryable } = fault
  return {
    reason: 'CHANNEL_GRAPH_ERROR',
    status: fault.fault === 'request' ? 400 : 502,
    message: `The upstream platform refused the message: ${failureReason(fault)}`,
    details: { messageId, code, subcode, title, details, traceId, retryable },
  }
}

const conflict: Refusal = {
  reason: 'IDEMPOTENCY_CONFLICT',
  message: 'This idempotency key was used before with a different body. Use a new key for a new message.',
}

const queueFull = busy('Too many messages of this line are waiting to be sent.')

const planExceeded = (limit: number, used: number, now: number): Refusal => ({
  reason: 'PLAN_LIMIT_EXCEEDED',
  message: 'The monthly message limit of this workspace is reached.',
  details: { limit, used, resetsAt: isoTime(monthEnd(now)) },
})
