import { isLongerThan } from '../base/chars.ts'
import { type Issue, invalid, type Refusal } from '../base/errors.ts'
import { isText, parseObject } from '../base/json.ts'
import { bodyCharsMax, lifetimeSeconds } from '../base/upstreamLimits.ts'
import { directSendKinds } from '../forms/interactive.ts'
import type { DirectFields } from '../graph/request.ts'
import { type DirectCategory, directCategories } from '../message/words.ts'

/** Of a text or an interactive message that is sent without the window, and charged as a template. */
export interface DirectSend {
  readonly category: DirectCategory
  /** The upstream drops it when it was not delivered in this time. Null: its own. */
  readonly ttlSeconds: number | null
}

const codeToPhoneAlone: Issue = {
  path: '/category',
  message: 'authentication is for a phone number: the upstream platform sends no code to a user id',
}

const lifetimeOf = (category: DirectCategory) => lifetimeSeconds[category === 'utility' ? 'UTILITY' : 'AUTHENTICATION']

/** The shortest and the longest life of any category. */
export const ttlSecondsMin = Math.min(...directCategories.map(category => lifetimeOf(category).min))
export const ttlSecondsMax = Math.max(...directCategories.map(category => lifetimeOf(category).max))

const isCategory = (value: unknown): value is DirectCategory => directCategories.some(known => known === value)

/**
 * What a schema cannot say of the fields of Direct Send (docs/upstream.md#direct-send).
 * @param body of a send, which may be malformed elsewhere
 * @param kind that of an interactive message, where it is known
 */
export function directSendIssues(body: Readonly<Record<string, unknown>>, kind: unknown): Issue[] {
  const { category, content, previewUrl, ttlSeconds, type, userId } = body
  if (category === undefined)
    return ttlSeconds === undefined ? [] : [{ path: '/ttlSeconds', message: 'needs a category' }]
  if (!isCategory(category)) return []
  const isCode = category === 'authentication'
  const { max } = lifetimeOf(category)
  const isLong = type === 'text' && isText(content) && isLongerThan(content, bodyCharsMax)
  const isOther =
    type === 'interactive' && (isCode || (kind !== undefined && !directSendKinds.some(known => known === kind)))
  const problems: readonly [isWrong: boolean, path: string, message: string][] = [
    [Number(ttlSeconds) > max, '/ttlSeconds', `must be at most ${max} for the category ${category}`],
    [isLong, '/content', `must not have more than ${bodyCharsMax} characters with a category`],
    [previewUrl === true, '/previewUrl', 'must not be given together with category'],
    [
      isOther,
      '/category',
      isCode ? 'authentication is for texts alone' : `utility is for ${directSendKinds.join(', ')} alone`,
    ],
    [isCode && userId !== undefined, codeToPhoneAlone.path, codeToPhoneAlone.message],
  ]
  return problems.flatMap(([isWrong, path, message]) => (isWrong ? [{ path, message }] : []))
}

export const directSendOff: Refusal = {
  reason: 'DIRECT_SEND_OFF',
  message: 'Direct Send is switched off for the line: leave out category, or ask who runs the gateway to switch it on.',
}

/** @returns why it cannot be sent from this line to this recipient; null: it can */
export function directSendRefusal(
  direct: DirectSend | null,
  line: { readonly directSend: boolean },
  recipient: string,
): Refusal | null {
  if (direct === null) return null
  if (!line.directSend) return directSendOff
  const isRefused = direct.category === 'authentication' && !recipient.startsWith('+')
  return isRefused ? invalid([codeToPhoneAlone]) : null
}

/** @returns the fields of the upstream's request */
export const directFields = (direct: DirectSend | null): DirectFields => ({
  category: direct?.category,
  ttl_seconds: direct?.ttlSeconds ?? undefined,
})

/** @returns what the upstream's request says; null: nothing */
export const directIn = ({ category, ttl_seconds }: Readonly<Record<string, unknown>>): DirectSend | null =>
  isCategory(category) ? { category, ttlSeconds: typeof ttl_seconds === 'number' ? ttl_seconds : null } : null

/** @returns how long the message of the upstream's request, as JSON, is of use; null: it says nothing */
export function lifetimeMsIn(payload: string): number | null {
  // Nearly all say nothing, and need not be parsed.
  const body = payload.includes('"ttl_seconds":') ? parseObject(payload) : null
  const seconds = body && directIn(body)?.ttlSeconds
  return seconds ? seconds * 1_000 : null
}
