import { and, asc, eq, gt, isNotNull, isNull, lt, lte, max, ne, notLike, or, type SQL, sql } from 'drizzle-orm'
import { isText } from '../../src/base/json.ts'
import { digestMark, digestOf } from '../../src/message/forgotten.ts'
import { formFileIds, formKinds } from '../../src/message/formFiles.ts'
import { isErasable, not } from '../../src/message/statuses.ts'
import type { ErasureReads, ErasureStep } from '../contract/removals.ts'
import type { StoreWrites } from '../contract/store.ts'
import type { ErasurePart } from '../schema/erasures.ts'
import { hasStatus } from '../schema/statuses.ts'
import type { Row } from '../schema/tables.ts'
import { eraseItems } from './batches.ts'
import { notHeard } from './conversations.ts'
import { deliveryErasure } from './deliveryErasure.ts'
import { type Engine, first, prepared, selectedThrough } from './engine.ts'
import { begun, waitingIn } from './erasure.ts'
import { eraseFiles } from './files.ts'
import { forgetFormerNames, formerNamesOf } from './formerNames.ts'
import { traceErasure } from './traceErasure.ts'

type Erasure = Row<'erasures'>
type Progress = Partial<Erasure>

/** How many more rows a step may look at than it may change. Those of one row in the index are beside each other. */
const lookedAtPerRow = 10

/** What the first commit deletes of the events about a contact; few have more, and later steps delete the rest. */
const firstEventsMax = 1_000

/** The order of the parts. What would still become messages goes first, and then what people look at first. */
const nextPart = {
  items: 'sent',
  sent: 'events',
  events: 'unnumbered',
  unnumbered: 'written',
  written: 'others',
} as const satisfies Partial<Record<ErasurePart, ErasurePart>>

/**
 * The verbs that erase a person for good. The first commit takes the person's name, number and conversation away, and
 * stores what finds the history. Then each call erases a bounded part of it, and stores in the same commit where it is:
 * it shares its commit with sends, or holds locks that sends need.
 *
 * From the first commit on the number belongs to nobody. Who writes from it is a new contact, and what is sent to it is
 * no part of this history: of the messages to a number, those that were stored before are erased, whatever the clock
 * says of them. A message that was still to be sent is waited for.
 */
