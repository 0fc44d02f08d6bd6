import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { StoreReads } from '../../db/contract/store.ts'
import { databaseFile } from '../../db/sqlite/lock.ts'
import { backupProblem, backupsDue, readStatus, statusProperty, uploadedAt } from '../backup/status.ts'
import { moment, systemClock } from '../base/clock.ts'
import { minuteMs } from '../base/durations.ts'
import type { Config } from '../config/config.ts'
import { isWritable } from './checks.ts'
import type { Check } from './finding.ts'

const bytesPerMegabyte = 1024 * 1024
/**
 * The log is written into the database at some megabytes, and cut to 64 afterwards. It grows beyond that only while a
 * reader holds an old snapshot of the database: the backup of a large one for a while, a forgotten sqlite3 shell for
 * ever.
 */
const walBytesMax = 512 * bytesPerMegabyte
/** Litestream looks each second. A minute covers a snapshot, and a busy machine. */
const behindMsMax = minuteMs

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0
const logBytes = (databasePath: string): number => sizeOf(`${databaseFile(databasePath)}-wal`)

/** @returns the bytes of the database's file and its log */
export const databaseBytes = (databasePath: string): number => sizeOf(databasePath) + logBytes(databasePath)

/** The write-ahead log has not grown far beyond its usual size. */
export const writeAheadLog =
  ({ databasePath }: Pick<Config, 'databasePath'>): Check =>
  () => {
    const bytes = logBytes(databasePath)
    const megabytes = Math.ceil(bytes / bytesPerMegabyte).toLocaleString('en-US')
    if (bytes <= walBytesMax) return `${megabytes} MB`
    throw new Error(
      `${megabytes} MB, because a reader holds an old snapshot of the database: Litestream (restart it, and check ` +
        'its version), or a sqlite3 shell. It fills the disk, and the next start takes longer',
    )
  }

/** @returns the folder in which Litestream keeps what it has read of a database; null when it never has */
export function litestreamFolder(databasePath: string): string | null {
  if (!existsSync(databasePath)) return null
  const file = databaseFile(databasePath)
  const folder = join(dirname(file), `.${basename(file)}-litestream`)
  return existsSync(folder) ? folder : null
}

/**
 * Litestream has read all writes. Whether they have reached the replica, only Litestream knows: its files show only
 * what it has read.
 * @param folder where it keeps that: `ltx/<level>/*.ltx` since 0.5, `generations/<id>/wal/*.wal` before
 */
export const replication =
  ({ databasePath }: Pick<Config, 'databasePath'>, folder: string): Check =>
  () => {
    const file = databaseFile(databasePath)
    const written = Math.max(writtenAt(file), writtenAt(`${file}-wal`))
    const read = newestIn(folder)
    const behindMs = written - read
    const former = existsSync(join(folder, 'generations')) ? ' (of a version before 0.5)' : ''
    if (behindMs > behindMsMax) {
      throw new Error(
        `Litestream${former} has read nothing for ${ageText(behindMs)} although the database was written to: is it ` +
          'running, and not one of the versions that stop silently (docs/operate.md#replication-with-litestream)? ' +
          `Look at ${folder}`,
      )
    }
    const lag = behindMs > 1_000 ? `${ageText(behindMs)} behind` : 'up to date'
    return `Litestream${former} is ${lag}; check the replica with: litestream status, litestream ltx`
  }

const writtenAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** @returns when the youngest file below a folder was written. Litestream deletes files meanwhile */
function newestIn(folder: string): number {
  const times = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => writtenAt(join(parentPath, name)))
  return times.reduce((one, other) => Math.max(one, other), 0)
}

function ageText(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  if (seconds < 120) return `${seconds} seconds`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`
}

/** Whether nothing copies the file, as far as it can be known here: neither backups of the gateway nor Litestream. */
export const hasNoCopies = ({ backup, databaseUrl, databasePath }: CopyConfig): boolean =>
  databaseUrl === null && backup.dir === null && litestreamFolder(databasePath) === null

type CopyConfig = Pick<Config, 'backup' | 'databaseUrl' | 'databasePath'>

/**
 * Backups are made and uploaded when they are due, and the last time neither failed.
 * @param ofAll whether the reader may know how many messages all workspaces have
 */
export const backups =
  (config: CopyConfig, read: Pick<StoreReads, 'property'>, ofAll: boolean): Check =>
  async () => {
    const { backup, databaseUrl } = config
    if (databaseUrl !== null)
      return 'they are made with the tools of PostgreSQL, and not known here: docs/deploy.md#backup'
    if (hasNoCopies(config)) throw new Error('there are none: set BACKUP_DIR (docs/deploy.md#backup)')
    if (backup.dir === null) return 'there are no automatic ones beside what Litestream copies'
    if (!isWritable(backup.dir))
      throw new Error(`${backup.dir} is not writable by this user: change its owner, or set BACKUP_DIR`)
    const status = readStatus(await read.property(statusProperty), backup.bucket !== null)
    const last = status.lastBackup
    const uploaded = uploadedAt(status)
    const problem = backupProblem(status, backupsDue(status, backup.every), systemClock.now())
    const lastMade = last && `the last one was made at ${moment(last.at)}`
    if (problem !== null) {
      const since = moment(problem.since)
      switch (problem.kind) {
        case 'makeFails':
          throw new Error(
            `none could be made since ${since} (UTC): ${problem.reason}. It is tried again every 15 minutes` +
              (lastMade ? `; ${lastMade}` : ''),
          )
        case 'makeLate':
          throw new Error(`${lastMade}, and the next is overdue since ${since} (UTC): does the gateway run?`)
        case 'uploadFails':
          throw new Error(
            `${lastMade ?? 'none was made yet'}${uploaded === null ? ', and is not in the bucket' : ''}: uploads ` +
              `fail since ${since} (UTC): ${problem.reason}. They are tried again every 15 minutes`,
          )
        case 'uploadLate':
          throw new Error(
            `${lastMade}, and ${status.lastUpload?.name} is the last one in the bucket: the next upload is overdue ` +
              `since ${since} (UTC). See the log`,
          )
      }
    }
    if (last === null) return 'none yet: the gateway makes the first when it is due'
    const place = uploaded === null ? 'not in the bucket yet' : `in the bucket since ${moment(uploaded)}`
    const where = backup.bucket === null ? last.file : `${last.file}, ${place}`
    const messages = ofAll ? `, with ${last.messages.toLocaleString('en-US')} messages` : ''
    return `${lastMade}${messages}: ${where}`
  }
