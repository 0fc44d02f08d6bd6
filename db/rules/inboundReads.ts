import { and, asc, desc, eq, gt, gte, isNotNull, like, lt, lte, max, notLike, or, type SQL, sql } from 'drizzle-orm'
import { echoKind } from '../../src/message/kinds.ts'
import {
  type InboundMessage,
  type InboundQuery,
  type InboundReads,
  type Related,
  unrelated,
} from '../contract/inbound.ts'
import type { SearchedWord } from '../contract/queries.ts'
import { isNamedBy } from './contactReads.ts'
import { type Engine, first, prepared } from './engine.ts'
import { type FileRow, fileColumnsOf, fileReads } from './files.ts'
import { hasWords, isNamed, jsonPatternOf } from './meantBy.ts'
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

  const timesOf = prepared(() => {
    const [id, since, until] = ['contactId', 'since', 'until'].map(slot => sql.placeholder(slot))
    return db
      .select({ lineId, kind, at, recordedAt })
      .from(inboundMessages)
      .where(sql`${contactId} = ${id} AND ${at} > ${since} AND ${at} <= ${until}`)
      .orderBy(desc(at))
      .limit(sql.placeholder('limit'))
  })

  /** The one condition that leads: each has an index that goes on with the number. */
  function leading({ workspaceId: workspace, contactId: contact, lineId: line }: InboundQuery) {
    if (contact !== undefined) return eq(contactId, contact)
    return line === undefined ? eq(workspaceId, workspace) : eq(lineId, line)
  }

  async function messagesOf(workspaceId: string, rows: readonly InboundRow[]): Promise<readonly InboundMessage[]> {
    const related = await relatedTo(workspaceId, rows)
    return rows.map((row, at) => messageOf(row, related[at] ?? unrelated))
  }

  /** At least what `says` finds. */
  function saying(words: readonly SearchedWord[]): (SQL | undefined)[] {
    const says = words.map(word => sql`lower(${content}) LIKE ${jsonPatternOf(word.words)} ESCAPE '\\'`)
    if (words.length === 1) return says
    const hasDigits = ({ digits }: SearchedWord) => (digits === null ? undefined : like(phone, `%${digits}%`))
    return [or(...says), ...words.map((word, at) => or(says[at], ...isNamedBy(contacts, word), hasDigits(word)))]
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

    async searchInbound({ workspaceId: workspace, contactId: contact, words, cursor, limit, scan }) {
      const isOf = contact === undefined ? eq(workspaceId, workspace) : eq(contactId, contact)
      const step = and(isOf, cursor === undefined ? isNotNull(seq) : lt(seq, cursor))
      const looked = db.select({ seq, at }).from(inboundMessages).where(step).orderBy(desc(seq))
      const end = await first(looked.limit(1).offset(scan - 1))
      // One lower bound alone: SQLite would take the first for the index.
      const isNext = and(step, end?.seq == null ? undefined : gte(seq, end.seq))
      const rough = await db
        .select({ seq, at, content, phone, name, username })
        .from(inboundMessages)
        .leftJoin(contacts, eq(contacts.id, contactId))
        .where(and(isNext, ...saying(words)))
        .orderBy(desc(seq))
        .limit(roughMax)
      const found = rough.filter(row => says(row, words))
      const page = found.slice(0, limit)
      const seqs = page.flatMap(row => row.seq ?? [])
      const isTheirs = and(eq(workspaceId, workspace), isAnyOf(seq, seqs))
      const rows = page.length === 0 ? [] : await selected().where(isTheirs).orderBy(desc(seq))
      const roughEnd = rough.length === roughMax ? rough.at(-1) : end
      const next = (found.length > limit ? page.at(-1) : roughEnd) ?? null
      const messages = await messagesOf(workspace, rows)
      return { messages, next: next && Number(next.seq), reachedAt: next && Number(next.at) }
    },

    async inboundMessage({ workspaceId: workspace, seq: number }) {
      const row = await first(selected().where(and(eq(workspaceId, workspace), eq(seq, number), isOfUser)))
      return row && ((await messagesOf(workspace, [row]))[0] ?? null)
    },

    inboundTimes: async ({ until = Number.MAX_SAFE_INTEGER, ...asked }) => await timesOf({ ...asked, until }),
  }
}

/** What the database finds at least is looked at here, so many messages at a time: some megabytes at most. */
const roughMax = 200

interface Written {
  readonly content: string
  readonly phone: string | null
  readonly name: string | null
  readonly username: string | null
}

/** Who wrote it may have some of the words, but not all. */
function says({ content, phone, ...person }: Written, words: readonly SearchedWord[]): boolean {
  const written = words.map(word => hasWords(content, JSON.stringify(word.words).slice(1, -1)))
  const isWho = (word: SearchedWord) => isNamed(person, word) || (word.digits !== null && phone?.includes(word.digits))
  return written.includes(true) && words.every((word, at) => written[at] || isWho(word))
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
