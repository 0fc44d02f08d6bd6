import type { Applied, Migration } from '../migrations.ts'
import type { MovedRow, MovedTable } from './tables.ts'

/** A database whose rows are read. */
export interface Source {
  /** The identity of this database. It is not shown. */
  readonly identity: string
  /** The migrations of its engine in this version. */
  readonly migrations: readonly Migration[]
  /** The applied migrations; none when it is empty. */
  applied(): Promise<readonly Applied[]>
  /** @returns a sentence that names deviations from the migrations; null when nothing could act on the copied rows */
  difference(): Promise<string | null>
  count(table: MovedTable): Promise<number>
  /** @returns the next rows in the order of the key. @param after a key; null: from the first row */
  rows(table: MovedTable, after: MovedRow | null, limit: number): Promise<readonly MovedRow[]>
}

/** A database that rows are copied to. */
export interface Target extends Omit<Source, 'identity'> {
  /** Makes the tables where they are absent. */
  migrate(): Promise<void>
  /** @returns the greatest key; null in an empty table */
  lastKey(table: MovedTable): Promise<MovedRow | null>
  /** Stores all of the rows, or none. */
  append(table: MovedTable, rows: readonly MovedRow[]): Promise<void>
  /** Keeps gateways and commands away until `release`, also after this process. */
  reserve(identity: string): Promise<void>
  /** Ends the move: new rows get numbers after the copied ones, and the database can be used. */
  release(): Promise<void>
}
