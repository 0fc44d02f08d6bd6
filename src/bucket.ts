import { readFileSync, statSync } from 'node:fs'
import type { BucketSettings } from './config/bucket.ts'
import { messageOf } from './errors.ts'

/**
 * The size of a part of an upload, and how many are under way. A part is held in memory, and a store takes at most
 * 10,000: this is enough for 160 GB.
 */
const partBytes = 16 * 1_048_576
const partsAtOnce = 2
/** More pages than this of a listing are not read: a thousand objects are on each. */
const pagesMax = 100

/** A place in an S3-compatible store. Every error is a sentence for the operator, without a secret. */
export interface Bucket {
  /** `s3://bucket/prefix/name` */
  urlOf(name: string): string
  /** Uploads a file under this name, and checks that the store has all of it. */
  put(name: string, path: string, mimeType: string): Promise<void>
  /** @returns the names of what it has */
  list(): Promise<string[]>
  /** Of what is not there, too. */
  remove(name: string): Promise<void>
  /** @returns whether it has an object of this name and size */
  has(name: string, bytes: number): Promise<boolean>
  /** @param from the first byte @param end the byte after the last */
  stream(name: string, from: number, end: number): ReadableStream<Uint8Array>
  /** Downloads an object into a file that does not exist yet. */
  download(name: string, to: string): Promise<void>
}

/** @throws Error when the file of the secret cannot be read */
export function openBucket(settings: BucketSettings): Bucket {
  const { bucket, prefix, region, accessKeyId } = settings
  const client = new Bun.S3Client({
    bucket,
    accessKeyId,
    secretAccessKey: secretOf(settings),
    endpoint: settings.endpoint,
    ...(region !== null && { region }),
  })
  const urlOf = (name: string) => `s3://${bucket}/${prefix}${name}`
  const asked = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } catch (cause) {
      throw new Error(`${what}: ${reasonOf(cause)} (${settings.endpoint})`, { cause })
    }
  }

  return {
    urlOf,
    put: (name, path, mimeType) =>
      asked(`${urlOf(name)} cannot be written`, async () => {
        await client.write(prefix + name, Bun.file(path), {
          partSize: partBytes,
          queueSize: partsAtOnce,
          type: mimeType,
        })
        const [{ size }, own] = [await client.stat(prefix + name), statSync(path).size]
        if (size !== own) throw new Error(`the store has ${size} bytes of ${own}`)
      }),
    list: () =>
      asked(`s3://${bucket}/${prefix} cannot be listed`, async () => {
        const names: string[] = []
        let token: string | undefined
        for (let page = 0; page < pagesMax; page += 1) {
          const listed = await client.list({ prefix, ...(token !== undefined && { continuationToken: token }) })
          names.push(...(listed.contents ?? []).map(({ key }) => key.slice(prefix.length)))
          token = listed.isTruncated ? listed.nextContinuationToken : undefined
          if (token === undefined) break
        }
        return names
      }),
    remove: name => asked(`${urlOf(name)} cannot be removed`, () => client.delete(prefix + name)),
    has: (name, bytes) =>
      asked(`${urlOf(name)} cannot be read`, async () => {
        if (!(await client.exists(prefix + name))) return false
        return (await client.stat(prefix + name)).size === bytes
      }),
    stream: (name, from, end) =>
      client
        .file(prefix + name)
        .slice(from, end)
        .stream(),
    download: (name, to) =>
      asked(`${urlOf(name)} cannot be read`, async () => {
        await Bun.write(to, client.file(prefix + name), { mode: 0o600 })
      }),
  }
}

function secretOf({ secretAccessKey, secretAccessKeyFile, secretName }: BucketSettings): string {
  if (secretAccessKey !== null) return secretAccessKey
  if (secretAccessKeyFile === null) throw new Error(`${secretName} is not set`)
  try {
    return readFileSync(secretAccessKeyFile, 'utf8').trim()
  } catch (cause) {
    throw new Error(`${secretName}_FILE cannot be read: ${messageOf(cause)}`, { cause })
  }
}

/** The codes that say more than the text that comes with them. */
function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const text = messageOf(cause)
  return code === '' || text.includes(code) ? text : `${code}, ${text}`
}
