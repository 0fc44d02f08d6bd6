import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { messageOf } from '../../src/errors.ts'
import type { EpochMs } from '../../src/time/clock.ts'
import { checkRoom, copyDatabase, inspectDatabase } from './backup.ts'
import { databaseFile } from './lock.ts'

/** Enough to go back two more versions; each is as large as the database. */
const copiesMax = 3

/** No copy could be made, so nothing was migrated. The message says why and what to do. */
export class NotMigrated extends Error {
  override readonly name = 'NotMigrated'
}

/**
 * Copies a database before a new version migrates it, beside it: `waypost.db.before-0.2.0-20260131T040000Z`. The
 * previous version can start on the copy. The oldest copies are removed once the new one is sound.
 * @param version the one that migrates
 * @returns the copy
 * @throws NotMigrated
 */
export function keepMigrationCopy(path: string, version: string, at: EpochMs): string {
  const file = databaseFile(path)
  const folder = dirname(file)
  const stamp = new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, '')
  const copy = `${file}.before-${version}-${stamp}`
  try {
    checkRoom(file, folder)
    copyDatabase(file, copy)
    const { damage, obstacle } = inspectDatabase(copy, 'quick')
    if (damage !== null || obstacle !== null) {
      rmSync(copy, { force: true })
      throw new Error(`the copy is not sound: ${damage ?? obstacle}`)
    }
  } catch (cause) {
    throw new NotMigrated(
      `The database ${path} was written by an older Waypost and has to be migrated. It is copied before that, and it could ` +
        `not be: ${messageOf(cause)}. Nothing was changed. Make room in ${folder} (older copies are called ` +
        `${basename(file)}.before-…), and start again; or start the former version.`,
      { cause },
    )
  }
  for (const old of copiesOf(file).slice(copiesMax)) rmSync(join(folder, old), { force: true })
  return copy
}

/** @returns the names of the copies, newest first: sorted by their date, because 0.10.0 is newer than 0.9.0. */
function copiesOf(file: string): string[] {
  const prefix = `${basename(file)}.before-`
  return readdirSync(dirname(file))
    .filter(name => name.startsWith(prefix) && /-\d{8}T\d{6}Z$/.test(name))
    .sort((one, other) => dateOf(other).localeCompare(dateOf(one)))
}

const dateOf = (name: string) => name.slice(-'20260131T040000Z'.length)
