import type { EpochMs } from '../../src/clock.ts'
import type { MessageDraft } from '../records.ts'
import { type Connection, jsonRows } from './open.ts'

/** A draft that has an idempotency key. */
export interface KeyedDraft {
  readonly seq: number
  readonly createdAt: EpochMs
  readonly idempotency: NonNullable<MessageDraft['idempotency']>
}

/** The message that has a key. */
export interface KeyOwner {
  readonly fingerprint: string
  readonly messageId: string
}

/**
 * Takes keys of callers. The unique key decides, over all instances: it waits for a transaction that takes the same key, and
 * then finds it taken. A key that has expired counts as absent.
 * @param drafts each with another key
 * @returns the numbers of the messages that have got theirs
 */
export async function takeKeys({ query }: Connection, drafts: readonly KeyedDraft[]): Promise<Set<number>> {
  if (drafts.length === 0) return new Set()
  const taken = await query<{ seq: number }>(
    `WITH asked AS (
       SELECT * FROM json_to_recordset($1::text::json)
         AS asked (seq bigint, scope text, key text, fingerprint text, "expiresAt" bigint, "createdAt" bigint)
     )
     INSERT INTO idempotency_keys AS known (message_seq, scope, key, fingerprint, expires_at)
     SELECT seq, scope, key, decode(fingerprint, 'hex'), "expiresAt" FROM asked
     ORDER BY scope COLLATE "C", key COLLATE "C"
     ON CONFLICT (scope, key) DO UPDATE
       SET message_seq = excluded.message_seq, fingerprint = excluded.fingerprint, expires_at = excluded.expires_at
       WHERE known.expires_at <= (SELECT "createdAt" FROM asked WHERE seq = excluded.message_seq)
     RETURNING message_seq::float8 AS seq`,
    [jsonRows(drafts.map(({ seq, createdAt, idempotency }) => ({ seq, createdAt, ...idempotency })))],
  )
  return new Set(taken.map(({ seq }) => seq))
}

/** @returns the messages that have the keys, by the number of the draft; without those whose key is free or has expired */
export async function keyOwners(
  { query }: Connection,
  drafts: readonly KeyedDraft[],
): Promise<ReadonlyMap<number, KeyOwner>> {
  if (drafts.length === 0) return new Map()
  const owners = await query<KeyOwner & { seq: number }>(
    `SELECT asked.seq::float8 AS seq, encode(fingerprint, 'hex') AS fingerprint, messages.id AS "messageId"
     FROM json_to_recordset($1::text::json) AS asked (seq bigint, scope text, key text, "createdAt" bigint)
     JOIN idempotency_keys AS known ON known.scope = asked.scope AND known.key = asked.key
     JOIN messages ON messages.seq = message_seq
     WHERE expires_at > "createdAt"`,
    [jsonRows(drafts.map(({ seq, createdAt, idempotency: { scope, key } }) => ({ seq, createdAt, scope, key })))],
  )
  return new Map(owners.map(({ seq, ...owner }) => [seq, owner]))
}

/** Gives back keys that were taken in this transaction. */
export async function releaseKeys({ query }: Connection, seqs: readonly number[]): Promise<void> {
  if (seqs.length > 0) await query('DELETE FROM idempotency_keys WHERE message_seq = ANY($1::bigint[])', [seqs])
}
