import { detailCharsMax, type ToldUpdate } from '../../db/contract/updates.ts'
import { newId } from '../base/ids.ts'
import { field, isObject, type JsonObject, list, text, timestamp } from '../base/json.ts'
import { accountErrorSpanMs, errorUpdate } from '../graph/accountErrors.ts'
import { spamPauseMs, type UpstreamFault } from '../graph/answer.ts'
import { isStopCode, spamCode } from '../graph/codes.ts'
import { paymentOf } from './payment.ts'
import { identityOf, personOf } from './people.ts'

/** Kept of a longer one. */
const excerptCharsMax = 2_048

/** The callback fields that are stored with their subject (docs/upstream.md#account-updates). */
const updateFields = [
  'account_update',
  'account_alerts',
  'account_review_update',
  'business_capability_update',
  'partner_solutions',
  'security',
  'phone_number_name_update',
  'phone_number_quality_update',
  'message_template_components_update',
  'message_template_quality_update',
  'message_template_status_update',
  'template_category_update',
  'template_correct_category_detection',
  'user_preferences',
] as const
type UpdateField = (typeof updateFields)[number]

/** A kind has the names of a field and of an event. */
const kindCharsMax = 100

export const isUpdateField = (name: string): name is UpdateField => updateFields.some(field => field === name)

/** @returns the updates of one change; an update that names no subject is left out */
export function readUpdates(name: UpdateField, entry: unknown, value: unknown, receivedAt: number): ToldUpdate[] {
  // That of a partner solution is a business, which is not known here.
  const accountId = name === 'partner_solutions' ? null : text(field(entry, 'id'))
  if (accountId === null && name !== 'partner_solutions') return []
  const at = timestamp(field(entry, 'time')) ?? receivedAt
  const event = text(field(value, 'event'))
  const [id, time] = [field(entry, 'id'), field(entry, 'time')]
  // The whole: of a long change about thousands of users, each would get a copy of what it says of all.
  const isKept = JSON.stringify({ id, time, value }).length <= detailCharsMax
  const told = (about: ToldUpdate['about'], said: unknown, kind: string = name, since = at): ToldUpdate[] => {
    if (!isObject(said)) return []
    const whole = JSON.stringify(said)
    const cut = { cut: whole.slice(0, excerptCharsMax), characters: whole.length }
    const detail = whole.length > detailCharsMax ? cut : said
    const changes = isKept ? [{ field: name, value: said === value ? value : ofOne(value, said) }] : []
    const update = { accountId, kind: kind.slice(0, kindCharsMax), at: since, detail, about }
    return [{ ...update, callback: isKept ? { id, time, changes } : undefined }]
  }
  switch (name) {
    case 'account_update':
    case 'partner_solutions':
      return told({ of: 'account' }, value, event === null ? name : `${name} ${event}`)
    case 'account_alerts': {
      const alert = text(field(field(value, 'alert_info'), 'alert_type')) ?? text(field(value, 'alert_type'))
      return told({ of: 'account' }, value, alert === null ? name : `${name} ${alert}`)
    }
    case 'account_review_update':
    case 'business_capability_update':
      return told({ of: 'account' }, value)
    case 'security':
    case 'phone_number_name_update':
    case 'phone_number_quality_update': {
      const digits = text(field(value, 'display_phone_number'))?.replace(/\D/g, '')
      const kind = name === 'security' && event !== null ? `${name} ${event}` : name
      return digits ? told({ of: 'line', number: `+${digits}` }, value, kind) : []
    }
    case 'message_template_components_update':
    case 'message_template_quality_update':
    case 'message_template_status_update':
    case 'template_category_update':
    case 'template_correct_category_detection': {
      const template = text(field(value, 'message_template_name'))
      const language = text(field(value, 'message_template_language'))
      return template === null || language === null ? [] : told({ of: 'template', name: template, language }, value)
    }
    case 'user_preferences':
      return list(field(value, 'user_preferences')).flatMap((preference, _, all) => {
        const named = identityOf(field(preference, 'wa_id'), field(preference, 'user_id'))
        const user = personOf(named, list(field(value, 'contacts')), all.length === 1)
        const about = { of: 'contact', ...user, newContactId: newId('contact') } as const
        const category = text(field(preference, 'category')) ?? 'unknown'
        return told(about, preference, `${name} ${category}`, timestamp(field(preference, 'timestamp')) ?? at)
      })
  }
}

