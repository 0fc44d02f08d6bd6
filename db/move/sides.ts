import type { Applied, Migration } from '../migrations.ts'
import type { MovedTable, Row } from './tables.ts'

/** A database whose rows are read. */
export interface Source {
  /** Tells this database from all others. It is not shown. */
  readonly identity: string
  /** Of its engine, in this version. */
  readonly migrations: readonly Migration[]
  /** What was done to it; nothing when it is empty. */
  applied(): Promise<readonly Applied[]>
  /**
   * @returns a sentence that names what is not as the migrations make it; null when nothing could act on what is copied
   */
  difference(): Promise<string | null>
  count(table: MovedTable): Promise<number>
  /** @returns the next rows in the order of the key. @param after a key; null: from the first row */
  rows(table: MovedTable, after: Row | null, limit: number): Promise<readonly Row[]>
}

/** A database that rows are copied to. */
export interface Target extends Omit<Source, 'identity'> {
  /** Makes the tables where they are absent. */
  migrate(): Promise<void>
  /** @returns the greatest key; null in an empty table */
  lastKey(table: MovedTable): Promise<Row | null>
  /** Stores all of the rows, or none. */
  append(table: MovedTable, rows: readonly Row[]): Promise<void>
  /** Keeps gateways and commands away until `release`, also after this process. */
  reserve(identity: string): Promise<void>
  /** All rows are there: new ones get numbers behind theirs, and the database can be used. */
  release(): Promise<void>
}
