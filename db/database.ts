import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Clock, systemClock } from '../src/base/clock.ts'
import { DatabaseClock } from '../src/base/databaseClock.ts'
import { messageOf } from '../src/base/errors.ts'
import { type Config, dataFolderMode } from '../src/config/config.ts'
import type { DatabaseUrl } from '../src/config/databaseUrl.ts'
import { type Logger, silentLogger } from '../src/telemetry/log.ts'
import type { Store } from './contract/store.ts'
import { type MigrationNews, migratingSince, type RunningMigration } from './migrations.ts'
import type { ServerInspection } from './postgres/inspect.ts'
import { pendingMigrations } from './sqlite/backup.ts'
import { keepWatch, watchFiles } from './sqlite/fileWatch.ts'
import { DatabaseLocked, databaseFile, lockDatabase, lockPath } from './sqlite/lock.ts'
import { fileMigration } from './sqlite/migrationMark.ts'
import { openReads, openStore } from './sqlite/store.ts'

/*
 * The one place that decides between the engines. A file of SQLite belongs to one gateway: it is locked and watched. A
 * database of PostgreSQL is shared by several, and its server looks after its files.
 */

export { busyText, isBusy } from './sqlite/busy.ts'

/** Loaded late: a gateway with a file does not load it. */
const loadPostgres = async () => ({
  ...(await import('./postgres/store.ts')),
  ...(await import('./postgres/inspect.ts')),
})

/** What names the database: one of both. */
export type DatabaseSettings = Pick<Config, 'databaseUrl' | 'databasePath'>

/** The file of SQLite. */
export interface DatabaseFile {
  readonly path: string
  /** @returns a file of the database that was removed or replaced; null when none was. */
  findLost(): string | null
}

/** The database of a gateway. */
export interface GatewayDatabase {
  readonly store: Store
  /** Null: the database is on a server. */
  readonly file: DatabaseFile | null
  /** Finishes open calls, then releases the file for the next gateway. */
  close(): Promise<void>
}

export interface GatewayDatabaseOptions {
  readonly config: DatabaseSettings & Pick<Config, 'contentRetentionMs'>
  readonly clock: Clock
  readonly log: Logger
  /** Told while an older one is migrated. */
  readonly onMigration?: (news: MigrationNews) => void
  /** Nothing can be stored any more. */
  readonly onFatal: (why: string) => void
}

/** @returns the clock to use: for a shared database, its server's time. A file is not shared */
export const clockOf = ({ databaseUrl }: Pick<DatabaseSettings, 'databaseUrl'>): Clock =>
  databaseUrl === null ? systemClock : new DatabaseClock(systemClock)

/**
 * Opens the database of a gateway, makes it if it is absent, and brings it to this version.
 * @throws Error with a sentence for the operator
 */
export async function openGatewayDatabase(options: GatewayDatabaseOptions): Promise<GatewayDatabase> {
  const { config, clock, log, onMigration, onFatal } = options
  const keepsContents = config.contentRetentionMs > 0
  if (config.databaseUrl !== null) {
    const { databaseUrl } = config
    const store = await reached(databaseUrl, (url, postgres) =>
      postgres.openPostgresStore({ url, clock, log, keepsContents, ...(onMigration && { onMigration }) }),
    )
    return { store, file: null, close: () => store.close() }
  }
  const path = config.databasePath
  makeFolder(dirname(path), 'DATABASE_PATH')
  const isNew = !existsSync(path)
  // Else the lock of a gateway that migrates says that it runs; and a command that migrates has no lock, only a
  // transaction, for whose end this start would wait and fail.
  refuseWhile(fileMigration(path))
  await using opened = new AsyncDisposableStack()
  opened.defer(lockDatabase(path, true))
  const store = await openStore({
    path,
    mustTakeWrites: true,
    keepsContents,
    clock,
    log,
    ...(onMigration && { onMigration }),
    onWriterLost: () => onFatal('the writer thread ended: nothing can be stored any more'),
  })
  opened.defer(() => store.close())
  if (isNew) log.info({ database: path }, 'a new database was made')
  // With the machine's clock, also where a test moves the other one: files are lost in real time.
  const endWatch = keepWatch(path, systemClock, file => {
    log.fatal({ file }, 'a file of the database was removed or replaced under the running gateway')
    onFatal(`${file} was removed or replaced: nothing can be stored any more. Put the file back, then start again.`)
  })
  opened.defer(endWatch)
  const running = opened.move()
  return { store, file: { path, findLost: watchFiles(path) }, close: () => running.disposeAsync() }
}

