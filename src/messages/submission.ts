import type { MessageDraft, MessageStatusView } from '../../db/records.ts'
import type { Store } from '../../db/store.ts'
import type { Clock, EpochMs } from '../clock.ts'
import type { Refusal } from '../errors.ts'
import type { UpstreamFault } from '../graph/answer.ts'
import { sendRequest } from '../graph/request.ts'
import { newId } from '../ids.ts'
import { monthOf } from '../message/plan.ts'
import { WorkerUnavailable } from '../queue/mailbox.ts'
import type { Tracer } from '../tracing.ts'
import { type ComposeParts, compose, type RequestedContent } from './compose.ts'
import type { Settled } from './inFlight.ts'
import { chooseLine } from './line.ts'
import type { Outbox } from './outbox.ts'
import { busy, conflict, lineRemoved, planExceeded, queueFull, upstreamRefusal } from './refusals.ts'

/** A send as its body says it, checked field by field; nothing has been looked up yet. */
export interface SendRequest {
  /** `+` and digits; null when the recipient is a contact. */
  readonly phone: string | null
  readonly contactId: string | null
  readonly phoneNumberId: string | null
  readonly content: RequestedContent
  /** The contact's active flow sessions are closed before sending; only the named line's when one is named. */
  readonly revalidateFlowSession: boolean
  readonly idempotencyKey: string | null
  /** The SHA-256 of the canonical body; computed only when there is a key to keep it with. */
  readonly fingerprint: () => string
}

export type SendOutcome =
  | { readonly kind: 'created'; readonly message: MessageStatusView }
  | { readonly kind: 'replayed'; readonly message: MessageStatusView }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

export interface SubmissionParts extends Omit<ComposeParts, 'read'> {
  readonly store: Store
  readonly outbox: Outbox
  /** @returns the channel's current access token. */
  readonly accessToken: (channelId: string) => Promise<string>
  readonly clock: Clock
  /** Null when nobody wants traces. */
  readonly tracer: Tracer | null
  readonly idempotencyTtlMs: number
  readonly sendWaitMs: number
}

/** The caller of a send, and its request. */
export interface SendCaller {
  readonly workspaceId: string
  /** Null for somebody in the console. */
  readonly keyId: string | null
  /** The scope of idempotency keys: that of the API key; without a key, the id of the workspace. */
  readonly scope: string
  /** The caller's `X-Request-Id`; null when it gave none. */
  readonly requestId: string | null
  /** The caller's `traceparent`; null when it gave none. */
  readonly traceparent: string | null
}

const refused = (refusal: Refusal): SendOutcome => ({ kind: 'refused', refusal })

/**
 * One send, from a checked request to its outcome. Order of checks: idempotency, plan, line, recipient, template. Then
 * the message is accepted in one durable step, and the outbox sends it. The answer comes once the upstream's answer is
 * on disk. After `sendWaitMs`, or at a stop, it is `QUEUED`, and the message is sent later.
 */
export async function sendMessage(
  parts: SubmissionParts,
  { workspaceId, keyId: apiKeyId, scope, requestId, traceparent }: SendCaller,
  request: SendRequest,
): Promise<SendOutcome> {
  const { store, outbox, clock } = parts
  const now = clock.now()

  const idempotency = idempotencyOf(request, scope, now + parts.idempotencyTtlMs)
  if (idempotency) {
    const first = await firstUse(parts, idempotency, now)
    if (first) return first
  }
  const plan = await store.read.plan({ workspaceId, month: monthOf(now) })
  if (plan.limit !== null && plan.used >= plan.limit) return refused(planExceeded(plan.limit, plan.used, now))

  const choice = chooseLine(await store.read.lines(workspaceId), request.phoneNumberId)
  if (!choice.ok) return refused(choice.refusal)
  const { line } = choice
  if (outbox.isFull(line.id)) return refused(queueFull)
  const recipient = request.phone ?? (await addressOf(store, workspaceId, request.contactId))
  if (recipient === null)
    return refused({ reason: 'NOT_FOUND', message: 'contactId names no contact of this workspace.' })
  const write = async () => {
    const accessToken = await parts.accessToken(line.channelId)
    const composition = await compose({ ...parts, read: store.read }, line, accessToken, request.content)
    if (!composition.ok) return composition
    const { content, mediaIds } = composition
    return { ok: true, payload: sendRequest(recipient, content, id), mediaIds, accessToken } as const
  }
  const id = newId('msg')
  const written = await write()
  if (!written.ok) return refused(written.refusal)
  // Checked again: other sends may have come while media were uploaded. From here to the reservation nothing is
  // awaited.
  if (outbox.isFull(line.id)) return refused(queueFull)
  const { payload, mediaIds, accessToken } = written
  const draft = {
    id,
    workspaceId,
    channelId: line.channelId,
    lineId: line.id,
    contactId: request.contactId,
    recipient,
    type: request.content.type,
    templateName: request.content.type === 'template' ? request.content.name : null,
    payload,
    createdAt: now,
    apiKeyId,
    requestId,
    idempotency,
    opensFlow: openedFlow(request),
    closesFlows: closedFlows(request),
  }
  const renew = async () => {
    const again = await write()
    return again.ok ? { payload: again.payload, ids: again.mediaIds } : null
  }
  const shown = mediaIds.length === 0 ? null : { ids: mediaIds, renew }
  const trace = parts.tracer?.begin(traceparent, now, traced(draft))
  return answerTo(parts, draft, await acceptedBy(outbox.accept(draft, line, accessToken, shown, trace)))
}

