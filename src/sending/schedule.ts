import type { EpochMs } from '../base/clock.ts'
import { invalid, type Refusal } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import { type JsonObject, parseObject } from '../base/json.ts'
import { readsOf } from '../reading/keyReads.ts'
import { withoutUploads } from './check.ts'
import { type Addressed, write } from './compose.ts'
import { optOutRefusal } from './optOut.ts'
import { lineRemoved } from './refusals.ts'
import type { SendCaller, SendRequest } from './request.ts'
import { route } from './route.ts'
import { sendAtIssue } from './sendAt.ts'
import { notStopped, sendKey } from './sendKey.ts'
import { draftOf, ofOwnWorkspace, repeated, type SendOutcome, type SubmissionParts, sendMessage } from './submission.ts'

const refused = (refusal: Refusal) => ({ kind: 'refused', refusal }) as const

/** Sends a message, or stores it for its time: that of its caller, or the end of quiet hours. */
export async function submitMessage(
  parts: SubmissionParts,
  sender: SendCaller,
  request: SendRequest,
): Promise<SendOutcome> {
  if (request.sendAt !== null) return scheduleMessage(parts, sender, request, request.sendAt)
  const outcome = await sendMessage(parts, sender, request)
  return outcome.kind === 'held' ? scheduleMessage(parts, sender, request, outcome.until) : outcome
}

/**
 * The content of a message that waits for its time: the upstream's request as it would be now, so that it can be shown,
 * and what the caller asked for, of which the request is made anew when the time has come.
 */
const heldContent = (payload: string, body: object): string => JSON.stringify({ ...parseObject(payload), held: body })
/** @returns what the caller asked for; null: it is not there, or this is the content of another message */
export const heldBody = (payload: string): unknown => parseObject(payload)?.held ?? null

/** @returns the upstream's request without it; null: it cannot be read */
export function requestIn(payload: string): JsonObject | null {
  const { held: _, ...request } = parseObject(payload) ?? {}
  return Object.keys(request).length === 0 ? null : request
}

/**
 * Stores a message that is to be sent later. What can be checked now is checked: the line, the recipient, the template
 * and its values. Plan, queue and window are those of its time. Nothing is uploaded.
 */
async function scheduleMessage(
  parts: SubmissionParts,
  sender: SendCaller,
  request: SendRequest,
  dueAt: EpochMs,
): Promise<SendOutcome> {
  // As it is stored now: no acceptance shows that what is kept of it holds.
  const caller = { ...(await sender.renew()), settings: null }
  const now = parts.clock.now()
  const key = sendKey(parts, caller, request, now)
  const repeat = await key.repeat()
  if (repeat) return ofOwnWorkspace(await repeated(parts, repeat), caller)
  // The end of quiet hours, and the time of an item of a batch, were judged before, and pass while this is done.
  const isJudged = request.sendAt === null || request.messageId !== null
  const unfit = isJudged ? null : sendAtIssue(dueAt, now)
  if (unfit) return refused(invalid([unfit]))
  const read = readsOf(parts.store.read, caller)
  const routed = await route(parts, read, caller, request, now).next()
  if (!routed.done) return refused(routed.value)
  if (routed.value === null) throw new Error('a send without a line or a recipient')
  const addressed: Addressed & typeof routed.value = {
    ...routed.value,
    id: request.messageId ?? newId('msg'),
    content: request.content,
    read,
  }
  const written = await write({ ...parts, media: withoutUploads(parts.media) }, addressed, notStopped)
  if ('refusal' in written) return refused(written.refusal)
  if (!written.ok) throw new Error('a send that nothing stops was stopped')
  const unwanted = await optOutRefusal(read, { ...addressed, ...written, workspaceId: caller.workspaceId })
  if (unwanted) return refused(unwanted)
  const {
    opensFlow: _opens,
    closesFlows: _closes,
    generation: _,
    ...draft
  } = draftOf({ caller, request, key, now }, addressed, written)
  const scheduled = await parts.store.write.scheduleMessage({
    ...draft,
    payload: heldContent(draft.payload, request.body?.() ?? {}),
    idempotency: draft.idempotency && { ...draft.idempotency, expiresAt: keyExpiresAt(parts, dueAt) },
    dueAt,
  })
  switch (scheduled.outcome) {
    case 'replayed':
    case 'conflict':
      return ofOwnWorkspace(await repeated(parts, scheduled), caller)
    case 'lineRemoved':
      return refused(lineRemoved)
    case 'keyRevoked':
      // Asks for the key again, which refuses it: 401, as for each call of a revoked key.
      await sender.renew()
      throw new Error('a key that was revoked holds again')
    case 'scheduled': {
      const message = await parts.store.read.statusView(draft.id)
      if (!message) throw new Error('a scheduled message does not exist')
      return { kind: 'created', message }
    }
  }
}

/** A key lives as long as its message waits, and then as long as that of any other. */
export const keyExpiresAt = ({ idempotencyTtlMs }: Pick<SubmissionParts, 'idempotencyTtlMs'>, dueAt: EpochMs) =>
  dueAt + idempotencyTtlMs
