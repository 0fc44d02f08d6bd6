import { isLongerThan } from '../../base/chars.ts'
import type { Issue } from '../../base/errors.ts'
import { pointer } from '../../base/issues.ts'
import { footerCharsMax, headerCharsMax, labelCharsMax } from '../../base/upstreamLimits.ts'
import {
  blankLines,
  fixedWordsMin,
  headerMarkup,
  headerPicture,
  sideBySide,
  variableNamePattern,
  wordsIn,
} from '../../forms/templates.ts'
import { valueCharsMax } from '../limits.ts'
import { isNumber, readText } from '../markers.ts'
import { textProblem, valueIn } from '../values.ts'
import type { BodyDraft, TemplateDraft } from './draft.ts'

type Format = TemplateDraft['parameterFormat']

const wellFormed = /\{\{\s*\w+\s*\}\}/g
/** The text with a blank in the place of each variable. */
const withoutVariables = (text: string) => text.replaceAll(wellFormed, ' ')
const hasBraces = (text: string) => /\{\{|\}\}/.test(text)

/** @returns what stands between the braces, numbers ascending, names as they first appear; each once */
export const variablesIn = (text: string): string[] => readText(text, 'unstated').slots.map(({ key }) => key)

/** The rules of variables that header and body share. */
function variableProblem(text: string, format: Format): string | undefined {
  if (hasBraces(withoutVariables(text)))
    return 'has {{ or }} that is not a variable: write {{1}}, with letters, digits or _ between the braces'
  const keys = variablesIn(text)
  if (format === 'NAMED') {
    const wrong = keys.find(key => !variableNamePattern.test(key))
    return wrong === undefined
      ? undefined
      : `has the variable {{${wrong}}}: a name begins with a lower-case letter or _, and has only those and digits`
  }
  const named = keys.find(key => !isNumber(key))
  if (named !== undefined) return `has the variable {{${named}}}: variables of this template are numbers`
  const gap = keys.findIndex((key, at) => key !== String(at + 1))
  return gap === -1 ? undefined : `must count its variables from {{1}} without a gap: {{${gap + 1}}} is missing`
}

/** A header's text: one line, one variable at most (docs/upstream.md#template-creation). */
export function headerTextProblem(text: string, format: Format): string | undefined {
  if (text.trim() === '') return 'must not be empty'
  if (isLongerThan(text, headerCharsMax)) return `must be at most ${headerCharsMax} characters long`
  if (/[\n\r]/.test(text)) return 'must be one line'
  const words = withoutVariables(text)
  if (headerPicture.test(words)) return 'must not have an emoji'
  if (headerMarkup.test(words)) return 'must not have markup: * _ ~ or `'
  return variableProblem(text, format) ?? (variablesIn(text).length > 1 ? 'must have at most one variable' : undefined)
}

function bodyTextProblem(text: string, format: Format, charsMax: number): string | undefined {
  if (text.trim() === '') return 'must not be empty'
  if (isLongerThan(text, charsMax)) return `must be at most ${charsMax} characters long`
  if (blankLines.test(text.replaceAll('\r', ''))) return 'must not have more than one blank line in a row'
  const problem = variableProblem(text, format)
  const count = variablesIn(text).length
  if (problem !== undefined || count === 0) return problem
  if (/^\s*\{\{/.test(text)) return 'must not begin with a variable: put words before it'
  if (/\}\}\s*$/.test(text)) return 'must not end with a variable: put words or a full stop behind it'
  if (sideBySide.test(text)) return 'must have words between two variables'
  const words = wordsIn(withoutVariables(text))
  const wordsMin = fixedWordsMin(count)
  if (words >= wordsMin) return undefined
  const variables = count === 1 ? '1 variable' : `${count} variables`
  return `is too short for ${variables}: it has ${words} fixed words and needs ${wordsMin}`
}

export function footerProblem(text: string): string | undefined {
  if (text === '') return undefined
  if (text.trim() === '') return 'must not be blank'
  if (isLongerThan(text, footerCharsMax)) return `must be at most ${footerCharsMax} characters long`
  return hasBraces(text) ? 'must not have a variable' : undefined
}

export function labelProblem(text: string): string | undefined {
  if (text.trim() === '') return 'must not be empty'
  if (isLongerThan(text, labelCharsMax)) return `must be at most ${labelCharsMax} characters long`
  return hasBraces(text) ? 'must not have a variable' : undefined
}

/** An example is shown to the reviewer in the place of a variable. */
export const exampleProblem = (example: string): string | undefined =>
  example.trim() === '' ? 'needs an example' : textProblem(example, valueCharsMax)

/** @returns the problems of a body and of its examples. */
export function bodyIssues(body: BodyDraft, format: Format, charsMax: number, path: string): Issue[] {
  const problem = bodyTextProblem(body.text, format, charsMax)
  const issues: Issue[] = problem === undefined ? [] : [{ path: `${path}/text`, message: problem }]
  for (const key of variablesIn(body.text)) {
    const message = exampleProblem(valueIn(body.examples, key) ?? '')
    if (message !== undefined) issues.push({ path: `${path}/examples${pointer(key)}`, message })
  }
  return issues
}

/** A piece of a text: words, or a variable with what fills it. */
interface Segment {
  readonly text: string
  /** What stands between the braces; null for words. */
  readonly variable: string | null
}

const marker = /\{\{\s*(\w+)\s*\}\}/g

/** Cuts a text at its variables, each with its value; one without a value stays as it is written. */
export function segmentsOf(text: string, valueFor: (key: string) => string | undefined): Segment[] {
  const segments: Segment[] = []
  let from = 0
  for (const match of text.matchAll(marker)) {
    const [whole, key = ''] = match
    if (match.index > from) segments.push({ text: text.slice(from, match.index), variable: null })
    segments.push({ text: valueFor(key) || whole, variable: key })
    from = match.index + whole.length
  }
  if (from < text.length) segments.push({ text: text.slice(from), variable: null })
  return segments
}
