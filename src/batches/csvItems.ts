import { isLongerThan } from '../base/chars.ts'
import { quoteWords } from '../base/csvRecords.ts'
import type { JsonObject } from '../base/json.ts'
import { readPhone } from '../base/phone.ts'
import { readSendAt, sendAtProblem } from '../sending/sendAt.ts'
import { type CsvField, type CsvMapping, csvFields, csvRecipients } from './csvMapping.ts'
import type { CsvRow, CsvTable } from './csvTable.ts'

/** A row that can go, as an item of a batch. */
export interface CsvItem {
  readonly row: number
  readonly item: JsonObject
}

/** A row that cannot. `code`: for programs; `message`: what is wrong and what to do, behind the name of the column. */
export interface WrongRow {
  readonly row: number
  /** Null: it is about the row as a whole. */
  readonly column: string | null
  readonly code: WrongCode
  readonly message: string
}

export type WrongCode = 'quotes' | 'cells' | 'recipient' | 'phone' | 'shortened' | 'value' | 'long' | 'time'

export interface CsvItems {
  readonly items: readonly CsvItem[]
  /** One of each row: its first problem. */
  readonly wrong: readonly WrongRow[]
}

/** The longest value that a cell fills: what is longer is several columns, or a quote that is not closed. */
export const cellCharsMax = 4_096

/** A number as a spreadsheet shows a long one: its last digits are lost. */
const shortened = /^[+-]?\d(?:[.,]\d+)?E\+?\d+$/i

/** The values of a template that items have. */
export interface TemplateValues {
  /** Keys that each item must fill. */
  readonly required: readonly string[]
  /** The same for all rows; a column goes before it. */
  readonly constants: Readonly<Record<string, string>>
}

/** @returns the keys that neither a column nor a constant fills */
export const missingValues = ({ values }: CsvMapping, { required, constants }: TemplateValues): string[] =>
  required.filter(key => !Object.hasOwn(values, key) && !Object.hasOwn(constants, key))

/**
 * Makes items of rows. What they say is checked as far as it needs no gateway: that there is a recipient, and that each
 * value of the template has a text. What the send itself refuses, it tells by the place of the item.
 * @param mapping its columns are in the header
 * @param template null: the items have no values of a template
 */
export function itemsOf({ header, rows }: CsvTable, mapping: CsvMapping, template: TemplateValues | null): CsvItems {
  const items: CsvItem[] = []
  const wrong: WrongRow[] = []
  for (const row of rows) {
    const made = itemOf(row, header, mapping, template)
    if ('item' in made) items.push(made)
    else wrong.push(made)
  }
  return { items, wrong }
}

function itemOf(
  { row, cells, quotes }: CsvRow,
  header: readonly string[],
  mapping: CsvMapping,
  template: TemplateValues | null,
): CsvItem | WrongRow {
  const bad = (code: WrongCode, message: string, at: number | null = null): WrongRow => ({
    ...{ row, column: at === null ? null : (header[at] ?? ''), code, message },
  })
  if (quotes !== null) return bad('quotes', quoteWords[quotes])
  if (cells.slice(header.length).some(cell => cell.trim() !== ''))
    return bad('cells', 'has more cells than the first line: put a cell that has the separator in quotation marks')
  const item: Record<string, unknown> = {}
  for (const field of csvFields) {
    const at = mapping.fields[field]
    const cell = at === undefined ? '' : fieldText(field, cells[at] ?? '')
    if (at === undefined || cell === '') continue
    if (isLongerThan(cell, cellCharsMax)) return bad('long', longWords, at)
    if (field === 'phone' && shortened.test(cell)) return bad('shortened', shortenedWords, at)
    const phone = field === 'phone' ? readPhone(cell) : null
    if (phone?.ok === false) return bad('phone', phone.problem, at)
    if (field === 'sendAt' && readSendAt(cell) === null) return bad('time', sendAtProblem, at)
    item[field] = phone?.ok ? phone.number : cell
  }
  const named = csvRecipients.filter(field => item[field] !== undefined)
  // A batch that names columns of several kinds takes the first that a row has.
  for (const other of named.slice(1)) delete item[other]
  if (named.length === 0)
    return bad('recipient', 'names nobody: give a phone number, or leave the row out', recipientAt(mapping))
  if (template === null) return { row, item }
  const values = new Map(Object.entries(template.constants))
  for (const [key, at] of Object.entries(mapping.values)) {
    // A value of a template has no line break, and blanks at its ends are what typing leaves.
    const value = (cells[at] ?? '').replaceAll(/\s+/g, ' ').trim()
    if (isLongerThan(value, cellCharsMax)) return bad('long', longWords, at)
    if (value !== '') values.set(key, value)
    else if (template.required.includes(key) && !values.has(key))
      return bad('value', `is empty, and the template needs it for {{${key}}}: fill it in`, at)
  }
  return { row, item: { ...item, templateVariables: Object.fromEntries(values) } }
}

const longWords = `has more than ${cellCharsMax} characters: shorten it`
const shortenedWords =
  'was shortened by the spreadsheet, and its last digits are lost: make the column a text, and enter the number again'

const recipientAt = ({ fields }: CsvMapping) =>
  csvRecipients.map(field => fields[field]).find(at => at !== undefined) ?? null

/** An export for spreadsheets has a tab before a number, and an apostrophe keeps people's own from being one. */
function fieldText(field: CsvField, cell: string): string {
  const text = cell.trim()
  return field === 'phone' && text.startsWith("'") ? text.slice(1).trim() : text
}
