import type { InboundFile } from '../../db/contract/files.ts'
import type { InboundChange, InboundEdit, InboundMessage } from '../../db/contract/inbound.ts'
import { numberedId } from '../base/ids.ts'
import { field, isObject, isText, type JsonObject, text } from '../base/json.ts'
import { formFileIds, withFormFiles } from '../message/formFiles.ts'
import { echoKind, groupKind } from '../message/kinds.ts'
import { contentOf, readMessage } from './contents.ts'
import { knownContent } from './named.ts'
import { referralSchema, replyToSchema } from './schemas.ts'
import { shaped } from './shaped.ts'
import { textOf } from './text.ts'

/**
 * `whole`; `cut`: it was too long to be kept (src/callbacks/inbound.ts); `dropped`: it is not kept any more.
 */
export type ContentState = 'whole' | 'cut' | 'dropped'

/** The kinds of answers to interactive messages, each a kind of its own as it is stored. */
const answerKinds: readonly string[] = ['button_reply', 'list_reply', 'nfm_reply', 'call_permission_reply']

const origins = new RegExp(`^(${echoKind}|${groupKind}) `)
const withoutOrigin = (kind: string) => kind.replace(origins, '')

/** @returns the upstream's type of a message of a stored kind; an unknown answer keeps its own name */
export function typeOf(kind: string): string {
  const type = withoutOrigin(kind)
  return answerKinds.includes(type) ? 'interactive' : type
}

/** The upstream sends no message without content. Of one that is hidden, the group is left. */
export const isDropped = (content: object): boolean => Object.keys(content).every(name => name === 'group_id')

/** The upstream's messages have a type, and no field that is called so. */
const isCut = (content: JsonObject) => isText(content.cut) && content.type === undefined

/** @returns how much of the upstream's message is stored */
export function stateOf(content: JsonObject): ContentState {
  if (isDropped(content)) return 'dropped'
  return isCut(content) ? 'cut' : 'whole'
}

const missing = { cut: '(too long to be kept)', dropped: null } as const

/**
 * @param raw adds the upstream's message
 * @returns the message of a user as callers see it (docs/partner-api.md#inbound-messages)
 */
export function inboundView(workspaceId: string, message: InboundMessage, raw = false) {
  const { contactId, phone, userId, name, username } = message
  const { seq, lineId, kind, channelMessageId, at, recordedAt, content, file } = message
  const type = typeOf(kind)
  const state = stateOf(content)
  const known = knownContent(message)
  const read = readMessage(known)
  const form = read.contents.interactive?.nfmReply
  if (form?.fields) form.fields = withMediaIds(workspaceId, channelMessageId, form.fields)
  const context = field(known, 'context')
  const { edited, deleted } = message.related
  const frequentlyForwarded = field(context, 'frequently_forwarded') === true
  return {
    id: numberedId('inb', workspaceId, seq),
    contactId,
    phone,
    userId,
    name,
    username,
    lineId,
    type,
    groupId: text(field(content, 'group_id')),
    text: state === 'whole' ? (textOf(read) ?? `(${withoutOrigin(kind)})`) : missing[state],
    ...contentOf(type, read.contents),
    media: file && mediaView(file),
    replyTo: replyToOf(context),
    forwarded: frequentlyForwarded || field(context, 'forwarded') === true,
    frequentlyForwarded,
    edited: edited && { ...changeView(workspaceId, edited), text: textAfter(edited) },
    deleted: deleted && changeView(workspaceId, deleted),
    referral: shaped(referralSchema, field(content, 'referral')),
    contentState: state,
    channelMessageId,
    sentAt: new Date(at).toISOString(),
    receivedAt: new Date(recordedAt).toISOString(),
    ...(raw && { raw: state === 'dropped' ? null : content }),
  }
}

/** @returns the answers of a form, where each file has our id beside the upstream's */
const withMediaIds = (workspaceId: string, channelMessageId: string, fields: object) =>
  withFormFiles({ ...fields }, formFileIds(workspaceId, channelMessageId), (file, mediaId) => ({ ...file, mediaId }))

const changeView = (workspaceId: string, { seq, at }: InboundChange) => ({
  ...{ id: numberedId('inb', workspaceId, seq), sentAt: new Date(at).toISOString() },
})

/** @returns the text that an edit gives to a message; null: it cannot be read */
export const textAfter = ({ content }: InboundEdit): string | null =>
  readMessage(content).contents.edit?.message?.text ?? null

/** @returns a file as callers see it (docs/partner-api.md#media) */
export const mediaView = ({ id, state, mimeType, bytes, fileName }: InboundFile) => ({
  ...{ id, state, mimeType, size: bytes, fileName },
})

/** @returns what a message answers, by its `context` */
export function replyToOf(context: unknown) {
  const channelMessageId = text(field(context, 'id'))
  const product = field(context, 'referred_product')
  if (channelMessageId === null && !isObject(product)) return null
  return shaped(replyToSchema, { channel_message_id: channelMessageId, author: field(context, 'from'), product })
}
