import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Channel, Line } from '../records.ts'
import { apiKeys, planUsage, workspaces } from '../schema/accounts.ts'
import { channels, lines, templates } from '../schema/channels.ts'
import type { StoreReads } from '../store.ts'
import { direct, fieldsOf } from './direct.ts'
import type { Connection } from './open.ts'
import { channelColumns, isChannelThere, isLineThere, lineColumns, type PlanRow, planColumns } from './rows.ts'

const slot = sql.placeholder

/** As SQLite has it: a number where the line has true or false. */
type LineRow = Omit<Line, 'active' | 'isDefault'> & { readonly active: number; readonly isDefault: number }

type KeyRow = Omit<typeof apiKeys.$inferSelect, 'allowedNetworks'> & { readonly allowedNetworks: string | null }

const toLine = (row: LineRow): Line => ({ ...row, active: row.active === 1, isDefault: row.isDefault === 1 })

/** What every send is decided by. Small, the same for many requests, and changed hardly ever. */
export type SettingsReads = Pick<StoreReads, 'key' | 'plan' | 'channel' | 'line' | 'lines' | 'templatesNamed'>

/** Prepared once, as the other reads of the send path are. */
export function settingsReads({ client, db }: Connection): SettingsReads {
  const key = direct<KeyRow>(
    client,
    db
      .select(fieldsOf(getTableColumns(apiKeys)))
      .from(apiKeys)
      .where(eq(apiKeys.id, slot('id'))),
  )
  const plan = direct<PlanRow>(
    client,
    db
      .select(fieldsOf(planColumns))
      .from(workspaces)
      .leftJoin(planUsage, and(eq(planUsage.workspaceId, workspaces.id), eq(planUsage.month, slot('month'))))
      .where(eq(workspaces.id, slot('workspaceId'))),
  )
  const channel = direct<Channel>(
    client,
    db
      .select(fieldsOf(channelColumns))
      .from(channels)
      .where(and(eq(channels.id, slot('id')), isChannelThere)),
  )
  const line = direct<LineRow>(
    client,
    db
      .select(fieldsOf(lineColumns))
      .from(lines)
      .where(and(eq(lines.id, slot('id')), isLineThere)),
  )
  const workspaceLines = direct<LineRow>(
    client,
    db
      .select(fieldsOf(lineColumns))
      .from(lines)
      .where(and(eq(lines.workspaceId, slot('workspaceId')), isLineThere))
      .orderBy(asc(lines.id)),
  )
  const named = direct<typeof templates.$inferSelect>(
    client,
    db
      .select(fieldsOf(getTableColumns(templates)))
      .from(templates)
      .where(and(eq(templates.channelId, slot('channelId')), eq(templates.name, slot('name'))))
      .orderBy(asc(templates.language)),
  )

  return {
    async key(id) {
      const row = key.get({ id })
      return row
        ? { ...row, allowedNetworks: row.allowedNetworks === null ? null : JSON.parse(row.allowedNetworks) }
        : null
    },

    async plan({ workspaceId, month }) {
      const row = plan.get({ workspaceId, month })
      return { limit: row?.limit ?? null, used: row?.used ?? 0 }
    },

    channel: async id => channel.get({ id }) ?? null,

    async line(id) {
      const row = line.get({ id })
      return row ? toLine(row) : null
    },

    lines: async workspaceId => workspaceLines.all({ workspaceId }).map(toLine),

    templatesNamed: async ({ channelId, name }) => named.all({ channelId, name }),
  }
}
