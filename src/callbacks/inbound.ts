import type { NewFile } from '../../db/contract/files.ts'
import type { IdentityNews, Inbound } from '../../db/contract/records.ts'
import { idCharsMax } from '../../db/contract/updates.ts'
import { sha256 } from '../base/crypto.ts'
import { newId } from '../base/ids.ts'
import { field, isObject, isText, list, parseJson, text, timestamp } from '../base/json.ts'
import { echoKind, groupKind } from '../message/kinds.ts'

/** The longest text of a user has some 4,000 characters, a form's answer a few times that. */
const contentCharsMax = 65_536
/** Shown in place of a longer text. */
const excerptCharsMax = 8_192
/** A name has 25 to 256 characters. */
const nameCharsMax = 256
/** The upstream's are far shorter. The beginning of a longer one might be the username of somebody else. */
const usernameCharsMax = 100

const digits = /^\d{5,17}$/

/**
 * Reads one message of a user (docs/upstream.md#inbound-messages). Every message is kept. An unknown kind keeps its own
 * name. A message without an id gets the hash of its content; one without a time gets the time of arrival.
 * @param value the `value` that holds the message, its line and its contacts
 */
export function readInbound(message: unknown, value: unknown, receivedAt: number): Inbound | null {
  const from = text(field(message, 'from'))
  const fromUser = text(field(message, 'from_user_id'))
  const isAlone = list(field(value, 'messages')).length === 1
  const contact = contactOf(list(field(value, 'contacts')), from, fromUser, isAlone)
  const user = {
    phone: from ?? text(field(contact, 'wa_id')),
    userId: fromUser ?? text(field(contact, 'user_id')),
    ...profileOf(contact),
  }
  const kind = kindOf(message)
  const isOfGroup = text(field(message, 'group_id')) !== null
  return entryOf(message, value, receivedAt, user, isOfGroup ? `${groupKind} ${kind}` : kind)
}

/**
 * Reads a message that a person of the business sent in the app (docs/upstream.md#inbound-messages). It belongs to the
 * contact that got it.
 */
export function readEcho(message: unknown, value: unknown, receivedAt: number): Inbound | null {
  const user = { phone: text(field(message, 'to')), userId: text(field(message, 'to_user_id')), name: null }
  return entryOf(message, value, receivedAt, user, `${echoKind} ${kindOf(message)}`)
}

/** Reads a message from before the line was connected: of a user, or of the business, which names a recipient. */
export function readPast(message: unknown, value: unknown, receivedAt: number): Inbound | null {
  const isEcho = field(message, 'to') !== undefined
  const past = isEcho ? readEcho(message, value, receivedAt) : readInbound(message, value, receivedAt)
  return past && { ...past, isPast: true }
}

/**
 * Reads news of a user id that has changed (docs/upstream.md#user-identifiers). A message of the type `system` may say
 * the same.
 */
export function readUserIdUpdate(update: unknown, value: unknown, receivedAt: number): IdentityNews | null {
  const ids = field(update, 'user_id')
  const [userId, formerUserId] = [bounded(text(field(ids, 'current'))), bounded(text(field(ids, 'previous')))]
  if (userId === null || formerUserId === null) return null
  const contacts = list(field(value, 'contacts'))
  const isAlone = list(field(value, 'user_id_update')).length === 1
  const contact = contactOf(contacts, text(field(update, 'wa_id')), userId, isAlone)
  const phone = number(text(field(update, 'wa_id')) ?? text(field(contact, 'wa_id')))
  return {
    at: timestamp(field(update, 'timestamp')) ?? receivedAt,
    from: { phone, userId, ...profileOf(contact), newContactId: newId('contact') },
    identityChange: { formerPhone: phone, formerUserId },
    upstreamPhoneId: upstreamPhoneIdOf(value),
  }
}

const upstreamPhoneIdOf = (value: unknown) => text(field(field(value, 'metadata'), 'phone_number_id'))

/** A user, as the upstream names one. */
type User = Omit<Inbound['from'], 'newContactId'>

/** @param contact an entry of `contacts`. With a profile that has no username, the user has none */
function profileOf(contact: unknown): Pick<User, 'name' | 'username'> {
  const profile = field(contact, 'profile')
  const name = text(field(profile, 'name'))?.slice(0, nameCharsMax) ?? null
  const said = field(profile, 'username') ?? ''
  const isSaid = isObject(profile) && isText(said) && said.length <= usernameCharsMax
  return isSaid ? { name, username: text(said.replace(/^@/, '')) } : { name }
}

