import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { faultNames } from './strace.ts'
import type { Tried } from './tried.ts'

const document = resolve(import.meta.dir, '../../../docs/guarantees.md')
const heading = '## Points'
const faults = [...faultNames, 'cut'] as const
const columns = ['what is done', ...faults, 'reached']
const separator = `|${'---|'.repeat(columns.length)}`

/** @returns the row of an act: at how many points each fault met it, and how many calls of each kind were reached */
export function rowOf(act: string, tried: readonly Tried[]): string {
  const count = (fault: Tried['fault']) => tried.filter(one => one.fault === fault).length
  const reached = new Map<string, number>()
  for (const { of, call, n } of tried) {
    const name = of === 'program' || of.startsWith('its ') ? `\`${call}\`` : `\`${call}\` of ${of}`
    reached.set(name, Math.max(reached.get(name) ?? 0, n))
  }
  return row([act, ...faults.map(count), [...reached].map(([name, n]) => `${name} ${n}`).join(', ')])
}

const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`

/** Writes the rows of the acts that were tried into the list of docs/guarantees.md; the others stay. */
export function writeRows(rows: ReadonlyMap<string, string>, names: readonly string[]): void {
  const text = readFileSync(document, 'utf8')
  const lines = text.split('\n')
  const first = lines.findIndex((line, at) => at > lines.indexOf(heading) && line.startsWith('| '))
  if (!lines.includes(heading) || first === -1) throw new Error(`${document} has no list below ${heading}`)
  const after = lines.findIndex((line, at) => at > first && !line.startsWith('|'))
  const former = lines.slice(first + 2, after)
  const kept = names.flatMap(name => rows.get(name) ?? former.find(line => line.startsWith(`| ${name} |`)) ?? [])
  lines.splice(first, after - first, row(columns), separator, ...kept)
  writeFileSync(document, lines.join('\n'))
}
