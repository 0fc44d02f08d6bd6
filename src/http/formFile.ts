import { type FileHandle, open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import type { Clock } from '../base/clock.ts'
import { watchFreeBytes } from '../base/durable.ts'
import { GatewayError, invalid, type Refusal } from '../base/errors.ts'
import { shownName } from '../base/fileName.ts'
import { areTooSmall } from '../base/pieces.ts'
import { hungUp, inTime, refuseEncoded, tooLarge, tooSmallPieces } from './body.ts'
import { watchPace } from './pace.ts'
import type { Room } from './requestHead.ts'

/** The name of the part with the file. */
const fieldName = 'file'
/** What a form has beside its file: other parts, which are not read, and the heads of all. */
const frameBytesMax = 16_384
const partsMax = 8
/** The first bytes, by which a type is recognised, and a text is told from other bytes. */
const headBytesMax = 4_096
/** Owner alone: it is what callers send to their users. */
const fileMode = 0o600

export interface FormFile {
  readonly bytes: number
  /** Its first bytes. */
  readonly head: Uint8Array
  /** Of all of them, in hexadecimal. */
  readonly sha256: string
  /** As the form says; null: it does not. */
  readonly fileName: string | null
  readonly mimeType: string | null
}

export const notForm: Refusal = {
  reason: 'UNSUPPORTED_MEDIA_TYPE',
  message: `Send the file in a form, with the header Content-Type: multipart/form-data, in the field ${fieldName}.`,
}

const problem = (message: string) => new GatewayError(invalid([{ path: `/${fieldName}`, message }]))

/** Browsers and `fetch` write quotation marks and line ends in a name so, which busboy leaves (WHATWG: form data). */
const nameOf = (written: string): string | null =>
  written === '' ? null : shownName(written.replaceAll('%22', '"').replace(/%0[AD]/gi, ' '))

/**
 * Reads the file of a form (RFC 7578) into a new file, piece by piece: nothing of it is gathered in memory. It is on
 * disk at the end; after an error, what is there of it is the caller's to remove.
 * @throws GatewayError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE; VALIDATION_ERROR for what is no form with one file,
 *   ends early, takes longer than `msMax`, or comes too slowly or in too small pieces; Unavailable when the disk is
 *   nearly full
 */
export async function readFormFile(
  request: Request,
  clock: Clock,
  {
    path,
    bytesMax,
    msMax,
    room,
  }: { readonly path: string; readonly bytesMax: number; readonly msMax: number; readonly room: Room },
): Promise<FormFile> {
  refuseEncoded(request)
  const contentType = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\s*;/i.test(contentType)) throw new GatewayError(notForm)
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax + frameBytesMax) throw tooLarge(bytesMax)
  const form = formOf(contentType, bytesMax)
  const file = await open(path, 'wx', fileMode)
  try {
    return await inTime(clock, msMax, async late => {
      const { promise: failed, reject } = Promise.withResolvers<never>()
      late.catch(reject)
      form.once('error', () => reject(problem('is in no form that can be read')))
      const read = new Promise<FormFile>((resolve, refuse) => {
        let isThere = false
        form.once('file', (name, stream, fileName, _encoding, mimeType) => {
          isThere = true
          if (name !== fieldName) return refuse(problem(`must be the only file of the form, in the field ${fieldName}`))
          const named = { fileName: nameOf(fileName ?? ''), mimeType }
          writeTo(file, stream, { path, bytesMax }).then(written => resolve({ ...written, ...named }), refuse)
        })
        form.once('filesLimit', () => refuse(problem('must be the only file of the form')))
        form.once('finish', () => !isThere && refuse(problem('is required')))
      })
      read.catch(reject)
      // Nobody waits for it once the form was read.
      failed.catch(() => {})
      await pour(request, form, clock, room, { failed, reject })
      return await read
    })
  } finally {
    form.destroy()
    await file.close()
  }
}

/** @throws GatewayError VALIDATION_ERROR when the header names no boundary */
function formOf(contentType: string, bytesMax: number): BusboyInstance {
  const headers: BusboyHeaders = { 'content-type': contentType }
  // One byte more shows that a file is longer.
  const limits = { files: 1, fileSize: bytesMax + 1, fields: 0, parts: partsMax, fieldNameSize: 100 }
  try {
    return new Busboy({ headers, limits })
  } catch {
    throw problem('is in no form that can be read')
  }
}

/** Ends what is read. `failed` rejects then. */
interface Failure {
  readonly failed: Promise<never>
  readonly reject: (error: GatewayError) => void
}

/** Gives the form what comes, no faster than it takes it, and ends it when that is below the least pace. */
async function pour(
  request: Request,
  form: BusboyInstance,
  clock: Clock,
  room: Room,
  { failed, reject }: Failure,
): Promise<void> {
  const reader = request.body?.getReader()
  let [bytes, pieces] = [0, 0]
  // While the form takes what is there, nobody waits for the caller.
  let isReading = false
  const endWatch = watchPace(clock, () => ({ bytes, isReading }), reject)
  try {
    while (reader) {
      isReading = true
      const { done, value } = await Promise.race([reader.read(), failed])
      isReading = false
      if (done) break
      bytes += value.length
      pieces += 1
      if (areTooSmall(pieces, bytes)) throw tooSmallPieces()
      await Promise.race([room(value.length), failed])
      if (!form.write(value)) await Promise.race([new Promise(resolve => form.once('drain', resolve)), failed])
    }
    const finished = new Promise(resolve => form.once('finish', resolve))
    form.end()
    await Promise.race([finished, failed])
  } catch (error) {
    await reader?.cancel().catch(() => {})
    return hungUp(error)
  } finally {
    endWatch()
  }
}

async function writeTo(file: FileHandle, stream: Readable, { path, bytesMax }: { path: string; bytesMax: number }) {
  const checkFree = watchFreeBytes(path)
  const hash = new Bun.CryptoHasher('sha256')
  let bytes = 0
  let head = Buffer.alloc(0)
  for await (const piece of stream as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > bytesMax) throw tooLarge(bytesMax)
    checkFree(bytes)
    if (head.length < headBytesMax) head = Buffer.concat([head, piece]).subarray(0, headBytesMax)
    hash.update(piece)
    // Not `write`, which may take less than it is given.
    await file.appendFile(piece)
  }
  if (bytes === 0) throw problem('is empty')
  await file.sync()
  return { bytes, head, sha256: hash.digest('hex') }
}
