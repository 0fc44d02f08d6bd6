import { readdirSync } from 'node:fs'
import type { EpochMs } from '../base/clock.ts'

/** A backup by its name, which says when it was made. */
export interface BackupName {
  readonly name: string
  readonly at: EpochMs
}

/** A file that is still being written. The next run removes one that a crash has left. */
export const partialSuffix = '.partial'

/** `waypost-20260131T040000Z.db`: sorted by name is sorted by age. */
export function backupName(at: EpochMs): string {
  return `waypost-${new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, '')}.db`
}

const pattern = /^waypost-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/

/** @returns the backups among these names, newest first. Other files are never touched. */
export function backupsAmong(names: readonly string[]): BackupName[] {
  return names
    .flatMap(name => {
      const [, year, month, day, hour, minute, second] = pattern.exec(name) ?? []
      const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
      return Number.isNaN(at) ? [] : [{ name, at }]
    })
    .sort((one, other) => other.at - one.at)
}

/** @returns the backups of a folder, newest first; none when it does not exist or cannot be read */
export function backupsIn(folder: string): BackupName[] {
  try {
    const files = readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isFile())
    return backupsAmong(files.map(({ name }) => name))
  } catch {
    return []
  }
}

/** @returns unfinished files that crashes have left */
export function partialsIn(folder: string): string[] {
  return readdirSync(folder).filter(
    name => name.endsWith(partialSuffix) && pattern.test(name.slice(0, -partialSuffix.length)),
  )
}
