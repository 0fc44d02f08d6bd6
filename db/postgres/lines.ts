import { and, eq } from 'drizzle-orm'
import { type Connection, first } from './open.ts'
import { isChannelThere, isLineThere, lineColumns } from './rows.ts'
import { channels, lines } from './schema/tables.ts'
import type { Verbs } from './verbs.ts'

/** The verbs of the numbers that a workspace sends from. */
export function lineVerbs({ db }: Connection) {
  const findLine = (id: string) =>
    first(
      db
        .select(lineColumns)
        .from(lines)
        .where(and(eq(lines.id, id), isLineThere)),
    )

  async function change(id: string, set: Partial<typeof lines.$inferInsert>) {
    const [line] = await db.update(lines).set(set).where(eq(lines.id, id)).returning(lineColumns)
    if (!line) throw new Error('the line was found in the same transaction')
    return line
  }

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

    async changeLine({ lineId, ...changed }) {
      const before = await findLine(lineId)
      if (!before) return null
      const { active = before.active } = changed
      const line = await change(lineId, { ...changed, isDefault: before.isDefault && active })
      return { line, wasDefault: before.isDefault }
    },

    async setDefaultLine({ lineId, isDefault }) {
      const before = await findLine(lineId)
      if (!before) return { outcome: 'unknownLine' }
      if (isDefault && !before.active) return { outcome: 'inactive' }
      // First, because a workspace never has two defaults.
      const others = and(eq(lines.workspaceId, before.workspaceId), eq(lines.isDefault, true))
      if (isDefault) await db.update(lines).set({ isDefault: false }).where(others)
      return { outcome: 'changed', line: await change(lineId, { isDefault }) }
    },
  } satisfies Partial<Verbs>
}
