import { and, eq, or, sql } from 'drizzle-orm'
import { isSameLanguage } from '../../src/message/language.ts'
import type { ToldUpdate } from '../updates.ts'
import type { Connection } from './open.ts'
import { isChannelThere, isLineThere } from './rows.ts'
import { channels, contacts, lines, templates, upstreamUpdates } from './schema.ts'
import type { Verbs } from './verbs.ts'

/** The verbs of what the upstream says beside any message: opt-outs, restrictions, quality. */
export function updateVerbs({ db }: Connection) {
  const first = (rows: readonly { id: string }[]) => rows[0]?.id ?? null

  /** @returns the id of what an update is about; null when it is unknown here */
  function subjectOf(channelId: string, workspaceId: string, about: ToldUpdate['about']): string | null {
    switch (about.of) {
      case 'account':
        return channelId
      case 'line': {
        const isLine = and(eq(lines.channelId, channelId), eq(lines.number, about.number), isLineThere)
        return first(db.select({ id: lines.id }).from(lines).where(isLine).limit(1).all())
      }
      case 'template': {
        const named = and(eq(templates.channelId, channelId), eq(templates.name, about.name))
        const found = db.select({ id: templates.id, language: templates.language }).from(templates).where(named).all()
        return first(found.filter(({ language }) => isSameLanguage(language, about.language)))
      }
      case 'contact': {
        const { phone, userId } = about
        const isContact = or(
          phone === null ? undefined : eq(contacts.phone, phone),
          userId === null ? undefined : eq(contacts.userId, userId),
        )
        if (!isContact) return null
        const ours = and(eq(contacts.workspaceId, workspaceId), isContact)
        return first(db.select({ id: contacts.id }).from(contacts).where(ours).limit(1).all())
      }
    }
  }

  return {
    keepUpdates({ channelId, updates, recordedAt }) {
      const proven = db.select().from(channels).where(eq(channels.id, channelId)).limit(1).get()
      if (!proven) return 0
      const { workspaceId } = proven
      let kept = 0
      for (const { accountId, about, kind, at, detail } of updates) {
        const isAccount = and(eq(channels.workspaceId, workspaceId), eq(channels.accountId, accountId), isChannelThere)
        const channel = db.select({ id: channels.id }).from(channels).where(isAccount).limit(1).get()
        const subject = channel ? subjectOf(channel.id, workspaceId, about) : null
        if (subject === null) continue
        const row = { at, recordedAt, detail: JSON.stringify(detail) }
        db.insert(upstreamUpdates)
          .values({ subject, kind, ...row })
          .onConflictDoUpdate({
            target: [upstreamUpdates.subject, upstreamUpdates.kind],
            set: row,
            // Callbacks come in any order: the last word of the upstream stays.
            setWhere: sql`${upstreamUpdates.at} <= ${at}`,
          })
          .run()
        kept += 1
      }
      return kept
    },
  } satisfies Partial<Verbs>
}
