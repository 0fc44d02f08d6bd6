import { decoderOf, type Find } from '../rules/lookups.ts'
import type { Connection } from './open.ts'
import { listOf } from './rows.ts'

/** Without a LIMIT: its bound parameter would make SQLite plan the statement anew at each run. */
export const findOn =
  ({ client }: Connection): Find =>
  <Row extends object>({ columns, from, by, rest = '' }: Parameters<Find>[0]) => {
    const statement = client.query<Row, [{ value: string }]>(
      `SELECT ${listOf(columns)} FROM ${from} WHERE ${by} = $value ${rest}`,
    )
    const decode = decoderOf<Row>(columns)
    return async value => statement.all({ value }).map(decode)
  }
