import type { NewFile } from '../../db/contract/files.ts'
import type { IdentityNews, Inbound } from '../../db/contract/records.ts'
import { idCharsMax } from '../../db/contract/updates.ts'
import { sha256 } from '../base/crypto.ts'
import { shownName } from '../base/fileName.ts'
import { newId } from '../base/ids.ts'
import { field, isObject, isText, type JsonObject, list, parseJson, text, timestamp } from '../base/json.ts'
import { fileIdPattern, formFields, formFilesIn, formJsonOf } from '../message/formFiles.ts'
import { echoKind, groupKind } from '../message/kinds.ts'
import { saidWord } from '../message/optOut.ts'
import { bounded, identityOf, type Person, personOf, upstreamPhoneIdOf } from './people.ts'

/** The longest text of a user has some 4,000 characters, a form's answer a few times that. */
const contentCharsMax = 65_536
/** Shown in place of a longer text. */
const excerptCharsMax = 8_192

/**
 * Reads one message of a user (docs/upstream.md#inbound-messages). Every message is kept. An unknown kind keeps its own
 * name. A message without an id gets the hash of its content; one without a time gets the time of arrival.
 * @param value the `value` that holds the message, its line and its contacts
 */
export function readInbound(message: unknown, value: unknown, receivedAt: number): Inbound | null {
  const isAlone = list(field(value, 'messages')).length === 1
  const named = identityOf(field(message, 'from'), field(message, 'from_user_id'))
  const user = personOf(named, list(field(value, 'contacts')), isAlone)
  const kind = kindOf(message)
  const isOfGroup = text(field(message, 'group_id')) !== null
  return entryOf(message, value, receivedAt, user, isOfGroup ? `${groupKind} ${kind}` : kind)
}

/**
 * Reads a message that a person of the business sent in the app (docs/upstream.md#inbound-messages). It belongs to the
 * contact that got it.
 */
export function readEcho(message: unknown, value: unknown, receivedAt: number): Inbound | null {
  const isAlone = list(field(value, 'message_echoes')).length === 1
  const named = identityOf(field(message, 'to'), field(message, 'to_user_id'))
  const user = personOf(named, list(field(value, 'contacts')), isAlone)
  return entryOf(message, value, receivedAt, user, `${echoKind} ${kindOf(message)}`)
}

/** Reads a message from before the line was connected: of a user, or of the business, which names a recipient. */
export function readPast(message: unknown, value: unknown, receivedAt: number): Inbound | null {
  const isEcho = ['to', 'to_user_id'].some(name => text(field(message, name)) !== null)
  const past = isEcho ? readEcho(message, value, receivedAt) : readInbound(message, value, receivedAt)
  return past && { ...past, isPast: true, said: null }
}

/**
 * Reads news of a user id that has changed (docs/upstream.md#user-identifiers). A message of the type `system` may say
 * the same.
 */
export function readUserIdUpdate(update: unknown, value: unknown, receivedAt: number): IdentityNews | null {
  const ids = field(update, 'user_id')
  const [userId, formerUserId] = [bounded(text(field(ids, 'current'))), bounded(text(field(ids, 'previous')))]
  if (userId === null || formerUserId === null) return null
  const isAlone = list(field(value, 'user_id_update')).length === 1
  const user = personOf(identityOf(field(update, 'wa_id'), userId), list(field(value, 'contacts')), isAlone)
  return {
    at: timestamp(field(update, 'timestamp')) ?? receivedAt,
    from: { ...user, newContactId: newId('contact') },
    identityChange: { formerPhone: user.phone, formerUserId },
    upstreamPhoneId: upstreamPhoneIdOf(value),
  }
}

