import { field, isText, list, text } from '../base/json.ts'
import { readFault, type UpstreamFault } from './answer.ts'
import { redactError } from './redact.ts'

/** Why the upstream does not create, change or delete a template, and what to do about it. */
export interface TemplateRefusal {
  readonly fault: UpstreamFault
  /** Ours: what it means and what to do. Null where neither code nor subcode says it. */
  readonly meaning: string | null
  /** The upstream's own words for people, in the language of the account. Shown, never compared. */
  readonly title: string | null
  readonly words: string | null
  /** The fields that the upstream blames: `name`. */
  readonly fields: readonly string[]
}

/** docs/upstream.md#template-creation: all of them come with code 100. */
const meaningOfSubcode: ReadonlyMap<number, string> = new Map([
  [2388024, 'This name has a template in this language already. Choose another name, or edit that template.'],
  [2388019, 'The account has as many templates as it may have. Delete some that are no longer used.'],
  [2388293, 'The body has too many variables for its length. Add fixed words, or use fewer variables.'],
  [2388299, 'The body begins or ends with a variable. Put words before and after it.'],
  [
    2388039,
    'This template cannot be edited now. It is in review, or it was approved and edited within the last 24 hours, or ' +
      '10 times in 30 days, or its category was changed although it is approved.',
  ],
  [2388040, 'A text is longer than it may be.'],
  [2388047, 'The header has a form that is not allowed.'],
  [2388072, 'The body has a form that is not allowed: look at its variables and at blank lines.'],
  [2388073, 'The footer has a form that is not allowed: at most 60 characters, without a variable.'],
  [
    2388023,
    'The name is blocked in this language, because its template was deleted within the last 30 days. ' +
      'Choose another name.',
  ],
  [2388025, 'The template is being deleted. Choose another name, or wait up to 30 days.'],
  [2388046, 'The name has a form that is not allowed: lower-case letters, digits and underscores.'],
  [2388043, 'A field or an example is missing.'],
  [2388050, 'A button has a field that is missing or not allowed.'],
  [2388094, "The account's sample templates cannot be deleted."],
  [33, 'The upstream platform does not know this account, app or template, or the access token has no right to it.'],
])

const meaningOfCode: ReadonlyMap<number, string> = new Map([
  [190, 'The access token is expired or revoked. Give the channel a new one.'],
  [10, 'The access token has no right to manage templates: it needs whatsapp_business_management.'],
  [200, 'The access token has no right to manage templates: it needs whatsapp_business_management.'],
  [4, 'Too many calls of this app. Try again in an hour.'],
  [80007, 'Too many calls for this account. Try again in an hour.'],
  [80008, 'Too many calls for this account: 100 creations and 200 management calls an hour. Try again in an hour.'],
])

/** @returns null when the answer is no readable refusal: then it is not known whether something changed */
export function readTemplateRefusal(error: unknown, status: number, accessToken: string): TemplateRefusal | null {
  const fault = readFault(error, status, [accessToken])
  if (fault === null || (fault.code === null && status >= 500)) return null
  const safe = redactError(error, [accessToken])
  return {
    fault,
    meaning: meaningOfSubcode.get(fault.subcode ?? Number.NaN) ?? meaningOfCode.get(fault.code ?? Number.NaN) ?? null,
    title: text(field(safe, 'error_user_title')),
    words: text(field(safe, 'error_user_msg')),
    fields: list(field(field(safe, 'error_data'), 'blame_field_specs'))
      .flat(2)
      .filter(isText),
  }
}

/** @returns one sentence or two for a person: our meaning, then the upstream's own words */
export function refusalSentence({ fault, meaning, words, title }: TemplateRefusal): string {
  const said = words ?? fault.details ?? title ?? fault.title
  return meaning === null ? `The upstream platform refused it: ${said}` : `${meaning} (The upstream platform: ${said})`
}
