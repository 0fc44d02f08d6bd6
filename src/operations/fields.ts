import { hourMs } from '../base/durations.ts'
import { isEmail, nameLengthMax, nameOf, nameRule, normalEmail } from '../base/names.ts'
import { bareNumber } from '../base/phone.ts'
import { Type } from '../base/schema.ts'
import { type Refused, wrongField } from './act.ts'

/*
 * Fields that several acts take, with their bounds.
 */

/** What people call a workspace, a key, an endpoint, themselves. `nameIn` checks its form. */
export const nameField = Type.String({ minLength: 1, maxLength: nameLengthMax })

/** @param path of the field. @returns such a name; null stays null, and what is left out stays out */
export function nameIn<Given extends string | null | undefined>(given: Given, path: string): Given | Refused {
  if (given === null || given === undefined) return given
  return (nameOf(given) as Given | null) ?? wrongField(path, nameRule)
}

/** Longer than any address; `emailIn` checks the form. */
const emailLengthMax = 320
export const emailField = Type.String({
  minLength: 1,
  maxLength: emailLengthMax,
  description: 'An email address, in any case.',
})

/** Said of a text that is no email address. */
export const emailRule = 'must be an email address, as in ada@example.com'

/** @returns the address as it is compared */
export const emailIn = (text: string): string | Refused =>
  isEmail(text.trim()) ? normalEmail(text) : wrongField('/email', emailRule)

/** Longer than any id of ours, and of the upstream. */
export const idLengthMax = 100
export const idField = Type.String({ maxLength: idLengthMax })

/** A line of each number that a workspace has; more is a mistake. */
const lineIdsMax = 100
export const lineIdsField = Type.Array(idField, { minItems: 1, maxItems: lineIdsMax })
export const lineIdsProblem = (lineIds: readonly string[] | null | undefined): string | null =>
  (lineIds?.length ?? 0) > lineIdsMax ? `there are more than ${lineIdsMax} lines` : null
export const unknownLine = () => wrongField('/lineIds', 'one of the lines is none of this workspace')

/** What is named twice counts once. */
export const withoutDoubles = <Text extends string>(named: readonly Text[] | null) => named && [...new Set(named)]

/**
 * The upstream's ids have some 60 characters, idempotency keys at most 255; who did what, and to what, is no longer.
 */
export const referenceLengthMax = 512
/** Names something as it was written elsewhere: an id of ours or of the upstream, a key of a caller, an author. */
export const referenceField = Type.String({ minLength: 1, maxLength: referenceLengthMax })

/** Ids are part of addresses and error messages: plain characters only. Our ids and the upstream's match. */
const idPattern = `^[A-Za-z0-9_-]{1,${idLengthMax}}$`
export const isId = (text: string): boolean => new RegExp(idPattern).test(text)
export const upstreamIdField = Type.String({ pattern: idPattern, description: "The upstream platform's id." })

/** The upstream's ids of apps are decimal digits (docs/upstream.md#template-creation). */
const appIdPattern = '^\\d{5,20}$'
export const isAppId = (text: string): boolean => new RegExp(appIdPattern).test(text)
export const appIdField = Type.String({ pattern: appIdPattern, description: 'The id of the app: digits.' })

/** The upstream's tokens have some hundred characters; what is longer is another file. */
const secretLengthMax = 8_192
/** Secrets are sent in HTTP headers and addresses: one word of printable ASCII. */
const secretPattern = '[\\x21-\\x7e]+'
/** White space around a pasted one does no harm. */
export const secretField = (description: string) =>
  Type.String({ pattern: `^\\s*${secretPattern}\\s*$`, maxLength: secretLengthMax, description })

/** @returns the secret without white space around it; null when it is none */
export function secretIn(text: string): string | null {
  const secret = text.trim()
  return secret.length <= secretLengthMax && new RegExp(`^${secretPattern}$`).test(secret) ? secret : null
}

/** Said of a text that is no secret, which it does not repeat. */
export const secretRule = `must be one word of at most ${secretLengthMax} printable characters, without spaces`

/** What a rotation takes: how long the former secret still works, in hours. */
export const graceFields = (msMax: number) => ({
  graceHours: Type.Optional(Type.Integer({ minimum: 0, maximum: msMax / hourMs })),
})

/** @returns the grace in milliseconds; undefined: what the act does without one */
export const graceMsOf = ({ graceHours }: { readonly graceHours?: number }) =>
  graceHours === undefined ? undefined : graceHours * hourMs

/** Said of a text that is no number. */
export const lineNumberRule = 'must be a number with its country code, as in +4930123456'

const form = /^\+?\d{3,17}$/

/**
 * A line's own number. It is only shown, and test lines have unusual numbers, so only the form is checked.
 * @returns null when it is not a number
 */
export function lineNumberOf(text: string): string | null {
  const digits = bareNumber(text)
  if (!form.test(digits)) return null
  return digits.startsWith('+') ? digits : `+${digits}`
}
