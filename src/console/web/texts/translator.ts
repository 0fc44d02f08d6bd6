/** What the gateway says in English, in another language. Its keys may have `{}` for what differs each time. */
export type Said = Readonly<Record<string, string>>

const gap = '{}'

/** @returns how the text is said in another language; undefined: it has no words there */
export function translator(words: Said): (text: string) => string | undefined {
  // The one that says most comes first: others are a part of it.
  const patterns = Object.keys(words)
    .filter(said => said.includes(gap))
    .toSorted((one, other) => other.length - one.length)
    .map(said => {
      const parts = said.split(gap).map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      return [new RegExp(`^${parts.join('(.*?)')}$`, 's'), words[said] ?? ''] as const
    })
  const translate = (text: string): string | undefined => {
    if (Object.hasOwn(words, text)) return words[text]
    // A reason is counted by its code, which stands behind it.
    const [, reason, code] = /^(.+)( \(\d+\))$/.exec(text) ?? []
    const known = reason === undefined ? undefined : translate(reason)
    if (known !== undefined) return `${known}${code}`
    for (const [pattern, said] of patterns) {
      const found = pattern.exec(text)
      // What stands in a gap may be a sentence of the gateway, too.
      if (found) return said.replace(/\{(\d)\}/g, (_, at) => inGap(found[Number(at)] ?? ''))
    }
    return undefined
  }
  const inGap = (text: string) => translate(text) ?? text
  return translate
}
