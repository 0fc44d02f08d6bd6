import { type EpochMs, moment } from '../src/base/clock.ts'
import { sha256 } from '../src/base/crypto.ts'

/*
 * The migration rules of both engines.
 */

export interface Migration {
  readonly name: string
  readonly sql: string
}

/** A migration that the database lists as applied. */
export interface Applied {
  readonly name: string
  readonly sha256: string
}

/** @returns the list of a database that has all of these */
export const appliedOf = (migrations: readonly Migration[]): Applied[] =>
  migrations.map(({ name, sql }) => ({ name, sha256: sha256(sql) }))

/** An older database that is about to be migrated. */
export interface Upgrade {
  /** The version that used it last; of one that stored none, the last of its migrations. */
  readonly from: string
  readonly to: string
  /** The names of those that it lacks, in their order. */
  readonly migrations: readonly string[]
  readonly bytes: number
  /** Where it is copied to before; null: nowhere. */
  readonly copy: string | null
}

/** What who migrates an older database says while it does. Of a new one there is nothing to say. */
export type MigrationNews =
  | { readonly kind: 'begins'; readonly upgrade: Upgrade }
  | { readonly kind: 'step'; readonly step: string }
  | { readonly kind: 'ended' }

/** A migration that another process runs, as it says itself. */
export interface RunningMigration extends Pick<Upgrade, 'from' | 'to'> {
  readonly since: EpochMs
}

/** @returns a sentence without its end: who waits for a gateway wants to know */
export const migratingSince = ({ since, from, to }: RunningMigration): string =>
  `the database is being migrated from ${from} to ${to} since ${moment(since)} UTC`

/** The property with the version that used the database last. */
export const versionName = 'version'

/** The last change of version, as JSON in its property. */
export interface LastUpgrade extends Pick<Upgrade, 'from' | 'to' | 'copy'> {
  readonly at: EpochMs
}

/** The property with the last upgrade. */
export const upgradeName = 'upgrade'

/** @returns the step that a migration is, for people: `0002_events (1 of 7)` */
export const stepOf = (name: string, at: number, { length }: readonly unknown[]): string =>
  `${name} (${at + 1} of ${length})`

/** The database was made by another version of Waypost than this one can work with. */
export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch'
}

/**
 * An entry among the migrations of a database that is the target of a move, with the identity of the source instead of
 * a hash. Only the move opens such a database: its rows are incomplete.
 */
export const MOVE_MARK = 'move'

/** @returns the identity of the source that is being moved to this database; null when there is none */
export const movedFrom = (applied: readonly Applied[]): string | null =>
  applied.find(({ name }) => name === MOVE_MARK)?.sha256 ?? null

/** @returns all but the mark of a move */
export const ownMigrations = (applied: readonly Applied[]): readonly Applied[] =>
  applied.filter(({ name }) => name !== MOVE_MARK)

/** @returns the names of those that the next start will run */
export const pendingOf = (applied: readonly Applied[], migrations: readonly Migration[]): string[] =>
  migrations.map(({ name }) => name).filter(name => !applied.some(row => row.name === name))

/**
 * @throws SchemaMismatch when the database knows a migration that this version does not, or one that has changed since.
 */
export function checkApplied(applied: readonly Applied[], migrations: readonly Migration[]): void {
  if (movedFrom(applied) !== null) {
    throw new SchemaMismatch(
      'A move into this database is not complete: rows are missing. Repeat waypost database move on the same source.',
    )
  }
  for (const { name, sha256: hash } of applied) {
    const known = migrations.find(migration => migration.name === name)
    if (!known) {
      throw new SchemaMismatch(
        `The database was written by a newer Waypost (it has the migration ${name}). Start that version, or restore ` +
          'a backup made by this one.',
      )
    }
    if (sha256(known.sql) !== hash) {
      throw new SchemaMismatch(
        `The database was made by a different build of Waypost: its migration ${name} is not the one in this ` +
          'executable. Nothing was changed. Start the build that made it: `waypost version` tells builds of ' +
          'one version apart by their commit. Released versions never change a migration, so one of the two is none: ' +
          'a released one begins with an empty database, or with a backup of a released one.',
      )
    }
  }
}
