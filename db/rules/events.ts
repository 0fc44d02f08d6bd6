import {
  and,
  asc,
  count,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  max,
  ne,
  or,
  type Placeholder,
  type SQL,
  sql,
} from 'drizzle-orm'
import { statusOf } from '../../src/message/state.ts'
import { recordWith } from '../../src/message/told.ts'
import type { EventPage, EventReads, WorkspaceEvent } from '../contract/events.ts'
import { type InboundMessage, type Related, unrelated } from '../contract/inbound.ts'
import type { StoredView } from '../contract/records.ts'
import { type Engine, first, prepared } from './engine.ts'
import { type FileRow, fileColumnsOf } from './files.ts'
import { fitting } from './inboundReads.ts'
import { relations, shownBy } from './relations.ts'

/**
 * What a reader of few types, or of some lines, looks at in one step: some milliseconds. Reads of SQLite run on the
 * thread that sends.
 */
const lookedAtMax = 5_000

export function eventReads(engine: Engine): EventReads {
  const { db, tables, isAnyOf, listed } = engine
  const { storedViewColumns } = engine.columns
  const { relatedTo } = relations(engine)
  const { contacts, eventCounters, events, inboundFiles, inboundMessages, lines, messages } = tables
  const { contactId, lineId, channelMessageId, kind, at, recordedAt, content, fileId } = inboundMessages
  // Each begins with a column that no row has null: a joined object is null when its first column is.
  const inboundColumns = { channelMessageId, contactId, lineId, kind, at, recordedAt, content }
  const { phone, userId, name, username } = contacts
  const contactColumns = { id: contacts.id, phone, userId, name, username }
  const file = fileColumnsOf(inboundFiles)
  // What was sent and what users sent may be pruned before their events are.
  const isSent = and(isNotNull(events.messageSeq), isNotNull(messages.seq))
  const isReceived = and(eq(events.type, 'message.received'), isNotNull(inboundMessages.seq))
  const isAboutAnother = and(isNull(events.messageSeq), ne(events.type, 'message.received'))

  function areOnLines(lineIds: Placeholder) {
    const seqs = db.select({ seq: lines.seq }).from(lines).where(isAnyOf(lines.id, lineIds))
    return or(inArray(messages.lineSeq, seqs), and(isNull(messages.seq), or(isNull(lineId), isAnyOf(lineId, lineIds))))
  }

  /** With what they show, ascending. */
  const shownEvents = (condition: SQL | undefined, limit: number | Placeholder) =>
    db
      .select({
        event: events,
        message: storedViewColumns,
        sentFrom: lines.id,
        inbound: inboundColumns,
        contact: contactColumns,
        file,
      })
      .from(events)
      .leftJoin(messages, eq(messages.seq, events.messageSeq))
      .leftJoin(lines, eq(lines.seq, messages.lineSeq))
      .leftJoin(
        inboundMessages,
        and(
          eq(events.type, 'message.received'),
          eq(inboundMessages.workspaceId, events.workspaceId),
          eq(inboundMessages.seq, events.seq),
        ),
      )
      .leftJoin(contacts, eq(contacts.id, contactId))
      .leftJoin(inboundFiles, eq(inboundFiles.id, fileId))
      .where(and(condition, or(isSent, isReceived, isAboutAnother)))
      .orderBy(asc(events.seq))
      .limit(limit)

  // Prepared: endpoints of webhooks read a page some twenty times a second.
  const isNext = and(eq(events.workspaceId, sql.placeholder('workspaceId')), gt(events.seq, sql.placeholder('after')))
  const look = prepared(() => {
    const step = sql.placeholder('step')
    const seqs = db.select({ seq: events.seq }).from(events).where(isNext).orderBy(asc(events.seq)).limit(step)
    const next = seqs.as('next')
    return db.select({ end: max(next.seq), count: count() }).from(next)
  })
  const pageOf = (isOfType?: SQL, isOnLine?: SQL) =>
    prepared(() =>
      shownEvents(and(isNext, lte(events.seq, sql.placeholder('end')), isOfType, isOnLine), sql.placeholder('limit')),
    )
  const isOfType = isAnyOf(events.type, sql.placeholder('types'))
  const isOnLine = areOnLines(sql.placeholder('lineIds'))
  const pages = {
    all: { all: pageOf(), some: pageOf(undefined, isOnLine) },
    some: { all: pageOf(isOfType), some: pageOf(isOfType, isOnLine) },
  }

  async function eventsOf(workspaceId: string, rows: readonly ShownRow[]): Promise<WorkspaceEvent[]> {
    const received = rows.flatMap(({ inbound }) => inbound ?? [])
    const related = received.length === 0 ? [] : await relatedTo(workspaceId, received)
    const relatedOf = new Map(received.map((inbound, at) => [inbound, related[at]]))
    return rows.map(row => eventOf(row, (row.inbound && relatedOf.get(row.inbound)) ?? unrelated))
  }

  return {
    async events({ workspaceId, after, types, lineIds, limit }): Promise<EventPage> {
      const step = types || lineIds ? lookedAtMax : limit
      const looked = await first(look({ workspaceId, after, step }))
      const end = looked?.end ?? null
      if (end === null) return { events: [], upTo: after, hasMore: false }
      const page = pages[types ? 'some' : 'all'][lineIds ? 'some' : 'all']
      const wanted = { types: listed(types ?? []), lineIds: listed(lineIds ?? []) }
      const rows = await page({ workspaceId, after, end, limit, ...wanted })
      const shown = fitting(rows, limit, ({ inbound }) => inbound?.content)
      const isFull = shown.length === limit || shown.length < rows.length
      const last = isFull ? shown.at(-1)?.event.seq : undefined
      const hasMore = last !== undefined || looked?.count === step
      return { events: await eventsOf(workspaceId, shown), upTo: last ?? end, hasMore }
    },

    async numberedEvents({ workspaceId, seqs }) {
      const areThey = and(eq(events.workspaceId, workspaceId), isAnyOf(events.seq, seqs))
      return eventsOf(workspaceId, await shownEvents(areThey, seqs.length))
    },

    async lastEvent(workspaceId) {
      const last = db
        .select({ seq: max(events.seq) })
        .from(events)
        .where(eq(events.workspaceId, workspaceId))
      return (await first(last))?.seq ?? 0
    },

    async lastNumber(workspaceId) {
      const counter = db.select().from(eventCounters).where(eq(eventCounters.workspaceId, workspaceId))
      return (await first(counter))?.last ?? 0
    },
  }
}

