import { and, asc, desc, eq, gt, lte, max, notLike, sql } from 'drizzle-orm'
import { echoKind } from '../../src/message/kinds.ts'
import {
  type InboundMessage,
  type InboundQuery,
  type InboundReads,
  type Related,
  unrelated,
} from '../contract/inbound.ts'
import { type Engine, first } from './engine.ts'
import { type FileRow, fileColumnsOf, fileReads } from './files.ts'
import { relations, shownBy } from './relations.ts'

/**
 * Of a page: it is parsed and written again on the thread that sends. A hundred usual messages have a few percent of
 * it.
 */
const contentCharsMax = 1_048_576

export function inboundReads(engine: Engine): InboundReads {
  const { db, isAnyOf, tables } = engine
  const { namedMessages, relatedTo } = relations(engine)
  const { contacts, inboundFiles, inboundMessages } = tables
  const { workspaceId, seq, contactId, lineId, channelMessageId, kind, at, recordedAt, content, fileId } =
    inboundMessages
  const shown = { seq, contactId, lineId, channelMessageId, kind, at, recordedAt, content }
  const { phone, userId, name, username } = contacts
  const isOfUser = notLike(kind, `${echoKind}%`)

  const file = fileColumnsOf(inboundFiles)

  /** With their contacts and files. */
  const selected = () =>
    db
      .select({ ...shown, phone, userId, name, username, file })
      .from(inboundMessages)
      .leftJoin(contacts, eq(contacts.id, contactId))
      .leftJoin(inboundFiles, eq(inboundFiles.id, fileId))

  /** The one condition that leads: each has an index that goes on with the number. */
  function leading({ workspaceId: workspace, contactId: contact, lineId: line }: InboundQuery) {
    if (contact !== undefined) return eq(contactId, contact)
    return line === undefined ? eq(workspaceId, workspace) : eq(lineId, line)
  }

  async function messagesOf(workspaceId: string, rows: readonly InboundRow[]): Promise<readonly InboundMessage[]> {
    const related = await relatedTo(workspaceId, rows)
    return rows.map((row, at) => messageOf(row, related[at] ?? unrelated))
  }

  return {
    ...fileReads(engine),
    namedMessages: ({ workspaceId, names }) => namedMessages(workspaceId, names),

    async inboundMessages({ lineIds, ...given }) {
      const [only] = lineIds?.length === 1 ? lineIds : []
      const query = { ...given, lineId: given.lineId ?? only }
      const isNext = and(leading(query), gt(seq, query.after))
      const looked = db
        .select({ seq })
        .from(inboundMessages)
        .where(isNext)
        .orderBy(asc(seq))
        .limit(query.scan)
        .as('looked')
      const end = await first(db.select({ seq: max(looked.seq) }).from(looked))
      if (!end || end.seq === null) return { messages: [], upTo: query.after }
      // Not by the index of the line when that of the contact leads.
      const line = sql`coalesce(${lineId}, '')`
      const isOnLine = query.lineId === undefined ? undefined : sql`${line} = ${query.lineId}`
      const isOnOneOf = lineIds === undefined ? undefined : isAnyOf(line, lineIds)
      const rows = await selected()
        .where(and(isNext, lte(seq, end.seq), isOnLine, isOnOneOf, isOfUser))
        .orderBy(asc(seq))
        .limit(query.limit + 1)
      const messages = await messagesOf(
        query.workspaceId,
        fitting(rows, query.limit, ({ content }) => content),
      )
      const last = rows.length > messages.length ? messages.at(-1)?.seq : undefined
      return { messages, upTo: last ?? end.seq }
    },

    async inboundMessage({ workspaceId: workspace, seq: number }) {
      const row = await first(selected().where(and(eq(workspaceId, workspace), eq(seq, number), isOfUser)))
      return row && ((await messagesOf(workspace, [row]))[0] ?? null)
    },

    inboundTimes: async ({ contactId: id, since, until, limit }) =>
      await db
        .select({ lineId, kind, at, recordedAt })
        .from(inboundMessages)
        .where(and(eq(contactId, id), gt(at, since), until === undefined ? undefined : lte(at, until)))
        .orderBy(desc(at))
        .limit(limit),
  }
}

/**
 * @param contentOf of a message of a user; undefined: the row is about none
 * @returns the first rows, as many as a page has room for
 */
export function fitting<Row>(
  rows: readonly Row[],
  limit: number,
  contentOf: (row: Row) => string | undefined,
): readonly Row[] {
  const page: Row[] = []
  let chars = 0
  for (const row of rows) {
    chars += contentOf(row)?.length ?? 0
    if (page.length === limit || (page.length > 0 && chars > contentCharsMax)) break
    page.push(row)
  }
  return page
}

/** Of a message with a number. */
type InboundRow = Omit<InboundMessage, 'seq' | 'content' | 'file' | 'related'> & {
  readonly seq: number | null
  readonly content: string
  readonly file: FileRow | null
}

const messageOf = (row: InboundRow, related: Related): InboundMessage => ({
  ...row,
  ...{ seq: row.seq ?? 0, ...shownBy(related, row.content, row.file) },
})
