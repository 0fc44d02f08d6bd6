import { and, asc, eq, gte, sql } from 'drizzle-orm'
import { dayMs } from '../../src/base/durations.ts'
import { parseObject } from '../../src/base/json.ts'
import { changeKinds } from '../../src/message/kinds.ts'
import { changedBy, idsIn } from '../../src/message/naming.ts'
import { endsOf, namedBy, tokenOf } from '../../src/message/sameMessage.ts'
import type { InboundChange, KnownMessage, NamedId, Related } from '../contract/inbound.ts'
import { isChange } from '../schema/contacts.ts'
import { contactReads } from './contactReads.ts'
import { type Engine, first, prepared, selectedThrough } from './engine.ts'
import { type FileRow, shownFile } from './files.ts'

/** Messages that end as those that are named: each name has about one. */
const candidatesMax = 5_000
/** Changes and deletions that one page looks at: people make few. */
const changesMax = 1_000
/** How far a change may be dated before what it changes: by the clock that gave it a time. */
const earlyMs = dayMs

/** A message that may be named, of either side. */
type Candidate = KnownMessage & {
  readonly lineId: string | null
  readonly contactId: string | null
  /** Of a message that was sent: the addresses by which its contact is known. */
  readonly addresses: readonly string[]
  /** Of a message of a user, or of the business in the app. */
  readonly kind: string | null
}

/** What a message of a user is related by. */
interface Row {
  readonly kind: string
  readonly contactId: string | null
  readonly lineId: string | null
  readonly channelMessageId: string
  readonly at: number
  readonly content: string
}

