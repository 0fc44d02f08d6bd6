import type { MessageDraft, MessageStatusView } from '../../db/contract/records.ts'
import { decideAlike } from '../../db/contract/sendSettings.ts'
import { draftedOf } from '../../db/contract/statusView.ts'
import type { Store } from '../../db/contract/store.ts'
import { type Clock, type EpochMs, within } from '../base/clock.ts'
import type { Refusal } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import { Unavailable } from '../base/unavailable.ts'
import type { MediaLibrary } from '../media/outgoing/library.ts'
import { eventless } from '../message/state.ts'
import { readsOf } from '../reading/keyReads.ts'
import { keep } from '../telemetry/promises.ts'
import type { Tracer } from '../telemetry/tracing.ts'
import { type AwaitedEnd, awaitEnd } from './awaitedEnd.ts'
import { type Addressed, type WriteParts, type Written, write } from './compose.ts'
import { optOutRefusal } from './optOut.ts'
import type { Outbox, OutboxAcceptance } from './outbox.ts'
import type { ShownMedia } from './outboxMessage.ts'
import { heldUntil } from './quiet.ts'
import { busy, keyConflict, lineRemoved, planExceeded, queueFull, upstreamRefusal } from './refusals.ts'
import type { SendCaller, SendRequest } from './request.ts'
import { type Route, route } from './route.ts'
import { notStopped, type Repeat, type SendKey, type Stopped, sendKey } from './sendKey.ts'

export type SendOutcome =
  | { readonly kind: 'created'; readonly message: MessageStatusView }
  | { readonly kind: 'replayed'; readonly message: MessageStatusView }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

/** Nothing was stored: it is to wait for the end of quiet hours. */
interface Held {
  readonly kind: 'held'
  readonly until: EpochMs
}

export interface SubmissionParts extends WriteParts {
  readonly store: Store
  readonly media: MediaLibrary
  readonly outbox: Outbox
  readonly clock: Clock
  /** Null when tracing is off. */
  readonly tracer: Tracer | null
  readonly idempotencyTtlMs: number
  readonly sendWaitMs: number
}

/** A send by its caller as it is known. */
interface Attempt {
  readonly caller: SendCaller
  readonly request: SendRequest
  readonly key: SendKey
  readonly now: EpochMs
}

/** How an attempt ends. */
type End =
  /** `isProved`: the store has decided, which shows that the settings hold. */
  | { readonly outcome: SendOutcome | Held; readonly isProved: boolean }
  /** The settings that have led here hold no more. */
  | { readonly outcome: null }

const outdated: End = { outcome: null }
const refused = (refusal: Refusal) => ({ kind: 'refused', refusal }) as const

/**
 * One send, from a checked request to its outcome: attempts, until one is by what decides on its caller now. The answer
 * comes once the upstream's is on disk. After `sendWaitMs`, or at a stop, it is `QUEUED`, and it is sent later.
 */
export async function sendMessage(
  parts: SubmissionParts,
  sender: SendCaller,
  request: SendRequest,
): Promise<SendOutcome | Held> {
  for (let caller = sender; ; ) {
    const end = await attemptOnce(parts, caller, request)
    if (end.outcome) ofOwnWorkspace(end.outcome, caller)
    if (end.outcome && (end.isProved || caller.settings?.generation === undefined)) return end.outcome
    const renewed = await caller.renew()
    const isAlike = decideAlike(caller.settings, renewed.settings) && caller.onOptOut === renewed.onOptOut
    if (end.outcome && isAlike) return end.outcome
    caller = renewed
  }
}

/** @throws BrokenPromise instead of showing another workspace's message */
export function ofOwnWorkspace<Outcome extends SendOutcome | Held>(
  outcome: Outcome,
  { workspaceId }: Pick<SendCaller, 'workspaceId'>,
): Outcome {
  const message = 'message' in outcome ? outcome.message : null
  const isOwn = message === null || message.workspaceId === workspaceId
  keep('replayOfWorkspace', isOwn, () => ({ messageId: message?.id, workspaceId }))
  return outcome
}

/**
 * In the order of docs/partner-api.md#order-of-checks: idempotency key; plan, line and recipient; template. Then the
 * message is accepted in one durable step, and the outbox sends it.
 */
