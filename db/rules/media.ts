import { and, eq, gt, sql } from 'drizzle-orm'
import type { EpochMs } from '../../src/base/clock.ts'
import { mediaIdMs } from '../../src/message/media.ts'
import type { Message } from '../contract/records.ts'
import type { StoreReads, StoreWrites } from '../contract/store.ts'
import { type Engine, first } from './engine.ts'

/**
 * A settled message does not say which files it showed. So all files are deleted that its line had at the hand-over,
 * and are uploaded again when they are needed. Later files stay: of a thousand failures of one file, only the first
 * costs an upload.
 * @returns by when the files expire that a message may have shown
 */
export const shownFilesExpireBy = ({ dispatchedAt }: Pick<Message, 'dispatchedAt'>, recordedAt: EpochMs): EpochMs =>
  (dispatchedAt ?? recordedAt) + mediaIdMs

/** The verbs of uploaded files: which link has which id on which line. */
export function mediaVerbs({ db, tables: { mediaUploads }, isAnyOf }: Engine) {
  return {
    async rememberMedia(upload) {
      const { mediaId, expiresAt } = upload
      await db
        .insert(mediaUploads)
        .values(upload)
        .onConflictDoUpdate({
          target: [mediaUploads.lineId, mediaUploads.link, mediaUploads.format],
          set: { mediaId, expiresAt },
        })
    },

    async forgetMedia({ lineId, mediaIds }) {
      await db.delete(mediaUploads).where(and(eq(mediaUploads.lineId, lineId), isAnyOf(mediaUploads.mediaId, mediaIds)))
    },
  } satisfies Partial<StoreWrites>
}

/** Prepared once: it is on the path of sends. */
export function mediaReads({ db, tables: { mediaUploads } }: Engine): Pick<StoreReads, 'media'> {
  const { lineId, link, format, mediaId, expiresAt } = mediaUploads
  const slot = sql.placeholder
  const isUpload = and(eq(lineId, slot('lineId')), eq(link, slot('link')), eq(format, slot('format')))
  const upload = db
    .select({ mediaId })
    .from(mediaUploads)
    .where(and(isUpload, gt(expiresAt, slot('at'))))
    .prepare('media')
  return { media: async query => (await first(upload.execute({ ...query })))?.mediaId ?? null }
}
