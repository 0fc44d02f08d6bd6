import { isolating } from '../isolated.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('en')

/** The rates of a workspace, by which Usage estimates what messages cost. */
export const rates = isolating({
  title: 'Rates of the platform',
  hint: 'The platform says what it charges for, and no amounts. With your price list, Usage shows an estimate.',
  none: 'There are no rates yet.',
  kept: (count: number, shown: string, currencies: string) =>
    `${plural(count, 'One rate', `${shown} rates`)} in ${currencies}, since`,
  toUsage: 'See the estimate',
  add: 'Add rates',
  replace: 'Replace the rates',
  remove: 'Remove the rates',
  removeTitle: 'Remove the rates?',
  removeHint: 'Usage shows no estimates any more. The counts stay.',
  choose: 'Choose a CSV file',
  file: 'Rates',
  fileHint:
    'One line for each country (two letters, or * for all others) and category, with a point in the price. ' +
    'The same file is read by "waypost costs --rates".',
  missing: 'Choose a file, or paste its lines',
  save: 'Save the rates',
} as const)