async function attemptOnce(parts: SubmissionParts, caller: SendCaller, request: SendRequest): Promise<End> {
  const now = parts.clock.now()
  const key = sendKey(parts, caller, request, now)
  const repeat = key.outlivesTime ? await key.repeat() : null
  if (repeat) return stop(parts, repeat)
  const read = readsOf(parts.store.read, caller)
  const routed = await route(parts, read, caller, request, now).next()
  if (!routed.done) return refuse(parts, await key.repeat(), routed.value)
  // Nothing was refused.
  if (routed.value === null) throw new Error('a send without a line or a recipient')
  const addressed = { ...routed.value, id: request.messageId ?? newId('msg'), content: request.content, read }
  const written = await writeFor(parts, caller, key, addressed)
  if (!written.ok)
    return 'stopped' in written ? stop(parts, written.stopped) : refuse(parts, await key.repeat(), written.refusal)
  // Both are of templates alone: any other send is spared them.
  if (written.category !== null) {
    const offered = { ...addressed, ...written, workspaceId: caller.workspaceId, now }
    const unwanted = await optOutRefusal(read, offered)
    if (unwanted) return refuse(parts, await key.repeat(), unwanted)
    const until = request.body && (await heldUntil(read, offered))
    if (until !== null) return { outcome: { kind: 'held', until }, isProved: false }
  }
  return accept(parts, { caller, request, key, now }, addressed, written)
}

const stop = async (parts: SubmissionParts, stopped: Stopped): Promise<End> =>
  stopped.outcome === 'outdated' ? outdated : { outcome: await repeated(parts, stopped), isProved: false }

/** A send that repeats another is answered as that one, whatever would refuse it now. */
const refuse = async (parts: SubmissionParts, repeat: Repeat | null, refusal: Refusal): Promise<End> =>
  repeat ? stop(parts, repeat) : { outcome: refused(refusal), isProved: false }

/**
 * A database that does not answer a send may not answer a read either: its caller has waited long enough by then. An
 * answer comes within this time where there is one.
 */
const lookMsMax = 1_000
const repeatSoon = ({ clock }: SubmissionParts, key: SendKey) => within(clock, lookMsMax, key.repeat())

/** The upstream is asked for nothing on behalf of who may not send any more, or has sent before. */
async function writeFor(parts: SubmissionParts, caller: SendCaller, key: SendKey, addressed: Addressed) {
  const { settings } = caller
  const isKept = settings?.generation !== undefined
  async function holds() {
    const renewed = await caller.renew()
    return settings === null || decideAlike(settings, renewed.settings)
  }
  let hasAsked = false
  async function beforeAsking(): Promise<Stopped | null> {
    hasAsked = true
    return isKept && !(await holds()) ? { outcome: 'outdated' } : key.repeat()
  }
  try {
    const written = await write(parts, addressed, beforeAsking)
    // What it was asked may have taken a minute, and no generation shows whether the settings are still the same.
    const isOpen = written.ok && hasAsked && !isKept
    return isOpen && !(await holds()) ? ({ ok: false, stopped: { outcome: 'outdated' } } as const) : written
  } catch (error) {
    const repeat = await (error instanceof Unavailable ? repeatSoon(parts, key) : key.repeat())
    if (repeat) return { ok: false, stopped: repeat } as const
    // What has failed is told only to who may still send.
    if (isKept) await caller.renew()
    throw error
  }
}

async function accept(
  parts: SubmissionParts,
  attempt: Attempt,
  addressed: Route & Addressed,
  written: Written,
): Promise<End> {
  const { key, caller, now } = attempt
  const { line } = addressed
  // Checked again: others may have come while files were uploaded. No await is between here and the reservation.
  if (parts.outbox.isFull(line.id)) return refuse(parts, await key.repeat(), queueFull)
  const draft = draftOf(attempt, addressed, written)
  const trace = parts.tracer?.begin(caller.traceparent, now, traced(draft))
  const media = shownMedia(parts, addressed, written.mediaIds)
  const acceptance = await parts.outbox.accept(draft, line, written.accessToken, media, trace).catch(nothingStored)
  if (acceptance === null) return refuse(parts, await repeatSoon(parts, key), busy('The message could not be stored.'))
  if (acceptance.outcome === 'outdated') return outdated
  // A plan that was found full says so by its numbers of now: what is kept is read anew.
  return { outcome: await decided(parts, draft, acceptance), isProved: acceptance.outcome !== 'planExhausted' }
}

/** A stop or a full disk. A writer that died may have stored it, and that is another error. */
function nothingStored(error: unknown): null {
  if (error instanceof Unavailable) return null
  throw error
}

