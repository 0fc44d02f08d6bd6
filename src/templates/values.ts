import { isLongerThan } from '../base/chars.ts'
import type { Issue } from '../base/errors.ts'
import { fileNameProblem } from '../base/fileName.ts'
import { pointer } from '../base/issues.ts'
import { isDeeperThan, isObject, type JsonObject, parseJson } from '../base/json.ts'
import { codeCharsMax, couponCharsMax } from '../base/upstreamLimits.ts'
import { refusedSpace } from '../forms/templates.ts'
import { inexactNumber, inexactNumbers } from './exactness.ts'
import { flowDataDepthMax, flowTokenCharsMax, linkCharsMax, mediaIdCharsMax, valueCharsMax } from './limits.ts'
import type { TemplateShape } from './shape.ts'
import type { Variable, VariableKind } from './variables.ts'

/** The fields of a send body that fill a template (docs/partner-api.md#templates). */
export interface TemplateValues {
  readonly templateVariables?: TextMap | undefined
  readonly bodyParameters?: TextMap | undefined
  readonly carousel?: { readonly cards: readonly CarouselCard[] } | undefined
}

export type TextMap = Readonly<Record<string, string>>

/** docs/partner-api.md#carousel */
export interface CarouselCard {
  readonly index: number
  readonly bodyValues?: TextMap | undefined
  readonly buttonValues?: readonly CardButtonValue[] | undefined
  readonly header?: CardHeader | undefined
}

export interface CardButtonValue {
  readonly index: number
  readonly sub_type: string
  readonly parameters: CardButtonParameter
}

export interface CardButtonParameter {
  readonly type: string
  readonly text?: string | undefined
  readonly payload?: string | undefined
}

export interface CardHeader {
  readonly format: string
  readonly link?: string | undefined
  readonly id?: string | undefined
}

/** A card of the request that belongs to a card of the template, and its place in the request for pointers. */
export interface GivenCard {
  readonly card: CarouselCard
  readonly place: number
}

export const noValues: TextMap = {}

/** Own keys only: a placeholder may be called `constructor`. */
export function valueIn(values: TextMap, key: string): string | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined
}

/** Checks every value of `templateVariables`, also those that something else overrides, and names unknown keys. */
export function checkVariables(shape: TemplateShape, values: TextMap, issues: Issue[]): void {
  for (const key of Object.keys(values)) {
    const variable = shape.variables.get(key)
    const problem = variable
      ? (valueProblem(variable.kind, values[key] ?? '') ?? alternativeProblem(variable, values))
      : `is not a variable of this template; ${shape.takes}`
    if (problem) issues.push({ path: pointer('templateVariables', key), message: problem })
  }
}

/** Reported once, at the one that stands in the place of the other. */
function alternativeProblem({ requiredBy, alternative }: Variable, values: TextMap): string | undefined {
  const isDoubled = requiredBy === null && alternative !== null && Object.hasOwn(values, alternative)
  return isDoubled ? `must not be given together with ${alternative}` : undefined
}

/** Names every required key that is not there. @param elsewhere  true for a key that another field fills */
export function checkRequired(
  required: readonly Variable[],
  values: TextMap,
  elsewhere: (variable: Variable) => boolean,
  issues: Issue[],
): void {
  for (const variable of required) {
    const { key, alternative, requiredBy } = variable
    const isGiven = Object.hasOwn(values, key) || (alternative !== null && Object.hasOwn(values, alternative))
    if (!isGiven && !elsewhere(variable))
      issues.push({ path: pointer('templateVariables', key), message: `is required: ${requiredBy}` })
  }
}

