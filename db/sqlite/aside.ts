import { existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import type { EpochMs } from '../../src/base/clock.ts'

/** SQLite keeps its write-ahead log next to the database file. */
export const sidecars = ['-wal', '-shm'] as const

/**
 * Gives a database a second name, under which it is kept. Its replacement can then take the first name in a single
 * step, so that there is always a database. Its log is moved too, even one without a database, because it would damage
 * the other one.
 * @param database the file after following links; no process has it open
 * @returns the second name; null when there is no database
 * @throws Error of the system; a database has its first name and its log then, as before
 */
export function keepAside(database: string, at: EpochMs): string | null {
  const stamp = new Date(at).toISOString().replace(/[-:.]/g, '')
  const aside = `${database}.replaced-${stamp}`
  const hasDatabase = existsSync(database)
  if (hasDatabase) addName(database, aside)
  const moved: string[] = []
  try {
    for (const suffix of sidecars) {
      if (!existsSync(database + suffix)) continue
      renameSync(database + suffix, aside + suffix)
      moved.push(suffix)
    }
  } catch (cause) {
    // Without its log a database would lack what was committed last.
    moveBack(database, aside, hasDatabase ? ['', ...moved] : moved)
    throw cause
  }
  return hasDatabase ? aside : null
}

/** Undoes it, whatever has taken the first name. @param aside the second name; null: there was no database */
export function putBack(database: string, aside: string | null): void {
  if (aside === null) rmSync(database, { force: true })
  else moveBack(database, aside, ['', ...sidecars.filter(suffix => existsSync(aside + suffix))])
}

function moveBack(database: string, aside: string, suffixes: readonly string[]): void {
  for (const suffix of suffixes) renameSync(aside + suffix, database + suffix)
  // A change from one name to another of the same file does nothing.
  if (suffixes.includes('')) rmSync(aside, { force: true })
}

/** Some file systems have no hard links: there the file is moved, and for a moment there is no database. */
function addName(database: string, aside: string): void {
  try {
    linkSync(database, aside)
  } catch {
    renameSync(database, aside)
  }
}
