import { type FileHandle, open } from 'node:fs/promises'
import { type Clock, wait } from '../base/clock.ts'
import type { PieceSource } from '../transport/request.ts'
import { element, escaped } from './answers.ts'
import { type BucketClient, storedMsMax } from './client.ts'

/** A store takes at most 10,000 parts: this is enough for 160 GB. */
const partBytes = 16 * 1_048_576
/** What is read and sent at a time. A store that takes so little within the limit of a silence has no use. */
const pieceBytes = 256 * 1_024
/** A large upload must not begin anew for one part that failed. */
const attemptsMax = 3
const retryMs = 1_000

/**
 * Uploads a file, one part after the other when it is large. A file that is removed meanwhile is still uploaded whole.
 * @returns its size
 * @throws Error when the store refuses or hangs; then it is asked to drop the parts that it has
 */
export async function uploadFile(
  { client, clock }: { readonly client: BucketClient; readonly clock: Clock },
  { key, path, mimeType }: { readonly key: string; readonly path: string; readonly mimeType: string },
): Promise<number> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const headers = { 'content-type': mimeType }
    if (size <= partBytes) {
      await client.send({ method: 'PUT', key, headers }, partOf(file, 0, size))
      return size
    }
    const begun = await client.ask({ method: 'POST', key, query: { uploads: '' }, headers })
    const uploadId = element(begun.body, 'UploadId')
    if (uploadId === null) throw new Error('the store did not begin an upload in parts')
    try {
      const tags: string[] = []
      for (let from = 0; from < size; from += partBytes) {
        const query = { partNumber: String(tags.length + 1), uploadId }
        const part = partOf(file, from, Math.min(from + partBytes, size))
        tags.push(await retried(clock, () => sendPart(client, key, query, part)))
      }
      const parts = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`)
      const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
      await client.ask({ method: 'POST', key, query: { uploadId }, body, timeoutMs: storedMsMax })
    } catch (error) {
      // Parts cost room until they are dropped. If this fails as well, a rule of the bucket has to do it.
      await client.ask({ method: 'DELETE', key, query: { uploadId } }).catch(() => {})
      throw error
    }
    return size
  } finally {
    await file.close()
  }
}

/** @returns the name that the store gives the part */
async function sendPart(
  client: BucketClient,
  key: string,
  query: Readonly<Record<string, string>>,
  part: PieceSource,
): Promise<string> {
  const { headers } = await client.send({ method: 'PUT', key, query }, part)
  if (typeof headers.etag !== 'string') throw new Error('the store did not name a part')
  return headers.etag
}

async function retried<Result>(clock: Clock, work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (attempt === attemptsMax) throw error
      await wait(clock, retryMs * attempt)
    }
  }
}

/** @param from the first byte @param end the byte after the last */
const partOf = (file: FileHandle, from: number, end: number): PieceSource => ({
  bytes: end - from,
  async *pieces() {
    for (let at = from; at < end; ) {
      const length = Math.min(pieceBytes, end - at)
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, at)
      if (bytesRead === 0) throw new Error('the file became shorter while it was uploaded')
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  },
})
