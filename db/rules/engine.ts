import { type Column, type GetColumnData, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { EpochMs } from '../../src/base/clock.ts'
import type { NewEvent } from '../contract/events.ts'
import type { MessageState, Recorded } from '../contract/records.ts'
import type { Row, Tables } from '../schema/tables.ts'
import type { Columns } from './columns.ts'
import type { Conditions } from './conditions.ts'
import type { Step, Stepped } from './searchStep.ts'

/** What a send names its idempotency key by. */
export type NamedKey = Pick<Row<'idempotencyKeys'>, 'scope' | 'key'> & { readonly workspaceId: string }

/** A key that a message has, whether or not it is in force. The fingerprint is hex here, and half as long on disk. */
export interface FoundKey {
  readonly messageSeq: number
  readonly messageId: string
  readonly fingerprint: string
  readonly expiresAt: EpochMs
}

/** What the newest messages add to the counts that are stored, and to what is listed as unsettled. */
export interface Uncounted {
  readonly months: readonly Row<'planUsage'>[]
  readonly days: readonly Row<'dailyCounts'>[]
  /** The workspaces of those that are under way and not listed: one for each message. */
  readonly underWay: readonly string[]
}

/**
 * The tools of a rule: Drizzle on a connection of one engine, and the operations that differ between the engines.
 *
 * A rule is written once, with awaited queries. On PostgreSQL it runs in a transaction of its own; on SQLite in the
 * writer's group commit, where it must await nothing but its queries. TypeScript uses Drizzle's types for PostgreSQL:
 * features that SQLite lacks fail the tests that run on both.
 */
export interface Engine {
  readonly db: BunSQLDatabase
  readonly tables: Tables
  readonly columns: Columns
  readonly conditions: Conditions
  /** A column that has one of these values: one parameter, so that lists of any length share a statement. */
  isAnyOf(column: Column | SQL, values: readonly string[] | readonly number[] | Placeholder): SQL
  /** @returns what a prepared statement is given for the placeholder of `isAnyOf` */
  listed(values: readonly string[] | readonly number[]): unknown
  /** Stores rows, each in the place of one with the same primary key. One statement for any number of them. */
  put(table: PgTable, rows: readonly object[]): Promise<void>
  /**
   * Adds to a query that the rows it finds are locked, in its order, until the transaction ends. SQLite has nothing to
   * lock: one connection writes.
   */
  locking<Row>(query: Lockable<Row>): PromiseLike<Row[]>
  /** The same, so that no other transaction deletes the rows, or locks them as above. No send waits for it. */
  holding<Row>(query: Lockable<Row>): PromiseLike<Row[]>
  /**
   * Locks the contacts of these workspaces until the transaction ends: no other transaction changes them. On SQLite it
   * does nothing, because the writer is alone.
   */
  lockContacts(workspaceIds: readonly string[]): Promise<void>
  /**
   * Numbers events and stores them. It comes last in a transaction, which must be READ COMMITTED: the workspaces'
   * counters stay locked until its end.
   */
  tell(events: readonly NewEvent[]): Promise<void>
  /**
   * Moves a message by the one state machine, and does all that follows, as `recordEvent`. On PostgreSQL it comes last
   * but for `tell`: it locks messages, counts of days and counters of events.
   * @returns what has become of it; null: there is no such message
   */
  record(recorded: Recorded): Promise<MessageState | null>
  /**
   * Counts a message in the plan of its month. Before messages are locked.
   * @returns null; or the limit where the plan is used up: then nothing is counted
   */
  countInPlan(month: { workspaceId: string; month: string }): Promise<{ limit: number; used: number } | null>
  /** The row of a caller's key, whether or not it is in force, as the acceptance of a send finds it. */
  usedKey(named: NamedKey): Promise<FoundKey | null>
  /** Adds to counts of days and months (src/message/counts.ts). */
  count(counts: readonly Row<'dailyCounts'>[]): Promise<void>
  /** On PostgreSQL everything is counted and listed. */
  uncounted(): Promise<Uncounted>
  /** @returns texts as the database stores them: PostgreSQL cannot store some characters */
  asKept<Row extends object>(rows: readonly Row[]): readonly Row[]
  /** Deletes at most `limit` rows of a table. Others may have changed some of the found rows meanwhile. */
  deleteSome(table: PgTable, condition: SQL, limit: number): Promise<{ found: number; erased: number }>
  /**
   * A table in the FROM of a statement that has to be run along one of its indexes. SQLite otherwise decides by
   * statistics, which may be from when the table had a few rows: then it reads all of them.
   */
  through(table: PgTable, index: string): SQL
  /**
   * The FROM of a statement on the rows that an index has for each of some texts, in any transaction and whatever the
   * statistics say.
   * @param texts as `listed` gives them
   * @param isOne compares the rows with `asked.value`
   */
  forEach(texts: Placeholder, table: PgTable, isOne: SQL): SQL
  /**
   * Prepares a statement on the rows that have one of some values, which an index of the column finds, whatever the
   * statistics say. SQLite runs it once for each value: with a list, it reads the whole table while it believes it to
   * be small. On PostgreSQL it is one statement, in a transaction that has called `findByIndex`.
   * @returns runs it with the values, and with those of its other placeholders; it gives back all rows
   */
  onEach<Row>(
    build: (isOne: (column: Column) => SQL) => Preparable<Row>,
  ): (values: readonly string[] | readonly number[], slots?: Readonly<Record<string, unknown>>) => Promise<Row[]>
  /**
   * For the rest of the transaction, indexes find the rows wherever one can: without statistics, PostgreSQL believes
   * that a list of a hundred values has half of the table. On SQLite it does nothing.
   */
  findByIndex(): Promise<void>
  /** Locks messages in the order of the hot verbs, until the transaction ends. SQLite has nothing to lock. */
  lockMessages(seqs: readonly number[]): Promise<void>
  /** Tables that this engine alone has, with data of workspaces. */
  readonly ownLongTables: readonly (readonly [PgTable, 'ofWorkspace' | 'ofItsChannels' | 'ofItsLines'])[]
  /** As `StoreWrites.shortenWaits`, of what this engine alone has. */
  shortenOwnWaits(): Promise<void>
  /** Takes a step of a search for messages, so that the planner has no choice. */
  searchStep(step: Step): Promise<Stepped>
}

interface Lockable<Row> extends PromiseLike<Row[]> {
  for(strength: 'update' | 'key share'): PromiseLike<Row[]>
}

/** @returns the first row of an answer; null when it has none */
export const first = async <Row>(rows: PromiseLike<readonly Row[]>): Promise<Row | null> => (await rows)[0] ?? null

/** @returns the columns as a statement selects them whose FROM is `through`: Drizzle does not know its table */
export const selectedThrough = <Fields extends Record<string, Column>>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, column]) => [name, sql`${column}`.mapWith(column)])) as {
    [Field in keyof Fields]: SQL<GetColumnData<Fields[Field]>>
  }

