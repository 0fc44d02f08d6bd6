import type { Issue } from '../base/errors.ts'
import { pointer } from '../base/issues.ts'
import { field, isText, text } from '../base/json.ts'
import type { FilledParts } from './examples.ts'
import type { Slot } from './markers.ts'
import { takes } from './shape.ts'
import { valueProblem } from './values.ts'

/** A message or a card that is compared: what its template leaves open, and what was sent for it. */
export interface Place {
  readonly parts: FilledParts
  readonly components: readonly unknown[]
  /** A pointer to the components. */
  readonly path: string
  /** "the template", "card 0". */
  readonly whose: string
  readonly kind: 'text' | 'code' | 'card'
  /** Of the filled body. */
  readonly bodyCharsMax: number
  readonly issues: Issue[]
}

/** @returns the type of a component, without regard to case */
export const kindOf = (component: unknown): string => (text(field(component, 'type')) ?? '').toLowerCase()

/** "{{1}} and {{2}}" */
export const textSlots = (slots: readonly Slot[]): string =>
  slots
    .map(({ key }) => `{{${key}}}`)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' and ')

/** The parameters that fill the slots of one text. */
interface GivenTexts {
  readonly parameters: readonly unknown[]
  /** A pointer to them. */
  readonly path: string
  /** "the template's body". */
  readonly what: string
  readonly slots: readonly Slot[]
  /** Types that a parameter may have. */
  readonly types: readonly string[]
}

/**
 * Numbered slots are filled in their order, and named ones by name.
 * @returns the texts by the keys of their slots; null when something of them does not fit
 */
export function compareTexts(
  { kind, issues }: Pick<Place, 'kind' | 'issues'>,
  { parameters, path, what, slots, types }: GivenTexts,
): ReadonlyMap<string, string> | null {
  const before = issues.length
  const isNamed = slots.some(slot => slot.isNamed)
  const names = takes(slots.map(({ key }) => key))
  const texts = new Map<string, string>()
  parameters.forEach((parameter, at) => {
    const here = path + pointer(at)
    const note = (below: string, message: string) => issues.push({ path: here + below, message })
    const name = text(field(parameter, 'parameter_name'))
    const slot = slotOf(parameter, at, slots)
    if (isNamed && name === null) note('/parameter_name', `is required: ${what} takes its values by name; ${names}`)
    else if (isNamed && !slot) note('/parameter_name', `is not in ${what}; ${names}`)
    else if (!slot) note('', `is one too many: ${what} takes ${slots.length === 0 ? 'none' : slots.length}`)
    else if (texts.has(slot.key)) note('/parameter_name', 'repeats the name of another parameter')
    if (!isNamed && name !== null) note('/parameter_name', `must be left out: ${what} has no names`)
    const value = textOf(parameter)
    if (slot) texts.set(slot.key, value ?? '')
    const type = text(field(parameter, 'type')) ?? ''
    if (!types.includes(type)) note('/type', `must be ${types[0]}`)
    else if (value === null) note(`/${type}`, type === 'text' ? 'must be a text' : 'must have a fallback_value')
    else {
      const problem = valueProblem(kind === 'code' ? 'code' : 'text', value)
      if (problem) note(type === 'text' ? '/text' : `/${type}/fallback_value`, problem)
    }
  })
  const missing = slots.filter(({ key }) => !texts.has(key))
  if (isNamed)
    for (const { key } of missing)
      issues.push({ path, message: `must have a parameter with the parameter_name ${key}: ${what} has {{${key}}}` })
  else if (missing.length > 0) {
    const message = `must have ${slots.length}, for ${textSlots(slots)} of ${what}; it has ${parameters.length}`
    issues.push({ path, message })
  }
  return issues.length > before ? null : texts
}

/** @returns the slot that a parameter at this place fills */
export function slotOf(parameter: unknown, at: number, slots: readonly Slot[]): Slot | undefined {
  const name = field(parameter, 'parameter_name')
  return slots.some(({ isNamed }) => isNamed) ? slots.find(({ key }) => key === name) : slots[at]
}

/** @returns the text that a person reads; null: there is none */
export function textOf(parameter: unknown): string | null {
  const given = field(parameter, 'type')
  if (given === 'text') {
    const value = field(parameter, 'text')
    return isText(value) ? value : null
  }
  const value = field(field(parameter, String(given)), 'fallback_value')
  return isText(value) ? value : null
}
