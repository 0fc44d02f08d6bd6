import type { Line, MessageDraft, Standing } from '../../db/records.ts'
import type { Store } from '../../db/store.ts'
import { failureReason, type UpstreamFault } from '../channel/answer.ts'
import type { Credentials } from '../channel/credentials.ts'
import type { SendJob } from '../channel/lane.ts'
import { sendRequest } from '../channel/request.ts'
import type { Clock } from '../clock.ts'
import type { Refusal } from '../errors.ts'
import { newId } from '../ids.ts'
import { isoTime } from '../isoTime.ts'
import type { Logger } from '../log.ts'
import { WorkerUnavailable } from '../queue/mailbox.ts'
import type { TemplateRefresher } from '../templates/refresh.ts'
import { busy } from './busy.ts'
import { type ComposeParts, compose } from './compose.ts'
import type { Dispatcher, Settled } from './dispatch.ts'
import { chooseLine } from './line.ts'
import { monthEnd, monthOf } from './plan.ts'
import type { SendRequest } from './request.ts'

export type SendOutcome =
  | { readonly kind: 'created'; readonly message: Standing }
  | { readonly kind: 'replayed'; readonly message: Standing }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

export interface SenderParts extends Omit<ComposeParts, 'read'> {
  readonly store: Store
  readonly dispatcher: Dispatcher
  readonly credentials: Credentials
  readonly clock: Clock
  readonly log: Logger
  readonly idempotencyTtlMs: number
  readonly sendWaitMs: number
  readonly templateRefresher: Pick<TemplateRefresher, 'request'>
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
  workspaceId: string,
  request: SendRequest,
  isOnceMore = false,
): Promise<SendOutcome> {
  const { store, dispatcher, clock } = parts
  const now = clock.now()
  const onceMore = isOnceMore ? null : () => sendMessage(parts, workspaceId, request, true)

  const idempotency = idempotencyOf(request, now + parts.idempotencyTtlMs)
  if (idempotency) {
    const used = await store.read.idempotencyKey({ workspaceId, key: idempotency.key, at: now })
    if (used && used.fingerprint !== idempotency.fingerprint) return refused(conflict)
    if (used) return replay(parts, used.messageId, onceMore)
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
  const { templates, media } = parts
  const composition = await compose({ read: store.read, templates, media }, line, accessToken, request.content)
  if (!composition.ok) return refused(composition.refusal)
  // Once more: others may have come while media were uploaded. Nothing is waited for from here until its place is taken.
  if (dispatcher.isFull(line.id)) return refused(queueFull)

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
    idempotency,
    opensFlow: openedFlow(request),
    closesFlows: closedFlows(request),
  }
  const acceptance = await accept(parts, draft)
  switch (acceptance.outcome) {
    case 'accepted': {
      const settled = dispatcher.submit(jobFor(draft, line, accessToken))
      const ended = settled.then(end => learnt(parts, line, composition.mediaIds, end))
      const end = await settledInTime(parts, ended)
      if (end === null) return { kind: 'created', message: await existing(store, id) }
      // A definite refusal, which has freed the idempotency key and given the plan's count back.
      if (composition.mediaIds.length > 0 && lacksMedia(end) && onceMore) return onceMore()
      return outcomeOf(end)
    }
    case 'replayed':
      return replay(parts, acceptance.messageId, onceMore)
    case 'conflict':
      return refused(conflict)
    case 'planExhausted':
      return refused(planExceeded(acceptance.limit, acceptance.used, now))
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

const idempotencyOf = ({ idempotencyKey: key, fingerprint }: SendRequest, expiresAt: number) =>
  key === null ? null : { key, fingerprint: fingerprint(), expiresAt }

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
  dispatcher.expect(draft.id, draft.lineId)
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

function outcomeOf({ message, answer }: Settled): SendOutcome {
  switch (answer.kind) {
    case 'accepted':
      return { kind: 'created', message }
    case 'refused':
      return refused(upstreamRefusal(message.id, answer.fault))
    case 'lost':
      // A callback was quicker than the time limit: the outcome is known after all.
      if (message.status !== 'UNKNOWN') return { kind: 'created', message }
      return refused({
        reason: 'CHANNEL_GRAPH_ERROR',
        status: 502,
        message:
          'The upstream platform took the request, but its answer was lost. The message may have been sent and will not be resent; poll its status.',
        details: { outcome: 'unknown', messageId: message.id },
      })
  }
}

/**
 * A replay waits for the first request, if that is still in flight, and shows the message as it stands then.
 * @param onceMore takes part in the second attempt of a first request that has one
 */
async function replay(
  parts: SenderParts,
  messageId: string,
  onceMore: (() => Promise<SendOutcome>) | null,
): Promise<SendOutcome> {
  const underWay = parts.dispatcher.find(messageId)
  const settled = underWay ? await settledInTime(parts, underWay) : null
  if (settled && lacksMedia(settled) && onceMore) return onceMore()
  // A refusal frees the key, so there is nothing to replay: both callers learn the same.
  if (settled?.answer.kind === 'refused') return refused(upstreamRefusal(messageId, settled.answer.fault))
  return { kind: 'replayed', message: settled?.message ?? (await existing(parts.store, messageId)) }
}

async function existing(store: Store, messageId: string): Promise<Standing> {
  const message = await store.read.standing(messageId)
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

/** @returns the same end, once what it tells of the upstream has been learnt. Only a refusal tells anything. */
function learnt(
  parts: SenderParts,
  line: Line,
  mediaIds: readonly string[],
  settled: Settled,
): Settled | Promise<Settled> {
  const { answer } = settled
  return answer.kind === 'refused' ? learn(parts, line, mediaIds, answer.fault).then(() => settled) : settled
}

/** A refusal may say that what we keep about the upstream is out of date. */
async function learn(
  { store, templateRefresher, log }: SenderParts,
  line: Line,
  mediaIds: readonly string[],
  fault: UpstreamFault,
): Promise<void> {
  if (mediaIds.length > 0 && isMediaGone(fault)) {
    await store.write.forgetMedia({ lineId: line.id, mediaIds }).catch((error: unknown) => {
      // The caller is told of the refusal all the same; the next one is told the same, and tries again.
      log.warn({ err: error, lineId: line.id }, 'media ids that are gone could not be forgotten')
    })
  }
  if (fault.code !== null && templateGoneCodes.includes(fault.code)) templateRefresher.request(line.channelId)
}

/** Does not exist or is not approved; paused; disabled (upstream reference 4.3). */
const templateGoneCodes = [132001, 132015, 132016]

/** The upstream's words for a media id that it does not know any more, or cannot use. */
const isMediaGone = ({ code, subcode, fault }: UpstreamFault) =>
  // The same code and subcode may name our own line: that is not the request's fault.
  fault === 'request' && (code === 131053 || (code === 100 && subcode === 33))

const lacksMedia = ({ answer }: Settled) => answer.kind === 'refused' && isMediaGone(answer.fault)

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
