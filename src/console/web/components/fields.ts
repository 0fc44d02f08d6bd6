import type { InputWrapperProps } from '@mantine/core'
import { toFailure } from '../api/failure.ts'
import { capital, texts } from '../texts/texts.ts'
import { type Bounds, whole, wholeOf } from './numbers.ts'

/** What a field is called, and the hint of it: `name` and `nameHint` of the words. */
export const labelled = <Name extends string>(
  words: Readonly<Record<Name | `${Name}Hint`, string>>,
  name: Name,
): { label: string; description: string } => ({ label: words[name], description: words[`${name}Hint`] })

/** Of two fields beside each other: they have one height, whatever is said of them. */
export const hintBelow: InputWrapperProps['inputWrapperOrder'] = ['label', 'input', 'description', 'error']

/** What a choice in a row of filters is called: nothing stands above it, its first words say it (`unfiltered`). */
export const namedBy = (label: string, isInRow: boolean) => (isInRow ? { 'aria-label': label } : { label })

/** What it says while nothing is chosen: `Status: Any`. */
export const unfiltered = (label: string, isInRow = true) =>
  isInRow ? `${label}: ${texts.common.filters.any}` : texts.common.filters.any

/** What a field offers: each value with its label. */
export const choicesOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

/**
 * @param fields of the form, by their names
 * @returns the problems of a refused form by field: `/expiresAt` belongs to `expiresAt`, and so does `/key/expiresAt`,
 * where the form has no field `key`
 */
export function fieldErrors(thrown: unknown, fields: object): Record<string, string> {
  return Object.fromEntries(
    toFailure(thrown).issues.map(({ path, message }) => {
      const [, ...names] = path.split('/')
      return [names.find(name => Object.hasOwn(fields, name)) ?? names[0] ?? '', capital(message)]
    }),
  )
}

/** @returns what is wrong with a number as it was typed; null: nothing */
export const wholeNumberError = (typed: string, bounds: Bounds): string | null =>
  wholeOf(typed, bounds) === null ? texts.common.wholeNumber(whole(bounds.min), whole(bounds.max)) : null
