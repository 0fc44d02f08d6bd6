import type { StoredKey } from '../accounts.ts'
import type { Channel, Line, Template } from '../records.ts'
import type { SendingKey, SendSettings, StoreReads } from '../store.ts'
import { coalesced } from './coalesce.ts'
import { type Connection, jsonRows } from './open.ts'
import { authenticationColumns, channelColumns, lineColumns, listOf, templateColumns } from './rows.ts'

type KeyRow = Omit<StoredKey, 'allowedNetworks'> & { readonly allowedNetworks: string | null }

/**
 * The settings that decide on every send. Read in each turn, so that a revocation takes effect at once on every
 * instance.
 */
export type SendReads = Pick<
  StoreReads,
  'key' | 'sendingKey' | 'plan' | 'channel' | 'line' | 'lines' | 'templatesNamed'
>

interface Plan {
  readonly limit: number | null
  readonly used: number
}

const monthKey = ({ workspaceId, month }: { workspaceId: string; month: string }) => `${workspaceId} ${month}`

type SendingQuery = Parameters<StoreReads['sendingKey']>[0]
const keyAndMonth = ({ keyId, month }: SendingQuery) => `${month} ${keyId}`

/** The keys of sends, with the settings that decide on them as JSON. */
const selectSendingKeys = `SELECT ${listOf(authenticationColumns)}, json_build_object(
    'month', asked.month,
    'plan', (SELECT json_build_object('limit', monthly_message_limit, 'used', coalesce(used, 0))
      FROM workspaces LEFT JOIN plan_usage ON plan_usage.workspace_id = workspaces.id AND plan_usage.month = asked.month
      WHERE workspaces.id = api_keys.workspace_id),
    'lines', (SELECT coalesce(json_agg(line), '[]')
      FROM (SELECT ${listOf(lineColumns)} FROM lines
            WHERE workspace_id = api_keys.workspace_id AND removed_at IS NULL ORDER BY id) AS line),
    'channels', (SELECT coalesce(json_agg(channel), '[]')
      FROM (SELECT ${listOf(channelColumns)} FROM channels
            WHERE workspace_id = api_keys.workspace_id AND removed_at IS NULL) AS channel))::text AS settings
  FROM json_to_recordset($1::text::json) AS asked ("keyId" text, month text)
  JOIN api_keys ON api_keys.id = asked."keyId"`

const toKey = (row: KeyRow): StoredKey => ({
  ...row,
  allowedNetworks: row.allowedNetworks === null ? null : JSON.parse(row.allowedNetworks),
})

const byId = <Row extends { readonly id: string }>(rows: readonly Row[]) => new Map(rows.map(row => [row.id, row]))

export function sendReads({ query }: Connection): SendReads {
  const key = coalesced<string, StoredKey>(
    id => id,
    async ids => {
      const select = `SELECT ${listOf(authenticationColumns)} FROM api_keys WHERE id = ANY($1::text[])`
      return byId((await query<KeyRow>(select, [ids])).map(toKey))
    },
  )
  const plan = coalesced<{ workspaceId: string; month: string }, Plan>(monthKey, async queries => {
    const rows = await query<Plan & { workspaceId: string; month: string }>(
      `SELECT workspaces.id AS "workspaceId", asked.month, monthly_message_limit::float8 AS "limit",
           coalesce(used, 0)::float8 AS used
         FROM json_to_recordset($1::text::json) AS asked ("workspaceId" text, month text)
         JOIN workspaces ON workspaces.id = asked."workspaceId"
         LEFT JOIN plan_usage ON plan_usage.workspace_id = workspaces.id AND plan_usage.month = asked.month`,
      [jsonRows(queries)],
    )
    return new Map(rows.map(({ limit, used, ...month }) => [monthKey(month), { limit, used }]))
  })
  const sendingKey = coalesced<SendingQuery, SendingKey>(keyAndMonth, async queries => {
    const rows = await query<KeyRow & { settings: string }>(selectSendingKeys, [jsonRows(queries)])
    return new Map(
      rows.map(({ settings: json, ...row }) => {
        const settings: SendSettings = JSON.parse(json)
        return [keyAndMonth({ keyId: row.id, month: settings.month }), { ...toKey(row), settings }]
      }),
    )
  })
  const channel = coalesced<string, Channel>(
    id => id,
    async ids =>
      byId(
        await query<Channel>(
          `SELECT ${listOf(channelColumns)} FROM channels WHERE id = ANY($1::text[]) AND removed_at IS NULL`,
          [ids],
        ),
      ),
  )
  const line = coalesced<string, Line>(
    id => id,
    async ids =>
      byId(
        await query<Line>(
          `SELECT ${listOf(lineColumns)} FROM lines WHERE id = ANY($1::text[]) AND removed_at IS NULL`,
          [ids],
        ),
      ),
  )
  const lines = coalesced<string, readonly Line[]>(
    workspaceId => workspaceId,
    async workspaceIds => {
      const rows = await query<Line>(
        `SELECT ${listOf(lineColumns)} FROM lines WHERE workspace_id = ANY($1::text[]) AND removed_at IS NULL ORDER BY id`,
        [workspaceIds],
      )
      return Map.groupBy(rows, row => row.workspaceId)
    },
  )
  const named = coalesced<{ channelId: string; name: string }, readonly Template[]>(
    ({ channelId, name }) => `${channelId} ${name}`,
    async queries => {
      const rows = await query<Template>(
        `SELECT ${listOf(templateColumns)}
         FROM json_to_recordset($1::text::json) AS asked ("channelId" text, name text)
         JOIN templates ON templates.channel_id = asked."channelId" AND templates.name = asked.name
         ORDER BY language`,
        [jsonRows(queries)],
      )
      return Map.groupBy(rows, ({ channelId, name }) => `${channelId} ${name}`)
    },
  )

  return {
    key: async id => (await key(id)) ?? null,
    sendingKey: async asked => (await sendingKey(asked)) ?? null,
    plan: async month => (await plan(month)) ?? { limit: null, used: 0 },
    channel: async id => (await channel(id)) ?? null,
    line: async id => (await line(id)) ?? null,
    lines: async workspaceId => [...((await lines(workspaceId)) ?? [])],
    templatesNamed: async name => [...((await named(name)) ?? [])],
  }
}
