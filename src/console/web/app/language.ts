import type { Language } from '../../../../db/contract/preferences.ts'
import { languageCookie } from '../../languages.ts'

/** A year: the choice of who comes back is still known on the page that signs in. */
const rememberedSeconds = 31_536_000

/** @returns what this browser remembers of the choice; empty: nothing */
const remembered = () =>
  document.cookie
    .split('; ')
    .find(cookie => cookie.startsWith(`${languageCookie}=`))
    ?.slice(languageCookie.length + 1) ?? ''

/**
 * Shows the page in the language that its user has chosen; null: in that of the browser. The gateway sends the document
 * by what the browser remembers, so it is loaded once more where that was another one.
 */
export function speak(chosen: Language | null): void {
  const before = remembered()
  if (before === (chosen ?? '')) return
  const seconds = chosen ? rememberedSeconds : 0
  const safety = location.protocol === 'https:' ? '; secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is there only with TLS
  document.cookie = `${languageCookie}=${chosen ?? ''}; path=/console; max-age=${seconds}; samesite=lax${safety}`
  // A browser that keeps no cookies would load it forever.
  if (remembered() !== before && chosen !== document.documentElement.lang) location.reload()
}
