import { texts } from '../../texts/texts.ts'

const dayMs = 86_400_000

/** The choices for a key's expiry. */
export const expiryChoices = Object.entries(texts.apiKeys.expiryChoices)
  .map(([value, label]) => ({ value, label }))
  // JavaScript puts keys that are numbers first.
  .sort((one, other) => Number(one.value !== 'never') - Number(other.value !== 'never'))

/** @param days `never`, or a number of days from now */
export const endOf = (days: string): string | null =>
  days === 'never' ? null : new Date(Date.now() + Number(days) * dayMs).toISOString()

/** One a line, or with commas; null: any. */
export function networksOf(text: string): string[] | null {
  const entries = text.split(/[\s,]+/).filter(entry => entry !== '')
  return entries.length === 0 ? null : entries
}