/**
 * Opens the database for a command, also while gateways run, and brings it to this version.
 * @param options `auditedAs`: the author; the audit keeps changes with this name
 * @throws Error with a sentence for the operator
 */
export async function openCommandDatabase(
  settings: DatabaseSettings,
  { auditedAs, ...migration }: MigrationOptions & { auditedAs: string },
): Promise<Store> {
  const { databaseUrl, databasePath } = settings
  if (databaseUrl === null) {
    if (!migration.besideGateways) refuseBesideGateway(databasePath)
    return openDatabaseFile(databasePath, { auditedAs, ...migration })
  }
  const clock = clockOf(settings)
  return reached(databaseUrl, (url, postgres) =>
    postgres.openPostgresStore({ url, clock, log: silentLogger, keepsContents: true, auditedAs, ...migration }),
  )
}

/**
 * A gateway of an older version fails on a schema that it does not know.
 * @throws Error with a sentence for the operator when a command would migrate the file under it
 */
function refuseBesideGateway(path: string): void {
  if (!existsSync(path) || pendingMigrations(path).length === 0) return
  refuseWhile(fileMigration(path))
  if (!isLocked(path)) return
  throw new Error(
    `The database ${path} has to be migrated, and a gateway of an older version runs on it. Nothing was changed. ` +
      'Restart it with this version first; or migrate beside it, and its sends may fail: ' +
      'waypost database migrate --force',
  )
}

/** @throws Error with a sentence for the operator when it cannot be known */
function isLocked(path: string): boolean {
  try {
    lockDatabase(path)()
    return false
  } catch (cause) {
    if (cause instanceof DatabaseLocked) return true
    throw cause
  }
}

/** @returns whether a gateway runs on the file; null when this user cannot know it. It makes nothing */
export function isHeld(path: string): boolean | null {
  try {
    // A gateway makes the small file at its start, and leaves it.
    return existsSync(lockPath(databaseFile(path))) && isLocked(path)
  } catch {
    return null
  }
}

/** How a command migrates a database of an older version. */
export interface MigrationOptions {
  /** Told while it does. */
  readonly onMigration?: (news: MigrationNews) => void
  /** Also while gateways of that version run. */
  readonly besideGateways?: boolean
}

/**
 * Reads a database as it is, also while gateways run: none is made or migrated.
 * @throws Error when there is none, or one of another version
 */
export async function withReads<Result>(
  { databaseUrl, databasePath }: DatabaseSettings,
  work: (read: Store['read']) => Promise<Result>,
): Promise<Result> {
  const { read, close } =
    databaseUrl === null
      ? openReads(databasePath)
      : (await loadPostgres()).openPostgresReads(databaseUrl.driverOptions.url)
  try {
    return await work(read)
  } finally {
    await close()
  }
}

/**
 * Opens a file of SQLite for a command.
 * @param options `copiesBeforeMigration`: false for a file that is a copy itself
 * @throws Error with a sentence for the operator
 */
export async function openDatabaseFile(
  path: string,
  options: MigrationOptions & { auditedAs: string; copiesBeforeMigration?: boolean },
): Promise<Store> {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: dataFolderMode })
    // A command needs no notice of a dead writer: its call fails.
    return await openStore({ path, ...options, clock: systemClock, log: silentLogger, onWriterLost: () => {} })
  } catch (cause) {
    throw new Error(`The database ${path} cannot be opened: ${messageOf(cause)}`, { cause })
  }
}

/**
 * Looks for a migration by another process. It changes nothing.
 * @returns null when there is none, and when it cannot be known
 */
