import { notInArray, notLike, sql } from 'drizzle-orm'
import { secondMs } from '../../src/base/durations.ts'
import { countryOf } from '../../src/message/callingCodes.ts'
import { costRows } from '../../src/message/costs.ts'
import { causeOf, priceCountOf, priceKindOf } from '../../src/message/counts.ts'
import { aboutOthers, echoKind, groupKind } from '../../src/message/kinds.ts'
import { failureReasonOf } from '../../src/message/state.ts'
import { gotThrough, hasFailed, isDelivered, isOpen, type MessageStatus } from '../../src/message/statuses.ts'
import {
  answerMs,
  type BatchSums,
  type CountedReason,
  type ItemStatus,
  type ShownItem,
  type Unpriced,
} from '../contract/batches.ts'
import { type Engine, prepared, selectedThrough } from './engine.ts'

/** Of a step: beyond it, further ones are counted as one. Words of the platform's own may differ each time. */
const reasonsMax = 50

/** What items have come to: their states, times, reasons, answers and prices. */
export function batchSums({ forEach, db, tables: { contacts, inboundMessages, messages, numberSpellings } }: Engine) {
  const { kind, at } = inboundMessages

  /**
   * The person of a message, also where it was unknown when it was sent, or was merged since. Each is one look at an
   * index.
   */
  const ofWorkspace = sql`${contacts.workspaceId} = messages.workspace_id`
  const personId = sql`coalesce(
    (SELECT ${contacts.id} FROM ${contacts} WHERE ${ofWorkspace} AND ${contacts.phone} = messages.recipient),
    (SELECT ${contacts.id} FROM ${contacts} WHERE ${ofWorkspace} AND ${contacts.userId} = messages.recipient),
    (SELECT ${contacts.id} FROM ${contacts} WHERE ${ofWorkspace} AND ${contacts.phone} =
      (SELECT ${numberSpellings.current} FROM ${numberSpellings} WHERE ${numberSpellings.former} = messages.recipient
        AND ${numberSpellings.workspaceId} = messages.workspace_id)),
    (SELECT coalesce(${contacts.mergedInto}, ${contacts.id}) FROM ${contacts}
      WHERE ${ofWorkspace} AND ${contacts.id} = messages.contact_id))`
  const isOwnWord = sql`${notInArray(kind, [...aboutOthers])} AND ${notLike(kind, `${echoKind}%`)}
    AND ${notLike(kind, `${groupKind} %`)}`
  /** As `beganAtOf` (src/message/state.ts): what waited for its time is answered after that. */
  const beganAt = sql`coalesce(messages.released_at, messages.created_at)`
  /** The platform's times are whole seconds. Not "is there one": PostgreSQL would gather them from the whole table. */
  const answeredAt = sql<number | null>`(SELECT ${at} FROM ${inboundMessages}
    WHERE ${inboundMessages.contactId} = ${personId} AND ${at} > ${beganAt} - ${sql.raw(`${secondMs}`)}
      AND ${at} <= ${beganAt} + ${sql.raw(`${answerMs}`)} AND ${isOwnWord} ORDER BY ${at} LIMIT 1)`

  const wholeMessagesOf = prepared(() => {
    const { status, recipient, createdAt, dispatchedAt, acceptedAt, reportedSentAt, deliveredAt, readAt } = messages
    const { failures, gaveUpAt, gaveUpReason, lostAt, channelMessageId, waId, pricing } = messages
    const { ownIdAt, dueAt, releasedAt, cancelledAt } = messages
    const record = {
      ...{ status, recipient, createdAt, dispatchedAt, acceptedAt, reportedSentAt, deliveredAt, readAt },
      ...{ gaveUpAt, gaveUpReason, lostAt, channelMessageId, waId, pricing },
      ...{ ownIdAt, dueAt, releasedAt, cancelledAt, failures },
    }
    const id = sql<string>`messages.id`
    return db
      .select({ ...selectedThrough(record), id, answeredAt })
      .from(forEach(sql.placeholder('ids'), messages, sql`${id} = asked.value`))
  })
  type Found = Awaited<ReturnType<typeof wholeMessagesOf>>[number]

  /** @param found the messages of the items, as far as these are there */
  function sumsOf(items: readonly ShownItem[], found: readonly Found[]): BatchSums {
    const counts: Partial<Record<ItemStatus, number>> = {}
    const reasons = new Map<string, CountedReason>()
    const unpriced = new Map<string, Unpriced>()
    const byId = new Map(found.map(message => [message.id, { ...message, priceKind: priceKindOf(message) }]))
    const add = (status: ItemStatus, code: string, message: string | null) => {
      const key = `${status} ${reasons.size < reasonsMax || reasons.has(`${status} ${code}`) ? code : ''}`
      const known = reasons.get(key) ?? { status, code, message, count: 0 }
      reasons.set(key, { ...known, count: known.count + 1 })
    }
    for (const { status, reason, messageId, recipient, own } of items) {
      counts[status] = (counts[status] ?? 0) + 1
      const message = messageId === null ? undefined : byId.get(messageId)
      if (!message && reason !== null) add(status, reason.code, reason.message)
      else if (message && hasFailed(message.status)) add(status, causeOf(failureReasonOf(message)), null)
      // What was delivered without a price has none.
      const mayCost = message ? isUnderWay(message.status) : status === 'WAITING'
      if (!mayCost || message?.priceKind) continue
      const country = countryOf(message?.recipient ?? recipient)
      const key = JSON.stringify([country, own])
      unpriced.set(key, { country, own, count: (unpriced.get(key)?.count ?? 0) + 1 })
    }
    const messagesNow = [...byId.values()]
    const times = messagesNow.map(({ createdAt }) => createdAt)
    const [firstAt, lastAt] = times.length === 0 ? [null, null] : [Math.min(...times), Math.max(...times)]
    return {
      ...{ counts, firstAt, lastAt, reasons: [...reasons.values()] },
      answered: messagesNow.filter(({ answeredAt, status }) => answeredAt !== null && gotThrough(status)).length,
      costs: costRows(
        messagesNow.flatMap(({ priceKind }) =>
          priceKind === null ? [] : [priceCountOf({ day: '', kind: priceKind, count: 1 })],
        ),
      ),
      unpriced: [...unpriced.values()],
    }
  }

  return { wholeMessagesOf, sumsOf }
}

/** It may still be delivered, and charged then. */
const isUnderWay = (status: MessageStatus) => isOpen(status) || (gotThrough(status) && !isDelivered(status))
