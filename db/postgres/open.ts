import { accessSync, constants } from 'node:fs'
import { SQL } from 'bun'
import { type BunSQLDatabase, drizzle } from 'drizzle-orm/bun-sql'
import { messageOf } from '../../src/base/errors.ts'
import { DatabaseUrl } from '../../src/config/databaseUrl.ts'
import { CommitMeter } from '../rules/commitMeter.ts'

/** The parameters of a statement: a text holds many rows at once (`jsonRows`), or many values (`arrayText`). */
export type Parameter = string | number | boolean | null | Uint8Array | readonly string[] | readonly number[]

/** A transaction, or the pool for a single read. */
export interface Connection {
  /**
   * Runs one statement, prepared once for each connection of the pool. A `bigint` comes as text: `listOf` in rows.ts
   * makes numbers of them.
   */
  query<Row>(text: string, parameters?: readonly Parameter[]): Promise<Row[]>
  /** What its statements run on. */
  readonly client: SQL
  /** Drizzle on the same connection, for statements that are no hot path. */
  readonly db: BunSQLDatabase
}

/** Its `client` has the current connections. A caller keeps it while it works, and passes it to `renew`. */
export interface Pool extends Connection {
  /** Measures the transactions that wait for the server's disk. */
  readonly meter: CommitMeter
  /** Called when a statement was given up that may have waited for a lock. */
  onLate: () => void
  /**
   * Resolves when one of the current connections is open, as far as is known: the next query leaves at once.
   * @throws the driver's error when none can be opened
   */
  connected(): Promise<void>
  /**
   * Switches to new connections. The old ones finish their work within `closeSecondsMax`.
   *
   * A firewall may have dropped the connections silently: the driver then waits for ever, and the operating system for
   * a quarter of an hour. Each of them would stay lost for that long.
   * @param silent the connections that did not answer; nothing is done when they are no longer the current ones
   */
  renew(silent: SQL): void
  close(): Promise<void>
}

/** Enough for the groups of all verbs at once; a server has a hundred connections for all instances by default. */
export const connectionsMax = 12
/** A server that does not answer must not hold a request for longer than it waits. */
const connectSecondsMax = 5
/** A pooled connection that nobody uses is closed: poolers and firewalls drop it silently at some time. */
const idleSecondsMax = 60
/** Time for open statements to finish, at a stop and on abandoned connections. */
const closeSecondsMax = 10

/**
 * @param url of the database, with user and password
 * @throws Error with a sentence for the operator when the certificates that the server is checked with cannot be read
 */
export function openPool(url: string, max = connectionsMax): Pool {
  const { driverOptions, caFile } = new DatabaseUrl(url)
  if (caFile !== null && caFile !== systemCertificates) checkReadable(caFile)
  const open = () =>
    new SQL({
      ...driverOptions,
      max,
      connectionTimeout: connectSecondsMax,
      idleTimeout: idleSecondsMax,
      adapter: 'postgres',
      onconnect: () => {
        isOpen = true
      },
      // Also after a failed attempt while others are open: then the next caller checks.
      onclose: () => {
        isOpen = false
      },
    })
  let isOpen = false
  let client = open()
  const ending = new Set<Promise<void>>()

  function end(ended: SQL) {
    const closed = ended
      .close({ timeout: closeSecondsMax })
      .catch(() => {})
      .finally(() => ending.delete(closed))
    ending.add(closed)
  }

  return {
    ...connectionBy(() => client),
    get client() {
      return client
    },
    meter: new CommitMeter(),
    onLate: () => {},
    async connected() {
      if (isOpen) return
      const reserved = await client.reserve()
      reserved.release()
      isOpen = true
    },
    renew(silent) {
      if (silent !== client) return
      isOpen = false
      client = open()
      end(silent)
    },
    async close() {
      end(client)
      await Promise.all(ending)
    },
  }
}

/** As `sslrootcert`: the certificates of well-known authorities. */
const systemCertificates = 'system'

function checkReadable(caFile: string): void {
  try {
    accessSync(caFile, constants.R_OK)
  } catch (cause) {
    throw new Error(`the file of sslrootcert in DATABASE_URL cannot be read: ${messageOf(cause)}`, { cause })
  }
}

/** @param reserved of the pool, as for a transaction */
export const connectionOf = (reserved: SQL): Connection => connectionBy(() => reserved)

/** @param current called for each statement */
export function connectionBy(current: () => SQL): Connection {
  const unsafe = (text: string, parameters: readonly unknown[] = []) => current().unsafe(text, parameters.map(storable))
  return {
    query: async (text, parameters) => await unsafe(text, parameters),
    get client() {
      return current()
    },
    // Drizzle asks its client for nothing else.
    db: drizzle({ unsafe, options: current().options } as SQL),
  }
}

/**
 * Characters that PostgreSQL cannot store: NUL, and half of a surrogate pair. Names of users, and what they write, may
 * have both.
 */
export const storableText = (text: string) => text.replaceAll('\0', '\uFFFD').toWellFormed()
const storable = (value: unknown): unknown => {
  if (typeof value === 'string') return storableText(value)
  return Array.isArray(value) ? value.map(storable) : value
}

/** The escapes of what is no text for PostgreSQL, or of a backslash that stands before the same letters. */
const unstorableEscape = /\\u(0000|d[89a-f])/

/**
 * @returns many values as one parameter, for `$1::text::text[]` or `$1::text::bigint[]`; null where each is null: so is
 *   an element of no array
 */
export function arrayText(values: readonly (string | number | null | undefined)[]): string | null {
  if (values.every(value => value === null || value === undefined)) return null
  return `{${values.map(element).join()}}`
}

function element(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'number') return String(value)
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

/** @returns many rows as one parameter, for `json_to_recordset($1::text::json)` */
export const jsonRows = (rows: readonly object[]): string => jsonText(rows)

/** @returns JSON that PostgreSQL can read */
export function jsonText(value: object): string {
  const json = JSON.stringify(value)
  return unstorableEscape.test(json) ? JSON.stringify(value, (_, part) => storable(part)) : json
}