/** The rows of one statement. Those of the widest table are far below the 32,766 parameters that SQLite takes. */
const portionMax = 512

/**
 * Cuts rows for statements that insert many. PostgreSQL keeps each statement that a connection has prepared, and
 * another number of rows is another statement: the sizes are powers of two, so that there are few.
 * @returns the rows in their order
 */
export function portionsOf<Row>(rows: readonly Row[]): Row[][] {
  const portions: Row[][] = []
  for (let from = 0, size = portionMax; from < rows.length; ) {
    while (size > rows.length - from) size /= 2
    portions.push(rows.slice(from, from + size))
    from += size
  }
  return portions
}

/**
 * @returns the row that a statement has changed
 * @throws Error when there is none, which is impossible: it inserts, or changes a row that the same transaction has
 *   found
 */
export async function changed<Row>(rows: PromiseLike<readonly Row[]>): Promise<Row> {
  const row = await first(rows)
  if (row === null) throw new Error('the statement has changed no row')
  return row
}

export interface Preparable<Row> {
  prepare(name: string): { execute(values: Record<string, unknown>): PromiseLike<Row[]> }
}

/**
 * A statement that is built and prepared at its first use: on SQLite once, which takes ten times as long as running it.
 * @param build with a `sql.placeholder` for each value
 * @returns a function that runs it with the values
 */
export function prepared<Row>(build: () => Preparable<Row>) {
  let statement: ReturnType<Preparable<Row>['prepare']> | undefined
  return (values: Record<string, unknown>): PromiseLike<Row[]> => {
    statement ??= build().prepare('rule')
    return statement.execute(values)
  }
}
