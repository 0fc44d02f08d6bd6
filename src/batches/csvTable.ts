import { csvRecords, csvText, type QuoteProblem } from '../base/csvRecords.ts'
import { readPhone } from '../base/phone.ts'
import { batchItemsMax } from '../message/batches.ts'

/** The longest items of a whole batch have some 300 characters; this is what a page and a command hold at once. */
export const csvBytesMax = 33_554_432
/** More than any spreadsheet of people has; each is a field of the page. */
export const csvColumnsMax = 200

/** The people of a file: a header, and a row for each. */
export interface CsvTable {
  /** The names of the columns, trimmed. */
  readonly header: readonly string[]
  readonly rows: readonly CsvRow[]
}

export interface CsvRow {
  /** As a spreadsheet counts it: the header is 1, unless blank rows stand above it. */
  readonly row: number
  readonly cells: readonly string[]
  readonly quotes: QuoteProblem | null
}

/** What is wrong with a file as a whole. */
export type CsvProblem = 'encoding' | 'tooLarge' | 'empty' | 'noHeader' | 'tooManyColumns' | 'tooManyRows'

/** What a person is told of it. */
export const csvProblems: Readonly<Record<CsvProblem, string>> = {
  encoding: 'The file is not UTF-8: save it in the spreadsheet as "CSV UTF-8"',
  tooLarge: `The file is larger than ${csvBytesMax / 1_048_576} MB: divide it`,
  empty: 'The file has no rows below its first line, which names the columns',
  noHeader: 'The first line must name the columns, as in phone,name; it has a phone number: put a line above it',
  tooManyColumns: `The file has more than ${csvColumnsMax} columns: is its separator none of , ; | and the tab?`,
  tooManyRows: `The file has more than ${batchItemsMax} rows, which is what one batch takes: divide it`,
}

export type ReadTable =
  | { readonly ok: true; readonly table: CsvTable }
  | { readonly ok: false; readonly problem: CsvProblem }

const no = (problem: CsvProblem): ReadTable => ({ ok: false, problem })

/** Reads a file of people. Its first line names the columns. */
export function readCsv(bytes: Uint8Array): ReadTable {
  if (bytes.length > csvBytesMax) return no('tooLarge')
  const text = csvText(bytes)
  return text === null ? no('encoding') : readTable(text)
}

/** The same of a text. */
export function readTable(text: string): ReadTable {
  let header: readonly string[] | null = null
  const rows: CsvRow[] = []
  for (const { row, cells, problem } of csvRecords(text)) {
    if (header === null) {
      header = cells.map(cell => cell.trim())
      if (header.length > csvColumnsMax) return no('tooManyColumns')
      if (header.some(name => readPhone(name).ok)) return no('noHeader')
    } else if (rows.length === batchItemsMax) return no('tooManyRows')
    else rows.push({ row, cells, quotes: problem })
  }
  return header === null || rows.length === 0 ? no('empty') : { ok: true, table: { header, rows } }
}
