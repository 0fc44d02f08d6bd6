import { and, eq, inArray } from 'drizzle-orm'
import type { Connection } from './open.ts'
import { mediaUploads } from './schema.ts'
import type { Verbs } from './verbs.ts'

/** The verbs of uploaded files: which link has which id on which line. */
export function mediaVerbs({ db }: Connection) {
  return {
    rememberMedia(upload) {
      const { mediaId, expiresAt } = upload
      db.insert(mediaUploads)
        .values(upload)
        .onConflictDoUpdate({
          target: [mediaUploads.lineId, mediaUploads.link, mediaUploads.format],
          set: { mediaId, expiresAt },
        })
        .run()
    },

    forgetMedia({ lineId, mediaIds }) {
      db.delete(mediaUploads)
        .where(and(eq(mediaUploads.lineId, lineId), inArray(mediaUploads.mediaId, [...mediaIds])))
        .run()
    },
  } satisfies Partial<Verbs>
}
