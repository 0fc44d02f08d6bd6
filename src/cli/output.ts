import color from 'picocolors'
import { moment } from '../base/clock.ts'
import { printable } from '../base/terminal.ts'

/** The answer of a command: `data` is the JSON document of `--json`, `text` is for people; null prints nothing. */
export interface Answer {
  readonly data: unknown
  readonly text: string | null
  /** The text is the content of a file: only on a terminal is anything taken out of it. */
  readonly isFile?: boolean
  /** The command worked, and its answer is negative: the program ends with 1. */
  readonly failed?: boolean
}

type Cell = string | number | boolean | null

function cellText(cell: Cell): string {
  if (cell === null) return '-'
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  return printable(String(cell))
}

const columnGap = '  '

type TimeName = 'at' | `${string}At`

/** What `withIsoTimes` makes of a record. */
type WithIsoTimes<Row> = {
  [Name in keyof Row]: Name extends TimeName ? Exclude<Row[Name], number> | IsoTime<Row[Name]> : Row[Name]
}
type IsoTime<Value> = number extends Value ? string : never

/** A record as `--json` shows it: times (fields named `at` or `…At`) in ISO 8601. */
export const withIsoTimes = <Row extends object>(record: Row) =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, isTime(name, value) ? new Date(value).toISOString() : value]),
  ) as WithIsoTimes<Row>

const isTime = (name: string, value: unknown): value is number => /(^at|At)$/.test(name) && typeof value === 'number'

/** The fields of a row that can be shown as they are. */
type CellName<Row> = { [Name in keyof Row]: Row[Name] extends Cell ? Name : never }[keyof Row] & string

/** The cells by heading: a field of the row (times are formatted), or a function of the row. */
export type TableColumns<Row> = Readonly<Record<string, CellName<Row> | ((row: Row) => Cell)>>

function cellOf<Row>(row: Row, column: TableColumns<Row>[string]): Cell {
  if (typeof column === 'function') return column(row)
  const value = row[column]
  // `CellName` says so, which the compiler does not see.
  return isTime(column, value) ? moment(value) : (value as Cell)
}

/** Aligned columns under dim headings; `whenEmpty` says what to do when there is nothing yet. */
export function table<Row>(columns: TableColumns<Row>, rows: readonly Row[], whenEmpty = ''): string {
  if (rows.length === 0) return whenEmpty
  const headings = Object.keys(columns)
  const texts = rows.map(row => Object.values(columns).map(column => cellText(cellOf(row, column))))
  const widths = headings.map((heading, at) => Math.max(heading.length, ...texts.map(row => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join(columnGap)
      .trimEnd()
  return [color.dim(line(headings)), ...texts.map(line)].join('\n')
}

/** Names and values in two columns. */
export function fields(pairs: Readonly<Record<string, Cell>>): string {
  const width = Math.max(...Object.keys(pairs).map(key => key.length))
  return Object.entries(pairs)
    .map(([key, value]) => `  ${color.dim(key.padEnd(width))}${columnGap}${cellText(value)}`)
    .join('\n')
}

/** A record and its details. */
export const card = (title: string, details: Readonly<Record<string, Cell>>): string =>
  `${color.bold(printable(title))}\n${fields(details)}`

/** What was done, its details, and what comes next. */
export function report(done: string, details: Readonly<Record<string, Cell>>, next?: string): string {
  return [`${color.green('✓')} ${printable(done)}`, fields(details), ...(next ? ['', `Next: ${next}`] : [])].join('\n')
}

/** A word of a command line, as a shell takes it. */
export const shellWord = (word: string) => (/^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)

/** A command line to be copied. */
export const commandLine = (line: string): string => color.cyan(`waypost ${line}`)
