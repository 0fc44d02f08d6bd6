import type { EpochMs } from '../base/clock.ts'
import { hourMs } from '../base/durations.ts'
import { nextTime, type Recurrence } from '../base/recurrence.ts'
import { backupsAmong } from './files.ts'

/** A step that fails, and has not succeeded since. */
export interface BackupFailure {
  /** Of the first failure in a row. */
  readonly since: EpochMs
  /** Of the last one, as the reason. */
  readonly at: EpochMs
  readonly reason: string
}

/** The results of the automatic backups. A backup that is made and one that is uploaded say nothing of each other. */
export interface BackupStatus {
  readonly lastBackup: {
    readonly at: EpochMs
    /** The path of the file. */
    readonly file: string
    readonly bytes: number
    readonly messages: number
    readonly seconds: number
  } | null
  /** `name` is that of the file in the folder. */
  readonly lastUpload: { readonly at: EpochMs; readonly name: string; readonly url: string } | null
  readonly makeFailure: BackupFailure | null
  readonly uploadFailure: BackupFailure | null
}

export const noBackups: BackupStatus = { lastBackup: null, lastUpload: null, makeFailure: null, uploadFailure: null }

/** The database property that holds it, for other processes and after a restart. */
export const statusProperty = 'backups'

/**
 * @param hasBucket false: of uploads into a former bucket nothing is told, because nobody could end their alert
 * @returns that of a gateway without backups when nothing is stored
 */
export function readStatus(value: string | null, hasBucket: boolean): BackupStatus {
  // Only `Backups` writes it. Earlier versions had one failure for both steps.
  const { lastBackup, lastUpload, makeFailure, uploadFailure } = {
    ...noBackups,
    ...(JSON.parse(value ?? '{}') as Partial<BackupStatus>),
  }
  return { ...noBackups, lastBackup, makeFailure, ...(hasBucket && { lastUpload, uploadFailure }) }
}

/** How late a backup may be: a large one takes its time, and a failed one is tried again meanwhile. */
const lateMsMax = hourMs

/** When the next backup should be made, and when the next one should be in the bucket; null before the first. */
export interface BackupsDue {
  readonly make: EpochMs | null
  readonly upload: EpochMs | null
}

export function backupsDue({ lastBackup, lastUpload }: BackupStatus, every: Recurrence): BackupsDue {
  const uploadedFrom = backupsAmong(lastUpload ? [lastUpload.name] : [])[0]?.at
  return {
    make: lastBackup && nextTime(every, lastBackup.at),
    upload: uploadedFrom === undefined ? null : nextTime(every, uploadedFrom),
  }
}

/** @param dueAt of the next one. @returns whether it should have been there for some time */
export const isLate = (dueAt: EpochMs | null, now: EpochMs): boolean => dueAt !== null && now > dueAt + lateMsMax

/** What is wrong with the backups: the first of these that holds. Null: nothing. */
export type BackupProblem =
  | { readonly kind: 'makeFails' | 'uploadFails'; readonly since: EpochMs; readonly reason: string }
  | { readonly kind: 'makeLate' | 'uploadLate'; readonly since: EpochMs }

/** The one rule for the command, the console, the metrics and their alert. */
export function backupProblem(
  { makeFailure, uploadFailure }: BackupStatus,
  { make, upload }: BackupsDue,
  now: EpochMs,
): BackupProblem | null {
  if (makeFailure) return { kind: 'makeFails', since: makeFailure.since, reason: makeFailure.reason }
  if (make !== null && isLate(make, now)) return { kind: 'makeLate', since: make }
  if (uploadFailure) return { kind: 'uploadFails', since: uploadFailure.since, reason: uploadFailure.reason }
  return upload !== null && isLate(upload, now) ? { kind: 'uploadLate', since: upload } : null
}

/** @returns when the last backup was uploaded; null when it was not, whatever became of those before it */
export function uploadedAt({ lastBackup, lastUpload }: BackupStatus): EpochMs | null {
  return lastBackup && lastUpload && lastBackup.file.endsWith(`/${lastUpload.name}`) ? lastUpload.at : null
}
