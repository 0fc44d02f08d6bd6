/*
 * Who wants no marketing: by which words people say so, and what becomes of a marketing template to them. Beside it the
 * platform has a stop of its own (docs/partner-api.md#opt-outs).
 */

/** What becomes of a marketing template to a person who wants no marketing. */
export const onOptOutChoices = ['refuse', 'send'] as const
export type OnOptOut = (typeof onOptOutChoices)[number]

/** What a person wishes, in the words of the platform. */
export const wishes = ['stop', 'resume'] as const
export type Wish = (typeof wishes)[number]

/** By which way a wish came: by the platform, a word of the person, a member in the console, an API key, a command. */
export const wishWays = ['platform', 'word', 'member', 'key', 'operator'] as const

export interface WishSource {
  readonly kind: (typeof wishWays)[number]
  /** The word, as the workspace has it. */
  readonly word: string | null
  /** The name of the member, else its address; or the id of the API key. */
  readonly by: string | null
}

export const platformSource: WishSource = { kind: 'platform', word: null, by: null }

/** Of templates, as the platform lists it: the category whose messages people may stop. */
export const marketingCategory = 'MARKETING'

/** @returns whether who has opted out has to be looked for before a send */
export const asksForOptOut = (onOptOut: OnOptOut, category: string | null): boolean =>
  onOptOut === 'refuse' && category === marketingCategory

/** Of a word that stops; of a short phrase too. */
export const wordCharsMax = 40
/** Of each of the two lists. */
export const wordsMax = 100
export const optOutAnswerCharsMax = 1_000

/** The words of a workspace that has chosen none: English, German, Portuguese, Spanish, French, Arabic. */
export const stopWordsDefault: readonly string[] = [
  ...['STOP', 'STOPALL', 'STOP ALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'],
  ...['STOPP', 'ABMELDEN'],
  ...['PARAR', 'SAIR', 'CANCELAR'],
  ...['BAJA', 'ALTO'],
  ...['ARRÊT', 'ARRET'],
  ...['إيقاف', 'ايقاف'],
]
export const startWordsDefault: readonly string[] = [
  ...['START', 'UNSTOP'],
  ...['ANMELDEN'],
  ...['VOLTAR'],
  ...['ALTA'],
  ...['REPRENDRE'],
  ...['ابدأ'],
]

/** A question mark changes what is said, and stays. */
const around = /^(?:[\s\p{Cf}]|(?![?¿؟])\p{P})+|(?:[\s\p{Cf}]|(?![?¿؟])\p{P})+$/gu

/** @returns a text as it is compared: without white space and punctuation around it, in any case */
export const comparable = (text: string): string =>
  text.normalize('NFKC').replace(around, '').replace(/\s+/gu, ' ').toLowerCase()

/** @returns the whole of a message as it is compared with the words; null: it is too long to be one */
export function saidWord(text: string): string | null {
  if (text.length > 4 * wordCharsMax) return null
  const said = comparable(text)
  return said === '' || said.length > wordCharsMax ? null : said
}

/** The words of a workspace; null: those that everybody has. */
export interface OwnWords {
  readonly stopWords: readonly string[] | null
  readonly startWords: readonly string[] | null
}

/** @returns what a whole message wishes, with the word as the workspace has it; null: it is none of the words */
export function wishIn(said: string, { stopWords, startWords }: OwnWords): { value: Wish; word: string } | null {
  const isIt = (word: string) => comparable(word) === said
  const stop = (stopWords ?? stopWordsDefault).find(isIt)
  if (stop !== undefined) return { value: 'stop', word: stop }
  const start = (startWords ?? startWordsDefault).find(isIt)
  return start === undefined ? null : { value: 'resume', word: start }
}