export async function runningMigration({
  databaseUrl,
  databasePath,
}: DatabaseSettings): Promise<RunningMigration | null> {
  if (databaseUrl === null) return fileMigration(databasePath)
  try {
    return (await inspectDatabaseServer(databaseUrl)).migration
  } catch {
    return null
  }
}

/** @returns whether there is no database yet. @throws Error with a sentence for the operator */
export const isAbsent = async ({ databaseUrl, databasePath }: DatabaseSettings): Promise<boolean> =>
  databaseUrl === null ? !existsSync(databasePath) : (await inspectDatabaseServer(databaseUrl)).isEmpty

/** @returns the advice when there is no database: a command with a wrong folder must not make a new one */
export function absence({ databaseUrl, databasePath }: DatabaseSettings): string {
  const advice = 'waypost serve and waypost workspace create make a new one'
  return databaseUrl === null
    ? `There is no database at ${databasePath}. If yours is elsewhere, name its folder with --data-dir ` +
        `(or DATA_DIR); ${advice}`
    : `Nothing of Waypost is in ${databaseUrl.place}; ${advice}`
}

/**
 * Makes sure that no gateway runs on the database.
 * @returns a function after which one may start again. On a server nothing prevents a start meanwhile: only the
 *   operator does
 * @throws Error with a sentence for the operator when one runs
 */
export async function keepGatewaysOut({ databaseUrl, databasePath }: DatabaseSettings): Promise<() => void> {
  if (databaseUrl === null) {
    refuseWhile(fileMigration(databasePath))
    return lockDatabase(databasePath)
  }
  await countStarts(databaseUrl)
  return () => {}
}

/**
 * @returns how many gateways have ever started on a server: the same number later means that none has since
 * @throws Error with a sentence for the operator when one runs
 */
export async function countStarts(databaseUrl: DatabaseUrl): Promise<number> {
  const { instances, migration, starts, lockHolders } = await inspectDatabaseServer(databaseUrl)
  refuseWhile(migration)
  const locked = lockHolders.find(({ locks }) => locks !== null)
  if (locked) {
    const { pid, locks } = locked
    throw new Error(`Session ${pid} of ${databaseUrl.place} holds ${locks}: wait until it has ended (waypost doctor).`)
  }
  const alive = instances.filter(({ isAlive }) => isAlive)
  if (alive.length === 0) return starts
  throw new Error(
    `Gateways are running on ${databaseUrl.place}: ${alive.map(({ name }) => name).join(', ')}. Stop them first; ` +
      'one that was killed is gone after 10 seconds.',
  )
}

/** @throws Error with a sentence for the operator when the server cannot be reached */
export const inspectDatabaseServer = (databaseUrl: DatabaseUrl): Promise<ServerInspection> =>
  reached(databaseUrl, (url, postgres) => postgres.inspectServer(url))

/**
 * @returns the milliseconds that a write takes
 * @throws Error with a sentence for the operator when the server cannot be reached, or takes no writes
 */
export const timeDatabaseWrite = (databaseUrl: DatabaseUrl): Promise<number> =>
  reached(databaseUrl, (url, postgres) => postgres.timeServerWrite(url))

/** The driver's errors name neither host nor database; they hold no password. */
async function reached<Result>(
  databaseUrl: DatabaseUrl,
  work: (url: string, postgres: Awaited<ReturnType<typeof loadPostgres>>) => Promise<Result>,
): Promise<Result> {
  const postgres = await loadPostgres()
  try {
    return await work(databaseUrl.driverOptions.url, postgres)
  } catch (cause) {
    throw new Error(`${capital(databaseUrl.place)} cannot be opened: ${messageOf(cause)}`, { cause })
  }
}

/** @throws Error with a sentence for the operator while another process migrates the database */
function refuseWhile(running: RunningMigration | null): void {
  if (running !== null) throw new Error(`${capital(migratingSince(running))}: wait until that has ended.`)
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** @throws Error with a sentence for the operator */
export function makeFolder(path: string, setting: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: dataFolderMode })
  } catch (cause) {
    const why = messageOf(cause)
    throw new Error(`The folder ${path} cannot be made: ${why}. Check it, or set ${setting}.`, { cause })
  }
}
