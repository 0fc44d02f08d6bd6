import type { EpochMs } from '../time/clock.ts'

/** What became of the backups that are made by themselves. */
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

/** The property of the database that holds it, so that other processes see it, and a restart knows it. */
export const statusProperty = 'backups'

/** @returns null when nothing is stored */
export const readStatus = (value: string | null): BackupStatus | null =>
  // Only `Backups` writes it.
  value === null ? null : { ...noBackups, ...(JSON.parse(value) as Partial<BackupStatus>) }

/** @returns the reason of a failure that no later success has made good; null when there is none */
export function openFailure({ lastBackup, lastUpload, lastFailure }: BackupStatus): string | null {
  if (lastFailure === null) return null
  const success = lastFailure.step === 'make' ? lastBackup : lastUpload
  return success !== null && success.at >= lastFailure.at ? null : lastFailure.reason
}
