import { byteOrderMark } from './csv.ts'

/** One record of a file, as spreadsheets count its rows. */
export interface CsvRecord {
  /** From 1. A blank row counts, and one whose cells have line ends is one. */
  readonly row: number
  readonly cells: readonly string[]
  /** What is wrong with its quotes; null: nothing. */
  readonly problem: QuoteProblem | null
}

/** `open`: a cell begins with a quotation mark that is never closed. `behind`: it goes on behind the closing one. */
export type QuoteProblem = 'open' | 'behind'

/** What is wrong, and what to do. */
export const quoteWords: Readonly<Record<QuoteProblem, string>> = {
  open: 'a cell begins with a quotation mark (") that is never closed: close it, or remove it',
  behind: 'a cell goes on behind its closing quotation mark ("): write "" for a quotation mark within quotes',
}

/** What separates cells: the comma of RFC 4180, what spreadsheets write where a comma is in numbers, and tabs. */
const separators = [',', ';', '\t', '|'] as const
export type CsvSeparator = (typeof separators)[number]

/** A line that names the separator, for Excel, which does not show it. */
const naming = /^"?sep=([,;\t|])"?\r?\n/i

/**
 * The separator that the file names, or that the first record has the most of, outside of quotes; of equal ones the
 * first above.
 */
export function separatorOf(text: string): CsvSeparator {
  const named = naming.exec(withoutMark(text))?.[1]
  if (named !== undefined) return named as CsvSeparator
  const counts = new Map<string, number>()
  let isQuoted = false
  for (const sign of withoutMark(text)) {
    if (sign === '"') isQuoted = !isQuoted
    else if (!isQuoted && (sign === '\n' || sign === '\r')) {
      // Blank rows above the first record say nothing.
      if (counts.size > 0) break
    } else if (!isQuoted) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  }
  const most = Math.max(...separators.map(sign => counts.get(sign) ?? 0))
  return separators.find(sign => (counts.get(sign) ?? 0) === most) ?? ','
}

/**
 * Reads a table of RFC 4180, a record at a time, as spreadsheets write it: with any of the separators, line ends of any
 * system, and a byte order mark. Blank rows are left out. A quote within a cell that has none at its start is a sign
 * like any other.
 */
export function* csvRecords(text: string, separator: CsvSeparator = separatorOf(text)): Generator<CsvRecord> {
  const all = withoutMark(text).replace(naming, '')
  // Up to what ends a cell: each look goes on where the one before has ended, so a file is read once.
  const end = separator === '|' ? /[|\r\n]/g : new RegExp(`[${separator}\\r\\n]`, 'g')
  let [at, row] = [0, 0]
  while (at < all.length) {
    row += 1
    const cells: string[] = []
    let problem: QuoteProblem | null = null
    for (let isLast = false; !isLast; ) {
      let cell = ''
      if (all[at] === '"') {
        const quoted = quotedCell(all, at)
        cell = quoted.cell
        at = quoted.end
        if (!quoted.isClosed) problem = 'open'
      }
      end.lastIndex = at
      const stop = end.exec(all)?.index ?? all.length
      const rest = all.slice(at, stop)
      // Blanks between a quote and a separator are what people type.
      if (cell !== '' && rest.trim() !== '') problem ??= 'behind'
      cells.push(cell === '' ? rest : cell + rest.trimEnd())
      at = stop + 1
      isLast = stop >= all.length || all[stop] !== separator
      if (isLast && all[stop] === '\r' && all[stop + 1] === '\n') at = stop + 2
    }
    if (problem !== null || cells.some(cell => cell.trim() !== '')) yield { row, cells, problem }
  }
}

/** @returns what stands between the quotes, and the place behind them */
function quotedCell(text: string, from: number): { cell: string; end: number; isClosed: boolean } {
  let [cell, at] = ['', from + 1]
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote === -1) return { cell: cell + text.slice(at), end: text.length, isClosed: false }
    cell += text.slice(at, quote)
    if (text[quote + 1] !== '"') return { cell, end: quote + 1, isClosed: true }
    cell += '"'
    at = quote + 2
  }
}

const withoutMark = (text: string) => (text.startsWith(byteOrderMark) ? text.slice(1) : text)

/** The text of a file: UTF-8, or UTF-16 with its mark, as "Unicode text" of a spreadsheet. Null: it is neither. */
export function csvText(bytes: Uint8Array): string | null {
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    // Of UTF-16 without a mark each second byte is one.
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}
