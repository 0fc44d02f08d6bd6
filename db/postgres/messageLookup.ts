import type { Message, MessageStatusView } from '../records.ts'
import type { StoreReads } from '../store.ts'
import { coalesced } from './coalesce.ts'
import { type Connection, jsonRows } from './open.ts'
import { listOf, messageColumns, messageTables, statusViewColumns } from './rows.ts'

/** How callers find a message: by its id, as they poll it, and by their own key. */
export type MessageLookup = Pick<StoreReads, 'message' | 'statusView' | 'idempotencyKey'>

type KeyQuery = Parameters<StoreReads['idempotencyKey']>[0]

interface UsedKey {
  readonly fingerprint: string
  readonly messageId: string
}

/** A scope has no line break in it. A key may have any character, and ends the text. */
const keyOf = ({ scope, at, key }: KeyQuery) => `${at}\n${scope}\n${key}`

const byId = <Row extends { readonly id: string }>(rows: readonly Row[]) => new Map(rows.map(row => [row.id, row]))

export function messageLookup({ query }: Connection): MessageLookup {
  const message = coalesced<string, Message>(
    id => id,
    async ids =>
      byId(
        await query<Message>(
          `SELECT ${listOf(messageColumns)} FROM ${messageTables} WHERE messages.id = ANY($1::text[])`,
          [ids],
        ),
      ),
  )
  const statusView = coalesced<string, MessageStatusView>(
    id => id,
    async ids =>
      byId(
        await query<MessageStatusView>(`SELECT ${listOf(statusViewColumns)} FROM messages WHERE id = ANY($1::text[])`, [
          ids,
        ]),
      ),
  )
  const idempotencyKey = coalesced<KeyQuery, UsedKey>(keyOf, async queries => {
    const rows = await query<UsedKey & { asked: number }>(
      `SELECT asked.number AS asked, encode(fingerprint, 'hex') AS fingerprint, messages.id AS "messageId"
       FROM json_to_recordset($1::text::json) AS asked (number int, scope text, key text, at bigint)
       JOIN idempotency_keys ON idempotency_keys.scope = asked.scope AND idempotency_keys.key = asked.key
         AND expires_at > asked.at
       JOIN messages ON messages.seq = message_seq`,
      [jsonRows(queries.map((asked, number) => ({ number, ...asked })))],
    )
    return new Map(
      rows.flatMap(({ asked, ...used }) => (queries[asked] ? [[keyOf(queries[asked]), used] as const] : [])),
    )
  })

  return {
    message: async id => (await message(id)) ?? null,
    statusView: async id => (await statusView(id)) ?? null,
    idempotencyKey: async query => (await idempotencyKey(query)) ?? null,
  }
}
