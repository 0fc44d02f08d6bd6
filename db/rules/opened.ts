import { and, desc, eq, gt, notInArray, notLike, sql } from 'drizzle-orm'
import { aboutOthers, echoKind, groupKind } from '../../src/message/kinds.ts'
import type { OpenedSearch } from '../contract/queries.ts'
import type { Engine } from './engine.ts'

/** @returns when a message opened a window of one of the lines last; null: none did. In statements on `contacts` */
export function openedAt({ db, tables, isAnyOf }: Engine, { lineIds, since, scan }: OpenedSearch) {
  const { contacts, inboundMessages } = tables
  const { at, recordedAt, lineId, kind, contactId } = inboundMessages
  const few = db
    .select({ at, recordedAt, lineId, kind })
    .from(inboundMessages)
    .where(and(eq(contactId, contacts.id), gt(at, since)))
    .orderBy(desc(at))
    .limit(scan)
    .as('few')
  // As src/inbound/window.ts says it.
  const opens = and(
    isAnyOf(few.lineId, lineIds),
    notInArray(few.kind, [...aboutOthers]),
    ...[echoKind, `${groupKind} `].map(begin => notLike(few.kind, `${begin}%`)),
  )
  const earlier = sql`CASE WHEN ${few.at} < ${few.recordedAt} THEN ${few.at} ELSE ${few.recordedAt} END`
  return sql<number | null>`(SELECT max(${earlier}) FROM ${few} WHERE ${opens})`
}
