import type { Line } from '../../../db/contract/records.ts'
import type { Store } from '../../../db/contract/store.ts'
import type { Clock } from '../../base/clock.ts'
import { alertOperator } from '../../graph/alert.ts'
import { mediaIdMs } from '../../message/media.ts'
import type { FileType } from '../../message/words.ts'
import type { Logger } from '../../telemetry/log.ts'
import type { FileSource } from './fetch.ts'
import type { MediaOrder, Upload } from './upload.ts'

/**
 * In bytes. A longer link is usually a signed one, which differs each time and is never reused. And an index entry of
 * PostgreSQL has at most 2,704 bytes.
 */
const rememberedLinkMax = 2_000

/** What a file is remembered by: its link, or its id here, which is no link. */
export const nameOf = (source: FileSource) => (source.kind === 'link' ? source.link : source.id)

interface MediaLibraryParts {
  readonly store: Store
  /** Uploads a file to a line. */
  readonly upload: (order: MediaOrder) => Promise<Upload>
  readonly clock: Clock
  readonly log: Logger
}

/**
 * The uploaded files of each line. A file is uploaded once per line, and its id is used until it expires. Sends that
 * need the same file at the same time share one upload.
 */
export class MediaLibrary {
  readonly #parts: MediaLibraryParts
  readonly #underWay = new Map<string, Promise<Upload>>()

  constructor(parts: MediaLibraryParts) {
    this.#parts = parts
  }

  /** @returns the id of the file on that line. */
  async place(line: Line, accessToken: string, source: FileSource, format: FileType): Promise<Upload> {
    const link = nameOf(source)
    const { store, clock } = this.#parts
    const known = await store.read.media({ lineId: line.id, link, format, at: clock.now() })
    if (known !== null) return { kind: 'uploaded', mediaId: known }
    const key = JSON.stringify([line.id, link, format])
    const underWay = this.#underWay.get(key)
    if (underWay) return underWay
    const upload = this.#upload(line, accessToken, source, format).finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, upload)
    return upload
  }

  async #upload(line: Line, accessToken: string, source: FileSource, format: FileType): Promise<Upload> {
    const link = nameOf(source)
    const { store, clock, log } = this.#parts
    const { id: lineId, channelId, upstreamPhoneId } = line
    const upload = await this.#parts.upload({ channelId, upstreamPhoneId, accessToken, source, format })
    if (upload.kind === 'refused') alertOperator(log, { channelId, lineId }, upload.fault)
    if (upload.kind === 'uploaded' && Buffer.byteLength(link) <= rememberedLinkMax) {
      const expiresAt = clock.now() + mediaIdMs
      await store.write
        .rememberMedia({ lineId, link, format, mediaId: upload.mediaId, expiresAt })
        // The id is still good for this send. The next send uploads the file again.
        .catch((error: unknown) => log.warn({ err: error, lineId }, 'the id of an uploaded file could not be stored'))
    }
    return upload
  }
}