/** @returns what is wrong with a value of this kind, without showing the value. */
export function valueProblem(kind: VariableKind, value: string): string | undefined {
  switch (kind) {
    case 'text':
    case 'product':
      return textProblem(value, valueCharsMax)
    case 'fileName':
      return textProblem(value, valueCharsMax) ?? fileNameProblem(value)
    case 'code':
      return textProblem(value, codeCharsMax)
    case 'coupon':
      return textProblem(value, couponCharsMax)
    case 'link':
      return linkProblem(value)
    case 'mediaId':
      return fileIdProblem(value)
    case 'flowToken':
      return lengthProblem(value, flowTokenCharsMax)
    case 'flowData': {
      const reading = readFlowData(value)
      return reading.ok ? undefined : reading.problem
    }
  }
}

export function textProblem(value: string, charsMax: number): string | undefined {
  if (refusedSpace.test(value)) return 'must not contain a line break, a tab or more than 4 spaces in a row'
  return lengthProblem(value, charsMax)
}

function lengthProblem(value: string, charsMax: number): string | undefined {
  if (value.trim() === '') return 'must not be empty'
  return isLongerThan(value, charsMax) ? `must be at most ${charsMax} characters long` : undefined
}

export function linkProblem(value: string): string | undefined {
  if (value.length > linkCharsMax) return `must be at most ${linkCharsMax} characters long`
  return isWebAddress(value) ? undefined : 'must be a public http or https URL'
}

const webAddress = /^https?:\/\/\S+$/i

/** True for an absolute http or https URL. Whether it is public shows only when it is fetched. */
export const isWebAddress = (value: string) => webAddress.test(value) && URL.canParse(value)

const scheme = /^\s*[a-z][a-z\d+.-]*:\/\//i

/**
 * A whole address behind the fixed part of another one makes a broken link. Behind a `=` it may be meant: the address
 * of a redirect takes one.
 * @param base the fixed part of a URL button's address; the value follows it
 */
export function suffixProblem(base: string, value: string): string | undefined {
  // Without a scheme of its own the fixed part says nothing about what follows.
  if (!scheme.test(base) || !scheme.test(value)) return undefined
  const isRepeated = value.trimStart().toLowerCase().startsWith(base.toLowerCase())
  if (!isRepeated && base.endsWith('=')) return undefined
  return `must be only what follows ${base} in the button's address, not a whole address`
}

const digits = /^\d+$/

/** Digits only: the handle of a template's example (`4::…`) is refused (docs/upstream.md#carousel). */
export function mediaIdProblem(value: string): string | undefined {
  return digits.test(value) && value.length <= mediaIdCharsMax
    ? undefined
    : 'must be the media id of an upload to the channel: digits only'
}

/** An id of ours of a file (src/base/ids.ts). */
const keptFilePattern = /^media_[0-9a-z]{26}$/

/** @returns whether it is the id of a file that is kept here, which is uploaded to the line of a send */
export const isKeptFile = (id: string): boolean => keptFilePattern.test(id)

/** Of a file that is named where a file here may be named too. */
export const fileIdProblem = (value: string): string | undefined =>
  isKeptFile(value) || mediaIdProblem(value) === undefined
    ? undefined
    : 'must be the id of a file here, media_…, or of an upload to the channel, digits only'

export type FlowData =
  | { readonly ok: true; readonly data: JsonObject }
  /** The message, after the name of the key. */
  | { readonly ok: false; readonly problem: string }

const refused = (problem: string): FlowData => ({ ok: false, problem })

/**
 * Reads `flow_action_data`: the data of a flow's first screen, as JSON text, because the values of `templateVariables`
 * are strings. The upstream refuses an empty object (docs/upstream.md#flows).
 */
export function readFlowData(text: string): FlowData {
  const data = parseJson(text)
  if (!isObject(data) || Object.keys(data).length === 0)
    return refused('must be the JSON text of an object that is not empty')
  if (isDeeperThan(data, flowDataDepthMax)) return refused(`must not be nested deeper than ${flowDataDepthMax} levels`)
  const [inexact] = inexactNumbers(data, '')
  if (inexact !== undefined) return refused(`has a number at ${inexact} that ${inexactNumber}`)
  return { ok: true, data }
}
