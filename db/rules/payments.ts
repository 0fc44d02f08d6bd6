import { and, eq, type SQL, sql } from 'drizzle-orm'
import { paymentType } from '../../src/base/eventTypes.ts'
import { digestOf } from '../../src/message/forgotten.ts'
import { endsOf, namedBy } from '../../src/message/sameMessage.ts'
import { knownOf } from '../../src/message/told.ts'
import { eventAbout, type NewEvent } from '../contract/events.ts'
import type { PaymentReport } from '../contract/records.ts'
import type { StoreWrites } from '../contract/store.ts'
import { changed, type Engine, first } from './engine.ts'
import { identities } from './identities.ts'
import { mayBeAbout, namedIn } from './reported.ts'

/** The verb of payments. What becomes of one says nothing of the message that asked for it: its status stays. */
export function paymentVerbs(engine: Engine) {
  const { db, tables, columns, conditions } = engine
  const { apiKeys, channels, events, lines, messageEvents, messages } = tables
  const people = identities(engine)

  const messagesOf = async (channelId: string, condition: SQL | undefined) => {
    const found = await db
      .select({ ...columns.messageColumns, seq: messages.seq })
      .from(messages)
      // A cross join keeps SQLite from going from the lines to messages.
      .crossJoin(lines)
      .leftJoin(apiKeys, eq(apiKeys.seq, messages.apiKeySeq))
      .where(and(eq(lines.seq, messages.lineSeq), condition))
    return found.filter(message => message.channelId === channelId)
  }

  /** By our id, the upstream's, or another text of it: as a status finds its message. */
  async function messageOf(channelId: string, { messageId, channelMessageId, to }: PaymentReport, line: Line | null) {
    const exact = [
      ...(messageId === null ? [] : [eq(messages.id, messageId)]),
      ...[channelMessageId, digestOf(channelMessageId)].map(conditions.isChannelMessage),
    ]
    for (const condition of exact) {
      const [found] = await messagesOf(channelId, condition)
      if (found) return found
    }
    const named = namedIn({ event: { channelMessageId }, to }, () => line?.id ?? null)
    if (named.token === null) return undefined
    const alike = []
    // One by one: with a list, a planner may read the whole table.
    for (const end of endsOf(channelMessageId)) {
      const endsSo = and(sql`channel_message_id IS NOT NULL`, sql`${conditions.endOfId} = ${end}`)
      alike.push(...(await messagesOf(channelId, endsSo)))
    }
    return namedBy(
      channelMessageId,
      alike.filter(message => mayBeAbout(message, named)),
    )
  }

  async function lineNamed(channelId: string, upstreamPhoneId: string | null): Promise<Line | null> {
    if (upstreamPhoneId === null) return null
    const isIt = and(eq(lines.upstreamPhoneId, upstreamPhoneId), eq(lines.channelId, channelId), conditions.isLineThere)
    return first(db.select({ id: lines.id, number: lines.number }).from(lines).where(isIt))
  }

  /** A repeated callback tells nothing. */
  async function isTold(subject: string, { type, at, data }: Pick<NewEvent, 'type' | 'at' | 'data'>): Promise<boolean> {
    const told = db.select({ type: events.type, at: events.at, data: events.data }).from(events)
    const known = await told.where(eq(events.subject, subject))
    return known.some(event => event.type === type && event.at === at && event.data === data)
  }

  return {
    async recordPayments({ channelId, payments, recordedAt }) {
      const ours = and(eq(channels.id, channelId), conditions.isChannelThere)
      const channel = await first(db.select().from(channels).where(ours))
      if (!channel) return
      const { workspaceId } = channel
      // A callback that comes to two instances at once tells one event.
      await engine.lockContacts([workspaceId])
      const found = []
      for (const payment of engine.asKept(payments)) {
        const line = await lineNamed(channelId, payment.to.upstreamPhoneId)
        found.push({ payment, line, message: await messageOf(channelId, payment, line) })
      }
      await engine.lockMessages(found.flatMap(({ message }) => message?.seq ?? []))
      const told: NewEvent[] = []
      for (const { payment, line, message } of found) {
        const { status, at, detail, callback, to, newContactId } = payment
        const type = paymentType(status)
        const event = { workspaceId, type, at, recordedAt }
        const data = { channel: { id: channelId }, line, payment: { status, detail } }
        if (message) {
          const entry = {
            messageSeq: message.seq,
            kind: type,
            at,
            detail: JSON.stringify({ payment: detail }),
            recordedAt,
          }
          const added = db.insert(messageEvents).values(entry).onConflictDoNothing()
          if ((await first(added.returning({ kind: messageEvents.kind }))) === null) continue
          const counting = db.update(messages).set({ sequence: sql`${messages.sequence} + 1` })
          const { sequence } = messages
          const counted = await changed(counting.where(eq(messages.seq, message.seq)).returning({ sequence }))
          told.push({
            ...eventAbout(null, { ...event, data }),
            ...{ messageSeq: message.seq, sequence: counted.sequence, known: knownOf(message) },
          })
          continue
        }
        const { phone, userId } = to
        const person = { workspaceId, phone, userId, name: null, createdAt: recordedAt, updatedAt: recordedAt }
        const isNamed = phone !== null || userId !== null
        const contact = isNamed ? await people.save({ id: newContactId, ...person }, at, told, 'word') : null
        const subject = contact?.id ?? digestOf(payment.channelMessageId)
        const unknown = eventAbout(subject, { ...event, data: { ...data, callback } })
        const isKnown = told.some(one => one.subject === subject && one.data === unknown.data && one.at === at)
        if (!isKnown && !(await isTold(subject, unknown))) told.push(unknown)
      }
      await engine.tell(told)
    },
  } satisfies Partial<StoreWrites>
}

interface Line {
  readonly id: string
  readonly number: string
}
