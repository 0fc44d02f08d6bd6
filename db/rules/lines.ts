import { and, eq } from 'drizzle-orm'
import type { StoreWrites } from '../contract/store.ts'
import { changed, type Engine, first } from './engine.ts'

/** The verbs of the numbers that a workspace sends from. */
export function lineVerbs({
  db,
  asKept,
  tables: { channels, lines },
  columns: { lineColumns },
  conditions: { isChannelThere, isLineThere },
}: Engine) {
  const findLine = (id: string) =>
    first(
      db
        .select(lineColumns)
        .from(lines)
        .where(and(eq(lines.id, id), isLineThere)),
    )

  const change = (id: string, set: Partial<typeof lines.$inferInsert>) =>
    changed(db.update(lines).set(set).where(eq(lines.id, id)).returning(lineColumns))

  return {
    async addLine(line) {
      const isItsChannel = and(eq(channels.id, line.channelId), isChannelThere)
      const channel = await first(db.select().from(channels).where(isItsChannel))
      if (!channel) return { outcome: 'unknownChannel' }
      const added = await first(
        db
          .insert(lines)
          .values({ ...line, workspaceId: channel.workspaceId })
          .onConflictDoNothing()
          .returning(lineColumns),
      )
      return added ? { outcome: 'added', line: added } : { outcome: 'taken' }
    },

    async changeLine({ lineId, ...fields }) {
      const before = await findLine(lineId)
      if (!before) return null
      const { active = before.active } = fields
      const line = await change(lineId, { ...fields, isDefault: before.isDefault && active })
      return { line, wasDefault: before.isDefault }
    },

    async setDefaultLine({ lineId, isDefault }) {
      const before = await findLine(lineId)
      if (!before) return { outcome: 'unknownLine' }
      if (isDefault && !before.active) return { outcome: 'inactive' }
      // Done first, because a workspace never has two defaults.
      const others = and(eq(lines.workspaceId, before.workspaceId), eq(lines.isDefault, true))
      if (isDefault) await db.update(lines).set({ isDefault: false }).where(others)
      return { outcome: 'changed', line: await change(lineId, { isDefault }) }
    },

    async keepLines({ lines: told }) {
      for (const { id, quality, messagingLimit } of asKept(told))
        await db
          .update(lines)
          .set({ quality, messagingLimit })
          .where(and(eq(lines.id, id), isLineThere))
    },
  } satisfies Partial<StoreWrites>
}
