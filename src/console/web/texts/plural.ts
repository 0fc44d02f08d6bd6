/**
 * @param language whose rules of number hold (Unicode CLDR); each of ours has two forms
 * @returns the form of a sentence that fits a number
 */
export function pluralOf(language: string) {
  const rules = new Intl.PluralRules(language)
  return (count: number, one: string, other: string): string => (rules.select(count) === 'one' ? one : other)
}