/** What is read of who wrote. */
type Whose = 'phone' | 'userId' | 'name' | 'username'

/** Of an event that is shown. */
interface ShownRow {
  readonly event: Pick<WorkspaceEvent, 'seq' | 'type' | 'at' | 'messageSeq' | 'sequence'> & {
    readonly known: number | null
    readonly data: string | null
  }
  readonly message: StoredView | null
  readonly sentFrom: string | null
  readonly inbound:
    | (Omit<InboundMessage, 'seq' | Whose | 'content' | 'file' | 'related'> & { readonly content: string })
    | null
  readonly contact: Pick<InboundMessage, Whose> | null
  readonly file: FileRow | null
}

function eventOf({ event, message, sentFrom, inbound, contact, file }: ShownRow, related: Related): WorkspaceEvent {
  const { seq, type, at, messageSeq, sequence, known, data } = event
  const { phone = null, userId = null, name = null, username = null } = contact ?? {}
  const { callback = null, ...shown } = data === null ? {} : JSON.parse(data)
  return {
    ...{ seq, type, at, messageSeq, sequence },
    message: message && { ...messageAt(message, known ?? 0, type), lineId: sentFrom ?? '' },
    inbound: inbound && {
      ...inbound,
      ...{ seq, phone, userId, name, username },
      ...shownBy(related, inbound.content, file),
    },
    data: data === null ? null : shown,
    callback,
  }
}

/** @returns the message as it was at an event */
function messageAt(present: StoredView, known: number, type: string): StoredView {
  const then = recordWith(present, known, type)
  return { ...then, status: statusOf(then) }
}