type Draft = Omit<MessageDraft, 'dispatchedAt'>

/** @returns the message as it is offered for acceptance */
export function draftOf(
  { caller, request, key, now }: Attempt,
  { id, line, contact, recipient }: Route & Addressed,
  { payload, language }: Written,
): Draft {
  const { content, reference, againOf } = request
  return {
    ...{ id, recipient, payload, reference, againOf, createdAt: now, idempotency: key.kept },
    workspaceId: caller.workspaceId,
    channelId: line.channelId,
    lineId: line.id,
    contactId: contact?.id ?? request.contactId,
    type: content.type,
    templateName: content.type === 'template' ? content.name : null,
    templateLanguage: language,
    apiKeyId: caller.keyId,
    requestId: caller.requestId,
    opensFlow: contact && openedFlow(contact.id, request),
    closesFlows: contact && closedFlows(contact.id, request, caller.lineIds === null ? null : line.id),
    generation: caller.settings?.generation,
  }
}

/** A flow message to a contact opens a session, which the contact's reply closes. */
const openedFlow = (contactId: string, { content }: SendRequest): Draft['opensFlow'] =>
  content.type === 'interactive' && content.flow ? { contactId, flowToken: content.flow.token } : null

/** @param only the line of a caller that is limited to lines: what is open on others is not its own; null: it is not */
const closedFlows = (
  contactId: string,
  { revalidateFlowSession, phoneNumberId }: SendRequest,
  only: string | null,
): Draft['closesFlows'] => (revalidateFlowSession ? { contactId, lineId: phoneNumberId ?? only } : null)

/** What a trace says of a message: our ids, nothing of its recipient or content. */
const traced = ({ id, workspaceId, lineId, type }: Draft) => ({
  'waypost.message.id': id,
  'waypost.workspace.id': workspaceId,
  'waypost.line.id': lineId,
  'waypost.message.type': type,
})

/** @returns the files that a message shows, uploaded again when the upstream has lost one; null: it has none */
function shownMedia(parts: SubmissionParts, addressed: Addressed, ids: readonly string[]): ShownMedia | null {
  if (ids.length === 0) return null
  const renew = async () => {
    const channel = await parts.store.read.channel(addressed.line.channelId)
    const again = await write(parts, { ...addressed, channel }, notStopped)
    return again.ok ? { payload: again.payload, ids: again.mediaIds } : null
  }
  return { ids, renew }
}

async function decided(
  parts: SubmissionParts,
  draft: Draft,
  acceptance: Exclude<OutboxAcceptance, { outcome: 'outdated' }>,
): Promise<SendOutcome> {
  switch (acceptance.outcome) {
    case 'accepted':
      try {
        return endOf(await awaitEnd(parts, draft.id, acceptance.end), 'created')
      } catch (cause) {
        // The database cannot be read now, but it is known that the message was accepted and had no end so far.
        if (cause instanceof Unavailable) return { kind: 'created', message: asAccepted(draft) }
        // 503 would say that nothing was accepted.
        throw new Error('the message was accepted, and what became of it cannot be read', { cause })
      }
    case 'replayed':
    case 'conflict':
      return repeated(parts, acceptance)
    case 'lineRemoved':
      return refused(lineRemoved)
    case 'planExhausted':
      return refused(planExceeded(acceptance.limit, acceptance.used, draft.createdAt))
  }
}

const asAccepted = (draft: Draft): MessageStatusView => {
  const { id, workspaceId, createdAt } = draft
  return { ...eventless, ...{ id, workspaceId, createdAt, dispatchedAt: null, status: 'QUEUED' }, ...draftedOf(draft) }
}

const endOf = ({ message, fault }: AwaitedEnd, kind: 'created' | 'replayed'): SendOutcome =>
  fault ? refused(upstreamRefusal(message.id, fault)) : { kind, message }

/** @returns the answer to a send that repeats another, or has its key */
export const repeated = async (parts: SubmissionParts, repeat: Repeat): Promise<SendOutcome> =>
  repeat.outcome === 'conflict' ? refused(keyConflict) : replay(parts, repeat.messageId)

/**
 * A replay waits for the first request if that is still under way, and is answered as it was: then with the message as
 * it is. A refusal frees the key, so there is nothing to replay: both callers are answered the same.
 */
export const replay = async (parts: SubmissionParts, messageId: string): Promise<SendOutcome> =>
  endOf(await awaitEnd(parts, messageId), 'replayed')
