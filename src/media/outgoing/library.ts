import type { Line } from '../../../db/contract/records.ts'
import type { Store } from '../../../db/contract/store.ts'
import type { Clock } from '../../base/clock.ts'
import { alertOperator } from '../../graph/alert.ts'
import { idFormat, mediaIdMs } from '../../message/media.ts'
import type { Logger } from '../../telemetry/log.ts'
import { type FileSource, nameOf } from './fetch.ts'
import type { UploadFormat } from './types.ts'
import type { MediaOrder, Upload } from './upload.ts'

/**
 * In bytes. A longer link is usually a signed one, which differs each time and is never reused. And an index entry of
 * PostgreSQL has at most 2,704 bytes.
 */
const rememberedLinkMax = 2_000

/**
 * When the upstream has lost one file of a line, all are forgotten that are uploaded anew by then, which is `mediaIdMs`
 * after a send. What nobody uploads anew outlives that.
 */
const rememberedIdMs = 2 * mediaIdMs

/** A file here, and the line on which it has the upstream's id. */
export interface UploadedFile {
  readonly line: Line
  readonly fileId: string
}

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
  async place(line: Line, accessToken: string, source: FileSource, format: UploadFormat): Promise<Upload> {
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

  /** Remembers a file by the upstream's id. @throws Unavailable */
  async rememberId(mediaId: string, { line, fileId }: UploadedFile): Promise<void> {
    const { store, clock } = this.#parts
    const expiresAt = clock.now() + rememberedIdMs
    await store.write.rememberMedia({ lineId: line.id, link: mediaId, format: idFormat, mediaId: fileId, expiresAt })
  }

  /** @returns the file that was remembered by this id on one of the lines; null: none was */
  async fileOf(mediaId: string, lines: readonly Line[]): Promise<UploadedFile | null> {
    const { store, clock } = this.#parts
    const ask = { link: mediaId, format: idFormat, at: clock.now() }
    const found = lines.map(async line => ({ line, fileId: await store.read.media({ ...ask, lineId: line.id }) }))
    for (const { line, fileId } of await Promise.all(found)) if (fileId !== null) return { line, fileId }
    return null
  }

  /** Forgets a file that the upstream has no longer, by both ids. */
  async forgetId(mediaId: string, { line, fileId }: UploadedFile): Promise<void> {
    await this.#parts.store.write.forgetMedia({ lineId: line.id, mediaIds: [mediaId, fileId] })
  }

  async #upload(line: Line, accessToken: string, source: FileSource, format: UploadFormat): Promise<Upload> {
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