async function answerTo(
  parts: SubmissionParts,
  { id, createdAt }: Pick<MessageDraft, 'id' | 'createdAt'>,
  acceptance: Awaited<ReturnType<typeof acceptedBy>>,
): Promise<SendOutcome> {
  switch (acceptance.outcome) {
    case 'accepted': {
      const end = await settledInTime(parts, acceptance.end)
      return end === null ? { kind: 'created', message: await existing(parts.store, id) } : outcomeOf(end)
    }
    case 'replayed':
      return replay(parts, acceptance.messageId)
    case 'conflict':
      return refused(conflict)
    case 'lineRemoved':
      return refused(lineRemoved)
    case 'planExhausted':
      return refused(planExceeded(acceptance.limit, acceptance.used, createdAt))
    case 'unavailable':
      return refused(busy('The message could not be stored.'))
  }
}

/** What a trace says of a message: ids of ours, and nothing of its recipient or content. */
const traced = ({ id, workspaceId, lineId, type }: Pick<MessageDraft, 'id' | 'workspaceId' | 'lineId' | 'type'>) => ({
  'waypost.message.id': id,
  'waypost.workspace.id': workspaceId,
  'waypost.line.id': lineId,
  'waypost.message.type': type,
})

/** A flow message to a contact opens a session, which the contact's reply closes. */
function openedFlow({ contactId, content }: SendRequest): MessageDraft['opensFlow'] {
  if (contactId === null || content.type !== 'interactive' || !content.flow) return null
  return { contactId, flowToken: content.flow.token }
}

const closedFlows = ({ revalidateFlowSession, contactId, phoneNumberId }: SendRequest): MessageDraft['closesFlows'] =>
  revalidateFlowSession && contactId !== null ? { contactId, lineId: phoneNumberId } : null

const idempotencyOf = ({ idempotencyKey: key, fingerprint }: SendRequest, scope: string, expiresAt: number) =>
  key === null ? null : { scope, key, fingerprint: fingerprint(), expiresAt }

async function addressOf(store: Store, workspaceId: string, contactId: string | null): Promise<string | null> {
  const contact = contactId === null ? null : await store.read.contact({ workspaceId, contactId })
  return contact?.phone ?? contact?.userId ?? null
}

async function acceptedBy(accepting: ReturnType<Outbox['accept']>) {
  try {
    return await accepting
  } catch (error) {
    // A stop or a full disk: nothing was stored. A writer that died may have stored it, and that is another error.
    if (error instanceof WorkerUnavailable) return { outcome: 'unavailable' } as const
    throw error
  }
}

/** @returns null when the message is not settled after `sendWaitMs`, or at a stop. */
function settledInTime(
  { clock, sendWaitMs }: SubmissionParts,
  settled: Promise<Settled | null>,
): Promise<Settled | null> {
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

/** @returns why it was refused; null when it was not, or when a callback has shown that it was sent. */
const refusalOf = ({ message, answer }: Settled): UpstreamFault | null =>
  answer.kind === 'refused' && message.status === 'FAILED' ? answer.fault : null

/** @returns null when the key is free. */
async function firstUse(
  parts: SubmissionParts,
  { scope, key, fingerprint }: { scope: string; key: string; fingerprint: string },
  at: EpochMs,
): Promise<SendOutcome | null> {
  const used = await parts.store.read.idempotencyKey({ scope, key, at })
  if (!used) return null
  return used.fingerprint === fingerprint ? replay(parts, used.messageId) : refused(conflict)
}

/** A replay waits for the first request if that is still in flight, then shows the message as it is. */
async function replay(parts: SubmissionParts, messageId: string): Promise<SendOutcome> {
  const underWay = parts.outbox.find(messageId)
  const end = underWay ? await settledInTime(parts, underWay) : null
  // A refusal frees the key, so there is nothing to replay: both callers are answered the same.
  const fault = end && refusalOf(end)
  if (fault) return refused(upstreamRefusal(messageId, fault))
  return { kind: 'replayed', message: end?.message ?? (await existing(parts.store, messageId)) }
}

async function existing(store: Store, messageId: string): Promise<MessageStatusView> {
  const message = await store.read.statusView(messageId)
  if (!message) throw new Error('an idempotency key points to a message that does not exist')
  return message
}
