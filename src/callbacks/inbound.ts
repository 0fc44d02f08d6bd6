import type { Inbound } from '../../db/records.ts'
import { sha256 } from '../crypto.ts'
import { newId } from '../ids.ts'
import { field, list, parseJson, text } from '../json.ts'
import { timestamp } from './timestamp.ts'

/** The longest text of a user has some 4,000 characters, a form's answer a few times that. */
const contentCharsMax = 65_536
/** Shown in place of a longer text. */
const excerptCharsMax = 8_192
/** The upstream's ids and kinds are far shorter, a name has 25 to 256 characters. */
const idCharsMax = 512
const nameCharsMax = 256

const digits = /^\d{5,17}$/

/**
 * Reads one message of a user (docs/upstream.md#inbound-messages). Every message is kept. An unknown kind keeps its own
 * name. A message without an id gets the hash of its content; one without a time gets the time of arrival.
 * @param value the `value` that holds the message, its line and its contacts
 */
export function readInbound(message: unknown, value: unknown, receivedAt: number): Inbound | null {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return null
  const whole = JSON.stringify(message)
  const id = text(field(message, 'id'))
  const from = text(field(message, 'from'))
  const fromUser = text(field(message, 'from_user_id'))
  const isAlone = list(field(value, 'messages')).length === 1
  const contact = contactOf(list(field(value, 'contacts')), from, fromUser, isAlone)
  const change = identityChangeOf(message)
  const phone = from ?? text(field(contact, 'wa_id'))
  const userId = fromUser ?? text(field(contact, 'user_id'))
  return {
    channelMessageId: id !== null && id.length <= idCharsMax ? id : `sha256:${sha256(whole)}`,
    kind: kindOf(message).slice(0, idCharsMax),
    at: timestamp(field(message, 'timestamp')) ?? receivedAt,
    from: {
      phone: number(change?.phone ?? phone),
      userId: bounded(change?.userId ?? userId),
      name: text(field(field(contact, 'profile'), 'name'))?.slice(0, nameCharsMax) ?? null,
      newContactId: newId('contact'),
    },
    identityChange: change && { formerPhone: number(phone), formerUserId: bounded(change.formerUserId) },
    upstreamPhoneId: text(field(field(value, 'metadata'), 'phone_number_id')),
    flowReply: flowReplyOf(message),
    content: whole.length <= contentCharsMax ? whole : excerptOf(message, whole),
  }
}

/** A longer id is not valid. */
const bounded = (id: string | null) => (id !== null && id.length <= idCharsMax ? id : null)

/** Who wrote, and the beginning of what is too long to be kept. */
function excerptOf(message: object, whole: string): string {
  const from = bounded(text(field(message, 'from')))
  return JSON.stringify({ ...(from && { from }), cut: whole.slice(0, excerptCharsMax), characters: whole.length })
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

/** An interactive answer is named by what was answered: `button_reply`, `list_reply`, `nfm_reply`. */
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