function entryOf(received: unknown, value: unknown, receivedAt: number, user: Person, kind: string): Inbound | null {
  if (!isObject(received)) return null
  const edit = field(received, 'edit')
  const edited = field(edit, 'message')
  const message = {
    ...withShownName(received),
    ...(isObject(edit) && isObject(edited) && { edit: { ...edit, message: withShownName(edited) } }),
  }
  const whole = JSON.stringify(message)
  const id = text(field(message, 'id'))
  const change = identityChangeOf(message)
  return {
    file: kind.startsWith(echoKind) ? null : fileOf(message),
    formFiles: formFilesOf(message),
    channelMessageId: id !== null && id.length <= idCharsMax ? id : `sha256:${sha256(whole)}`,
    kind: kind.slice(0, idCharsMax),
    at: timestamp(field(message, 'timestamp')) ?? receivedAt,
    from: {
      ...user,
      phone: change?.hidesNumber ? null : (change?.phone ?? user.phone),
      userId: change?.userId ?? user.userId,
      newContactId: newId('contact'),
    },
    identityChange: change && { formerPhone: user.phone, formerUserId: change.formerUserId },
    upstreamPhoneId: upstreamPhoneIdOf(value),
    flowReply: flowReplyOf(message),
    said: saidOf(kind, message),
    content: whole.length <= contentCharsMax ? whole : excerptOf(message, whole),
  }
}

/** @returns the whole of a short text, or of the button that was pressed, as it is compared with words that opt out */
function saidOf(kind: string, message: JsonObject): string | null {
  const { text: written, button, interactive } = message
  const said: unknown = {
    text: field(written, 'body'),
    button: field(button, 'text'),
    button_reply: field(field(interactive, 'button_reply'), 'title'),
  }[kind]
  return isText(said) ? saidWord(said) : null
}

/** The types of messages that bring a file. */
const fileTypes: readonly string[] = ['image', 'video', 'audio', 'document', 'sticker']

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
    fileName: text(field(file, 'filename')),
  }
}

/** @returns the files that a user sent with a form */
const formFilesOf = (message: unknown): NonNullable<Inbound['formFiles']> =>
  formFilesIn(formFields(formJsonOf(message))).map(file => ({
    upstreamId: String(file.id),
    sha256: bounded(text(file.sha256)),
    mimeType: bounded(text(file.mime_type)),
    fileName: isText(file.file_name) ? shownName(file.file_name) : null,
  }))

/** The name of a file is what a device called it: it becomes one that every face can show and save under. */
function withShownName(message: JsonObject): JsonObject {
  const { document } = message
  const name = text(field(document, 'filename'))
  return isObject(document) && name !== null
    ? { ...message, document: { ...document, filename: shownName(name) } }
    : message
}

/** The sender and the group, what it changes or deletes, and the beginning of a text that is too long to keep. */
function excerptOf(message: object, whole: string): string {
  const from = bounded(text(field(message, 'from')))
  const group = bounded(text(field(message, 'group_id')))
  const change = Object.fromEntries(
    ['edit', 'revoke'].flatMap(name => {
      const original = bounded(text(field(field(message, name), 'original_message_id')))
      return original === null ? [] : [[name, { original_message_id: original }]]
    }),
  )
  const cut = { cut: whole.slice(0, excerptCharsMax), characters: whole.length }
  return JSON.stringify({ ...(from && { from }), ...(group && { group_id: group }), ...change, ...cut })
}

/**
 * @returns the user's new number and user id, as far as the message names them (docs/upstream.md#user-identifiers), and
 *   whether the user left the number for one that is hidden; null when the message is not about that
 */
function identityChangeOf(message: unknown) {
  const system = field(message, 'system')
  const kind = text(field(system, 'type'))
  if (kind !== 'user_changed_number' && kind !== 'user_changed_user_id') return null
  const isOfNumber = kind === 'user_changed_number'
  const newNumber = isOfNumber ? (text(field(system, 'new_wa_id')) ?? field(system, 'wa_id')) : null
  const { phone, userId } = identityOf(newNumber, field(system, 'user_id'))
  const hidesNumber = isOfNumber && phone === null && identityOf(newNumber, null).userId !== null
  return { phone, userId, hidesNumber, formerUserId: bounded(text(field(system, 'previous_user_id'))) }
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