function entryOf(message: unknown, value: unknown, receivedAt: number, user: User, kind: string): Inbound | null {
  if (!isObject(message)) return null
  const whole = JSON.stringify(message)
  const id = text(field(message, 'id'))
  const change = identityChangeOf(message)
  return {
    file: kind.startsWith(echoKind) ? null : fileOf(message),
    channelMessageId: id !== null && id.length <= idCharsMax ? id : `sha256:${sha256(whole)}`,
    kind: kind.slice(0, idCharsMax),
    at: timestamp(field(message, 'timestamp')) ?? receivedAt,
    from: {
      ...user,
      phone: number(change?.phone ?? user.phone),
      userId: bounded(change?.userId ?? user.userId),
      newContactId: newId('contact'),
    },
    identityChange: change && { formerPhone: number(user.phone), formerUserId: bounded(change.formerUserId) },
    upstreamPhoneId: upstreamPhoneIdOf(value),
    flowReply: flowReplyOf(message),
    content: whole.length <= contentCharsMax ? whole : excerptOf(message, whole),
  }
}

/** The types of messages that bring a file. */
const fileTypes: readonly string[] = ['image', 'video', 'audio', 'document', 'sticker']
/** The upstream's ids of files are digits. It becomes a part of an address. */
const fileIdPattern = /^\d{1,64}$/

/** @returns the file of a message of a user, or of what it became; null when there is none that can be fetched */
function fileOf(received: unknown): NewFile | null {
  const message = field(field(received, 'edit'), 'message') ?? received
  const type = text(field(message, 'type')) ?? ''
  const file = fileTypes.includes(type) ? field(message, type) : undefined
  const upstreamId = String(field(file, 'id'))
  if (!fileIdPattern.test(upstreamId)) return null
  return {
    id: newId('media'),
    upstreamId,
    sha256: bounded(text(field(file, 'sha256'))),
    mimeType: bounded(text(field(file, 'mime_type'))),
    fileName: text(field(file, 'filename'))?.slice(0, nameCharsMax) ?? null,
  }
}

/** What is longer is not valid. */
const bounded = (id: string | null) => (id !== null && id.length <= idCharsMax ? id : null)

/** The sender and the group, and the beginning of a text that is too long to keep. */
function excerptOf(message: object, whole: string): string {
  const from = bounded(text(field(message, 'from')))
  const group = bounded(text(field(message, 'group_id')))
  const cut = { cut: whole.slice(0, excerptCharsMax), characters: whole.length }
  return JSON.stringify({ ...(from && { from }), ...(group && { group_id: group }), ...cut })
}

const number = (waId: string | null) => (waId !== null && digits.test(waId) ? `+${waId}` : null)

/**
 * @returns the user's new number and user id, as far as the message names them (docs/upstream.md#user-identifiers);
 *   null when the message is not about that
 */
function identityChangeOf(message: unknown) {
  const system = field(message, 'system')
  const kind = text(field(system, 'type'))
  if (kind !== 'user_changed_number' && kind !== 'user_changed_user_id') return null
  return {
    phone: kind === 'user_changed_number' ? (text(field(system, 'new_wa_id')) ?? text(field(system, 'wa_id'))) : null,
    userId: text(field(system, 'user_id')),
    formerUserId: text(field(system, 'previous_user_id')),
  }
}

/**
 * The entry that names the sender. A single entry beside a single message belongs to it, even when they share no id.
 */
function contactOf(
  contacts: readonly unknown[],
  from: string | null,
  fromUser: string | null,
  isAlone: boolean,
): unknown {
  const named = contacts.find(
    contact =>
      (from !== null && field(contact, 'wa_id') === from) ||
      (fromUser !== null && field(contact, 'user_id') === fromUser),
  )
  return named ?? (isAlone && contacts.length === 1 ? contacts[0] : undefined)
}

/** An interactive answer is named after what was answered: `button_reply`, `list_reply`, `nfm_reply`. */
function kindOf(message: unknown): string {
  const type = text(field(message, 'type')) ?? 'unknown'
  return type === 'interactive' ? (text(field(field(message, 'interactive'), 'type')) ?? type) : type
}

/**
 * The answer to a flow carries JSON inside JSON, which may lack the token, be no object or be malformed. So the message
 * that it quotes is also given.
 */
function flowReplyOf(message: unknown): Inbound['flowReply'] {
  const reply = field(field(message, 'interactive'), 'nfm_reply')
  if (reply === undefined) return null
  return {
    flowToken: text(field(parseJson(text(field(reply, 'response_json')) ?? ''), 'flow_token')),
    openedBy: text(field(field(message, 'context'), 'id')),
  }
}
