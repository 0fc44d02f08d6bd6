import type { WorkspaceEvent } from '../../db/contract/events.ts'
import type { InboundMessage, Related } from '../../db/contract/inbound.ts'
import type { MessageStatusView, TimelineEntry } from '../../db/contract/records.ts'
import type { StoreReads } from '../../db/contract/store.ts'
import type { EpochMs } from '../base/clock.ts'
import { secondMs } from '../base/durations.ts'
import {
  type EventType,
  isPaymentType,
  type PaymentType,
  type PlatformType,
  paymentStatuses,
  paymentType,
  type platformMessageTypes,
} from '../base/eventTypes.ts'
import { field, isObject, type JsonObject, list, text } from '../base/json.ts'
import { clientsId } from '../graph/ownWamid.ts'
import { isDropped, stateOf } from '../inbound/view.ts'
import { formFields, formFileIds, formFilesIn, formJsonOf, formName, withFormFiles } from '../message/formFiles.ts'
import { withIds } from '../message/naming.ts'
import { otherWord, pricingOf } from '../message/pricing.ts'
import { messageView } from '../sending/view.ts'
import { callbackContact, callbackOf, digitsOf, messagesCallback, opaqueOf } from './platformCallback.ts'
import { exampleChanges, exampleLine, examplePayment, exampleWaId as waId } from './platformExamples.ts'

/*
 * Events as the callbacks that the upstream platform sends (docs/upstream.md#status-updates): made when they are
 * delivered, from what is stored; what is about no message is stored as it came. A request has one entry with one
 * change and one message or status, because some programs read no second one.
 */

type MessageType = (typeof platformMessageTypes)[number]

const statusOf: Readonly<Record<Exclude<MessageType, 'message.received'>, string>> = {
  'message.sent': 'sent',
  'message.delivered': 'delivered',
  'message.read': 'read',
  'message.failed': 'failed',
}

export interface PlatformBodyParts {
  readonly read: Pick<StoreReads, 'lineAddress' | 'timeline'>
  /** Files of users are fetched from here, by our ids (docs/drop-in.md#files); else from the platform, by its own. */
  readonly hasGraphApi: boolean
}

/** @returns the callback; null: there is none for such an event, or what it tells of is not kept any more */
export async function platformBody(
  { read, hasGraphApi }: PlatformBodyParts,
  workspaceId: string,
  event: WorkspaceEvent,
): Promise<object | null> {
  const { type, message, inbound, at, callback } = event
  if (callback) return callbackOf(callback)
  const lineId = message?.lineId ?? inbound?.lineId ?? null
  const line = lineId === null ? null : await read.lineAddress(lineId)
  if (line === null) return null
  if (inbound) {
    if (isDropped(inbound.content)) return null
    const content = withIds(inbound.content, clientsIds(inbound.related))
    const received = { ...inbound, content: hasGraphApi ? withOurFiles(workspaceId, inbound, content) : content }
    return messagesCallback(line, receivedBody(received))
  }
  const id = message && clientsId(message)
  if (!message || id === null) return null
  const about = { ...recipientOf(message), ...opaqueOf(message.reference) }
  if (isPaymentType(type)) {
    const payment = field(event.data?.payment, 'detail')
    return messagesCallback(line, { statuses: [{ ...paymentOf(id, type, at), ...about, payment }] })
  }
  if (!isStep(type)) return null
  const timeline = await read.timeline(message.id)
  const status = { ...stepOf(id, type, at), ...about }
  if (type === 'message.failed')
    return messagesCallback(line, { statuses: [{ ...status, errors: errorsOf(timeline, message, at) }] })
  const told = timeline.find(({ kind, callback }) => kind === statusOf[type] && callback)?.callback
  return messagesCallback(line, { statuses: [{ ...status, ...(told ?? pricing(message)) }] })
}

const isStep = (type: EventType): type is keyof typeof statusOf => Object.hasOwn(statusOf, type)

/** A callback to try a receiver with. @param id of the message, as no message of the platform has it */
export function platformExample(type: PlatformType, id: string, at: EpochMs): object {
  if (type === 'message.received') {
    const contact = callbackContact({ name: 'Ada', username: null, waId, userId: null })
    const message = { from: waId, id, timestamp: seconds(at), type: 'text', text: { body: 'Hello' } }
    return messagesCallback(exampleLine, { contacts: [contact], messages: [message] })
  }
  if (isPaymentType(type)) {
    const status = { ...paymentOf(id, type, at), recipient_id: waId, payment: examplePayment }
    return messagesCallback(exampleLine, { statuses: [status] })
  }
  if (!isStep(type)) {
    const changes = [exampleChanges[type]]
    return callbackOf({ id: exampleLine.accountId, time: Math.floor(at / secondMs), changes })
  }
  const errors = [errorOf(131026, 'Message undeliverable', 'Message undeliverable')]
  const status = { ...stepOf(id, type, at), recipient_id: waId, ...(type === 'message.failed' && { errors }) }
  return messagesCallback(exampleLine, { statuses: [status] })
}

