import type { Rendered } from './render.ts'
import { textOf } from './text.ts'

/** What may be found: where it is, what it is called, and the words that stand there. */
export type Finding = readonly [address: string, title: string, guide: string, words: string]

/** As much as says what a part is about. More of all of them would be a file that a telephone waits for. */
const indexedCharsMax = 300

/** Guides whose tables are looked up row by row. */
const lookedUp = ['settings', 'commands']

/** Everything that the search finds: the parts of all guides, so each error code too, and each setting and command. */
export const searchIndex = (guides: readonly Rendered[]): readonly Finding[] => guides.flatMap(findingsOf)

function findingsOf({ name, title, body }: Rendered): Finding[] {
  return body.split(/(?=<h[1-6] )/).flatMap(part => {
    const [, anchor = '', heading = ''] = /^<h[1-6] id="([^"]*)">(.*?)<\/h[1-6]>/s.exec(part) ?? []
    const address = textOf(heading) === title ? name : `${name}#${anchor}`
    const rows = lookedUp.includes(name) ? [...part.matchAll(/<tr([^>]*)>\s*<td>(.*?)<\/td>(.*?)<\/tr>/gs)] : []
    const found = rows
      .filter(([, , cell = '']) => cell.startsWith('<code>'))
      .map(([, attributes = '', cell = '', rest = '']): Finding => {
        const id = /id="(\w+)"/.exec(attributes)?.[1]
        return [id ? `${name}#${id}` : address, textOf(cell), title, words(rest)]
      })
    const text = part.replace(/^<h.*?<\/h[1-6]>/s, '').replace(/<(table|pre).*?<\/\1>/gs, ' ')
    return [[address, textOf(heading), title, words(text)], ...found]
  })
}

const words = (html: string) =>
  textOf(html.replaceAll('</td>', ' '))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, indexedCharsMax)
    .replace(/\s\S*$/, '')
