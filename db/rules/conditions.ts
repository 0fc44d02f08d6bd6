import { and, isNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Tables } from '../schema/tables.ts'

export type OpenStatus = 'QUEUED' | 'UNKNOWN'

/** Conditions for which each engine's planner needs words of its own. */
interface OwnConditions {
  /** The messages of a workspace, through an index that has the end of its id. */
  isOfWorkspace(workspaceId: string): SQL | undefined
  /** The same for messages that another condition finds: no index is to be used for it. */
  isNotElsewhere(workspaceId: string): SQL
  /** What has no end yet, through its index. */
  hasOpenStatus(status: OpenStatus): SQL | undefined
}

/** Conditions that stand word for word as the indexes need them. */
export type Conditions = ReturnType<typeof conditionsOf>

/** @param end the last characters of a text, as the indexes have them */
export function conditionsOf(
  { channels, lines, messages }: Tables,
  end: (text: SQLWrapper | string, chars: number) => SQL,
  own: OwnConditions,
) {
  /** Through an index that has the end of the text: then the whole text is compared. */
  const endsAndIs = (column: typeof messages.channelMessageId | typeof messages.idempotencyKey, text: string) => {
    const name = sql.raw(column.name)
    return and(sql`${name} IS NOT NULL`, sql`${end(name, 16)} = ${end(text, 16)}`, sql`${column} = ${text}`)
  }
  return {
    ...own,
    isChannelThere: isNull(channels.removedAt),
    isLineThere: isNull(lines.removedAt),
    /** The condition of the partial index: without it beside a status, SQLite reads every message. */
    isUnsettled: sql`status IN ('QUEUED', 'UNKNOWN')`,
    /** The messages with an id of the upstream's. */
    isChannelMessage: (id: string) => endsAndIs(messages.channelMessageId, id),
    /** The messages with a key of a caller. */
    hasIdempotencyKey: (key: string) => endsAndIs(messages.idempotencyKey, key),
  }
}
