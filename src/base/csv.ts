type Cell = string | number | boolean | null

/** A spreadsheet runs a cell with such a beginning as a formula, and a cell may contain texts of users. */
const formulaStart = /^[=@\t\r]|^[+-](?!\d+$)/

/** One record (RFC 4180), without its line end. */
export const csvLine = (cells: readonly Cell[]): string => cells.map(csvCell).join(',')

function csvCell(cell: Cell): string {
  const text = cell === null ? '' : String(cell)
  const harmless = formulaStart.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
