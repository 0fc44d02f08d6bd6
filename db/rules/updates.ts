import { and, asc, eq, or, sql } from 'drizzle-orm'
import { isSameLanguage } from '../../src/message/language.ts'
import type { StoreWrites } from '../store.ts'
import type { ToldUpdate } from '../updates.ts'
import { type Engine, first } from './engine.ts'

/** The verbs of the upstream's updates that concern no message: opt-outs, restrictions, quality. */
export function updateVerbs(engine: Engine) {
  const {
    db,
    tables: { channels, contacts, lines, templates, upstreamUpdates },
    conditions: { isChannelThere, isLineThere },
  } = engine
  const idOf = async (rows: PromiseLike<readonly { id: string }[]>) => (await first(rows))?.id ?? null

  /** @returns the id of what an update is about; null when it is unknown here */
  async function subjectOf(channelId: string, workspaceId: string, about: ToldUpdate['about']): Promise<string | null> {
    switch (about.of) {
      case 'account':
        return channelId
      case 'line': {
        const isLine = and(eq(lines.channelId, channelId), eq(lines.number, about.number), isLineThere)
        return idOf(db.select({ id: lines.id }).from(lines).where(isLine).orderBy(asc(lines.id)))
      }
      case 'template': {
        const named = and(eq(templates.channelId, channelId), eq(templates.name, about.name))
        const found = await db.select({ id: templates.id, language: templates.language }).from(templates).where(named)
        return found.find(({ language }) => isSameLanguage(language, about.language))?.id ?? null
      }
      case 'contact': {
        const { phone, userId } = about
        const isContact = or(
          phone === null ? undefined : eq(contacts.phone, phone),
          userId === null ? undefined : eq(contacts.userId, userId),
        )
        if (!isContact) return null
        const ours = and(eq(contacts.workspaceId, workspaceId), isContact)
        return idOf(db.select({ id: contacts.id }).from(contacts).where(ours).orderBy(asc(contacts.id)))
      }
    }
  }

  return {
    async keepUpdates({ channelId, updates, recordedAt }) {
      const proven = await first(db.select().from(channels).where(eq(channels.id, channelId)))
      if (!proven) return 0
      const { workspaceId } = proven
      // If the contact is merged meanwhile, its opt-out would be lost.
      if (updates.some(({ about }) => about.of === 'contact')) await engine.lockContacts([workspaceId])
      let kept = 0
      for (const { accountId, about, kind, at, detail } of updates) {
        const isAccount = and(eq(channels.workspaceId, workspaceId), eq(channels.accountId, accountId))
        const channel = await idOf(db.select({ id: channels.id }).from(channels).where(and(isAccount, isChannelThere)))
        const subject = channel === null ? null : await subjectOf(channel, workspaceId, about)
        if (subject === null) continue
        const row = { at, recordedAt, detail: JSON.stringify(detail) }
        await db
          .insert(upstreamUpdates)
          .values({ subject, kind, ...row })
          .onConflictDoUpdate({
            target: [upstreamUpdates.subject, upstreamUpdates.kind],
            set: row,
            // Callbacks come in any order: the upstream's latest update stays.
            setWhere: sql`${upstreamUpdates.at} <= ${at}`,
          })
        kept += 1
      }
      return kept
    },
  } satisfies Partial<StoreWrites>
}
