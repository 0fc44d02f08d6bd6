import { and, eq } from 'drizzle-orm'
import type { Connection } from './open.ts'
import { isChannelThere, isLineThere, lineColumns } from './rows.ts'
import { channels, lines } from './schema.ts'
import type { Verbs } from './verbs.ts'

/** The verbs of the numbers that a workspace sends from. */
export function lineVerbs({ db }: Connection) {
  const findLine = (id: string) =>
    db
      .select(lineColumns)
      .from(lines)
      .where(and(eq(lines.id, id), isLineThere))
      .limit(1)
      .get()

  return {
    addLine(line) {
      const isItsChannel = and(eq(channels.id, line.channelId), isChannelThere)
      const channel = db.select().from(channels).where(isItsChannel).limit(1).get()
      if (!channel) return { outcome: 'unknownChannel' }
      const added = db
        .insert(lines)
        .values({ ...line, workspaceId: channel.workspaceId })
        .onConflictDoNothing()
        .returning(lineColumns)
        .get()
      return added ? { outcome: 'added', line: added } : { outcome: 'taken' }
    },

    changeLine({ lineId, ...change }) {
      const before = findLine(lineId)
      if (!before) return null
      const { active = before.active } = change
      const line = db
        .update(lines)
        .set({ ...change, isDefault: before.isDefault && active })
        .where(eq(lines.id, lineId))
        .returning(lineColumns)
        .get()
      return { line, wasDefault: before.isDefault }
    },

    setDefaultLine({ lineId, isDefault }) {
      const before = findLine(lineId)
      if (!before) return { outcome: 'unknownLine' }
      if (isDefault && !before.active) return { outcome: 'inactive' }
      // First, because a workspace never has two defaults.
      const others = and(eq(lines.workspaceId, before.workspaceId), eq(lines.isDefault, true))
      if (isDefault) db.update(lines).set({ isDefault: false }).where(others).run()
      const line = db.update(lines).set({ isDefault }).where(eq(lines.id, lineId)).returning(lineColumns).get()
      return { outcome: 'changed', line }
    },
  } satisfies Partial<Verbs>
}
