import { and, eq, gt, inArray } from 'drizzle-orm'
import type { StoreReads } from '../store.ts'
import { type Connection, first } from './open.ts'
import { mediaUploads } from './schema/tables.ts'
import type { Verbs } from './verbs.ts'

/** The verbs of uploaded files: which link has which id on which line. */
export function mediaVerbs({ db }: Connection) {
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
      await db
        .delete(mediaUploads)
        .where(and(eq(mediaUploads.lineId, lineId), inArray(mediaUploads.mediaId, [...mediaIds])))
    },
  } satisfies Partial<Verbs>
}

export const mediaReads = ({ db }: Connection): Pick<StoreReads, 'media'> => ({
  async media({ lineId, link, format, at }) {
    const isUpload = and(
      eq(mediaUploads.lineId, lineId),
      eq(mediaUploads.link, link),
      eq(mediaUploads.format, format),
      gt(mediaUploads.expiresAt, at),
    )
    const upload = await first(db.select({ mediaId: mediaUploads.mediaId }).from(mediaUploads).where(isUpload))
    return upload?.mediaId ?? null
  },
})
