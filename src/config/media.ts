import { dayMs } from '../base/durations.ts'
import { type BucketSettings, readBucket } from './bucket.ts'
import type { SettingsReader } from './reader.ts'

/** How the files of users are kept. */
export interface MediaConfig {
  /** Never longer than their messages, and what these hold. */
  readonly retentionMs: number
  /** Of all workspaces together; 0: none is kept. */
  readonly storageBytesMax: number
  /** Null: in the folder `media` of the data folder. */
  readonly bucket: BucketSettings | null
}

/** A hundred years: how long anything can be kept that has an end. */
export const retentionDaysMax = 36_500

const bucketNames = {
  bucket: 'MEDIA_BUCKET',
  endpoint: 'MEDIA_S3_ENDPOINT',
  region: 'MEDIA_S3_REGION',
  accessKeyId: 'MEDIA_S3_ACCESS_KEY_ID',
  secretAccessKey: 'MEDIA_S3_SECRET_ACCESS_KEY',
  secretAccessKeyFile: 'MEDIA_S3_SECRET_ACCESS_KEY_FILE',
} as const

/** @param othersMs how long messages and their contents are kept */
export const readMediaConfig = (reader: SettingsReader, othersMs: readonly number[]): MediaConfig => ({
  retentionMs: Math.min(reader.whole('MEDIA_RETENTION_DAYS', 1, retentionDaysMax) * dayMs, ...othersMs),
  storageBytesMax: reader.size('MEDIA_STORAGE_MAX'),
  bucket: readBucket(reader, bucketNames, "to keep users' files in a bucket"),
})
