import type { MessageStatusView } from '../../../db/contract/records.ts'
import { GatewayError, invalid } from '../../base/errors.ts'
import { isObject, type JsonObject, list } from '../../base/json.ts'
import { check, closed, Type, withoutNulls } from '../../base/schema.ts'
import { clientsId, messageNamedBy, ownWamid } from '../../graph/ownWamid.ts'
import { readJson } from '../../http/body.ts'
import type { Room } from '../../http/requestHead.ts'
import { hasScope, lacking } from '../../http/scopes.ts'
import type { UnderWay } from '../../http/underWay.ts'
import { type MarkReadParts, markRead } from '../../inbound/markRead.ts'
import { hasFailed, isOpen } from '../../message/statuses.ts'
import { keyInHeader } from '../../operations/sends/sendBody.ts'
import { graphRefusal } from '../../sending/refusals.ts'
import type { SendRequest } from '../../sending/request.ts'
import { replay, type SendOutcome, type SubmissionParts } from '../../sending/submission.ts'
import type { PartnerCaller } from '../caller.ts'
import type { Outcome } from '../endpoint.ts'
import { sendFor } from '../send.ts'
import { refuseQuery } from './address.ts'
import { readGraphSend } from './content.ts'
import { inTheirNames } from './fieldNames.ts'
import { lineNamed } from './lines.ts'
import { missing, no, noSuchObject } from './refusals.ts'
import type { Work } from './work.ts'

/** Clients give up soon after: then they are answered with an id of ours. */
const wamidMsMax = 10_000

export interface GraphSendParts extends Omit<SubmissionParts, 'read'>, MarkReadParts {
  readonly marks: UnderWay
}

interface AskedSend {
  readonly send: SendRequest
  readonly body: JsonObject
}

/** A message of a user that is to be marked as read. */
interface AskedMark {
  readonly mark: { readonly messageId: string; readonly typing: boolean }
  readonly lineId: string
}

type Asked = AskedSend | AskedMark

/** `POST /{line}/messages` (docs/drop-in.md#sending): a send, or a message of a user that is marked as read. */
export function graphSend(parts: GraphSendParts): Work {
  const submission = { ...parts, sendWaitMs: Math.min(parts.sendWaitMs, wamidMsMax) }

  async function read(caller: PartnerCaller, request: Request, room: Room, id: string): Promise<Asked> {
    refuseQuery(request)
    const body = await readJson(request, parts.clock, room)
    if (!isObject(body)) throw new GatewayError(invalid([{ path: '', message: 'must be an object' }]))
    const line = await lineNamed(caller, id)
    if (!line) throw new GatewayError(noSuchObject)
    if (body.status !== undefined) return { mark: readMark(body), lineId: line.id }
    const checked = readGraphSend(body, line.id, keyInHeader(request))
    if (!checked.ok) throw new GatewayError(inTheirNames(invalid(checked.issues), body.type ?? 'text'))
    return { send: checked.value, body }
  }

  async function mark(caller: PartnerCaller, { mark: { messageId, typing }, lineId }: AskedMark): Promise<Outcome> {
    if (!hasScope(caller.scopes, 'inbound')) return no(lacking('inbound'))
    // What users write has the platform's id.
    if (messageNamedBy(messageId) !== messageId) return missing
    const now = parts.clock.now()
    const names = [{ id: messageId, lineId, contactId: undefined }]
    const [known] = await caller.read.namedMessages({ workspaceId: caller.workspaceId, names })
    const message = { channelMessageId: known?.channelMessageId ?? messageId, lineId, at: now, recordedAt: now }
    const marked = await parts.marks.run(caller.workspaceId, () => markRead(parts, message, typing))
    if ('reason' in marked) return no(marked)
    if (marked.outcome === 'marked') return { ok: true, status: 200, body: { success: true } }
    return no(
      marked.outcome === 'notMarked'
        ? graphRefusal('The message was not marked as read', messageId, marked.fault)
        : noSuchObject,
    )
  }

  /**
   * Without an id of the platform, one of ours names the message for good, and that is on disk before it is answered.
   * The store decides: no callback names it in another way.
   */
  async function named(outcome: SendOutcome): Promise<SendOutcome> {
    if (outcome.kind === 'refused') return outcome
    const { message } = outcome
    if (message.ownIdAt !== null || (!isOpen(message.status) && message.channelMessageId !== null)) return outcome
    const state = await parts.outbox.nameByUs(message.id)
    // An error would have the client send it again, so it is answered also where nothing can be stored now.
    if (state === null) return outcome
    // It was refused meanwhile.
    if (hasFailed(state.status) && state.ownIdAt === null) return replay(submission, message.id)
    return { ...outcome, message: { ...message, ...state } }
  }

  return async (caller, { request, id }) => {
    const asked = await caller.body((whole, room) => read(caller, whole, room, id))
    if ('mark' in asked) {
      // No acceptance shows that a key which is kept still holds.
      await caller.renew()
      return mark(caller, asked)
    }
    const outcome = await named(await sendFor(submission, caller, request, asked.send))
    if (outcome.kind !== 'refused')
      return { ok: true, status: 200, body: answerOf(asked, outcome.message), messageId: outcome.message.id }
    const refusal = inTheirNames(outcome.refusal, asked.send.content.type)
    // For the platform, a template that does not exist is one that cannot be sent.
    const { content } = asked.send
    if (content.type !== 'template' || refusal.reason !== 'NOT_FOUND') return no(refusal)
    const { name, language } = content
    const others = list(refusal.details?.languages).join(', ')
    const message = `template name (${name}) does not exist in ${language}${others && `; it exists in ${others}`}`
    return no({ ...refusal, reason: 'TEMPLATE_NOT_APPROVED', message })
  }
}

const markForm = closed({
  messaging_product: Type.Optional(Type.Enum(['whatsapp'])),
  status: Type.Enum(['read']),
  message_id: Type.String({ minLength: 1 }),
  typing_indicator: Type.Optional(closed({ type: Type.Enum(['text']) })),
})
const checkMark = check(markForm)

/** @throws GatewayError VALIDATION_ERROR */
function readMark(body: JsonObject): AskedMark['mark'] {
  const checked = checkMark(withoutNulls(markForm, body))
  if (!checked.ok) throw new GatewayError(invalid(checked.issues))
  const { message_id: messageId, typing_indicator: typing } = checked.value
  return { messageId, typing: typing !== undefined }
}

/** The platform names the recipient as it was given, and as it knows it. */
function answerOf({ send, body }: AskedSend, message: MessageStatusView) {
  const { phone, userId, content } = send
  const input = body.to ?? body.recipient
  return {
    messaging_product: 'whatsapp',
    contacts: [{ input: String(input), ...(phone === null ? { user_id: userId } : { wa_id: phone.slice(1) }) }],
    messages: [
      {
        id: clientsId(message) ?? ownWamid(message.id),
        ...(content.type === 'template' && { message_status: 'accepted' }),
      },
    ],
  }
}
