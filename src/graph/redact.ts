import { isObject } from '../base/json.ts'

/** The beginning of the upstream's access tokens. An error may also repeat a part of our token, or another token. */
const tokenLike = /EAA[0-9A-Za-z]{16,}/g
/** In a URL or in JSON that an error repeats. */
const tokenField = /(access_token["']?\s*[=:]\s*["']?)[^\s"'&,}]+/gi
const hidden = '(hidden)'

/** All texts of one error together, with the field names. The upstream's errors have some hundred characters. */
const errorCharsMax = 8_192
/** Fields and list entries of one error together. */
const valuesMax = 500

/** @returns a secret as it stands in a text, in an address and in JSON */
export const formsOf = (secret: string): readonly string[] => [
  ...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]),
]

function hide(text: string, secrets: readonly string[]): string {
  let clean = text
  // A mistyped token may be short, but not shorter than this. Hiding shorter texts would hide parts of words.
  for (const secret of secrets.filter(({ length }) => length >= 4)) {
    for (const form of formsOf(secret)) clean = clean.replaceAll(form, hidden)
  }
  return clean.replace(tokenLike, hidden).replace(tokenField, `$1${hidden}`)
}

/**
 * Hides secrets in an error of the upstream, so that it can be stored, logged and answered. The upstream repeats a
 * token that it cannot read ("Malformed access token …"), in any field.
 * @param error JSON of unknown shape; every text in it is cleaned, and all of them together are cut to `errorCharsMax`
 * @param secrets hidden in every text; what looks like an access token is hidden as well
 */
export function redactError(error: unknown, secrets: readonly string[] = []): unknown {
  let charsLeft = errorCharsMax
  let valuesLeft = valuesMax
  function redactText(text: string): string {
    // Hidden before it is cut: otherwise half a token would remain.
    const kept = hide(text, secrets).slice(0, charsLeft)
    charsLeft -= kept.length
    return kept
  }
  function redact(value: unknown): unknown {
    valuesLeft -= 1
    if (typeof value === 'string') return redactText(value)
    if (Array.isArray(value)) return value.slice(0, Math.max(0, valuesLeft)).map(redact)
    if (!isObject(value)) return value
    const fields = Object.entries(value).slice(0, Math.max(0, valuesLeft))
    return Object.fromEntries(fields.map(([name, field]) => [redactText(name), redact(field)]))
  }
  return redact(error)
}
