import { and, eq, sql } from 'drizzle-orm'
import type { EpochMs } from '../../src/base/clock.ts'
import { dayMs } from '../../src/base/durations.ts'
import { type JsonObject, parseObject, text } from '../../src/base/json.ts'
import { changeKinds, isDeletion } from '../../src/message/kinds.ts'
import { changedBy, idsIn } from '../../src/message/naming.ts'
import { endsOf, namedBy, tokenOf } from '../../src/message/sameMessage.ts'
import type { KnownMessage, NamedId, Related } from '../contract/inbound.ts'
import { contactReads } from './contactReads.ts'
import { type Engine, first, prepared, selectedThrough } from './engine.ts'
import { type FileRow, shownFile } from './files.ts'
import { type Change, deletedBy, inboundChanges, nameOf } from './inboundChanges.ts'

/** Messages that end as those that are named: each name has about one. */
const candidatesMax = 5_000
/** How far a change may be dated before what it changes: by the clock that gave it a time. */
const earlyMs = dayMs

/** A message that may be named, of either side. */
type Candidate = KnownMessage & {
  readonly lineId: string | null
  readonly contactId: string | null
  /** Of a message that was sent: the addresses by which its contact is known. */
  readonly addresses: readonly string[]
  /** Of a message of a user, or of the business in the app; null: it was sent by the gateway. */
  readonly kind: string | null
  readonly at: EpochMs | null
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
  const { db, tables, conditions, isAnyOf, forEach, listed } = engine
  const changesOf = inboundChanges(engine)
  const { contactsAt } = contactReads(engine)
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
    const { channelMessageId, contactId, lineId, seq, kind, at, workspaceId: workspace } = inboundMessages
    return db
      .select(selectedThrough({ channelMessageId, contactId, lineId, seq, kind, at, workspace }))
      .from(forEach(ends, inboundMessages, endsSo))
      .limit(candidatesMax)
  })

  /** @returns the messages of either side whose ids end as one of these may */
  async function candidatesFor(workspaceId: string, names: readonly NamedId[]): Promise<Candidate[]> {
    const ends = listed([...new Set(names.flatMap(({ id }) => endsOf(id)))])
    const sent = (await sentEnding({ ends })).map(
      ({ id, channelMessageId, recipient, waId, ownIdAt, ...row }): Candidate & { workspace: string | null } => ({
        ...{ ...row, channelMessageId: channelMessageId ?? '', sent: { id, ownIdAt }, seq: null, kind: null, at: null },
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
    const owners = addresses.length === 0 ? new Map() : await contactsAt({ workspaceId, addresses })
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

  /** @returns what was last done to each of these, by `keyOf` */
  async function doneTo(workspaceId: string, rows: readonly Row[], changes: readonly Change[]) {
    const names = new Set(rows.map(({ channelMessageId }) => nameOf(channelMessageId)))
    const about = changes.filter(({ original }) => original !== null && names.has(nameOf(original)))
    const originals = await candidatesNamed(
      workspaceId,
      about.map(({ original, lineId, contactId }) => ({ id: original ?? '', lineId, contactId })),
    )
    const [edited, deleted] = [new Map<string, Change>(), new Map<string, Change>()]
    for (const [at, change] of about.entries()) {
      const original = originals[at]
      const of = isDeletion(change.kind) ? deleted : edited
      if (original) of.set(keyOf(change, original.channelMessageId), change)
    }
    return { edited, deleted }
  }

  /** @returns the contents of changes, by their numbers */
  async function contentsOf(workspaceId: string, changes: readonly Change[]) {
    if (changes.length === 0) return new Map<number, JsonObject>()
    const { seq, content } = inboundMessages
    const areThey = isAnyOf(
      seq,
      changes.map(change => change.seq),
    )
    const rows = await db
      .select({ seq, content })
      .from(inboundMessages)
      .where(and(eq(inboundMessages.workspaceId, workspaceId), areThey))
    return new Map(rows.map(row => [Number(row.seq), parseObject(row.content) ?? {}] as const))
  }

  /** @param rows messages of users in one workspace. @returns what each is related to */
  async function relatedTo(workspaceId: string, rows: readonly Row[]): Promise<readonly Related[]> {
    const contents = rows.map(({ content }) => parseObject(content) ?? {})
    const naming = rows.map(({ lineId, contactId }, at) =>
      idsIn(contents[at] ?? {}).map(id => ({ id, lineId, contactId })),
    )
    const known = await candidatesNamed(workspaceId, naming.flat())
    let next = 0
    const asked = rows.map((row, at) => {
      const content = contents[at] ?? {}
      const named = new Map((naming[at] ?? []).map(({ id }) => [id, known[next++] ?? null] as const))
      const original = named.get(changedBy(content) ?? '') ?? null
      const { contactId } = row
      return { row, content, named, original, contactId, since: Math.min(row.at, original?.at ?? row.at) - earlyMs }
    })
    const changes = await changesOf(asked)
    const { edited, deleted } = await doneTo(workspaceId, rows, changes.all)
    const isDeleted = deletedBy(changes.all)
    const mayBeHidden = asked.map(of => !isDeletion(of.row.kind) && (isDeleted(of.row) || !changes.isWhole(of)))
    const hides = mayBeHidden.includes(true) && (await hidesDeleted(workspaceId))
    const editOf = (row: Row, at: number) =>
      (!(hides && mayBeHidden[at]) && edited.get(keyOf(row, row.channelMessageId))) || null
    const edits = await contentsOf(
      workspaceId,
      rows.flatMap((row, at) => editOf(row, at) ?? []),
    )
    return asked.map(({ row, content, named, original, ...of }, at) => {
      const edit = editOf(row, at)
      const deletion = deleted.get(keyOf(row, row.channelMessageId))
      return {
        named: new Map([...named].flatMap(([id, found]) => (found ? [[id, knownOf(found)] as const] : []))),
        edited: edit && { seq: edit.seq, at: edit.at, content: edits.get(edit.seq) ?? {} },
        deleted: deletion ? { seq: deletion.seq, at: deletion.at } : null,
        // What its message cannot show stands alone.
        isTold: original !== null && isMessageOf(row, original) && content.cut === undefined && changes.isWhole(of),
        isHidden: hides && mayBeHidden[at] === true,
      }
    })
  }

  return { namedMessages, relatedTo }
}

const keyOf = ({ contactId, lineId }: Pick<Row, 'contactId' | 'lineId'>, id: string) => `${contactId} ${lineId} ${id}`

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
    ? { related, content: groupIn(content), file: null }
    : { related, content: JSON.parse(content), file: shownFile(file) }

/** Where it was written is nothing that anybody said. */
function groupIn(content: string): JsonObject {
  const group = text(parseObject(content)?.group_id)
  return group === null ? {} : { group_id: group }
}
