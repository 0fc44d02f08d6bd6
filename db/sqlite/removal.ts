import { and, count, eq, inArray } from 'drizzle-orm'
import type { EpochMs } from '../../src/clock.ts'
import type { Connection } from './open.ts'
import { channelColumns, isChannelThere, isLineThere, isOfWorkspace, isUnsettled, lineColumns } from './rows.ts'
import { channels, lines, mediaUploads, messages, templates, upstreamUpdates } from './schema.ts'
import type { Verbs } from './verbs.ts'

/** The verbs that take lines and channels away. Their messages stay, and can be read as before. */
export function removalVerbs({ db }: Connection) {
  /** What was accepted and has no outcome yet. */
  const waitingOn = (workspaceId: string, lineIds: readonly string[]) =>
    db
      .select({ count: count() })
      .from(messages)
      .innerJoin(lines, eq(lines.seq, messages.lineSeq))
      .where(
        and(isUnsettled, eq(messages.status, 'QUEUED'), isOfWorkspace(workspaceId), inArray(lines.id, [...lineIds])),
      )
      .get()?.count ?? 0

  const linesOf = (channelId: string) =>
    db
      .select({ id: lines.id })
      .from(lines)
      .where(eq(lines.channelId, channelId))
      .all()
      .map(({ id }) => id)

  function takeAway(lineIds: readonly string[], at: EpochMs): void {
    const there = and(inArray(lines.id, [...lineIds]), isLineThere)
    db.update(lines).set({ active: false, isDefault: false, removedAt: at }).where(there).run()
    db.delete(mediaUploads)
      .where(inArray(mediaUploads.lineId, [...lineIds]))
      .run()
  }

  return {
    removeLine({ lineId, at }) {
      const line = db
        .select(lineColumns)
        .from(lines)
        .where(and(eq(lines.id, lineId), isLineThere))
        .limit(1)
        .get()
      if (!line) return { outcome: 'unknown' }
      const waiting = waitingOn(line.workspaceId, [lineId])
      if (waiting > 0) return { outcome: 'waiting', waiting }
      takeAway([lineId], at)
      return { outcome: 'removed', removed: line }
    },

    disconnectChannel({ channelId, at }) {
      const channel = db
        .select(channelColumns)
        .from(channels)
        .where(and(eq(channels.id, channelId), isChannelThere))
        .limit(1)
        .get()
      if (!channel) return { outcome: 'unknown' }
      const lineIds = linesOf(channelId)
      const waiting = waitingOn(channel.workspaceId, lineIds)
      if (waiting > 0) return { outcome: 'waiting', waiting }
      takeAway(lineIds, at)
      const templateIds = db.select({ id: templates.id }).from(templates).where(eq(templates.channelId, channelId))
      db.delete(upstreamUpdates).where(inArray(upstreamUpdates.subject, templateIds)).run()
      db.delete(templates).where(eq(templates.channelId, channelId)).run()
      const noSecrets = { sealedAccessToken: '', sealedAppSecret: '', sealedVerifyToken: '' }
      db.update(channels)
        .set({ ...noSecrets, updatedAt: at, removedAt: at })
        .where(eq(channels.id, channelId))
        .run()
      return { outcome: 'removed', removed: channel }
    },
  } satisfies Partial<Verbs>
}
