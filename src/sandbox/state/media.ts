import type { EpochMs } from '../../base/clock.ts'
import { minuteMs } from '../../base/durations.ts'
import { isObject, isText } from '../../base/json.ts'
import { uploadedFileMs, userFileMs } from '../../base/upstreamLimits.ts'
import { PROBLEMS } from '../checks/problems.ts'
import type { Refusal } from '../checks/refusals.ts'
import { bytesMaxOf, type FileKind, fileKindOf, isOfType, MEDIA_KINDS } from '../checks/sniff.ts'
import { BOUNDS } from './defaults.ts'
import { newNumericId, type Random } from './random.ts'

/** An address for a download. */
const addressMs = 5 * minuteMs

export interface MediaFile {
  readonly id: string
  readonly lineId: string
  readonly kind: FileKind
  readonly mimeType: string
  readonly sha256: string
  readonly bytes: Uint8Array
  readonly expiresAt: EpochMs
}

/** Header kinds of a template that are files. */
export const headerFileKinds: ReadonlySet<string> = new Set(['image', 'video', 'document'])

export interface NewMediaFile {
  readonly lineId: string
  readonly mimeType: string
  readonly bytes: Uint8Array
  readonly now: EpochMs
  readonly origin?: 'upload' | 'inbound'
}

/**
 * The files of the account, in memory. The oldest are dropped when there are too many or they are too large in total.
 */
export class Media {
  readonly #files = new Map<string, MediaFile>()
  readonly #random: Random
  #bytes = 0

  constructor(random: Random) {
    this.#random = random
  }

  /** Stores a file whose bytes fit its type and whose size fits its kind. */
  upload({ lineId, mimeType, bytes, now, origin }: NewMediaFile): { file: MediaFile } | { refusal: Refusal } {
    const type = mimeType.split(';')[0]?.trim().toLowerCase() ?? ''
    const kind = fileKindOf(type)
    if (!kind)
      return {
        refusal: {
          code: 100,
          title:
            `Param file must be a file with one of the following types: ${allTypes}. ` +
            `Received file of type '${type}'.`,
        },
      }
    const bytesMax = bytesMaxOf(kind, bytes)
    if (bytes.length > bytesMax)
      return { refusal: { code: 131053, details: `The file is larger than ${bytesMax} bytes.` } }
    if (!isOfType(type, bytes))
      return { refusal: { code: 131053, details: `The file's content is not of type ${type}.` } }
    const file: MediaFile = {
      id: newNumericId(this.#random),
      lineId,
      kind,
      mimeType: type,
      sha256: new Bun.CryptoHasher('sha256').update(bytes).digest('hex'),
      bytes,
      expiresAt: now + (origin === 'inbound' ? userFileMs : uploadedFileMs),
    }
    this.#makeRoom(bytes.length)
    this.#files.set(file.id, file)
    this.#bytes += bytes.length
    return { file }
  }

  /** @returns the file unless it is unknown or expired. */
  find(id: string, now: EpochMs): MediaFile | undefined {
    const file = this.#files.get(id)
    return file && file.expiresAt > now ? file : undefined
  }

  /** What `GET /<MEDIA>` shows; the address in it lives five minutes and wants the access token. */
  describe(file: MediaFile, origin: string, now: EpochMs): Record<string, unknown> {
    return {
      messaging_product: 'whatsapp',
      url: `${origin}/download/${file.id}?ext=${now + addressMs}`,
      mime_type: file.mimeType,
      sha256: file.sha256,
      file_size: file.bytes.length,
      id: file.id,
    }
  }

  /** @returns the refusal of a `{ id }` or `{ link }` that cannot be sent as this kind from this line. */
  checkReference(kind: string, reference: unknown, lineId: string, now: EpochMs): Refusal | undefined {
    if (!isObject(reference)) return PROBLEMS.notAnObject(kind)
    const { id, link } = reference
    if (id === undefined && link === undefined) return PROBLEMS.required(`${kind}['id'] or ${kind}['link']`)
    if (id === undefined) return isText(link) && isHttpAddress(link) ? undefined : PROBLEMS.mediaLink()
    if (!isText(id) || !/^\d+$/.test(id)) return PROBLEMS.wrongType(`${kind}['id']`, 'a media id')
    const file = this.find(id, now)
    if (!file || file.lineId !== lineId) return PROBLEMS.unknownObject(id)
    return file.kind === kind ? undefined : PROBLEMS.mediaKind(kind, file.mimeType)
  }

  expire(id: string, now: EpochMs): boolean {
    const file = this.#files.get(id)
    if (file) this.#files.set(id, { ...file, expiresAt: now })
    return file !== undefined
  }

  delete(id: string): boolean {
    const file = this.#files.get(id)
    if (!file) return false
    this.#bytes -= file.bytes.length
    return this.#files.delete(id)
  }

  list(): Omit<MediaFile, 'bytes'>[] {
    return Array.from(this.#files.values(), ({ bytes: _, ...file }) => file)
  }

  clear(): void {
    this.#files.clear()
    this.#bytes = 0
  }

  #makeRoom(length: number): void {
    for (const id of this.#files.keys()) {
      if (this.#files.size < BOUNDS.mediaFiles && this.#bytes + length <= BOUNDS.mediaBytes) return
      this.delete(id)
    }
  }
}

const allTypes = Object.values(MEDIA_KINDS)
  .flatMap(({ types }) => types)
  .join(', ')

export function isHttpAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:')
}
