type Cell = string | number | boolean | null

/**
 * Where a spreadsheet may take what follows for a formula, and a cell may hold a text of a user. Each of these begins
 * one: `=`, `+`, `-`, `@`, and their full-width forms (OWASP, CSV injection). It need not stand first: where `;` or a
 * tab separates cells, as in most of Europe, quotes within a line mean nothing, so a cell begins behind each of them,
 * and a line behind each line end. What stands before a sign is looked at last: otherwise a text of spaces alone would
 * be read anew from each of them.
 */
const formulaStart = /^(?=[\t\r\n])|(?=[=+\-@＝＋－＠])(?<=(?:^|[;\t\r\n])[\s"']*)/g
/** It is no formula: a phone number keeps its `+`. */
const wholeNumber = /^[+-]\d+$/

/** The first character of a file: without it, spreadsheets read UTF-8 as the characters of another encoding. */
export const byteOrderMark = '\ufeff'

/** One record (RFC 4180), without its line end. */
export const csvLine = (cells: readonly Cell[]): string => cells.map(csvCell).join(',')

/**
 * The same for spreadsheets: a text of digits, as a telephone number, begins with a tab. Else they take it for a
 * number, without its `+` and leading zeros, and show a long one as 4.9E+12. A tab is not seen there, and who imports
 * the file again trims it; an apostrophe would be seen in every cell, and `="+49…"` is a formula.
 */
export const spreadsheetLine = (cells: readonly Cell[]): string =>
  cells.map(cell => (typeof cell === 'string' && digits.test(cell) ? `"\t${cell}"` : csvCell(cell))).join(',')

const digits = /^[+-]?\d+$/

function csvCell(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell)
  if (wholeNumber.test(cell)) return cell
  const harmless = cell.replaceAll(formulaStart, "'")
  // Also what is a separator elsewhere: some programs take several at once.
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
