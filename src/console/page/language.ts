import { type Language, languages } from '../../../db/contract/preferences.ts'
import { cookieOf } from '../access/cookies.ts'
import { isLanguage, languageCookie } from '../languages.ts'

/** @returns the language that has this tag's words, whatever its country: `pt` for `pt-PT` finds `pt-BR` */
const spokenAs = (tag: string): Language | undefined => {
  const base = (text: string) => text.toLowerCase().split('-')[0]
  return languages.find(language => base(language) === base(tag))
}

/** The first language of RFC 9110 12.5.4 that the console speaks; of equal wishes the one that stands first. */
function acceptedLanguage(acceptLanguage: string): Language {
  const wishes = acceptLanguage.split(',').map(part => {
    const [tag = '', ...parameters] = part.split(';').map(word => word.trim())
    const quality = parameters.find(parameter => /^q=/i.test(parameter))?.slice(2)
    return { tag, quality: quality === undefined ? 1 : Number(quality) || 0 }
  })
  const wished = wishes.filter(({ quality }) => quality > 0).toSorted((one, other) => other.quality - one.quality)
  return wished.map(({ tag }) => spokenAs(tag)).find(language => language !== undefined) ?? languages[0]
}

/** The language of a document: what was chosen in this browser, else what the browser asks for. */
export function documentLanguage(request: Request): Language {
  const chosen = cookieOf(request, languageCookie)
  return isLanguage(chosen) ? chosen : acceptedLanguage(request.headers.get('accept-language') ?? '')
}
