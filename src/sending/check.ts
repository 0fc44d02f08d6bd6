import { type Issue, invalid, issuesIn, type Reason, type Refusal } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import { issuesMax } from '../base/issues.ts'
import { field, type JsonObject, list } from '../base/json.ts'
import type { Checked } from '../base/schema.ts'
import { shownRequest } from '../graph/request.ts'
import { nameOf } from '../media/outgoing/fetch.ts'
import { wordsOf } from '../message/content.ts'
import { readsOf } from '../reading/keyReads.ts'
import { readText } from '../templates/preview.ts'
import { templateRecord } from '../templates/record.ts'
import { type ComposeParts, findTemplate, write } from './compose.ts'
import { misfits } from './explanation.ts'
import { optOutRefusal } from './optOut.ts'
import { keyConflict } from './refusals.ts'
import type { SendCaller, SendRequest } from './request.ts'
import { route } from './route.ts'
import { sendAtIssue } from './sendAt.ts'
import { notStopped, sendKey } from './sendKey.ts'
import type { SubmissionParts } from './submission.ts'

/** A reason for which a message would not be sent, or would be refused by the upstream. */
export interface Problem extends Issue {
  /** What the send would be answered with. */
  readonly error: Reason
}

/** What would become of a send. */
interface CheckedMessage {
  readonly problems: readonly Problem[]
  /** The upstream's request, without the id that a message gets; null when it cannot be written. */
  readonly request: JsonObject | null
  /** What a person reads, a line each; null for a message without words. */
  readonly text: string | null
}

/** The field that a refusal is about, where its issues do not name it. */
const fields: { readonly [Named in Reason]?: string } = {
  PHONE_NUMBER_REQUIRED: '/phoneNumberId',
  PHONE_NUMBER_NOT_FOUND: '/phoneNumberId',
  PHONE_NUMBER_INACTIVE: '/phoneNumberId',
  FORBIDDEN: '/phoneNumberId',
  TEMPLATE_NOT_APPROVED: '/templateName',
  IDEMPOTENCY_CONFLICT: '/idempotencyKey',
  WINDOW_CLOSED: '/requireOpenWindow',
  DIRECT_SEND_OFF: '/category',
}

/** @returns each problem that a refusal names */
const problemsIn = (refusal: Refusal): Problem[] =>
  issuesIn(refusal, fields[refusal.reason]).map(issue => ({ error: refusal.reason, ...issue }))

/** Uploads nothing: in place of the upstream's id stands what would be uploaded. */
export const withoutUploads = (media: ComposeParts['media']): ComposeParts['media'] => ({
  place: async (_line, _accessToken, source) => ({ kind: 'uploaded', mediaId: `(upload of ${nameOf(source)})` }),
  fileOf: (mediaId, lines) => media.fileOf(mediaId, lines),
})

/**
 * @param send the body of a send, as it was checked field by field
 * @returns all problems: those of the form, else those that show on the way of the send
 */
export async function checkedSend(
  parts: SubmissionParts,
  caller: Pick<SendCaller, 'workspaceId' | 'lineIds' | 'onOptOut' | 'scope'>,
  send: Checked<SendRequest>,
): Promise<CheckedMessage & { readonly sendable: boolean }> {
  const checked = send.ok
    ? await checkMessage(parts, caller, send.value)
    : { problems: problemsIn(invalid(send.issues)), request: null, text: null }
  // A send names no more in one answer either.
  const problems = checked.problems.slice(0, issuesMax)
  return { ...checked, sendable: problems.length === 0, problems }
}

/**
 * Goes the way of a send to the point where it would be accepted, and stores, counts and sends nothing. The listing of
 * templates is read again where a send would have it read.
 */
async function checkMessage(
  parts: SubmissionParts,
  caller: Pick<SendCaller, 'workspaceId' | 'lineIds' | 'onOptOut' | 'scope'>,
  request: SendRequest,
): Promise<CheckedMessage> {
  const { store, clock } = parts
  const now = clock.now()
  const { content: asked } = request
  const problems: Problem[] = []
  const repeat = await sendKey(parts, caller, request, now).repeat()
  if (repeat?.outcome === 'conflict') problems.push(...problemsIn(keyConflict))

  const unfit = request.sendAt === null ? null : sendAtIssue(request.sendAt, now)
  if (unfit) problems.push(...problemsIn(invalid([unfit])))
  const read = readsOf(store.read, caller)
  const routing = route(parts, read, { ...caller, settings: null }, request, now)
  let step = await routing.next()
  for (; !step.done; step = await routing.next()) problems.push(...problemsIn(step.value))
  if (step.value === null) return { problems, request: null, text: null }

  const { line } = step.value
  const addressed = { ...step.value, id: newId('msg'), content: asked, read }
  const written = await write({ ...parts, media: withoutUploads(parts.media) }, addressed, notStopped)
  const refusal = 'refusal' in written ? written.refusal : null
  if (refusal) problems.push(...problemsIn(refusal))
  const isFound = refusal === null || refusal.reason === 'VALIDATION_ERROR'
  if (isFound && asked.type === 'template' && asked.components) {
    const issues = await misfits(read, line.channelId, { ...asked, components: asked.components }, now)
    const isKnown = ({ path, message }: Issue) =>
      problems.some(known => known.path === path && known.message === message)
    problems.push(
      ...issues.filter(issue => !isKnown(issue)).map(issue => ({ error: 'CHANNEL_GRAPH_ERROR' as const, ...issue })),
    )
  }
  if (!written.ok) return { problems, request: null, text: null }
  const unwanted = await optOutRefusal(read, { ...addressed, ...written, workspaceId: caller.workspaceId })
  if (unwanted) problems.push(...problemsIn(unwanted))
  const sent = shownRequest(written.payload)
  return { problems, request: sent, text: await textOf(read, line.channelId, written.payload, sent) }
}

async function textOf(
  read: ComposeParts['read'],
  channelId: string,
  payload: string,
  { template }: JsonObject,
): Promise<string | null> {
  if (template === undefined) return wordsOf(payload).all.join('\n') || null
  const named = { name: String(field(template, 'name')), language: String(field(field(template, 'language'), 'code')) }
  const match = await findTemplate(read, channelId, named)
  return match.kind === 'found' ? readText(templateRecord(match.template), list(field(template, 'components'))) : null
}
