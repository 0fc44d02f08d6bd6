import type { Channel, Line, Template } from '../records.ts'
import type { SendContext, SendQuery, StoreReads } from '../store.ts'
import { coalesced } from './coalesce.ts'
import { type Connection, jsonRows } from './open.ts'
import { authenticationColumns, channelColumns, lineColumns, listOf, templateColumns } from './rows.ts'
import type { apiKeys } from './schema/tables.ts'

type KeyRow = Omit<typeof apiKeys.$inferSelect, 'seq' | 'allowedNetworks'> & { readonly allowedNetworks: string | null }

/** What every send is decided by. Read anew in each turn, so that a revocation counts at once on every instance. */
export type SettingsReads = Pick<
  StoreReads,
  'key' | 'plan' | 'sendContext' | 'channel' | 'line' | 'lines' | 'templatesNamed'
>

interface Plan {
  readonly limit: number | null
  readonly used: number
}

/** Of a workspace that does not exist. */
const noContext: SendContext = { first: null, plan: { limit: null, used: 0 }, lines: [], channels: [] }

/** Of each workspace in its month, and who has each key. */
const selectContexts = `SELECT
    (SELECT json_agg(json_build_object(
       'workspaceId', asked."workspaceId", 'month', asked.month,
       'plan', json_build_object('limit', monthly_message_limit, 'used', coalesce(used, 0)),
       'lines', (SELECT coalesce(json_agg(line), '[]')
         FROM (SELECT ${listOf(lineColumns)} FROM lines
               WHERE workspace_id = asked."workspaceId" AND removed_at IS NULL ORDER BY id) AS line),
       'channels', (SELECT coalesce(json_agg(channel), '[]')
         FROM (SELECT ${listOf(channelColumns)} FROM channels
               WHERE workspace_id = asked."workspaceId" AND removed_at IS NULL) AS channel)))
     FROM json_to_recordset($1::text::json) AS asked ("workspaceId" text, month text)
     JOIN workspaces ON workspaces.id = asked."workspaceId"
     LEFT JOIN plan_usage ON plan_usage.workspace_id = workspaces.id AND plan_usage.month = asked.month)::text AS workspaces,
    (SELECT json_agg(json_build_object(
       'n', n, 'fingerprint', encode(fingerprint, 'hex'), 'messageId', messages.id))
     FROM json_to_recordset($2::text::json) AS asked (n int, scope text, key text, at bigint)
     JOIN idempotency_keys ON idempotency_keys.scope = asked.scope AND idempotency_keys.key = asked.key
       AND expires_at > asked.at
     JOIN messages ON messages.seq = message_seq)::text AS keys`

const monthKey = ({ workspaceId, month }: Pick<SendQuery, 'workspaceId' | 'month'>) => `${workspaceId} ${month}`
const contextKey = ({ idempotency, ...month }: SendQuery) => `${monthKey(month)} ${JSON.stringify(idempotency)}`

const byId = <Row extends { readonly id: string }>(rows: readonly Row[]) => new Map(rows.map(row => [row.id, row]))

export function settingsReads({ query }: Connection): SettingsReads {
  const key = coalesced<string, KeyRow>(
    id => id,
    async ids =>
      byId(
        await query<KeyRow>(`SELECT ${listOf(authenticationColumns)} FROM api_keys WHERE id = ANY($1::text[])`, [ids]),
      ),
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
  const sendContext = coalesced<SendQuery, SendContext>(contextKey, async queries => {
    const asked = queries.map(({ workspaceId, month, idempotency }, n) => ({ n, workspaceId, month, ...idempotency }))
    const workspaces = new Map(
      asked.map(({ workspaceId, month }) => [monthKey({ workspaceId, month }), { workspaceId, month }]),
    )
    const keys = asked.filter(({ key }) => key !== undefined)
    const [found] = await query<{ workspaces: string; keys: string }>(selectContexts, [
      jsonRows([...workspaces.values()]),
      jsonRows(keys),
    ])
    const ofWorkspaces: readonly (Omit<SendContext, 'first'> & { workspaceId: string; month: string })[] = JSON.parse(
      found?.workspaces ?? '[]',
    )
    const byWorkspace = new Map(ofWorkspaces.map(row => [monthKey(row), row]))
    const used: readonly (NonNullable<SendContext['first']> & { n: number })[] = JSON.parse(found?.keys ?? '[]')
    const firsts = new Map(used.map(({ n, ...first }) => [n, first]))
    return new Map(
      queries.map((asked, n) => {
        const { plan, lines, channels } = byWorkspace.get(monthKey(asked)) ?? noContext
        return [contextKey(asked), { first: firsts.get(n) ?? null, plan, lines, channels }]
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
    async key(id) {
      const row = await key(id)
      return row
        ? { ...row, allowedNetworks: row.allowedNetworks === null ? null : JSON.parse(row.allowedNetworks) }
        : null
    },
    plan: async month => (await plan(month)) ?? noContext.plan,
    sendContext: async asked => (await sendContext(asked)) ?? noContext,
    channel: async id => (await channel(id)) ?? null,
    line: async id => (await line(id)) ?? null,
    lines: async workspaceId => [...((await lines(workspaceId)) ?? [])],
    templatesNamed: async name => [...((await named(name)) ?? [])],
  }
}
