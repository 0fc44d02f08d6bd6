import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { EpochMs } from '../../src/base/clock.ts'
import type { StoreWrites } from '../contract/store.ts'
import { type Engine, first } from './engine.ts'
import { waitingIn } from './erasure.ts'

/**
 * The verbs that remove lines and channels. Their messages stay, and can be read as before. On PostgreSQL, an
 * acceptance locks the line that it names (`FOR KEY SHARE`): one that came first is counted here, and one that comes
 * later finds no line.
 */
export function removalVerbs(engine: Engine) {
  const { db, isAnyOf, lockContacts, locking, tables } = engine
  const { channels, contacts, lines, mediaUploads, messages, templates, upstreamUpdates } = tables
  const { channelColumns, lineColumns } = engine.columns
  const { isChannelThere, isLineThere } = engine.conditions

  const waitingOn = (workspaceId: string, lineIds: readonly string[]) => {
    const seqs = db.select({ seq: lines.seq }).from(lines).where(isAnyOf(lines.id, lineIds))
    return waitingIn(engine, workspaceId, inArray(messages.lineSeq, seqs))
  }

  async function lockedLinesOf(channelId: string): Promise<string[]> {
    const ofChannel = db.select({ id: lines.id }).from(lines).where(eq(lines.channelId, channelId))
    return (await locking(ofChannel.orderBy(asc(lines.id)))).map(({ id }) => id)
  }

  /** Nobody is blocked on a line that is not there. The lists are JSON without blanks. */
  async function unblockOn(workspaceId: string, lineIds: readonly string[]): Promise<void> {
    await lockContacts([workspaceId])
    const { blockedOn } = contacts
    for (const id of lineIds) {
      const forms = [`"${id}",`, `,"${id}"`, `"${id}"`]
      const others = forms.reduce((list, form) => sql`replace(${list}, ${form}, '')`, sql`${blockedOn}`)
      const isBlocked = sql`blocked_on <> '[]' AND ${blockedOn} LIKE ${`%"${id}"%`}`
      await db
        .update(contacts)
        .set({ blockedOn: others })
        .where(and(eq(contacts.workspaceId, workspaceId), isBlocked))
    }
  }

  async function takeAway(workspaceId: string, lineIds: readonly string[], at: EpochMs): Promise<void> {
    await unblockOn(workspaceId, lineIds)
    const there = and(isAnyOf(lines.id, lineIds), isLineThere)
    await db.update(lines).set({ active: false, isDefault: false, removedAt: at }).where(there)
    await db.delete(mediaUploads).where(isAnyOf(mediaUploads.lineId, lineIds))
  }

  return {
    async removeLine({ lineId, at }) {
      const isLine = and(eq(lines.id, lineId), isLineThere)
      const line = await first(locking(db.select(lineColumns).from(lines).where(isLine)))
      if (!line) return { outcome: 'unknown' }
      const waiting = await waitingOn(line.workspaceId, [lineId])
      if (waiting > 0) return { outcome: 'waiting', waiting }
      await takeAway(line.workspaceId, [lineId], at)
      return { outcome: 'removed', removed: line }
    },

    async disconnectChannel({ channelId, at }) {
      const isChannel = and(eq(channels.id, channelId), isChannelThere)
      const channel = await first(locking(db.select(channelColumns).from(channels).where(isChannel)))
      if (!channel) return { outcome: 'unknown' }
      const lineIds = await lockedLinesOf(channelId)
      const waiting = await waitingOn(channel.workspaceId, lineIds)
      if (waiting > 0) return { outcome: 'waiting', waiting }
      await takeAway(channel.workspaceId, lineIds, at)
      const templateIds = db.select({ id: templates.id }).from(templates).where(eq(templates.channelId, channelId))
      await db.delete(upstreamUpdates).where(inArray(upstreamUpdates.subject, templateIds))
      await db.delete(templates).where(eq(templates.channelId, channelId))
      const noSecrets = { sealedAccessToken: '', sealedAppSecret: '', sealedVerifyToken: '' }
      const set = { ...noSecrets, updatedAt: at, removedAt: at }
      await db.update(channels).set(set).where(eq(channels.id, channelId))
      return { outcome: 'removed', removed: channel }
    },
  } satisfies Partial<StoreWrites>
}
