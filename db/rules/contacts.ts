import { and, eq, getTableColumns, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { EpochMs } from '../../src/base/clock.ts'
import { digestOf } from '../../src/message/forgotten.ts'
import { formFileIds } from '../../src/message/formFiles.ts'
import { deletionKinds, isEcho } from '../../src/message/kinds.ts'
import type { OwnWords } from '../../src/message/optOut.ts'
import { eventAbout, type NewEvent } from '../contract/events.ts'
import type { NamedId } from '../contract/inbound.ts'
import type { Inbound, Line } from '../contract/records.ts'
import type { StoreWrites } from '../contract/store.ts'
import { hasWorkspace } from './accounts.ts'
import { type Engine, first, prepared } from './engine.ts'
import { identities } from './identities.ts'
import { optOuts } from './optOuts.ts'
import { relations } from './relations.ts'

/** A reply's time is in whole seconds: a reply in the second of the flow still answers it. */
const replyGranularityMs = 1_000

/** The verbs of contacts. They lock the contacts of their workspace, so they have to be READ COMMITTED. */
export const contactVerbs = (engine: Engine) =>
  ({
    async followIdentities({ channelId, changes, recordedAt }) {
      const { channels } = engine.tables
      const workspace = engine.db.select({ id: channels.workspaceId }).from(channels).where(eq(channels.id, channelId))
      const workspaceId = (await first(workspace))?.id
      if (workspaceId !== undefined) await engine.lockContacts([workspaceId])
      // Read again: the workspace may have been erased while this waited for its lock.
      if (workspaceId === undefined || !(await first(workspace))) {
        throw new Error('followIdentities: the channel does not exist')
      }
      const named = linesNamed(engine)
      const told: NewEvent[] = []
      for (const { at, from, identityChange, upstreamPhoneId } of engine.asKept(changes)) {
        if (upstreamPhoneId !== null && isForeign(await named({ id: upstreamPhoneId }), workspaceId)) continue
        const { newContactId: id, ...said } = from
        const person = { id, workspaceId, ...said, createdAt: recordedAt, updatedAt: recordedAt }
        if (identityChange) await identities(engine).follow(person, identityChange, at, told)
        else await identities(engine).recognise(person, at, told)
      }
      await engine.tell(told)
    },

    async keepSpelling(kept) {
      await engine.lockContacts([kept.workspaceId])
      if (!(await hasWorkspace(engine, kept.workspaceId))) return
      const told: NewEvent[] = []
      await identities(engine).spell(kept, told)
      await engine.tell(told)
    },

    async saveContact({ ifNew = false, ...contact }) {
      const { workspaceId, phone } = contact
      await engine.lockContacts([workspaceId])
      if (!(await hasWorkspace(engine, workspaceId))) return null
      const people = identities(engine)
      const known = ifNew ? (await people.holderOf(workspaceId, phone, null)).holder : null
      if (known) return known
      const told: NewEvent[] = []
      const saved = await people.save(contact, null, told, 'operator')
      await engine.tell(told)
      return saved
    },

    async renameContact({ workspaceId, contactId, name, at }) {
      await engine.lockContacts([workspaceId])
      const { columns, db, tables } = engine
      const named = db
        .select(columns.contactColumns)
        .from(tables.contacts)
        .where(isKnown(engine, workspaceId, contactId))
      const contact = await first(named)
      if (!contact) return null
      const told: NewEvent[] = []
      const renamed = await identities(engine).change(contact, { name, updatedAt: at }, told)
      await engine.tell(told)
      return renamed
    },

    async keepBlocked({ workspaceId, contactId, lineIds, isBlocked }) {
      const { db, isAnyOf, conditions } = engine
      const { contacts, lines } = engine.tables
      const { id, blockedOn, heardSeq, readSeq } = contacts
      await engine.lockContacts([workspaceId])
      const isThere = and(eq(lines.workspaceId, workspaceId), isAnyOf(lines.id, lineIds), conditions.isLineThere)
      const found = new Set((await db.select({ id: lines.id }).from(lines).where(isThere)).map(line => line.id))
      const there = lineIds.filter(line => found.has(line))
      // It may have been merged while the platform was asked.
      const contact = await first(
        db
          .select({ id, blockedOn })
          .from(contacts)
          .where(isKnown(engine, workspaceId, contactId)),
      )
      if (!contact) return false
      const others = contact.blockedOn.filter(line => !lineIds.includes(line))
      const next = isBlocked ? [...new Set([...contact.blockedOn, ...there])] : others
      if (next.length === contact.blockedOn.length) return false
      // Who blocks somebody has read enough: nothing of the person waits any more.
      const read = { readSeq: sql`CASE WHEN ${heardSeq} > ${readSeq} THEN ${heardSeq} ELSE ${readSeq} END` }
      await db
        .update(contacts)
        .set({ blockedOn: next, ...(isBlocked && read) })
        .where(eq(id, contact.id))
      return true
    },
  }) satisfies Partial<StoreWrites>

/** A contact of the workspace, or the one that it was merged into, which was not forgotten. */
function isKnown({ tables: { contacts } }: Pick<Engine, 'tables'>, workspaceId: string, contactId: string) {
  const current = sql`(SELECT coalesce(merged_into, id) FROM ${contacts} WHERE id = ${contactId})`
  const isReachable = or(isNotNull(contacts.phone), isNotNull(contacts.userId))
  return and(eq(contacts.workspaceId, workspaceId), eq(contacts.id, current), isReachable)
}

/** @returns a query for the lines with an upstream phone id */
const linesNamed = ({ db, tables: { lines }, conditions }: Pick<Engine, 'db' | 'tables' | 'conditions'>) =>
  prepared(() =>
    db
      .select({ id: lines.id, channelId: lines.channelId, workspaceId: lines.workspaceId })
      .from(lines)
      .where(and(eq(lines.upstreamPhoneId, sql.placeholder('id')), conditions.isLineThere)),
  )

/**
 * A line that belongs only to another workspace: its users are contacts of that workspace. Two workspaces may have
 * connected one account, whose callbacks go to one of them.
 */
const isForeign = (named: readonly NamedLine[], workspaceId: string) =>
  named.length > 0 && named.every(owner => owner.workspaceId !== workspaceId)

type Batch = Parameters<StoreWrites['recordInbound']>[0]

/**
 * Stores messages of users, and updates the contacts and flows that they concern, in a READ COMMITTED transaction. On
 * PostgreSQL the calls of a turn share it: with a transaction for each of them, the lock of a busy workspace would be
 * held for a sync of the disk each time. `writes.ts` of each engine makes the verb `recordInbound` of it.
 * @param keepsContents whether contents stay until they are pruned
 */
export function inbox(engine: Engine, keepsContents: boolean): (calls: readonly Batch[]) => Promise<void> {
  const { db, tables, lockContacts, asKept, tell } = engine
  const { channels, flowSessions, inboundFiles, inboundMessages, lines, messages, workspaces } = tables
  const people = identities(engine)
  const { namedMessages } = relations(engine)
  const { hear } = optOuts(engine)
  const id = sql.placeholder('id')

  const channel = prepared(() =>
    db
      .select({ workspaceId: channels.workspaceId, stopWords: workspaces.stopWords, startWords: workspaces.startWords })
      .from(channels)
      .innerJoin(workspaces, eq(workspaces.id, channels.workspaceId))
      .where(eq(channels.id, id)),
  )
  const namedLines = linesNamed(engine)
  const stored = prepared(() => {
    const { channelId, channelMessageId } = inboundMessages
    const isIt = sql`${channelMessageId} IN (${id}, ${sql.placeholder('digest')})`
    return db
      .select({ channelId })
      .from(inboundMessages)
      .where(and(eq(channelId, sql.placeholder('channelId')), isIt))
  })
  const put = prepared(() => {
    const slots = Object.keys(getTableColumns(inboundMessages)).map(field => [field, sql.placeholder(field)])
    return db.insert(inboundMessages).values(Object.fromEntries(slots)).returning({ at: inboundMessages.at })
  })

  /** @returns the workspaces of the channels, by the channel's id */
  async function homesOf(batches: readonly Batch[]): Promise<Map<string, Home>> {
    const homes = new Map<string, Home>()
    for (const { channelId } of batches) {
      const found = homes.has(channelId) ? null : await first(channel({ id: channelId }))
      if (found) homes.set(channelId, found)
    }
    return homes
  }

  /** Once for each phone id, because nearly all messages name one. @returns the lines with it, by the phone id */
  async function linesOf(batches: readonly Batch[]): Promise<Arrival['byPhoneId']> {
    const named = batches.flatMap(({ messages }) => messages.flatMap(({ upstreamPhoneId }) => upstreamPhoneId ?? []))
    const byPhoneId = new Map<string | null, readonly NamedLine[]>()
    for (const id of new Set(named)) byPhoneId.set(id, await namedLines({ id }))
    return byPhoneId
  }

  /** @returns the messages that are there already, in their own form or that of what was erased */
  async function knownAmong(batches: readonly Batch[]): Promise<Set<string>> {
    const all = batches.flatMap(({ channelId, messages }) => messages.map(message => ({ ...message, channelId })))
    const found = all.map(({ channelId, channelMessageId: id }) =>
      first(stored({ channelId, id, digest: digestOf(id) })),
    )
    const isKnown = await Promise.all(found)
    return new Set(all.filter((_, at) => isKnown[at]).map(ownName))
  }

  /** @param told gets the events of what changed */
  async function record(
    { channelId, workspaceId, recordedAt, byPhoneId, known, ...words }: Arrival,
    message: Inbound,
    told: NewEvent[],
  ): Promise<void> {
    const { channelMessageId, kind, at, from, identityChange, upstreamPhoneId, flowReply, content } = message
    const { newContactId: id, ...said } = from
    const { phone, userId } = said
    // A repeated callback must not restore older or erased data, or close a flow that was opened later.
    const name = ownName({ channelId, channelMessageId })
    if (known.has(name)) return
    known.add(name)
    const named = byPhoneId.get(upstreamPhoneId) ?? []
    const line = named.find(line => line.channelId === channelId)
    const isElsewhere = isForeign(named, workspaceId)
    const times = { createdAt: recordedAt, updatedAt: recordedAt }
    const person = { id, workspaceId, ...said, ...times }
    const isNobody = isElsewhere || (phone === null && userId === null)
    const contact = isNobody
      ? null
      : await (identityChange
          ? people.follow(person, identityChange, at, told)
          : people.save(person, at, told, 'message'))
    const formerPhone = identityChange?.formerPhone ?? null
    // Without the content nothing of the file is kept either.
    const keepsFiles = !isElsewhere && keepsContents
    const file = keepsFiles ? (message.file ?? null) : null
    const formFiles = keepsFiles ? (message.formFiles ?? []) : []
    const isNumberChange = identityChange !== null && phone !== formerPhone
    await put({
      channelId,
      channelMessageId,
      // It gets both with its event, which comes last.
      workspaceId: null,
      seq: null,
      contactId: contact?.id ?? null,
      lineId: line?.id ?? null,
      kind,
      at,
      recordedAt,
      phone: identityChange === null || isNumberChange ? phone : null,
      formerPhone: isNumberChange ? formerPhone : null,
      content: keepsContents ? content : '{}',
      fileId: file?.id ?? null,
    } satisfies typeof inboundMessages.$inferSelect)
    const files = file ? [file] : []
    if (formFiles.length > 0) {
      const ids = formFileIds(workspaceId, channelMessageId)
      files.push(...formFiles.flatMap((each, place) => (ids[place] === undefined ? [] : { ...each, id: ids[place] })))
    }
    const due = { state: 'pending', dueAt: recordedAt, attempts: 0, mismatches: 0 } as const
    // Those of a form are there already where the message came before, to a channel that was connected anew since.
    if (files.length > 0)
      await db
        .insert(inboundFiles)
        .values(files.map(each => ({ ...each, workspaceId, channelId, recordedAt, ...due })))
        .onConflictDoNothing()
    // Of another workspace's line nothing is told here.
    if (!isElsewhere) {
      const isToldAtOnce = !isEcho(kind) && !message.isPast
      // Who deletes something says nothing that anybody would have to read or to answer.
      const heard = isEcho(kind) || deletionKinds.includes(kind) ? 'no' : message.isPast ? 'past' : 'now'
      const type = isToldAtOnce ? 'message.received' : null
      const inbound = { channelId, channelMessageId, heard } as const
      told.push(eventAbout(null, { workspaceId, type, at, recordedAt, inbound }))
    }
    if (contact && message.said)
      await hear(contact, words, { said: message.said, channelMessageId, at, recordedAt }, told)
    if (contact && flowReply)
      await closeFlow({ workspaceId, contactId: contact.id, lineId: line?.id ?? null }, channelId, flowReply, at)
  }

  /**
   * Finds the flow by its token; a reply without a token names the message that it answers. The caller chooses the
   * token, and may use it many times, also for one contact. The upstream's message id is unique, so no time is compared
   * for it.
   */
  async function closeFlow(
    { workspaceId, ...from }: Pick<NamedId, 'contactId' | 'lineId'> & { workspaceId: string; contactId: string },
    channelId: string,
    { flowToken, openedBy }: NonNullable<Inbound['flowReply']>,
    at: EpochMs,
  ) {
    const { contactId } = from
    const [opening] = openedBy === null ? [] : await namedMessages(workspaceId, [{ ...from, id: openedBy }])
    const named = opening?.sent ? await flowOpenedBy(channelId, opening.sent.id) : null
    if (flowToken !== null && named?.flowToken !== flowToken) {
      const before = lt(flowSessions.openedAt, at + replyGranularityMs)
      const byToken = and(eq(flowSessions.contactId, contactId), eq(flowSessions.flowToken, flowToken), before)
      if (await close(byToken, at)) return
    }
    if (named) await close(eq(flowSessions.messageId, named.messageId), at)
  }

  /** @returns whether there was an open one */
  async function close(session: SQL | undefined, at: EpochMs): Promise<boolean> {
    const closed = await db
      .update(flowSessions)
      .set({ closedAt: at, closedBy: 'reply' })
      .where(and(session, isNull(flowSessions.closedAt)))
      .returning({ id: flowSessions.messageId })
    return closed.length > 0
  }

  /** The flow that a message of the channel opened. */
  const flowOpenedBy = (channelId: string, messageId: string) =>
    first(
      db
        .select({ messageId: flowSessions.messageId, flowToken: flowSessions.flowToken })
        .from(messages)
        .innerJoin(lines, eq(lines.seq, messages.lineSeq))
        .innerJoin(flowSessions, eq(flowSessions.messageId, messages.id))
        .where(and(eq(messages.id, messageId), eq(lines.channelId, channelId)))
        .limit(1),
    )

  return async calls => {
    // Because the texts are compared here with those of the database.
    const batches = asKept(calls)
    const before = await homesOf(batches)
    const [, homes, byPhoneId, known] = await Promise.all([
      lockContacts([...before.values()].map(({ workspaceId }) => workspaceId)),
      // Read again: a workspace may have been erased while this waited for its lock, after which it is asked.
      homesOf(batches),
      linesOf(batches),
      knownAmong(batches),
    ])
    const told: NewEvent[] = []
    for (const { channelId, messages: received, recordedAt } of batches) {
      const home = homes.get(channelId)
      if (home === undefined) throw new Error('recordInbound: the channel does not exist')
      for (const message of received) await record({ ...home, channelId, recordedAt, byPhoneId, known }, message, told)
    }
    await tell(told)
  }
}

type NamedLine = Pick<Line, 'id' | 'channelId' | 'workspaceId'>

/** The workspace of a channel. */
interface Home extends OwnWords {
  readonly workspaceId: string
}

/** Where and when a message came, and the lines that it may name. */
interface Arrival extends Home {
  readonly channelId: string
  readonly recordedAt: EpochMs
  readonly byPhoneId: ReadonlyMap<string | null, readonly NamedLine[]>
  /** Those that were there before, and those of this transaction so far, as `ownName` names them. */
  readonly known: Set<string>
}

const ownName = ({ channelId, channelMessageId }: { channelId: string; channelMessageId: string }) =>
  `${channelId} ${channelMessageId}`
