import { Database } from 'bun:sqlite'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Applied } from '../../db/migrations.ts'
import type { EpochMs } from '../../src/base/clock.ts'
import type { Key } from '../gateway.ts'

const folder = join(import.meta.dir, 'fixtures')

/** A database as a released version left it, and what its users know of it. */
export interface Fixture {
  /** `0.1.0`; `0.1.0-init` is a state before a release that databases are left in. */
  readonly version: string
  /** True once the version is released: from then on neither the file nor the version's migrations change. */
  readonly isFrozen: boolean
  /** PostgreSQL's migrations of the version; the file has those of SQLite. */
  readonly postgresMigrations: readonly Applied[]
  readonly madeAt: EpochMs
  readonly secretKey: string
  readonly key: Key
  readonly channelId: string
  /** Every message with the status that it had when the gateway stopped. */
  readonly messages: readonly { readonly id: string; readonly status: string }[]
  /** A send with an idempotency key, and the message that it made. */
  readonly replay: { readonly id: string; readonly body: Readonly<Record<string, unknown>> }
  /** Stored, and not handed over yet: the next start sends it. */
  readonly queuedId: string
}

const databasePath = (version: string) => join(folder, `${version}.db.gz`)
const notesPath = (version: string) => join(folder, `${version}.json`)

/** @returns the fixtures of all versions, oldest first */
export function readFixtures(): Fixture[] {
  return readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .map(name => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Fixture)
    .sort((one, other) => Bun.semver.order(one.version, other.version))
}

/** Writes the database of a fixture to a file. */
export function unpack({ version }: Fixture, file: string): void {
  writeFileSync(file, Bun.gunzipSync(new Uint8Array(readFileSync(databasePath(version)))), { mode: 0o600 })
}

export function pack(fixture: Fixture, file: string): void {
  const packed = Bun.gzipSync(new Uint8Array(readFileSync(file)), { level: 9 })
  writeFileSync(databasePath(fixture.version), packed)
  writeNotes(fixture)
}

export function writeNotes(fixture: Fixture): void {
  writeFileSync(notesPath(fixture.version), `${JSON.stringify(fixture, null, 2)}\n`)
}

/** @returns the tables of a database that have no rows */
export function emptyTables(file: string): string[] {
  using client = new Database(file, { readonly: true })
  const names = client.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  return names.map(({ name }) => name).filter(name => client.query(`SELECT 1 FROM "${name}" LIMIT 1`).get() === null)
}
