import type { EpochMs } from '../time/clock.ts'

/** The results of the automatic backups. */
export interface BackupStatus {
  readonly lastBackup: {
    readonly at: EpochMs
    readonly file: string
    readonly bytes: number
    readonly messages: number
    readonly seconds: number
  } | null
  readonly lastUpload: { readonly at: EpochMs; readonly name: string; readonly url: string } | null
  readonly lastFailure: { readonly at: EpochMs; readonly step: 'make' | 'upload'; readonly reason: string } | null
}

export const noBackups: BackupStatus = { lastBackup: null, lastUpload: null, lastFailure: null }

/** The database property that holds it, for other processes and after a restart. */
export const statusProperty = 'backups'

/** @returns null when nothing is stored */
export const readStatus = (value: string | null): BackupStatus | null =>
  // Only `Backups` writes it.
  value === null ? null : { ...noBackups, ...(JSON.parse(value) as Partial<BackupStatus>) }

/** How late a backup may be: a large one takes its time, and a failed one is tried again meanwhile. */
const lateMsMax = 3_600_000

/** @param dueAt of the next one. @returns whether it should have been there for some time */
export const isLate = (dueAt: EpochMs | null, now: EpochMs): boolean => dueAt !== null && now > dueAt + lateMsMax

/** @returns the reason of the last failure if no success followed it, else null */
export function openFailure({ lastBackup, lastUpload, lastFailure }: BackupStatus): string | null {
  if (lastFailure === null) return null
  const success = lastFailure.step === 'make' ? lastBackup : lastUpload
  return success !== null && success.at >= lastFailure.at ? null : lastFailure.reason
}
