import type { Plan, StoredKey } from '../contract/accounts.ts'
import type { Template } from '../contract/records.ts'
import type { SendingKey, SendSettings, StoreReads, UsedKey } from '../contract/store.ts'
import { isPhone, wantsNone } from '../rules/contactReads.ts'
import { decoderOf, type SendReads, sendLookups } from '../rules/lookups.ts'
import { coalesced, findOn } from './coalesce.ts'
import { type Connection, jsonRows } from './open.ts'
import { columns, listOf } from './rows.ts'

type KeyQuery = Parameters<StoreReads['idempotencyKey']>[0]

/** A scope has no line break in it. A key may have any character, and ends the text. */
const scopedKey = ({ scope, at, key }: KeyQuery) => `${at}\n${scope}\n${key}`

type Address = Parameters<StoreReads['optedOut']>[0]
const addressKey = ({ workspaceId, address }: Address) => `${workspaceId} ${address}`
const addressed = (address: string) => ({ [isPhone(address) ? 'phone' : 'userId']: address })

const monthKey = ({ workspaceId, month }: { workspaceId: string; month: string }) => `${workspaceId} ${month}`

type SendingQuery = Omit<Parameters<StoreReads['sendingKey']>[0], 'isAnew'>
const keyAndMonth = ({ keyId, month }: SendingQuery) => `${month} ${keyId}`

const { authenticationColumns, channelColumns, lineColumns, templateColumns } = columns

/** Keys of sends, and as JSON what else decides on these. */
const selectSendingKeys = `SELECT ${listOf(authenticationColumns)}, json_build_object(
    'month', asked.month,
    'plan', (SELECT json_build_object('limit', monthly_message_limit, 'used', coalesce(used, 0),
        'onOptOut', workspaces.on_opt_out, 'quietHours', workspaces.quiet_hours::json)
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

/*
 * The server takes a list in JSON for a hundred rows, and for so many it reads a table of some thousand rows as a
 * whole. LATERAL with OFFSET 0 keeps it at one look into the index for each that is asked.
 */

/** Read anew in each turn, so that a revocation counts at once on every instance. */
export function sendReads(connection: Connection): SendReads {
  const { query } = connection
  const toKey = decoderOf<StoredKey>(authenticationColumns)
  const idempotencyKey = coalesced<KeyQuery, UsedKey>(scopedKey, async queries => {
    const rows = await query<UsedKey & { asked: number }>(
      `SELECT asked.number AS asked, encode(fingerprint, 'hex') AS fingerprint, messages.id AS "messageId"
       FROM json_to_recordset($1::text::json) AS asked (number int, scope text, key text, at bigint)
       CROSS JOIN LATERAL (
         SELECT message_seq, fingerprint FROM idempotency_keys
         WHERE idempotency_keys.scope = asked.scope AND idempotency_keys.key = asked.key AND expires_at > asked.at
         OFFSET 0) AS known
       CROSS JOIN LATERAL (SELECT id FROM messages WHERE seq = message_seq OFFSET 0) AS messages`,
      [jsonRows(queries.map((asked, number) => ({ number, ...asked })))],
    )
    return new Map(
      rows.flatMap(({ asked, ...used }) => (queries[asked] ? [[scopedKey(queries[asked]), used] as const] : [])),
    )
  })
  const plan = coalesced<{ workspaceId: string; month: string }, Plan>(monthKey, async queries => {
    const rows = await query<Omit<Plan, 'quietHours'> & { hours: string | null; workspaceId: string; month: string }>(
      `SELECT workspaces.id AS "workspaceId", asked.month, monthly_message_limit::float8 AS "limit",
           coalesce(used, 0)::float8 AS used, on_opt_out AS "onOptOut", quiet_hours::text AS hours
         FROM json_to_recordset($1::text::json) AS asked ("workspaceId" text, month text)
         JOIN workspaces ON workspaces.id = asked."workspaceId"
         LEFT JOIN LATERAL (
           SELECT used FROM plan_usage
           WHERE plan_usage.workspace_id = asked."workspaceId" AND plan_usage.month = asked.month
           OFFSET 0) AS usage ON true`,
      [jsonRows(queries)],
    )
    return new Map(
      rows.map(({ limit, used, onOptOut, hours, ...month }) => {
        const quietHours = hours === null ? null : JSON.parse(hours)
        return [monthKey(month), { limit, used, onOptOut, quietHours }]
      }),
    )
  })
  const sendingKey = coalesced<SendingQuery, SendingKey>(keyAndMonth, async queries => {
    const rows = await query<StoredKey & { settings: string }>(selectSendingKeys, [jsonRows(queries)])
    return new Map(
      rows.map(({ settings: json, ...row }) => {
        const settings: SendSettings = JSON.parse(json)
        return [keyAndMonth({ keyId: row.id, month: settings.month }), { ...toKey(row), settings }]
      }),
    )
  })
  const optedOut = coalesced<Address, true>(addressKey, async queries => {
    const rows = await query<{ asked: number }>(
      `SELECT DISTINCT asked.number AS asked
       FROM json_to_recordset($1::text::json) AS asked (number int, "workspaceId" text, phone text, "userId" text)
       CROSS JOIN LATERAL (
         SELECT id FROM contacts WHERE contacts.workspace_id = asked."workspaceId" AND contacts.phone = asked.phone
         UNION ALL SELECT id FROM contacts
           WHERE contacts.workspace_id = asked."workspaceId" AND contacts.user_id = asked."userId"
         UNION ALL SELECT id FROM number_spellings JOIN contacts
           ON contacts.workspace_id = number_spellings.workspace_id AND contacts.phone = number_spellings.current_number
           WHERE number_spellings.workspace_id = asked."workspaceId" AND number_spellings.number = asked.phone
         OFFSET 0) AS known
       CROSS JOIN LATERAL (SELECT 1 FROM upstream_updates WHERE subject = known.id AND ${wantsNone} OFFSET 0) AS stops`,
      [jsonRows(queries.map(({ workspaceId, address }, number) => ({ number, workspaceId, ...addressed(address) })))],
    )
    return new Map(rows.flatMap(({ asked }) => (queries[asked] ? [[addressKey(queries[asked]), true] as const] : [])))
  })
  const named = coalesced<{ channelId: string; name: string }, readonly Template[]>(
    ({ channelId, name }) => `${channelId} ${name}`,
    async queries => {
      const rows = await query<Template>(
        `SELECT ${listOf(templateColumns)}
         FROM json_to_recordset($1::text::json) AS asked ("channelId" text, name text)
         CROSS JOIN LATERAL (
           SELECT * FROM templates WHERE templates.channel_id = asked."channelId" AND templates.name = asked.name
           OFFSET 0) AS templates
         ORDER BY language`,
        [jsonRows(queries)],
      )
      return Map.groupBy(rows, ({ channelId, name }) => `${channelId} ${name}`)
    },
  )

  return {
    ...sendLookups(findOn(connection), columns),
    sendingKey: async ({ keyId, month }) => (await sendingKey({ keyId, month })) ?? null,
    plan: async month => (await plan(month)) ?? { limit: null, used: 0, onOptOut: 'send', quietHours: null },
    idempotencyKey: async query => (await idempotencyKey(query)) ?? null,
    optedOut: async address => (await optedOut(address)) ?? false,
    templatesNamed: async name => [...((await named(name)) ?? [])],
  }
}
