import { aligned } from '../report.ts'
import type { Figures } from './figures.ts'

/** What a run writes begins so, and ends where the next part begins: what stands before it is written by hand, and kept. */
const begin = 'Measured on '

/** @param machine what it was measured on, in lines */
export function figuresText({ how, headings, rows, notes }: Figures, machine: readonly string[]): string {
  return `${begin}${machine.join(' · ')}. ${how.join('; ')}.

${[aligned(headings, rows), notes.map(note => `- ${note}`).join('\n')].filter(Boolean).join('\n\n')}`
}

/**
 * @returns the document with the figures in place of those of an earlier run
 * @throws Error when the document has no such part
 */
export function withFigures(document: string, title: string, text: string): string {
  const parts = document.split(/^(?=## )/m)
  const at = parts.findIndex(part => part.startsWith(`## ${title}\n`))
  const part = parts[at]
  if (part === undefined) throw new Error(`the document has no part "${title}"`)
  const [kept = ''] = part.split(new RegExp(`^${begin}`, 'm'))
  const isLast = at === parts.length - 1
  return parts.with(at, `${kept.trimEnd()}\n\n${text}\n${isLast ? '' : '\n'}`).join('')
}
