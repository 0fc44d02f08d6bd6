import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { originalMark } from '../../src/message/naming.ts'
import { endChars } from '../../src/message/sameMessage.ts'
import { isUnsettled, type StatusQuestion } from '../../src/message/statuses.ts'
import { idCharsMax } from '../contract/updates.ts'
import type { Dialect } from '../schema/dialect.ts'
import { statusText } from '../schema/statuses.ts'
import type { Tables } from '../schema/tables.ts'

/** An id, and what stands before and behind it. */
const originalPartChars = originalMark.length + idCharsMax + 1

/** Conditions that each engine's planner needs in a form of its own. */
interface OwnConditions {
  /** The messages of a workspace among those that another condition finds: no index is to be used for it. */
  isNotElsewhere(workspaceId: string): SQL
  /** Those of the messages that are not settled of which it is so, through their index. */
  isOneUnsettled(question: StatusQuestion): SQL | undefined
}

/** Conditions that stand word for word as the indexes need them. */
export type Conditions = ReturnType<typeof conditionsOf>

export function conditionsOf(
  { channels, inboundMessages, lines, messages }: Tables,
  { endOf, positionOf, own: { unsettled } }: Pick<Dialect, 'endOf' | 'positionOf' | 'own'>,
  own: OwnConditions,
) {
  /** Through an index that has the end of the text: then the whole text is compared. */
  const endsAndIs = (column: typeof messages.channelMessageId | typeof messages.idempotencyKey, text: string) => {
    const name = sql.raw(column.name)
    return and(sql`${name} IS NOT NULL`, sql`${endOf(name, 16)} = ${endOf(text, 16)}`, sql`${column} = ${text}`)
  }
  return {
    ...own,
    /** Of a message of either side, as the indexes have it. */
    endOfId: endOf(sql.raw(messages.channelMessageId.name), endChars),
    /** Of a message of a user: the JSON of what it changes or deletes, from the id on (src/message/naming.ts). */
    originalPart: sql<string>`substr(${inboundMessages.content},
      ${positionOf(inboundMessages.content, originalMark)}, ${sql.raw(String(originalPartChars))})`,
    /** The messages of a workspace, through an index that has the end of its id. */
    isOfWorkspace: (workspaceId: string) =>
      and(eq(endOf(messages.workspaceId, 6), endOf(workspaceId, 6)), own.isNotElsewhere(workspaceId)),
    isChannelThere: isNull(channels.removedAt),
    isLineThere: isNull(lines.removedAt),
    /** The condition of the partial index: without it beside a status, SQLite reads every message. */
    isUnsettled: sql.raw(unsettled(statusText(isUnsettled))),
    /** The messages with an id of the upstream's. */
    isChannelMessage: (id: string) => endsAndIs(messages.channelMessageId, id),
    /** The messages with a key of a caller. */
    hasIdempotencyKey: (key: string) => endsAndIs(messages.idempotencyKey, key),
  }
}
