import type { SettingsReader } from './reader.ts'
import type { SettingName } from './settings.ts'

/** A bucket of an S3-compatible store. */
export interface BucketSettings {
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
  /** The setting of the secret, for errors. */
  readonly secretName: SettingName
}

/** The settings that name a bucket. */
export interface BucketNames {
  readonly bucket: SettingName
  readonly endpoint: SettingName
  readonly region: SettingName
  readonly accessKeyId: SettingName
  readonly secretAccessKey: SettingName
  readonly secretAccessKeyFile: SettingName
}

/**
 * @param purpose what all of them are needed for: `to upload backups`
 * @returns null when none of them is set, or one is missing
 */
export function readBucket(
  { text, url, bad }: SettingsReader,
  names: BucketNames,
  purpose: string,
): BucketSettings | null {
  const place = text(names.bucket)
  const endpoint = url(names.endpoint)
  const accessKeyId = text(names.accessKeyId)
  const secretAccessKey = text(names.secretAccessKey)
  const secretAccessKeyFile = text(names.secretAccessKeyFile)
  const region = text(names.region)
  if (secretAccessKey !== null && secretAccessKeyFile !== null) {
    bad(names.secretAccessKey, `and ${names.secretAccessKeyFile} are both set: give one`)
  }
  const given = [
    [names.bucket, place],
    [names.endpoint, endpoint],
    [names.accessKeyId, accessKeyId],
  ] as const
  const secret = secretAccessKey ?? secretAccessKeyFile
  if (secret === null && given.every(([, value]) => value === null)) return null
  for (const [name, value] of given) if (value === null) bad(name, `must be set ${purpose}`)
  if (secret === null) bad(names.secretAccessKey, `or ${names.secretAccessKeyFile} must be set ${purpose}`)
  if (place === null || endpoint === null || accessKeyId === null || secret === null) return null
  const [bucket = '', ...folders] = place.replace(/^s3:\/\//, '').split('/')
  const prefix = folders.filter(folder => folder !== '').map(folder => `${folder}/`)
  if (bucket === '') bad(names.bucket, 'must begin with the name of a bucket')
  const secrets = { secretAccessKey, secretAccessKeyFile, secretName: names.secretAccessKey }
  return { endpoint, bucket, prefix: prefix.join(''), region, accessKeyId, ...secrets }
}
