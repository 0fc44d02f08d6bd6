import { resolve } from 'node:path'
import { parseRecurrence, type Recurrence } from '../time/recurrence.ts'
import type { SettingsReader } from './reader.ts'

/** A bucket of an S3-compatible store. */
export interface BackupBucket {
  readonly endpoint: string
  readonly bucket: string
  /** Before the name of each object: empty, or ends with a slash. */
  readonly prefix: string
  /** Null: as the endpoint says, else `auto`. */
  readonly region: string | null
  readonly accessKeyId: string
  /** One of the two is set. */
  readonly secretAccessKey: string | null
  readonly secretAccessKeyFile: string | null
}

export interface BackupConfig {
  /** Null: no backups are made by itself. */
  readonly dir: string | null
  readonly every: Recurrence
  /** How many are kept, in the folder and in the bucket. */
  readonly keep: number
  /** Null: backups stay in the folder. */
  readonly bucket: BackupBucket | null
}

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
  const bucket = readBucket(reader)
  if (hasDatabaseUrl && (dir !== null || bucket !== null)) {
    // The operator who set it relies on backups that would never be made.
    bad(
      dir === null ? 'BACKUP_S3_BUCKET' : 'BACKUP_DIR',
      'makes copies of a SQLite file: leave it out beside DATABASE_URL, and back up with pg_dump (docs/deploy.md#backup)',
    )
  } else if (dir === null && bucket !== null) {
    bad('BACKUP_DIR', 'must be set when BACKUP_S3_BUCKET is: a backup is written and checked there, then uploaded')
  }
  // The start is refused when it cannot be read.
  return { dir: dir === null ? null : resolve(dir), every: every ?? { everyMs: 0 }, keep, bucket }
}

function readBucket({ text, url, bad }: SettingsReader): BackupBucket | null {
  const place = text('BACKUP_S3_BUCKET')
  const endpoint = url('BACKUP_S3_ENDPOINT')
  const accessKeyId = text('BACKUP_S3_ACCESS_KEY_ID')
  const secretAccessKey = text('BACKUP_S3_SECRET_ACCESS_KEY')
  const secretAccessKeyFile = text('BACKUP_S3_SECRET_ACCESS_KEY_FILE')
  const region = text('BACKUP_S3_REGION')
  if (secretAccessKey !== null && secretAccessKeyFile !== null) {
    bad('BACKUP_S3_SECRET_ACCESS_KEY', 'and BACKUP_S3_SECRET_ACCESS_KEY_FILE are both set: give one')
  }
  const given = { BACKUP_S3_BUCKET: place, BACKUP_S3_ENDPOINT: endpoint, BACKUP_S3_ACCESS_KEY_ID: accessKeyId }
  const secret = secretAccessKey ?? secretAccessKeyFile
  if ([...Object.values(given), secret].every(value => value === null)) return null
  for (const [name, value] of Object.entries(given)) {
    if (value === null) bad(name as keyof typeof given, 'must be set to upload backups')
  }
  if (secret === null)
    bad('BACKUP_S3_SECRET_ACCESS_KEY', 'or BACKUP_S3_SECRET_ACCESS_KEY_FILE must be set to upload backups')
  if (place === null || endpoint === null || accessKeyId === null || secret === null) return null
  const [bucket = '', ...folders] = place.replace(/^s3:\/\//, '').split('/')
  const prefix = folders.filter(folder => folder !== '').map(folder => `${folder}/`)
  if (bucket === '') bad('BACKUP_S3_BUCKET', 'must begin with the name of a bucket')
  return { endpoint, bucket, prefix: prefix.join(''), region, accessKeyId, secretAccessKey, secretAccessKeyFile }
}
