import { language } from '../../texts/texts.ts'

const names = new Intl.DisplayNames(language, { type: 'language', style: 'short' })

/**
 * @param code as the platform writes it, `en_US`
 * @returns how people call the language; the code where it has no name
 */
export const languageName = (code: string): string =>
  // Others are no tags of languages, and the browser would throw.
  /^[a-z]{2,3}(_[A-Z]{2})?$/.test(code) ? (names.of(code.replace('_', '-')) ?? code) : code