/** How messages are related: what their ids name (docs/upstream.md#message-identifiers), and what became of them. */
export function relations(engine: Engine) {
  const { db, tables, conditions, isAnyOf, forEach, listed, through } = engine
  const { inboundMessages, lines, messages, workspaces } = tables

  const ends = sql.placeholder('ends')
  const endsSo = sql`channel_message_id IS NOT NULL AND ${conditions.endOfId} = asked.value`
  const sentEnding = prepared(() => {
    const { id, channelMessageId, contactId, recipient, waId, ownIdAt, workspaceId: workspace } = messages
    return (
      db
        .select(
          selectedThrough({ id, channelMessageId, lineId: lines.id, contactId, recipient, waId, ownIdAt, workspace }),
        )
        .from(forEach(ends, messages, endsSo))
        // A cross join keeps SQLite from going from the lines to messages.
        .crossJoin(lines)
        .where(eq(lines.seq, messages.lineSeq))
        .limit(candidatesMax)
    )
  })
  const receivedEnding = prepared(() => {
    const { channelMessageId, contactId, lineId, seq, kind, workspaceId: workspace } = inboundMessages
    return db
      .select(selectedThrough({ channelMessageId, contactId, lineId, seq, kind, workspace }))
      .from(forEach(ends, inboundMessages, endsSo))
      .limit(candidatesMax)
  })

  /** @returns the messages of either side whose ids end as one of these may */
  async function candidatesFor(workspaceId: string, names: readonly NamedId[]): Promise<Candidate[]> {
    const ends = listed([...new Set(names.flatMap(({ id }) => endsOf(id)))])
    const sent = (await sentEnding({ ends })).map(
      ({ id, channelMessageId, recipient, waId, ownIdAt, ...row }): Candidate & { workspace: string | null } => ({
        ...{ ...row, channelMessageId: channelMessageId ?? '', sent: { id, ownIdAt }, seq: null, kind: null },
        addresses: waId === null ? [recipient] : [recipient, `+${waId}`],
      }),
    )
    const received = (await receivedEnding({ ends })).map(row => ({ ...row, sent: null, addresses: [] }))
    // In SQL, a planner might take the index of all messages of the workspace.
    return [...sent, ...received].filter(({ workspace }) => workspace === workspaceId)
  }

  /** @returns what each id names: the message with exactly this id, else the one with its token; null: none is known */
  async function candidatesNamed(
    workspaceId: string,
    names: readonly NamedId[],
  ): Promise<readonly (Candidate | null)[]> {
    if (names.length === 0) return []
    const candidates = await candidatesFor(workspaceId, names)
    const byToken = Map.groupBy(candidates, ({ channelMessageId: id }) => tokenOf(id) ?? id)
    const alike = names.map(({ id }) => byToken.get(tokenOf(id) ?? id) ?? [])
    const others = names.flatMap(({ id }, at) => alike[at]?.filter(found => found.channelMessageId !== id) ?? [])
    const addresses = [...new Set(others.flatMap(found => found.addresses))]
    const owners =
      addresses.length === 0 ? new Map() : await contactReads(engine).contactsAt({ workspaceId, addresses })
    return names.map(({ id, lineId, contactId }, at) => {
      const isNear = (found: Candidate) =>
        found.channelMessageId === id ||
        (found.lineId === lineId &&
          (contactId === undefined ||
            (contactId !== null &&
              (found.contactId === contactId ||
                found.addresses.some(address => owners.get(address)?.id === contactId)))))
      return namedBy(id, alike[at]?.filter(isNear) ?? []) ?? null
    })
  }

  const namedMessages = async (workspaceId: string, names: readonly NamedId[]) =>
    (await candidatesNamed(workspaceId, names)).map(found => found && knownOf(found))

  async function hidesDeleted(workspaceId: string): Promise<boolean> {
    const { id, deletedMessages } = workspaces
    const found = await first(db.select({ deletedMessages }).from(workspaces).where(eq(id, workspaceId)))
    return found?.deletedMessages === 'hide'
  }

  /** The changes and deletions by these people, as far as they may be about these messages. */
  async function changesOf(rows: readonly Row[]) {
    const contactIds = [...new Set(rows.flatMap(({ contactId }) => contactId ?? []))]
    if (contactIds.length === 0) return []
    const { contactId, lineId, seq, kind, at, content } = inboundMessages
    const since = Math.min(...rows.map(row => row.at)) - earlyMs
    return await db
      .select(selectedThrough({ contactId, lineId, seq, kind, at, content }))
      .from(through(inboundMessages, 'inbound_messages_changes'))
      .where(and(isChange, isAnyOf(contactId, contactIds), gte(at, since)))
      .orderBy(asc(at), asc(seq))
      .limit(changesMax)
  }

  /** @param rows messages of users in one workspace. @returns what each is related to */
  async function relatedTo(workspaceId: string, rows: readonly Row[]): Promise<readonly Related[]> {
    const changes = await changesOf(rows)
    const all = [...rows, ...changes]
    const contents = all.map(({ content }) => parseObject(content) ?? {})
    const naming = all.map(({ lineId, contactId }, at) =>
      idsIn(contents[at] ?? {}).map(id => ({ id, lineId, contactId })),
    )
    const known = await candidatesNamed(workspaceId, naming.flat())
    let next = 0
    const named = naming.map(names => new Map(names.map(({ id }) => [id, known[next++] ?? null] as const)))
    const keyOf = ({ contactId, lineId }: Pick<Row, 'contactId' | 'lineId'>, id: string) =>
      `${contactId} ${lineId} ${id}`
    /** What a change is about, by one text of its id, also where nobody knows it here. */
    const originalOf = (at: number): string | null => {
      const original = changedBy(contents[at] ?? {})
      return original && (named[at]?.get(original)?.channelMessageId ?? tokenOf(original) ?? original)
    }
    // The last one counts.
    const [edited, deleted] = [new Map<string, InboundChange>(), new Map<string, InboundChange>()]
    for (const [at, change] of changes.entries()) {
      const content = contents[rows.length + at] ?? {}
      const original = originalOf(rows.length + at)
      if (original === null) continue
      const of = change.kind.endsWith('revoke') ? deleted : edited
      of.set(keyOf(change, original), { seq: Number(change.seq), at: change.at, content })
    }
    const hides = deleted.size > 0 && (await hidesDeleted(workspaceId))
    return rows.map((row, at) => {
      const key = keyOf(row, row.channelMessageId)
      const changed = named[at]?.get(changedBy(contents[at] ?? {}) ?? '') ?? null
      const isGone = (id: string | null) => id !== null && deleted.has(keyOf(row, id))
      const isHidden = hides && (isGone(row.channelMessageId) || (row.kind.endsWith('edit') && isGone(originalOf(at))))
      return {
        named: new Map([...(named[at] ?? [])].flatMap(([id, found]) => (found ? [[id, knownOf(found)] as const] : []))),
        edited: isHidden ? null : (edited.get(key) ?? null),
        deleted: deleted.get(key) ?? null,
        isTold: changed !== null && isMessageOf(row, changed),
        isHidden,
      }
    })
  }

  return { namedMessages, relatedTo }
}

const knownOf = ({ channelMessageId, sent, seq }: Candidate): KnownMessage => ({ channelMessageId, sent, seq })

/** A change of a change has no other place than its own, and what nobody wrote is told nowhere. */
const isMessageOf = ({ contactId, lineId }: Row, { kind, ...found }: Candidate) =>
  contactId !== null &&
  found.contactId === contactId &&
  found.lineId === lineId &&
  kind !== null &&
  !changeKinds.includes(kind)

/** @returns what is shown of a message by what it is related to */
export const shownBy = (related: Related, content: string, file: FileRow | null) =>
  related.isHidden
    ? { related, content: {}, file: null }
    : { related, content: JSON.parse(content), file: shownFile(file) }
