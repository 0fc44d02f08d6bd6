import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { checkRoom, copyDatabase, countMessages, inspectDatabase } from '../../db/sqlite/backup.ts'
import type { EpochMs } from '../base/clock.ts'
import { syncToDisk } from '../base/durable.ts'
import { openBucket } from '../bucket/bucket.ts'
import type { BucketSettings } from '../config/bucket.ts'
import { backupName, backupsAmong, backupsIn, partialSuffix, partialsIn } from './files.ts'

/** Owner alone: a backup holds phone numbers and texts. */
const folderMode = 0o700

export interface Backup {
  readonly file: string
  readonly bytes: number
  /** How many messages the copy holds, read from the copy. */
  readonly messages: number
}

export interface BackupOrder {
  readonly databasePath: string
  readonly dir: string
  /** How many are kept. */
  readonly keep: number
  readonly at: EpochMs
}

/**
 * Makes one backup: copies the database under a temporary name, checks the copy, gives it its name, and only then
 * removes the oldest. It blocks its own thread, never the writer of the database: the copy reads a snapshot of the
 * file, and a send stored meanwhile goes to the write-ahead log.
 * @throws Error with the reason; then there is no new file, and all old ones are kept
 */
export function makeBackup({ databasePath, dir, keep, at }: BackupOrder): Backup {
  mkdirSync(dir, { recursive: true, mode: folderMode })
  for (const left of partialsIn(dir)) rmSync(join(dir, left), { force: true })
  const file = join(dir, backupName(at))
  const partial = file + partialSuffix
  checkRoom(databasePath, dir)
  try {
    copyDatabase(databasePath, partial)
    const { damage, obstacle, mismatch } = inspectDatabase(partial, 'full')
    const problem = damage ?? obstacle ?? mismatch
    if (problem !== null) throw new Error(`the copy is not sound: ${problem}`)
    const messages = countMessages(partial)
    renameSync(partial, file)
    syncToDisk(dirname(file))
    const names = backupsIn(dir).map(({ name }) => name)
    for (const name of excess(names, basename(file), keep)) rmSync(join(dir, name), { force: true })
    return { file, bytes: statSync(file).size, messages }
  } catch (cause) {
    rmSync(partial, { force: true })
    throw cause
  }
}

/** @returns the backups to remove, never the one that was just made, whatever their dates say */
const excess = (newestFirst: readonly string[], made: string, keep: number): string[] =>
  newestFirst.filter(name => name !== made).slice(keep - 1)

export interface UploadOrder {
  readonly bucket: BucketSettings
  readonly dir: string
  /** The file in the folder. */
  readonly name: string
  readonly keep: number
}

/**
 * Uploads a backup unless the bucket has it, and only then removes the oldest there.
 * @returns its address in the bucket
 */
export async function uploadBackup({ bucket: settings, dir, name, keep }: UploadOrder): Promise<string> {
  const bucket = openBucket(settings)
  const known = backupsAmong(await bucket.list()).map(backup => backup.name)
  if (!known.includes(name)) await bucket.put(name, join(dir, name), 'application/vnd.sqlite3')
  for (const old of excess(known, name, keep)) await bucket.remove(old)
  return bucket.urlOf(name)
}
