import { resolve } from 'node:path'
import { parseRecurrence, type Recurrence } from '../base/recurrence.ts'
import { type BucketSettings, readBucket } from './bucket.ts'
import type { SettingsReader } from './reader.ts'

export interface BackupConfig {
  /** Null: no backups are made by itself. */
  readonly dir: string | null
  readonly every: Recurrence
  /** How many are kept, in the folder and in the bucket. */
  readonly keep: number
  /** Null: backups stay in the folder. */
  readonly bucket: BucketSettings | null
}

const bucketNames = {
  bucket: 'BACKUP_S3_BUCKET',
  endpoint: 'BACKUP_S3_ENDPOINT',
  region: 'BACKUP_S3_REGION',
  accessKeyId: 'BACKUP_S3_ACCESS_KEY_ID',
  secretAccessKey: 'BACKUP_S3_SECRET_ACCESS_KEY',
  secretAccessKeyFile: 'BACKUP_S3_SECRET_ACCESS_KEY_FILE',
} as const

/** More would mean listings of many pages, and is a mistake. */
const keepMax = 10_000

/** @param hasDatabaseUrl the database is on a server of PostgreSQL, which Waypost does not copy */
export function readBackupConfig(reader: SettingsReader, hasDatabaseUrl: boolean): BackupConfig {
  const { text, withDefault, whole, bad } = reader
  const every = parseRecurrence(withDefault('BACKUP_EVERY'))
  if (every === null) {
    bad(
      'BACKUP_EVERY',
      'must be a time such as 30m, 6h or 1d, or a cron pattern of five fields in UTC such as 0 4 * * *',
    )
  }
  const dir = text('BACKUP_DIR')
  const keep = whole('BACKUP_KEEP', 1, keepMax)
  const bucket = readBucket(reader, bucketNames, 'to upload backups')
  if (hasDatabaseUrl && (dir !== null || bucket !== null)) {
    // The operator who set it relies on backups that would never be made.
    bad(
      dir === null ? 'BACKUP_S3_BUCKET' : 'BACKUP_DIR',
      'makes copies of a SQLite file: leave it out beside DATABASE_URL, and back up with pg_dump ' +
        '(docs/deploy.md#backup)',
    )
  } else if (dir === null && bucket !== null) {
    bad('BACKUP_DIR', 'must be set when BACKUP_S3_BUCKET is: a backup is written and checked there, then uploaded')
  }
  // The start is refused when it cannot be read.
  return { dir: dir === null ? null : resolve(dir), every: every ?? { everyMs: 0 }, keep, bucket }
}
