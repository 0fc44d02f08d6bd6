import type { InboundFile } from '../../db/contract/files.ts'
import { GatewayError, type Refusal } from '../base/errors.ts'
import { endingOf } from '../base/fileName.ts'
import type { FileStorage } from '../media/storage.ts'
import { attachment } from './attachment.ts'

/** An answer that is a file, or a part of one, or is kept like one. */
export interface FileAnswer {
  /** Null: the caller has it. */
  readonly content: Blob | ReadableStream<Uint8Array> | null
  readonly headers: Readonly<Record<string, string>>
}

export type OpenedFile =
  | { readonly ok: true; readonly status: 200 | 206; readonly file: FileAnswer }
  | { readonly ok: false; readonly refusal: Refusal; readonly headers?: Readonly<Record<string, string>> }

/** The same for a file of another workspace. */
export const noFile: OpenedFile = {
  ok: false,
  refusal: { reason: 'NOT_FOUND', message: 'No file of a user has this id.' },
}

export const noStorage: Refusal = {
  reason: 'SERVICE_UNAVAILABLE',
  message: 'The store of files cannot be read at the moment. Try again after Retry-After seconds.',
  retryAfterMs: 5_000,
}

const why = {
  pending: 'The file is not stored yet. Try again in a minute.',
  failed: 'The file could not be fetched from the upstream platform.',
  expired: 'The file is not kept any more.',
} as const

/**
 * Answers with a file of a user. A browser saves it and does not show it; its type is the one that its bytes show; no
 * shared cache keeps it.
 * @param range the header; null: the whole file
 * @throws GatewayError SERVICE_UNAVAILABLE when the bucket does not answer, or refuses
 */
export async function openFile(
  storage: FileStorage,
  file: InboundFile | null,
  range: string | null,
): Promise<OpenedFile> {
  if (!file) return noFile
  const { id, state, mimeType, bytes } = file
  if (state !== 'stored' || bytes === null) return notStored(state, why[state === 'stored' ? 'expired' : state])
  const part = readRange(range, bytes)
  if (part === 'unsatisfiable') {
    const message = `The file has ${bytes} bytes, and none of them are in this range.`
    const headers = { 'content-range': `bytes */${bytes}` }
    return { ok: false, refusal: { reason: 'RANGE_NOT_SATISFIABLE', message, details: { size: bytes } }, headers }
  }
  const { from, end } = part === 'whole' ? { from: 0, end: bytes } : part
  const content = await storage.open(id, bytes, from, end).catch((cause: unknown) => {
    throw new GatewayError(noStorage, { cause })
  })
  // After a restore from a backup, which has no files, or on an instance that shares the database alone.
  if (!content) return notStored('expired', 'The file is not there: it was removed, or is on another machine.')
  const headers = {
    'content-type': mimeType ?? 'application/octet-stream',
    // Bun sends what comes from a bucket in chunks, and leaves this out.
    'content-length': String(end - from),
    'content-disposition': attachment(downloadName(file)),
    'accept-ranges': 'bytes',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(part !== 'whole' && { 'content-range': `bytes ${from}-${end - 1}/${bytes}` }),
  }
  return { ok: true, status: part === 'whole' ? 200 : 206, file: { content, headers } }
}

const notStored = (state: InboundFile['state'], message: string): OpenedFile => ({
  ok: false,
  refusal: { reason: 'NOT_FOUND', message, details: { state } },
})

/** @returns the name to save it under; it is not safe yet */
export const downloadName = ({ id, fileName, mimeType }: Pick<InboundFile, 'id' | 'fileName' | 'mimeType'>): string =>
  fileName ?? id + endingOf(mimeType ?? '')

/** A part of what has a known length: from the first byte to the one after the last. */
interface Part {
  readonly from: number
  readonly end: number
}

const single = /^bytes=(\d{0,15})-(\d{0,15})$/i

/**
 * Reads a `Range` (RFC 9110 14). Several ranges, and what is no range of bytes, are ignored, as a server may.
 * @param header null: there is none
 * @returns `whole`; the part; `unsatisfiable`, to be answered 416
 */
export function readRange(header: string | null, length: number): Part | 'whole' | 'unsatisfiable' {
  const [, first = '', last = ''] = single.exec(header?.replaceAll(' ', '') ?? '') ?? []
  if (first === '' && last === '') return 'whole'
  // The last bytes; of a shorter file, all.
  if (first === '') return partOf(Math.max(0, length - Number(last)), length, Number(last) > 0 && length > 0)
  const [from, to] = [Number(first), last === '' ? length - 1 : Number(last)]
  if (to < from && last !== '') return 'whole'
  return partOf(from, Math.min(to + 1, length), from < length)
}

const partOf = (from: number, end: number, isThere: boolean) => (isThere ? { from, end } : 'unsatisfiable')
