import type { EpochMs } from '../../src/time/clock.ts'
import type { StoredKey } from '../accounts.ts'
import type { Channel, Line, Template } from '../records.ts'
import type { Row } from '../schema/tables.ts'
import type { StoreReads } from '../store.ts'
import type { Connection } from './open.ts'
import { authenticationColumns, channelColumns, lineColumns, listOf, templateColumns } from './rows.ts'

export type Month = Pick<Row<'planUsage'>, 'workspaceId' | 'month'>

/** A workspace's limit and what is counted against it in a month; `used` is null before the month's first message. */
export interface PlanRow {
  readonly limit: number | null
  readonly used: number | null
}
export const selectPlan = `
  SELECT workspaces.monthly_message_limit AS "limit", plan_usage.used AS used
  FROM workspaces LEFT JOIN plan_usage ON plan_usage.workspace_id = workspaces.id AND plan_usage.month = $month
  WHERE workspaces.id = $workspaceId`

/** As SQLite has it: a number where the line has true or false. */
type LineRow = Omit<Line, 'active' | 'isDefault'> & { readonly active: number; readonly isDefault: number }

type KeyRow = Omit<StoredKey, 'allowedNetworks'> & { readonly allowedNetworks: string | null }

const toLine = (row: LineRow): Line => ({ ...row, active: row.active === 1, isDefault: row.isDefault === 1 })

/** What every send is decided by. Small, the same for many requests, and changed hardly ever. */
export type SendReads = Pick<
  StoreReads,
  'key' | 'sendingKey' | 'plan' | 'idempotencyKey' | 'channel' | 'line' | 'lines' | 'templatesNamed'
>

/** Prepared once, as the other reads of the send path are. */
export function sendReads({ client }: Connection): SendReads {
  const key = client.query<KeyRow, [{ id: string }]>(
    `SELECT ${listOf(authenticationColumns)} FROM api_keys WHERE id = $id`,
  )
  const plan = client.query<PlanRow, [Month]>(selectPlan)
  const channel = client.query<Channel, [{ id: string }]>(
    `SELECT ${listOf(channelColumns)} FROM channels WHERE id = $id AND removed_at IS NULL`,
  )
  const idempotencyKey = client.query<
    { fingerprint: string; messageId: string },
    [{ scope: string; key: string; at: EpochMs }]
  >(
    `SELECT lower(hex(fingerprint)) AS fingerprint, messages.id AS messageId
     FROM idempotency_keys JOIN messages ON messages.seq = message_seq
     WHERE scope = $scope AND key = $key AND expires_at > $at`,
  )
  const line = client.query<LineRow, [{ id: string }]>(
    `SELECT ${listOf(lineColumns)} FROM lines WHERE id = $id AND removed_at IS NULL`,
  )
  const workspaceLines = client.query<LineRow, [{ workspaceId: string }]>(
    `SELECT ${listOf(lineColumns)} FROM lines WHERE workspace_id = $workspaceId AND removed_at IS NULL ORDER BY id`,
  )
  const named = client.query<Template, [{ channelId: string; name: string }]>(
    `SELECT ${listOf(templateColumns)} FROM templates WHERE channel_id = $channelId AND name = $name ORDER BY language`,
  )

  function keyOf(id: string) {
    const row = key.get({ id })
    return row
      ? { ...row, allowedNetworks: row.allowedNetworks === null ? null : JSON.parse(row.allowedNetworks) }
      : null
  }

  return {
    key: async id => keyOf(id),

    async sendingKey({ keyId }) {
      const key = keyOf(keyId)
      return key && { ...key, settings: null }
    },

    async plan({ workspaceId, month }) {
      const row = plan.get({ workspaceId, month })
      return { limit: row?.limit ?? null, used: row?.used ?? 0 }
    },

    idempotencyKey: async query => idempotencyKey.get(query),

    channel: async id => channel.get({ id }) ?? null,

    async line(id) {
      const row = line.get({ id })
      return row ? toLine(row) : null
    },

    lines: async workspaceId => workspaceLines.all({ workspaceId }).map(toLine),

    templatesNamed: async ({ channelId, name }) => named.all({ channelId, name }),
  }
}