/** @returns a change about one of several users, without what it says of the others */
function ofOne(value: unknown, preference: JsonObject): JsonObject {
  const isTheirs = (contact: unknown) =>
    ['wa_id', 'user_id'].some(name => text(field(contact, name)) !== null && field(contact, name) === preference[name])
  const contacts = field(value, 'contacts')
  return {
    ...(isObject(value) && value),
    ...(contacts !== undefined && { contacts: list(contacts).filter(isTheirs) }),
    user_preferences: [preference],
  }
}

/**
 * Names what nothing here has a place for: calls, what others answered in a chat, a field of tomorrow. It may be about
 * people, whom nobody could erase then: so it says that it came, and not what. All of a minute are one.
 */
export function namedUpdate(name: string, entry: unknown, value: unknown, receivedAt: number): ToldUpdate {
  const [call] = list(field(value, 'calls'))
  const event = text(field(value, 'event')) ?? text(field(value, 'type')) ?? text(field(call, 'event'))
  const line = field(value, 'metadata') ?? field(value, 'recipient')
  const upstreamPhoneId = text(field(line, 'phone_number_id'))
  return {
    accountId: text(field(entry, 'id')),
    about: upstreamPhoneId === null ? { of: 'account' } : { of: 'namedLine', upstreamPhoneId },
    kind: (event === null ? name : `${name} ${event}`).slice(0, kindCharsMax),
    at: Math.floor(receivedAt / accountErrorSpanMs) * accountErrorSpanMs,
    detail: {},
  }
}

/** An account, or a status, has a handful of errors at a time. */
const errorsMax = 10

/**
 * Keeps the words of a status that says nothing of its message that is known here (docs/upstream.md#status-updates).
 * Which message and whose it is they do not say: nobody could erase that. All of a minute that say the same are one.
 */
export function unknownStatus(part: unknown, entry: unknown, value: unknown, receivedAt: number): ToldUpdate {
  const [type, status] = ['type', 'status'].map(name => text(field(part, name))?.slice(0, kindCharsMax) ?? null)
  const upstreamPhoneId = text(field(field(value, 'metadata'), 'phone_number_id'))
  const errors = list(field(part, 'errors'))
    .slice(0, errorsMax)
    .map(error => ({ code: field(error, 'code') ?? null, title: text(field(error, 'title')) }))
  const payment = type === 'payment' ? paymentOf(part) : {}
  return {
    accountId: text(field(entry, 'id')),
    about: upstreamPhoneId === null ? { of: 'account' } : { of: 'namedLine', upstreamPhoneId },
    kind: ['status', type, status]
      .filter(word => word !== null)
      .join(' ')
      .slice(0, kindCharsMax),
    at: Math.floor(receivedAt / accountErrorSpanMs) * accountErrorSpanMs,
    detail: {
      ...(type !== null && { type }),
      status,
      ...(errors.length > 0 && { errors }),
      ...(Object.keys(payment).length > 0 && { payment }),
    },
  }
}

/**
 * @param faults of the account, and `failures` of messages that a line has sent
 * @returns the errors that stop the account or a line of it, or restrict one for hours, as updates
 */
export function errorUpdates(
  entry: unknown,
  value: unknown,
  faults: readonly UpstreamFault[],
  failures: readonly (UpstreamFault | null)[],
  receivedAt: number,
): ToldUpdate[] {
  const accountId = text(field(entry, 'id'))
  if (accountId === null) return []
  const upstreamPhoneId = text(field(field(value, 'metadata'), 'phone_number_id'))
  const account = { of: 'account' } as const
  const line = upstreamPhoneId === null ? account : ({ of: 'namedLine', upstreamPhoneId } as const)
  const stops = faults.filter(({ code }) => code !== null && isStopCode(code)).slice(0, errorsMax)
  const spam = [...faults, ...failures].find(fault => fault?.code === spamCode)
  return [
    ...stops.map(fault => errorUpdate(fault, { accountId, about: account, at: receivedAt })),
    ...(spam ? [errorUpdate(spam, { accountId, about: line, at: receivedAt, until: receivedAt + spamPauseMs })] : []),
  ]
}
