import { type Language, languages } from '../../db/contract/preferences.ts'

/** Where the browser keeps what its user chose: the document is sent before anybody is signed in. */
export const languageCookie = 'waypost_language'

export const isLanguage = (text: unknown): text is Language => languages.some(language => language === text)
