import type { ToldUpdate } from '../../db/contract/updates.ts'
import { field, isObject, list, text } from '../base/json.ts'
import type { UpstreamFault } from '../graph/answer.ts'
import { isStopCode } from '../graph/codes.ts'
import { timestamp } from '../graph/timestamp.ts'
import { accountErrorKind, accountErrorSpanMs } from '../operations/channels/stoppedLines.ts'

/** The largest known has some 500 bytes. */
const detailCharsMax = 8_192

/** The callback fields that are stored with their subject (docs/upstream.md#account-updates). */
const updateFields = [
  'account_update',
  'account_alerts',
  'account_review_update',
  'security',
  'phone_number_quality_update',
  'message_template_quality_update',
  'message_template_status_update',
  'user_preferences',
] as const
type UpdateField = (typeof updateFields)[number]

export const isUpdateField = (name: string): name is UpdateField => updateFields.some(field => field === name)

/** @returns the updates of one change; an update that names no subject is left out */
export function readUpdates(name: UpdateField, entry: unknown, value: unknown, receivedAt: number): ToldUpdate[] {
  const accountId = text(field(entry, 'id'))
  if (accountId === null) return []
  const at = timestamp(field(entry, 'time')) ?? receivedAt
  const event = text(field(value, 'event'))
  const told = (about: ToldUpdate['about'], said: unknown, kind: string = name, since = at): ToldUpdate[] => {
    if (!isObject(said) || JSON.stringify(said).length > detailCharsMax) return []
    return [{ accountId, kind: kind.slice(0, 100), at: since, detail: said, about }]
  }
  switch (name) {
    case 'account_update':
      return told({ of: 'account' }, value, event === null ? name : `${name} ${event}`)
    case 'account_alerts': {
      const alert = text(field(field(value, 'alert_info'), 'alert_type')) ?? text(field(value, 'alert_type'))
      return told({ of: 'account' }, value, alert === null ? name : `${name} ${alert}`)
    }
    case 'account_review_update':
      return told({ of: 'account' }, value)
    case 'security':
    case 'phone_number_quality_update': {
      const digits = text(field(value, 'display_phone_number'))?.replace(/\D/g, '')
      const kind = name === 'security' && event !== null ? `${name} ${event}` : name
      return digits ? told({ of: 'line', number: `+${digits}` }, value, kind) : []
    }
    case 'message_template_quality_update':
    case 'message_template_status_update': {
      const template = text(field(value, 'message_template_name'))
      const language = text(field(value, 'message_template_language'))
      return template === null || language === null ? [] : told({ of: 'template', name: template, language }, value)
    }
    case 'user_preferences':
      return list(field(value, 'user_preferences')).flatMap(preference => {
        const waId = text(field(preference, 'wa_id'))
        const about = { of: 'contact', phone: waId && `+${waId}`, userId: text(field(preference, 'user_id')) } as const
        const category = text(field(preference, 'category')) ?? 'unknown'
        return told(about, preference, `${name} ${category}`, timestamp(field(preference, 'timestamp')) ?? at)
      })
  }
}

/** An account has a handful of errors at a time. */
const errorsMax = 10

/** @returns the errors of an account that stop it or a line of it, as updates */
export function errorUpdates(entry: unknown, faults: readonly UpstreamFault[], receivedAt: number): ToldUpdate[] {
  const accountId = text(field(entry, 'id'))
  const stops = faults.filter(({ code }) => code !== null && isStopCode(code)).slice(0, errorsMax)
  if (accountId === null) return []
  const at = Math.floor(receivedAt / accountErrorSpanMs) * accountErrorSpanMs
  return stops.map(({ code, title, details }) => ({
    ...{ accountId, about: { of: 'account' }, at },
    kind: `${accountErrorKind} ${code}`,
    detail: { code, title, ...(details !== null && { details }) },
  }))
}