export function contactErasureVerbs(engine: Engine) {
  const { db, tables, isAnyOf, locking, lockContacts, onEach, through } = engine
  const { channels, contacts, erasures, events, inboundFiles, inboundMessages, messages, parkedReports } = tables
  const { upstreamUpdates } = tables
  const { forgetAnswersTo, deleteDeliveriesTo } = deliveryErasure(engine)
  const eraseTraces = traceErasure(engine)

  const wasThere = ({ untilSeq, begunAt }: Erasure): SQL =>
    untilSeq === null ? lte(messages.createdAt, begunAt) : lte(messages.seq, untilSeq)

  /** Messages to an address of the contact, along the index of recipients: they leave it when they are erased. */
  async function eraseSent(erasure: Erasure, limit: number): Promise<number> {
    const { workspaceId, addresses, steppedAt: at } = erasure
    for (const address of addresses) {
      const isOfThem = and(engine.conditions.isOfWorkspace(workspaceId), eq(messages.recipient, address))
      const isTo = and(isOfThem, wasThere(erasure))
      const found = await db
        .select(selectedThrough({ seq: messages.seq, id: messages.id }))
        .from(through(messages, 'messages_recipient'))
        .where(and(isTo, hasStatus(messages.status, isErasable)))
        .limit(limit)
      if (found.length > 0) return eraseTraces(found, at)
    }
    return 0
  }

  async function eraseEvents({ workspaceId, contactIds }: Pick<Erasure, 'workspaceId' | 'contactIds'>, limit: number) {
    let erased = 0
    for (const id of contactIds) {
      const about = db
        .select(selectedThrough({ seq: events.seq }))
        .from(through(events, 'events_subject'))
        .where(eq(events.subject, id))
      const seqs = (await about.limit(limit - erased)).map(({ seq }) => seq)
      const isItsOwn = eq(events.workspaceId, workspaceId)
      await onEach(isOne => db.delete(events).where(and(isItsOwn, isOne(events.seq))))(seqs)
      await deleteDeliveriesTo(workspaceId, seqs)
      erased += seqs.length
      if (erased >= limit) break
    }
    return erased
  }

  /** Statuses that match no message and name the person: they wait for days, and there are not many of all. */
  async function eraseParked(
    { workspaceId, addresses }: Pick<Erasure, 'workspaceId' | 'addresses'>,
    limit: number,
    condition?: SQL,
  ): Promise<number> {
    const { channelId, token, phone, userId } = parkedReports
    const own = await db.select({ id: channels.id }).from(channels).where(eq(channels.workspaceId, workspaceId))
    const isOfWorkspace = isAnyOf(
      channelId,
      own.map(({ id }) => id),
    )
    const isTheirs = and(condition, or(isAnyOf(phone, addresses), isAnyOf(userId, addresses)))
    return (await engine.deleteSome(parkedReports, sql`${and(isOfWorkspace, isNotNull(token), isTheirs)}`, limit))
      .erased
  }

  const {
    channelId,
    channelMessageId,
    contactId: author,
    content,
    formerPhone,
    fileId,
    kind,
    phone,
    seq,
  } = inboundMessages
  const written = { channelId, channelMessageId, seq, fileId, kind, content, phone, formerPhone }
  type Written = Pick<Row<'inboundMessages'>, keyof typeof written>

  async function eraseWritten(workspaceId: string, page: readonly Written[], limit: number): Promise<number> {
    const named = page.filter(hasTraces)
    for (const { channelId: channel, channelMessageId: id } of named) {
      const empty = { content: '{}', phone: null, formerPhone: null, fileId: null, channelMessageId: digestOf(id) }
      await db
        .update(inboundMessages)
        .set(empty)
        .where(and(eq(channelId, channel), eq(channelMessageId, id)))
    }
    await forgetAnswersTo(
      workspaceId,
      named.flatMap(({ seq }) => seq ?? []),
    )
    for (const { channelMessageId: message, fileId, kind } of named) {
      const files = formKinds.includes(kind) ? formFileIds(workspaceId, message) : fileId === null ? [] : [fileId]
      for (const id of files) await eraseFiles(engine, { index: null, condition: eq(inboundFiles.id, id) }, limit)
    }
    return named.length
  }

  /** What came without a number in the workspace: no event tells of it. */
  async function eraseUnnumbered({ subject, workspaceId }: Erasure, limit: number): Promise<number> {
    const hasId = notLike(channelMessageId, `${digestMark}%`)
    const isNamed = or(ne(content, '{}'), isNotNull(phone), isNotNull(formerPhone), isNotNull(fileId), hasId)
    const page = await db
      .select(selectedThrough(written))
      .from(through(inboundMessages, 'inbound_messages_contact_seq'))
      .where(and(eq(author, subject), isNull(seq), isNamed))
      .limit(limit)
    return eraseWritten(workspaceId, page, limit)
  }

  /** In the order of the numbers: erased rows stay in the index, and are not to be read again. */
  async function eraseNumbered({ subject, workspaceId, afterSeq }: Erasure, limit: number) {
    const page = await db
      .select(selectedThrough(written))
      .from(through(inboundMessages, 'inbound_messages_contact_seq'))
      .where(and(eq(author, subject), gt(seq, afterSeq)))
      .orderBy(asc(author), asc(seq))
      .limit(limit)
    return { erased: await eraseWritten(workspaceId, page, limit), after: page.at(-1)?.seq ?? null }
  }

  /**
   * Looks through the messages of the workspace, in the order of their creation, for those that name the contact by its
   * id, or by the number that the upstream has written. It stops before one that is still to be sent.
   */
  async function eraseOthers(erasure: Erasure, limit: number) {
    const { workspaceId, addresses, contactIds, afterAt, afterSeq, steppedAt: at } = erasure
    const { contactId, createdAt, id, recipient, seq, status, waId } = messages
    const isEarlier = sql<boolean | number>`(${wasThere(erasure)})`
    const page = await db
      .select({ ...selectedThrough({ contactId, createdAt, id, recipient, seq, status, waId }), isEarlier })
      .from(through(messages, 'messages_workspace'))
      .where(and(eq(messages.workspaceId, workspaceId), sql`(${createdAt}, ${seq}) > (${afterAt}, ${afterSeq})`))
      .orderBy(asc(messages.workspaceId), asc(createdAt), asc(seq))
      .limit(limit * lookedAtPerRow)
    const [ids, named] = [new Set(contactIds), new Set(addresses)]
    const isTheirs = ({ contactId, isEarlier, recipient, waId }: (typeof page)[number]) =>
      (contactId !== null && ids.has(contactId)) ||
      (Boolean(isEarlier) && (named.has(recipient) || (waId !== null && named.has(waId))))
    const passed: typeof page = []
    const theirs: typeof page = []
    for (const message of page) {
      const isIts = isTheirs(message)
      if (theirs.length >= limit || (isIts && !isErasable(message.status))) break
      passed.push(message)
      if (isIts) theirs.push(message)
    }
    const last = passed.at(-1)
    const position = last && { afterAt: last.createdAt, afterSeq: last.seq }
    return { erased: await eraseTraces(theirs, at), position, isWaiting: page.length > 0 && last === undefined }
  }

  /** @returns what has changed of the erasure; null when nothing is left to be done */
  async function stepOf(erasure: Erasure, limit: number): Promise<Progress | 'waiting' | null> {
    const { part, workspaceId, addresses, contactIds, untilSeq, begunAt } = erasure
    const next = (erased: number, count: 'messages' | 'inbound' | null): Progress => ({
      ...(erased === 0 && { part: nextPart[part as keyof typeof nextPart] }),
      ...(count && { [count]: erasure[count] + erased }),
    })
    switch (part) {
      case 'items':
        return next(await eraseItems(engine, { workspaceId, names: [...addresses, ...contactIds] }, limit), null)
      case 'sent':
        return next(await eraseSent(erasure, limit), 'messages')
      case 'events':
        return next(
          (await eraseEvents(erasure, limit)) +
            (untilSeq === null ? await eraseParked(erasure, limit, lte(parkedReports.recordedAt, begunAt)) : 0),
          null,
        )
      case 'unnumbered':
        return next(await eraseUnnumbered(erasure, limit), 'inbound')
      case 'written': {
        const { erased, after } = await eraseNumbered(erasure, limit)
        const inbound = erasure.inbound + erased
        return after === null ? { part: 'others', afterSeq: 0, inbound } : { afterSeq: after, inbound }
      }
      case 'others': {
        const { erased, position, isWaiting } = await eraseOthers(erasure, limit)
        if (isWaiting) return 'waiting'
        if (position) return { ...position, messages: erasure.messages + erased }
        // One that another instance was storing when it began may have come after the walk was there.
        const late = await eraseSent(erasure, limit)
        if (late > 0) return { messages: erasure.messages + late }
        return (await isAwaited(erasure)) ? 'waiting' : null
      }
      case 'workspace':
        throw new Error('eraseContact: this is the erasure of a workspace')
    }
  }

  async function isAwaited(erasure: Erasure): Promise<boolean> {
    const { workspaceId, addresses, contactIds } = erasure
    const { contactId, recipient } = messages
    const isTo = and(isAnyOf(recipient, addresses), wasThere(erasure))
    return (await waitingIn(engine, workspaceId, or(isAnyOf(contactId, contactIds), isTo), not(isErasable))) > 0
  }

  return {
    async forgetContact({ contactId, at }) {
      const contact = await first(db.select().from(contacts).where(eq(contacts.id, contactId)))
      if (!contact) return { outcome: 'unknown' }
      const { workspaceId } = contact
      await engine.findByIndex()
      // A message being received at this moment would restore the contact's name and number.
      await lockContacts([workspaceId])
      const named = (await first(db.select().from(contacts).where(eq(contacts.id, contactId)))) ?? contact
      const { phone, userId } = named
      const { formerUserIds, numberSpellings } = engine.tables
      const ids = [userId, ...(await formerNamesOf(engine, formerUserIds, { workspaceId, name: userId }))]
      const numbers = [phone, ...(await formerNamesOf(engine, numberSpellings, { workspaceId, name: phone }))]
      // The upstream writes a number without its plus.
      const addresses = [...numbers, ...numbers.map(number => number?.replace(/^\+/, '')), ...ids].filter(isText)
      const merged = await db.select({ id: contacts.id }).from(contacts).where(eq(contacts.mergedInto, contactId))
      const contactIds = [contactId, ...merged.map(({ id }) => id)]
      // Before anything is erased: they could not be sent any more.
      const isTo = or(isAnyOf(messages.contactId, contactIds), isAnyOf(messages.recipient, addresses))
      const waiting = await waitingIn(engine, workspaceId, isTo, not(isErasable))
      if (waiting > 0) return { outcome: 'waiting', waiting }
      await forgetFormerNames(engine, named)
      const nobody = { phone: null, phoneToldAt: null, userId: null, name: null, username: null, blockedOn: [] }
      for (const id of contactIds)
        await db
          .update(contacts)
          .set({ ...notHeard, ...nobody, updatedAt: at })
          .where(eq(contacts.id, id))
      // What the upstream said about the contact has its number, and what its events show has its name too.
      await db.delete(upstreamUpdates).where(eq(upstreamUpdates.subject, contactId))
      await eraseEvents({ workspaceId, contactIds }, firstEventsMax)
      // What waits in a batch is to become no message any more. Nearly always these are all, and then no step looks for
      // more: items have no order in which later ones stay.
      const names = { workspaceId, names: [...addresses, ...contactIds] }
      const hasMore = (await eraseItems(engine, names, firstEventsMax)) >= firstEventsMax
      // All of them: they have no order in which later ones stay. Other programs may have sent to the person too, but
      // hardly so often that this takes long.
      await eraseParked({ workspaceId, addresses }, Number.MAX_SAFE_INTEGER)
      const untilSeq = (await first(db.select({ seq: max(messages.seq) }).from(messages)))?.seq ?? 0
      // One that is under way goes on: it knows the numbers that the contact had.
      await db
        .insert(erasures)
        .values(
          begun({
            subject: contactId,
            workspaceId,
            addresses,
            contactIds,
            untilSeq,
            at,
            part: hasMore ? 'items' : 'sent',
          }),
        )
        .onConflictDoNothing()
      return { outcome: 'removed', removed: contactId }
    },

    async eraseContact({ contactId, limit, at }) {
      await engine.findByIndex()
      const isIt = eq(erasures.subject, contactId)
      const found = await first(locking(db.select().from(erasures).where(isIt)))
      if (!found) return null
      const erasure = { ...found, steppedAt: at }
      const progress = await stepOf(erasure, limit)
      const after = { ...erasure, ...(progress !== 'waiting' && progress) }
      if (progress === null) await db.delete(erasures).where(isIt)
      else await db.update(erasures).set(after).where(isIt)
      const { messages, inbound, part, afterAt } = after
      const state = progress === null ? 'done' : progress === 'waiting' ? 'waiting' : 'underWay'
      return { messages, inbound, lookedUntil: part === 'others' ? afterAt : null, state } satisfies ErasureStep
    },
  } satisfies Partial<StoreWrites>
}

const hasTraces = (row: {
  readonly content: string
  readonly phone: string | null
  readonly formerPhone: string | null
  readonly fileId: string | null
  readonly channelMessageId: string
}) =>
  row.content !== '{}' ||
  row.phone !== null ||
  row.formerPhone !== null ||
  row.fileId !== null ||
  !row.channelMessageId.startsWith(digestMark)

export function erasureReads({ db, tables: { erasures } }: Engine): ErasureReads {
  // Asked every few seconds.
  const open = prepared(() => {
    const { subject, workspaceId, part, begunAt, steppedAt } = erasures
    return db
      .select({ subject, workspaceId, part, begunAt })
      .from(erasures)
      .where(lt(steppedAt, sql.placeholder('steppedBefore')))
      .orderBy(asc(steppedAt), asc(subject))
      .limit(sql.placeholder('limit'))
  })
  return { openErasures: async query => await open(query) }
}