/** The platform writes seconds as text. */
const seconds = (at: EpochMs) => String(Math.floor(at / secondMs))

const stepOf = (id: string, type: keyof typeof statusOf, at: EpochMs) => ({
  ...{ id, status: statusOf[type], timestamp: seconds(at) },
})

const paymentOf = (id: string, type: PaymentType, at: EpochMs) => ({
  ...{ id, status: paymentStatuses.find(status => paymentType(status) === type), timestamp: seconds(at) },
  type: 'payment',
})

/** @returns nothing where the recipient was erased */
function recipientOf(message: MessageStatusView) {
  const { phone, userId } = messageView(message).to
  const waId = message.waId ?? (phone && digitsOf(phone))
  return { ...(waId && { recipient_id: waId }), ...(userId && { recipient_user_id: userId }) }
}

/** @returns nothing where nothing is known; without the words that are not known */
function pricing({ pricing: code }: MessageStatusView) {
  const known = pricingOf(code)
  if (known === null) return {}
  const { billable, model, type, category } = known
  const words = Object.entries({ pricing_model: model, type, category }).filter(([, word]) => word !== otherWord)
  return { pricing: { billable, ...Object.fromEntries(words) } }
}

/** @returns the errors as the upstream has sent them; where it sent none, the reason in their form */
function errorsOf(timeline: readonly TimelineEntry[], message: MessageStatusView, at: EpochMs): readonly unknown[] {
  const told = timeline.findLast(
    entry => entry.kind === 'failed' && entry.at <= at && list(field(entry.detail, 'errors')).length > 0,
  )
  if (told) return list(field(told.detail, 'errors'))
  const { code, title, details } = messageView(message).error ?? { code: null, title: unknownTitle, details: '' }
  return [errorOf(code ?? unknownCode, title, details)]
}

/** What the platform says of a failure that it has no code for. */
const unknownCode = 131000
const unknownTitle = 'Something went wrong'

const errorOf = (code: number, title: string, details: string) => ({
  ...{ code, title, message: title },
  error_data: { details },
})

/** @returns the id by which its client knows a message that a user names */
const clientsIds =
  ({ named }: Related) =>
  (id: string): string => {
    const known = named.get(id)
    if (!known?.sent) return known?.channelMessageId ?? id
    return clientsId({ ...known.sent, channelMessageId: known.channelMessageId }) ?? id
  }

function receivedBody(message: InboundMessage) {
  const { content, channelMessageId, at, phone, userId, name, username } = message
  const isCut = stateOf(content) === 'cut'
  const from = text(field(content, 'from'))
  const waId = from ?? (phone && digitsOf(phone))
  const contact = callbackContact({ name, username, waId, userId: text(field(content, 'from_user_id')) ?? userId })
  const group = text(field(content, 'group_id'))
  const cut = {
    ...{ ...(from && { from }), ...(group && { group_id: group }), id: channelMessageId, timestamp: seconds(at) },
    type: 'unsupported',
    errors: [errorOf(unsupportedCode, 'Message type unknown', 'The message is too long to be kept.')],
  }
  // The platform names nobody beside a notice of its own.
  const contacts = content.type === 'system' ? {} : { contacts: [contact] }
  return { ...contacts, messages: [isCut ? cut : content] }
}

/** Files by our ids: that of the message, or those of a form. */
function withOurFiles(
  workspaceId: string,
  { channelMessageId, file }: InboundMessage,
  content: JsonObject,
): JsonObject {
  if (file) return withOurFile(content, file.id)
  const fields = formFields(formJsonOf(content))
  const { interactive } = content
  const reply = field(interactive, formName)
  if (!isObject(interactive) || !isObject(reply) || formFilesIn(fields).length === 0 || !fields) return content
  const ours = withFormFiles(fields, formFileIds(workspaceId, channelMessageId), (each, id) => ({ ...each, id }))
  const told = { ...reply, response_json: JSON.stringify(ours) }
  return { ...content, interactive: { ...interactive, [formName]: told } }
}

/** The file may be that of what the message became. */
function withOurFile(content: JsonObject, id: string): JsonObject {
  const type = text(content.type) ?? ''
  const told = content[type]
  if (!isObject(told)) return content
  const { message } = told
  const isEdit = type === 'edit' && isObject(message)
  return { ...content, [type]: isEdit ? { ...told, message: withOurFile(message, id) } : { ...told, id } }
}

/** What the platform says of a message that it does not pass on. */
const unsupportedCode = 131051
