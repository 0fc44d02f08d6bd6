import { and, desc, eq, gte, lt, sql } from 'drizzle-orm'
import type { Message, MessageQuery } from '../records.ts'
import type { OpenStatus } from '../rules/conditions.ts'
import { conditionsOf } from '../rules/filters.ts'
import type { StoreReads } from '../store.ts'
import { newestMessages } from './messageSearch.ts'
import { type Connection, first } from './open.ts'
import { conditions, filters, hasOpenStatus, messagesWhere } from './rows.ts'
import { messages } from './schema/tables.ts'

/** How the operator finds messages. Each list goes along an index and ends at its limit. */
export function messageReads(connection: Connection): Pick<StoreReads, 'messages'> {
  const { db } = connection

  const place = (id: string) =>
    first(db.select({ seq: messages.seq, createdAt: messages.createdAt }).from(messages).where(eq(messages.id, id)))

  /** What is open lies in the order of the ids. It is rare, so that all of it may be sorted. */
  async function openOnes(
    { workspaceId, status, since, until, limit, ...filter }: Filter & { status: OpenStatus },
    cursor: Place | undefined,
  ): Promise<Message[]> {
    return await messagesWhere(
      db,
      and(
        hasOpenStatus(status),
        conditions.isOfWorkspace(workspaceId),
        ...conditionsOf(filters, filter),
        since === undefined ? undefined : gte(messages.createdAt, since),
        until === undefined ? undefined : lt(messages.createdAt, until),
        cursor && sql`(${messages.createdAt}, ${messages.seq}) < (${cursor.createdAt}, ${cursor.seq})`,
      ),
    )
      .orderBy(desc(messages.createdAt), desc(messages.seq))
      .limit(limit)
  }

  return {
    async messages({ after, ...filter }) {
      const cursor = after === undefined ? undefined : await place(after)
      if (cursor === null || filter.limit <= 0) return []
      const { status } = filter
      return status === 'QUEUED' || status === 'UNKNOWN'
        ? openOnes({ ...filter, status }, cursor)
        : newestMessages(connection, filter, cursor && `${cursor.createdAt}.${cursor.seq}`)
    },
  }
}

type Filter = Omit<MessageQuery, 'after'>
type Place = Pick<typeof messages.$inferSelect, 'createdAt' | 'seq'>
