import { readFileSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Clock, systemClock } from '../base/clock.ts'
import { messageOf } from '../base/errors.ts'
import type { BucketSettings } from '../config/bucket.ts'
import { dataFolderMode } from '../config/config.ts'
import { element, elements } from './answers.ts'
import { answerMsMax, createBucketClient } from './client.ts'
import { uploadFile } from './upload.ts'

/** More pages than this of a listing are not read: a thousand objects are on each. */
const pagesMax = 100
/** What is downloaded holds phone numbers and texts. */
const ownerOnly = 0o600

/**
 * A place in an S3-compatible store. Nothing waits without a bound: a store that accepts and does not answer is given
 * up (src/bucket/client.ts has the limits). Every error is a sentence for the operator, without a secret.
 */
export interface Bucket {
  /** `s3://bucket/prefix/name` */
  urlOf(name: string): string
  /** Uploads a file under this name, and checks that the store has all of it. */
  put(name: string, path: string, mimeType: string): Promise<void>
  /**
   * @param msMax for all pages together. Without it, each has a limit of its own
   * @returns the names of what it has
   */
  list(msMax?: number): Promise<string[]>
  /** Of what is not there, too. */
  remove(name: string): Promise<void>
  /** @returns whether it has an object of this name and size */
  has(name: string, bytes: number): Promise<boolean>
  /** @param from the first byte @param end the byte after the last. Resolves once the store has begun to answer */
  stream(name: string, from: number, end: number): Promise<ReadableStream<Uint8Array>>
  /** Downloads an object into a file that does not exist yet, and nor need its folder. */
  download(name: string, to: string): Promise<void>
}

/** @throws Error when the file of the secret cannot be read */
export function openBucket(settings: BucketSettings, clock: Clock = systemClock): Bucket {
  const { bucket, prefix } = settings
  const client = createBucketClient({ ...settings, secret: secretOf(settings) }, clock)
  const urlOf = (name: string) => `s3://${bucket}/${prefix}${name}`
  const asked = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } catch (cause) {
      if (cause instanceof FileUnwritable) throw cause
      throw new Error(`${what}: ${reasonOf(cause)} (${settings.endpoint})`, { cause })
    }
  }
  const read = (name: string, range: readonly [from: number, end: number] | null) =>
    asked(`The object ${urlOf(name)} cannot be read`, () => client.read(prefix + name, range))
  /** @returns the size of an object; null when there is none */
  async function sizeOf(name: string): Promise<number | null> {
    const { status, headers } = await client.ask({ method: 'HEAD', key: prefix + name }, [200, 404])
    return status === 404 ? null : Number(headers['content-length'])
  }

  return {
    urlOf,
    put: (name, path, mimeType) =>
      asked(`The object ${urlOf(name)} cannot be written`, async () => {
        const own = await uploadFile({ client, clock }, { key: prefix + name, path, mimeType })
        const size = await sizeOf(name)
        if (size !== own) throw new Error(`the store has ${size ?? 0} bytes of ${own}`)
      }),
    list: msMax =>
      asked(`The bucket s3://${bucket}/${prefix} cannot be listed`, async () => {
        const endsAt = msMax === undefined ? Number.POSITIVE_INFINITY : clock.steady() + msMax
        const names: string[] = []
        let token: string | null = null
        for (let page = 0; page < pagesMax; page += 1) {
          const query = { 'list-type': '2', prefix, ...(token !== null && { 'continuation-token': token }) }
          const timeoutMs = Math.min(answerMsMax, Math.ceil(endsAt - clock.steady()))
          if (timeoutMs <= 0) throw new Error(`it has more pages than could be read in ${(msMax ?? 0) / 1_000} seconds`)
          const { body } = await client.ask({ method: 'GET', key: '', query, timeoutMs })
          names.push(...elements(body, 'Key').map(key => key.slice(prefix.length)))
          token = element(body, 'IsTruncated') === 'true' ? element(body, 'NextContinuationToken') : null
          if (token === null) break
        }
        return names
      }),
    remove: name =>
      asked(`The object ${urlOf(name)} cannot be removed`, async () => {
        await client.ask({ method: 'DELETE', key: prefix + name }, [200, 204, 404])
      }),
    has: (name, bytes) => asked(`The object ${urlOf(name)} cannot be read`, async () => (await sizeOf(name)) === bytes),
    stream: async (name, from, end) => (from < end ? read(name, [from, end]) : new Blob([]).stream()),
    download: async (name, to) => {
      const content = await read(name, null)
      // From here on the store answers: a folder for something that is not there would stay empty.
      const file = await written(to, async () => {
        await mkdir(dirname(to), { recursive: true, mode: dataFolderMode })
        return open(to, 'w', ownerOnly)
      })
      try {
        await asked(`The object ${urlOf(name)} cannot be read`, async () => {
          for await (const piece of content) await written(to, () => file.writeFile(piece))
        })
      } finally {
        await file.close()
      }
    },
  }
}

/** The disk of this machine is at fault, and not the store. */
class FileUnwritable extends Error {
  override readonly name = 'FileUnwritable'
}

/** @throws FileUnwritable */
async function written<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    throw new FileUnwritable(`The file ${path} cannot be written: ${messageOf(cause)}`, { cause })
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
