import { accessSync, constants } from 'node:fs'
import { SQL } from 'bun'
import { type BunSQLDatabase, drizzle } from 'drizzle-orm/bun-sql'
import { DatabaseUrl } from '../../src/config/databaseUrl.ts'
import { messageOf } from '../../src/errors.ts'
import { CommitMeter } from '../commitMeter.ts'

/** What a statement takes: JSON text stands for many rows at once (`json_to_recordset`). */
export type Parameter = string | number | boolean | null | Uint8Array | readonly string[] | readonly number[]

/** A transaction, or the pool for a single read. */
export interface Connection {
  /**
   * Runs one statement, prepared once for each connection of the pool. A `bigint` comes as text: `listOf` in rows.ts
   * makes numbers of them.
   */
  query<Row>(text: string, parameters?: readonly Parameter[]): Promise<Row[]>
  /** Drizzle on the same connection, for statements that are no hot path. */
  readonly db: BunSQLDatabase
}

export interface Pool extends Connection {
  /** The current connections. A caller that starts something keeps them, and gives them to `renew`. */
  readonly client: SQL
  /** Of the transactions that wait for the server's disk. */
  readonly meter: CommitMeter
  /**
   * Resolves when one of the current connections is open, as far as is known: what is asked next leaves at once.
   * @throws the driver's error when none can be opened
   */
  connected(): Promise<void>
  /**
   * Takes new connections from now on. The old ones end what they do, within `closeSecondsMax`.
   *
   * A server behind a firewall that has forgotten the connections does not answer, and nothing else says so: the driver
   * waits without an end, and the operating system for a quarter of an hour. Each of them would stay lost for that
   * long.
   * @param silent the connections that did not answer; when they are not the current ones any more, nothing is done
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
/** The end of the open statements, at a stop and on connections that are given up. */
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
      // Also of an attempt that failed, while others are open: then the next caller makes sure.
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

function connectionBy(current: () => SQL): Connection {
  const unsafe = (text: string, parameters: readonly unknown[] = []) => current().unsafe(text, parameters.map(storable))
  return {
    query: async (text, parameters) => await unsafe(text, parameters),
    // Drizzle asks its client for nothing else.
    db: drizzle({ unsafe, options: current().options } as SQL),
  }
}

/**
 * What PostgreSQL keeps no text with: NUL, and half of a surrogate pair. Names of users, and what they write, may have
 * both.
 */
export const storableText = (text: string) => text.replaceAll('\0', '\uFFFD').toWellFormed()
const storable = (value: unknown): unknown => {
  if (typeof value === 'string') return storableText(value)
  return Array.isArray(value) ? value.map(storable) : value
}

/** The escapes of what is no text for PostgreSQL, or of a backslash that stands before the same letters. */
const unstorableEscape = /\\u(0000|d[89a-f])/

/** @returns many rows as one parameter, for `json_to_recordset($1::text::json)` */
export function jsonRows(rows: readonly object[]): string {
  const json = JSON.stringify(rows)
  return unstorableEscape.test(json) ? JSON.stringify(rows, (_, value) => storable(value)) : json
}

/** @returns the first row of an answer; null when it has none */
export const first = async <Row>(rows: PromiseLike<readonly Row[]>): Promise<Row | null> => (await rows)[0] ?? null
