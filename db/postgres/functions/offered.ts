import { arrayText } from '../open.ts'
import type { ColumnType } from './columns.ts'

/** An argument of a function of a send: the values that all rows have in one column. */
export interface OfferedColumn<Row> {
  /** As the function names it, after `all_`. */
  readonly name: string
  readonly type: ColumnType
  readonly of: (row: Row) => string | number | null | undefined
}

/**
 * Rows as arguments of a function, an array for each column: a statement there takes what it needs of a row by its
 * number. JSON with all of them would be parsed by each of its statements.
 * @param first the number of the parameter that has the first column
 */
export const offering = <Row>(columns: readonly OfferedColumn<Row>[], first: number) => ({
  arguments: columns.map(({ name, type }, at) => `all_${name} => $${first + at}::text::${type}[]`).join(', '),
  parameters: (rows: readonly Row[]): (string | null)[] => columns.map(({ of }) => arrayText(rows.map(of))),
})
