import type { Plan } from '../contract/accounts.ts'
import type { Template } from '../contract/records.ts'
import type { StoreReads, UsedKey } from '../contract/store.ts'
import { isPhone, wantsNone } from '../rules/contactReads.ts'
import { type SendReads, sendLookups } from '../rules/lookups.ts'
import { coalesced, findOn } from './coalesce.ts'
import { type Connection, jsonRows } from './open.ts'
import { columns, listOf } from './rows.ts'

type KeyQuery = Parameters<StoreReads['idempotencyKey']>[0]

/** A scope has no line break in it. A key may have any character, and ends the text. */
const scopedKey = ({ scope, at, key }: KeyQuery) => `${at}\n${scope}\n${key}`

type Address = Parameters<StoreReads['optedOut']>[0]
const addressKey = ({ workspaceId, address }: Address) => `${workspaceId} ${address}`
const addressed = (address: string) => ({ [isPhone(address) ? 'phone' : 'userId']: address })

type Spelt = Parameters<StoreReads['spelling']>[0]
type Spelling = NonNullable<Awaited<ReturnType<StoreReads['spelling']>>>
const spellingKey = ({ workspaceId, spelling }: Spelt) => `${workspaceId} ${spelling}`

const monthKey = ({ workspaceId, month }: { workspaceId: string; month: string }) => `${workspaceId} ${month}`

const { templateColumns } = columns

/*
 * The server takes a list in JSON for a hundred rows, and for so many it reads a table of some thousand rows as a
 * whole. LATERAL with OFFSET 0 keeps it at one look into the index for each that is asked.
 */

/** Those of one turn are one statement. Nothing is kept longer, but by `KeptSettings`. */
export function sendReads(connection: Connection): SendReads {
  const { query } = connection
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

  const spelt = coalesced<Spelt, Spelling>(spellingKey, async queries => {
    const rows = await query<Spelling & Spelt>(
      `SELECT asked."workspaceId", asked.spelling, known.number, known."recordedAt"
       FROM json_to_recordset($1::text::json) AS asked ("workspaceId" text, spelling text)
       CROSS JOIN LATERAL (
         SELECT current_number AS number, recorded_at::float8 AS "recordedAt" FROM number_spellings
         WHERE number_spellings.workspace_id = asked."workspaceId" AND number_spellings.number = asked.spelling
         OFFSET 0) AS known`,
      [jsonRows(queries)],
    )
    return new Map(rows.map(({ number, recordedAt, ...asked }) => [spellingKey(asked), { number, recordedAt }]))
  })

  return {
    ...sendLookups(findOn(connection), columns),
    plan: async month => (await plan(month)) ?? { limit: null, used: 0, onOptOut: 'send', quietHours: null },
    idempotencyKey: async query => (await idempotencyKey(query)) ?? null,
    optedOut: async address => (await optedOut(address)) ?? false,
    templatesNamed: async name => [...((await named(name)) ?? [])],
    spelling: async asked => (await spelt(asked)) ?? null,
  }
}
