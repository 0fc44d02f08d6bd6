import type { EpochMs } from '../../src/base/clock.ts'
import type { Template } from '../contract/records.ts'
import { decoderOf, type Find, type SendReads, sendLookups } from '../rules/lookups.ts'
import type { Row } from '../schema/tables.ts'
import type { Connection } from './open.ts'
import { columns, listOf } from './rows.ts'

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

/** Prepared once, as the other reads of the send path are. */
export function sendReads(connection: Connection): SendReads {
  const { client } = connection
  const plan = client.query<PlanRow, [Month]>(selectPlan)
  const idempotencyKey = client.query<
    { fingerprint: string; messageId: string },
    [{ scope: string; key: string; at: EpochMs }]
  >(
    `SELECT lower(hex(fingerprint)) AS fingerprint, messages.id AS messageId
     FROM idempotency_keys JOIN messages ON messages.seq = message_seq
     WHERE scope = $scope AND key = $key AND expires_at > $at`,
  )
  const lookups = sendLookups(findOn(connection), columns)
  const named = client.query<Template, [{ channelId: string; name: string }]>(
    `SELECT ${listOf(columns.templateColumns)} FROM templates WHERE channel_id = $channelId AND name = $name
     ORDER BY language`,
  )

  return {
    ...lookups,

    // `KeptSettings` reads the other settings with it.
    async sendingKey({ keyId }) {
      const key = await lookups.key(keyId)
      return key && { ...key, settings: null }
    },

    async plan({ workspaceId, month }) {
      const row = plan.get({ workspaceId, month })
      return { limit: row?.limit ?? null, used: row?.used ?? 0 }
    },

    idempotencyKey: async query => idempotencyKey.get(query),

    templatesNamed: async ({ channelId, name }) => named.all({ channelId, name }),
  }
}

/** Without a LIMIT: its bound parameter would make SQLite plan the statement anew at each run. */
export const findOn =
  ({ client }: Connection): Find =>
  <Row extends object>({ columns, from, by, rest = '' }: Parameters<Find>[0]) => {
    const statement = client.query<Row, [{ value: string }]>(
      `SELECT ${listOf(columns)} FROM ${from} WHERE ${by} = $value ${rest}`,
    )
    const decode = decoderOf<Row>(columns)
    return async value => statement.all({ value }).map(decode)
  }
