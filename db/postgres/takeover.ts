import { OutcomeUnknown } from '../../src/base/unavailable.ts'
import { mayLeave } from '../../src/message/statuses.ts'
import type { Message, Resumable } from '../contract/records.ts'
import type { StoreWrites } from '../contract/store.ts'
import { statusText } from '../schema/statuses.ts'
import type { Instance } from './instances.ts'
import { load } from './moves.ts'
import type { Connection, Pool } from './open.ts'
import type { Orphans } from './orphans.ts'
import { listOf, messageColumns, messageTables } from './rows.ts'
import { tables } from './schema/tables.ts'

export interface TakeoverParts {
  readonly pool: Pool
  readonly instance: Instance
  readonly orphans: Orphans
  /** As in Moves. */
  readonly keepsContents: boolean
}

/** Messages that become UNKNOWN in one transaction: it must not hold back the writes of others for long. */
const interruptedMax = 500

/** The condition of the partial index `messages_owner`. */
const isToLeave = statusText(mayLeave)

/**
 * Instances that are gone and have left messages, with one index lookup for each: however many messages are queued.
 * Also null: messages that were moved here from another database have no instance.
 */
const goneOwners = `WITH RECURSIVE owners AS (
    (SELECT instance_seq FROM messages WHERE ${isToLeave} ORDER BY instance_seq LIMIT 1)
    UNION ALL
    SELECT (
      SELECT instance_seq FROM messages WHERE ${isToLeave} AND instance_seq > owners.instance_seq
      ORDER BY instance_seq LIMIT 1)
    FROM owners WHERE owners.instance_seq IS NOT NULL
  )
  SELECT instance_seq::float8 AS seq FROM owners
  WHERE instance_seq IS NOT NULL AND NOT EXISTS (SELECT 1 FROM instances WHERE instances.seq = instance_seq)`

const isLeft = `${isToLeave} AND (instance_seq = ANY($1::bigint[]) OR instance_seq IS NULL)`

const selectResumable = `SELECT ${listOf({ ...messageColumns, payload: tables.messageContents.payload })}
  FROM ${messageTables} JOIN message_contents ON message_contents.message_seq = messages.seq
  WHERE messages.id = ANY($1::text[]) ORDER BY messages.id`

/** A message of this instance that nothing in this process has. */
interface Orphan {
  readonly id: string
  readonly isWaiting: boolean
}

/**
 * Takes over from instances that are gone. Any number of instances may do it at once: each message goes to one of them.
 * The numbers of instances are never reused, so an owner that is gone stays gone.
 */
export function takeoverVerbs(parts: TakeoverParts): Pick<StoreWrites, 'claimWaiting' | 'markInterrupted'> {
  const { pool, instance, orphans, keepsContents } = parts

  return {
    async claimWaiting({ after, limit }) {
      await instance.buryOthers()
      const orphaned = await orphans.stored(pool, instance)
      let claimed: readonly string[] = []
      try {
        const resumable = await instance.fenced(async (connection, own) => {
          const mine = await ownOrphans(connection, orphaned, own)
          const waiting = mine.filter(({ isWaiting }) => isWaiting).map(({ id }) => id)
          claimed = await claim(connection, { own, after: after?.id ?? '', limit })
          // Others have taken over the rest, or it has its end.
          const open = new Set(mine.map(({ id }) => id))
          orphans.remove(orphaned.filter(id => !open.has(id)))
          return [...(await resumables(connection, waiting)), ...(await resumables(connection, claimed))]
        })
        orphans.remove(resumable.map(({ message }) => message.id))
        return resumable
      } catch (error) {
        if (error instanceof OutcomeUnknown) orphans.add(claimed)
        throw error
      }
    },

    async markInterrupted({ at }) {
      await instance.buryOthers()
      const orphaned = await orphans.stored(pool, instance)
      let count = 0
      for (;;) {
        const marked = await instance.fenced(async (connection, own) => {
          const mine = await ownOrphans(connection, count === 0 ? orphaned : [], own)
          const interrupted = await interruptedIds(connection)
          const ids = [...new Set([...interrupted, ...mine.filter(({ isWaiting }) => !isWaiting).map(({ id }) => id)])]
          const moves = await load(connection, { ids, keepsContents })
          const moved = moves.moveEach(ids, { kind: 'lost', at }, at)
          await moves.write()
          return moved
        })
        orphans.remove(marked)
        count += marked.length
        if (marked.length < interruptedMax) return count
      }
    },
  }
}

/** Waits for transactions that claim them. */
async function ownOrphans({ query }: Connection, orphaned: readonly string[], own: number): Promise<readonly Orphan[]> {
  if (orphaned.length === 0) return []
  const found = await query<Orphan & { isOwn: boolean }>(
    `SELECT id, dispatched_at IS NULL AS "isWaiting", ${isToLeave} AND instance_seq = $2 AS "isOwn"
     FROM messages WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE`,
    [orphaned, own],
  )
  return found.filter(({ isOwn }) => isOwn)
}

const goneOf = async ({ query }: Connection) => (await query<{ seq: number }>(goneOwners)).map(({ seq }) => seq)

async function claim(
  connection: Connection,
  { own, after, limit }: { own: number; after: string; limit: number },
): Promise<readonly string[]> {
  // As an array the selection runs once. In a join, the server may run it again for each row, and select others each
  // time.
  const claimed = await connection.query<{ id: string }>(
    `UPDATE messages SET instance_seq = $2 WHERE seq = ANY(ARRAY(
       SELECT seq FROM messages WHERE ${isLeft} AND dispatched_at IS NULL AND id > $3
       ORDER BY id LIMIT $4 FOR UPDATE SKIP LOCKED))
     RETURNING id`,
    [await goneOf(connection), own, after, limit],
  )
  return claimed.map(({ id }) => id)
}

async function interruptedIds(connection: Connection): Promise<readonly string[]> {
  const interrupted = await connection.query<{ id: string }>(
    `SELECT id FROM messages WHERE ${isLeft} AND dispatched_at IS NOT NULL
     ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED`,
    [await goneOf(connection), interruptedMax],
  )
  return interrupted.map(({ id }) => id)
}

/** Oldest first. */
async function resumables({ query }: Connection, ids: readonly string[]): Promise<Resumable[]> {
  if (ids.length === 0) return []
  const rows = await query<Message & { payload: string }>(selectResumable, [ids])
  return rows.map(({ payload, ...message }) => ({ message, payload }))
}
