import type { Plan } from '../contract/accounts.ts'
import type { Template } from '../contract/records.ts'
import { isPhone, wantsNone } from '../rules/contactReads.ts'
import type { FoundKey, NamedKey } from '../rules/engine.ts'
import { decoderOf, type Find, type SendReads, sendLookups } from '../rules/lookups.ts'
import type { Row } from '../schema/tables.ts'
import type { Connection } from './open.ts'
import { columns, listOf } from './rows.ts'
import { uncountedInMonth } from './uncounted.ts'

type Spelt = Parameters<SendReads['spelling']>[0]
type Spelling = NonNullable<Awaited<ReturnType<SendReads['spelling']>>>

export type Month = Pick<Row<'planUsage'>, 'workspaceId' | 'month'>

/** A workspace's limit, and what counts against it in a month. */
export interface PlanRow extends Pick<Plan, 'onOptOut'> {
  /** Of the settings. */
  readonly generation: number
  /** JSON. */
  readonly quietHours: string | null
  readonly limit: number | null
  readonly used: number
}
export const selectPlan = `
  SELECT workspaces.monthly_message_limit AS "limit", coalesce(plan_usage.used, 0) + ${uncountedInMonth} AS used,
    workspaces.on_opt_out AS onOptOut, workspaces.quiet_hours AS quietHours,
    workspaces.settings_generation AS generation
  FROM workspaces LEFT JOIN plan_usage ON plan_usage.workspace_id = workspaces.id AND plan_usage.month = $month
  WHERE workspaces.id = $workspaceId`

/**
 * Only the newest message can have it, as an older row is dropped for it. Messages before the first row have none, so
 * what has long expired is not looked through, however often it was used.
 */
export const selectUsedKey = `
  SELECT seq AS messageSeq, messages.id AS messageId, lower(hex(fingerprint)) AS fingerprint, expires_at AS expiresAt
  FROM messages INDEXED BY messages_idempotency_key CROSS JOIN idempotency_keys ON message_seq = seq
  WHERE idempotency_key = $key AND substr(workspace_id, -6) = substr($workspaceId, -6)
    AND seq >= (SELECT min(message_seq) FROM idempotency_keys) AND scope = $scope
  ORDER BY seq DESC LIMIT 1`

/** Prepared once, as the other reads of the send path are. */
export function sendReads(connection: Connection): SendReads {
  const { client } = connection
  const plan = client.query<PlanRow, [Month]>(selectPlan)
  const usedKey = client.query<FoundKey, [NamedKey]>(selectUsedKey)
  const lookups = sendLookups(findOn(connection), columns)
  const isStopped = (whose: string) =>
    client.query<{ stops: number }, [{ workspaceId: string; address: string }]>(
      `SELECT count(*) AS stops FROM contacts CROSS JOIN upstream_updates ON subject = contacts.id
       WHERE contacts.workspace_id = $workspaceId AND ${whose} AND ${wantsNone}`,
    )
  const byUserId = isStopped('user_id = $address')
  const byPhone = isStopped(`phone IN ($address, (SELECT current_number FROM number_spellings
    WHERE number_spellings.workspace_id = $workspaceId AND number = $address))`)
  const spelt = client.query<Spelling, [Spelt]>(
    `SELECT current_number AS number, recorded_at AS recordedAt FROM number_spellings
     WHERE workspace_id = $workspaceId AND number = $spelling`,
  )
  const named = client.query<Template, [{ channelId: string; name: string }]>(
    `SELECT ${listOf(columns.templateColumns)} FROM templates WHERE channel_id = $channelId AND name = $name
     ORDER BY language`,
  )

  return {
    ...lookups,

    async plan({ workspaceId, month }) {
      const row = plan.get({ workspaceId, month })
      const { limit = null, used = 0, onOptOut = 'send', quietHours = null } = row ?? {}
      return { limit, used, onOptOut, quietHours: quietHours === null ? null : JSON.parse(quietHours) }
    },

    async idempotencyKey({ at, ...named }) {
      const used = usedKey.get(named)
      return used && used.expiresAt > at ? { fingerprint: used.fingerprint, messageId: used.messageId } : null
    },

    optedOut: async ({ workspaceId, address }) =>
      (isPhone(address) ? byPhone : byUserId).get({ workspaceId, address })?.stops !== 0,

    templatesNamed: async ({ channelId, name }) => named.all({ channelId, name }),

    spelling: async ({ workspaceId, spelling }) => spelt.get({ workspaceId, spelling }),
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
