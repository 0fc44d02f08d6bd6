import { and, eq, gt, sql } from 'drizzle-orm'
import type { EpochMs } from '../../src/base/clock.ts'
import { idFormat, mediaIdMs } from '../../src/message/media.ts'
import type { Message } from '../contract/records.ts'
import type { StoreReads, StoreWrites } from '../contract/store.ts'
import { type Engine, first } from './engine.ts'
import { fileColumnsOf, shownFile } from './files.ts'

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

/** `media` is prepared once: it is on the path of sends. */
export function mediaReads({ db, tables, isAnyOf }: Engine): Pick<StoreReads, 'media' | 'sentFiles'> {
  const { inboundFiles, mediaUploads } = tables
  const { lineId, link, format, mediaId, expiresAt } = mediaUploads
  const slot = sql.placeholder
  const isUpload = and(eq(lineId, slot('lineId')), eq(link, slot('link')), eq(format, slot('format')))
  const upload = db
    .select({ mediaId })
    .from(mediaUploads)
    .where(and(isUpload, gt(expiresAt, slot('at'))))
    .prepare('media')
  return {
    media: async query => (await first(upload.execute({ ...query })))?.mediaId ?? null,

    async sentFiles({ workspaceId, lineIds, mediaIds }) {
      if (mediaIds.length === 0) return []
      const uploads = await db.select({ lineId, link, mediaId }).from(mediaUploads).where(isAnyOf(mediaId, mediaIds))
      const uploaded = uploads.filter(each => lineIds.includes(each.lineId))
      // Few are known by the upstream's id alone.
      const others = mediaIds.filter(id => uploaded.every(each => each.mediaId !== id))
      const asked = lineIds.flatMap(line => others.map(id => ({ lineId: line, link: id, format: idFormat, at: 0 })))
      const byId = asked.map(async query => {
        const fileId = (await first(upload.execute(query)))?.mediaId
        return fileId === undefined ? [] : [{ lineId: query.lineId, link: fileId, mediaId: query.link }]
      })
      const named = [...uploaded, ...(await Promise.all(byId)).flat()]
      const found = await db
        .select({ ...fileColumnsOf(inboundFiles), owner: inboundFiles.workspaceId })
        .from(inboundFiles)
        .where(isAnyOf(inboundFiles.id, [...new Set(named.map(each => each.link))]))
      const rows = found.flatMap(({ owner, ...row }) => (owner === workspaceId ? [row] : []))
      const files = new Map(rows.map(row => [row.id, shownFile(row)]))
      return named.map(({ link: name, ...each }) => ({
        ...each,
        link: /^https?:/i.test(name) ? name : null,
        file: files.get(name) ?? null,
      }))
    },
  }
}
