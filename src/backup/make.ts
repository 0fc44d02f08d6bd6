import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkRoom, copyDatabase, countMessages, inspectDatabase } from '../../db/sqlite/backup.ts'
import type { BackupBucket } from '../backupConfig.ts'
import type { EpochMs } from '../clock.ts'
import { syncToDisk } from '../durable.ts'
import { openBucket } from './bucket.ts'
import { backupName, backupsIn, partialSuffix, partialsIn } from './files.ts'

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
 * Makes one backup: copies the database under a temporary name, checks the copy, gives it its name, and only then removes
 * the oldest. It blocks its thread for as long as that takes, and never the writer of the database: a copy reads one state
 * of the file beside it, and a send that is stored meanwhile goes to the log.
 * @throws Error with the reason; then there is no new file, and all old ones are there
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
    for (const { name } of backupsIn(dir).slice(keep)) rmSync(join(dir, name), { force: true })
    return { file, bytes: statSync(file).size, messages }
  } catch (cause) {
    rmSync(partial, { force: true })
    throw cause
  }
}

export interface UploadOrder {
  readonly bucket: BackupBucket
  readonly dir: string
  readonly keep: number
}

/**
 * Uploads the newest backup unless the bucket has it, and only then removes the oldest there.
 * @returns its address in the bucket; null when there is no backup yet
 */
export async function uploadNewest({ bucket: settings, dir, keep }: UploadOrder): Promise<string | null> {
  const newest = backupsIn(dir)[0]
  if (!newest) return null
  const bucket = openBucket(settings)
  if (!(await bucket.list()).includes(newest.name)) await bucket.put(newest.name, join(dir, newest.name))
  for (const name of (await bucket.list()).slice(keep)) await bucket.remove(name)
  return bucket.urlOf(newest.name)
}
