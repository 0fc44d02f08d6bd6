import { readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { EpochMs } from '../../src/base/clock.ts'
import { syncToDisk } from '../../src/base/durable.ts'
import { messageOf } from '../../src/base/errors.ts'
import type { Upgrade } from '../migrations.ts'
import { checkRoom, copyDatabase, inspectDatabase } from './backup.ts'
import { databaseFile } from './lock.ts'

/** Of so many upgrades, one copy each: enough to go back two more versions. Each is as large as the database. */
const copiesMax = 3
/** What follows the name of the database in those of its copies. */
const copyMark = '.before-'

/** No copy could be made, so nothing was migrated. The message says why and what to do. */
export class NotMigrated extends Error {
  override readonly name = 'NotMigrated'
}

/** Of a copy that is not whole: it gets its name once it is sound and on disk. */
const partSuffix = '.part'
/** SQLite keeps it beside a file that it writes, and removes it at the end. */
const journalSuffix = '-journal'

/** @returns where the copy goes: beside the database, as `waypost.db.before-0.2.0-from-0.1.0-20260131T040000Z` */
export function migrationCopyPath(path: string, { from, to }: Pick<Upgrade, 'from' | 'to'>, at: EpochMs): string {
  const stamp = new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, '')
  return `${databaseFile(path)}${copyMark}${to}-from-${from}-${stamp}`
}

/**
 * Copies a database before a new version migrates it. The version that it comes from can start on the copy. Once that
 * is sound, the oldest copies are removed, and those of earlier tries of the same upgrade: a start that is stopped
 * again and again must not take the way back to other versions.
 * @param copy of `migrationCopyPath`
 * @throws NotMigrated
 */
export function keepMigrationCopy(path: string, copy: string): void {
  const file = databaseFile(path)
  const folder = dirname(file)
  const part = copy + partSuffix
  try {
    checkRoom(file, folder)
    copyDatabase(file, part)
    const { damage, obstacle } = inspectDatabase(part, 'quick')
    if (damage !== null || obstacle !== null) {
      rmSync(part, { force: true })
      throw new Error(`the copy is not sound: ${damage ?? obstacle}`)
    }
    renameSync(part, copy)
    syncToDisk(folder)
  } catch (cause) {
    throw new NotMigrated(
      `The database ${path} was written by an older Waypost and has to be migrated. It is copied before that, and it ` +
        `could not be: ${messageOf(cause)}. Nothing was changed. Make room in ${folder} (older copies are called ` +
        `${basename(file)}${copyMark}…), and start again; or start the former version.`,
      { cause },
    )
  }
  const all = copiesOf(file)
  const newest = new Map(all.toReversed().map(name => [upgradeOf(name), name]))
  const kept = new Set([...newest.values()].toSorted(byDate).slice(0, copiesMax))
  for (const name of all) if (!kept.has(name)) rmSync(join(folder, name), { force: true })
}

/** Removes what a process that ended while it copied has left. Call it only while no other can be copying. */
export function removeHalfCopies(path: string): void {
  const file = databaseFile(path)
  const names = namesBeside(file)
  // Earlier builds gave a copy its name at once.
  const halves = names.filter(
    name => withoutJournal(name).endsWith(partSuffix) || (isCopy(name) && names.includes(name + journalSuffix)),
  )
  for (const name of halves.flatMap(half => [half, half + journalSuffix]))
    rmSync(join(dirname(file), name), { force: true })
}

const withoutJournal = (name: string) => name.replace(new RegExp(`${journalSuffix}$`), '')

const namesBeside = (file: string) =>
  readdirSync(dirname(file)).filter(name => name.startsWith(`${basename(file)}${copyMark}`))

/** @returns the names of the copies, newest first: sorted by their date, because 0.10.0 is newer than 0.9.0. */
const copiesOf = (file: string): string[] => namesBeside(file).filter(isCopy).sort(byDate)

const byDate = (one: string, other: string) => dateOf(other).localeCompare(dateOf(one))

const isCopy = (name: string) => /-\d{8}T\d{6}Z$/.test(name)
const dateLength = '20260131T040000Z'.length
const dateOf = (name: string) => name.slice(-dateLength)
/** @returns the versions that its name says, before and after */
const upgradeOf = (name: string) => name.slice(0, -dateLength)
