import type { Clock, EpochMs } from '../../src/base/clock.ts'
import { mayLeave } from '../../src/message/statuses.ts'
import type { Deferral, HandOvers } from '../contract/records.ts'
import type { StoreWrites } from '../contract/store.ts'
import { gathered } from './batch.ts'
import type { Instance } from './instances.ts'
import { load, type StoredMessage } from './moves.ts'
import { type Connection, jsonRows } from './open.ts'
import { giveDepartures, lockPaces, type Validity } from './pace.ts'

export interface HandOverParts {
  readonly instance: Instance
  readonly validity: Validity
  readonly clock: Clock
  /** As in Moves. */
  readonly keepsContents: boolean
}

type HandOverCall = Parameters<StoreWrites['handOverMessages']>[0]
type DeferCall = Parameters<StoreWrites['deferMessages']>[0]

/** A call and its messages, by outcome. */
interface Wish {
  readonly at: EpochMs
  readonly lineId: string
  readonly wanting: readonly StoredMessage[]
  readonly taken: readonly string[]
  readonly overtaken: readonly string[]
}

/**
 * The verbs of waiting messages, many at a time, of this instance only. Each message moves through the one state
 * machine. Both may be repeated after a lost answer: the result is the same.
 */
export function handOverVerbs(parts: HandOverParts): Pick<StoreWrites, 'handOverMessages' | 'deferMessages'> {
  const { instance, validity, clock, keepsContents } = parts
  const handOver = gathered<HandOverCall, HandOvers>(calls =>
    instance.fenced(
      (connection, own) => handOverAll(connection, calls, { own, validMs: validity.ms, keepsContents }),
      calls.length,
    ),
  )
  return {
    async handOverMessages(change) {
      const askedAt = clock.steady()
      const handOvers = await handOver(change)
      const answeredAt = clock.steady()
      validity.observe(answeredAt - askedAt, answeredAt)
      return handOvers
    },

    deferMessages: gathered<DeferCall, readonly string[]>(calls =>
      instance.fenced((connection, own) => deferAll(connection, calls, { own, keepsContents }), calls.length),
    ),
  }
}

async function handOverAll(
  connection: Connection,
  calls: readonly HandOverCall[],
  { own, validMs, keepsContents }: { own: number; validMs: number; keepsContents: boolean },
): Promise<HandOvers[]> {
  const ids = [...new Set(calls.flatMap(({ messageIds }) => messageIds))]
  const lineIds = await connection.query<{ lineId: string }>(
    `SELECT DISTINCT lines.id AS "lineId" FROM messages JOIN lines ON lines.seq = line_seq
     WHERE messages.id = ANY($1::text[]) ORDER BY 1`,
    [ids],
  )
  // Paces are locked before messages, although only the messages say how many departures are needed.
  await lockPaces(
    connection,
    lineIds.map(({ lineId }) => lineId),
  )
  const moves = await load(connection, { ids, keepsContents })
  const wishes = calls.map((call): Wish => {
    const wanting: StoredMessage[] = []
    const taken: string[] = []
    const overtaken: string[] = []
    for (const id of call.messageIds) {
      const message = moves.byId(id)
      // Even if it is settled by now: the other instance sent it, and no attempt of this one did.
      if (message && message.instanceSeq !== own) taken.push(id)
      else if (message && mayLeave(message.status)) wanting.push(message)
      else overtaken.push(id)
    }
    return { at: call.at, lineId: wanting[0]?.lineId ?? '', wanting, taken, overtaken }
  })
  const asking = wishes.filter(({ wanting }) => wanting.length > 0)
  const counts = [...Map.groupBy(asking, ({ lineId }) => lineId)].map(([lineId, ofLine]) => ({
    lineId,
    count: ofLine.reduce((sum, { wanting }) => sum + wanting.length, 0),
  }))
  const shares = await giveDepartures(connection, counts, validMs)
  const left = new Map([...shares].map(([lineId, { granted }]) => [lineId, granted]))
  const handOvers = wishes.map(({ at, lineId, wanting, taken, overtaken }): HandOvers => {
    const free = left.get(lineId) ?? 0
    const leaving = idsOf(wanting.slice(0, free))
    const handedOver = moves.moveEach(leaving, { kind: 'dispatched', at }, at)
    // They break a promise, and stay as the disk has them.
    const broken = handedOver.length === leaving.length ? [] : leaving.filter(id => !handedOver.includes(id))
    const held = wanting.slice(free)
    left.set(lineId, free - handedOver.length)
    // An earlier call, whose answer was lost, had handed it over.
    for (const { id, dispatchedAt } of held) if (dispatchedAt !== null) moves.move(id, { kind: 'deferred' }, at, '')
    const share = shares.get(lineId)
    return {
      handedOver: { messageIds: handedOver, validMs: share?.validMs ?? null },
      held: { messageIds: idsOf(held), waitMs: held.length === 0 ? 0 : (share?.waitMs ?? 0) },
      taken: [...taken, ...broken],
      overtaken,
    }
  })
  await moves.write()
  return handOvers
}

const idsOf = (messages: readonly StoredMessage[]) => messages.map(({ id }) => id)

async function deferAll(
  connection: Connection,
  calls: readonly DeferCall[],
  { own, keepsContents }: { own: number; keepsContents: boolean },
): Promise<(readonly string[])[]> {
  const ids = [...new Set(calls.flatMap(({ messages }) => messages.map(({ messageId }) => messageId)))]
  const moves = await load(connection, { ids, keepsContents })
  const refusals: { messageSeq: number; at: EpochMs; detail: string }[] = []
  const payloads = new Map<number, string>()

  /** @returns whether this instance owns it */
  function defer({ messageId, payload, refusal }: Deferral, at: EpochMs): boolean {
    if (moves.byId(messageId)?.instanceSeq !== own) return false
    const { seq, status } = moves.move(messageId, { kind: 'deferred' }, at, '')
    if (refusal) refusals.push({ messageSeq: seq, at, detail: JSON.stringify(refusal) })
    // A message that a callback has settled meanwhile is never sent again: its content stays as it was sent.
    if (payload !== null && mayLeave(status)) payloads.set(seq, payload)
    return true
  }

  const taken = calls.map(({ messages, at }) =>
    messages.filter(deferral => !defer(deferral, at)).map(({ messageId }) => messageId),
  )
  await moves.write()
  if (refusals.length > 0) {
    await connection.query(
      `INSERT INTO message_events (message_seq, kind, at, recorded_at, detail)
       SELECT "messageSeq", 'deferred', at, at, detail
       FROM json_to_recordset($1::text::json) AS refusal ("messageSeq" bigint, at bigint, detail text)
       ON CONFLICT DO NOTHING`,
      [jsonRows(refusals)],
    )
  }
  if (payloads.size > 0) {
    await connection.query(
      `UPDATE message_contents SET payload = again.payload
       FROM json_to_recordset($1::text::json) AS again (seq bigint, payload text)
       WHERE message_seq = seq AND message_seq = ANY($2::bigint[])`,
      // The numbers twice, as in storeMoved of moves.ts.
      [jsonRows([...payloads].map(([seq, payload]) => ({ seq, payload }))), [...payloads.keys()]],
    )
  }
  return taken
}
