import { promisedBatch } from './batches.ts'
import type { Deployment } from './deployment.ts'
import type { Ledger, Row } from './ledger.ts'
import { type OrderBook, promised } from './orders.ts'
import type { Arrival } from './platform.ts'
import type { StoredEvent } from './receiver.ts'

/** What the callers were answered, what the platform has seen, what is stored: three logs that must agree. */
export interface Logs {
  readonly book: OrderBook
  /** Read before the ledger: whatever has arrived must be on disk. */
  readonly arrivals: readonly Arrival[]
  readonly ledger: Ledger
  readonly deployment: Deployment
  /** When the gateway that runs was started; in the future at the end, when nothing may be left of any process. */
  readonly startedAt: number
}

/** @returns each promise that is broken at this moment in a sentence; nothing when all are kept. */
export const compare = (logs: Logs): string[] => [
  ...acknowledged(logs),
  ...oneMessagePerKey(logs),
  ...batched(logs),
  ...neverTwice(logs),
  ...diskFirst(logs),
  ...recovered(logs),
  ...counted(logs),
  ...told(logs),
  ...asAsked(logs),
  ...logs.ledger.broken.map(told => `a gateway has found a promise broken: ${told}`),
  ...logs.deployment.platform.doubles().map(messageId => `${messageId}: went out twice`),
  ...logs.book.violations.splice(0),
]

/** The same once nothing is under way any more, and what must have come true by then. */
export const compareEnd = async (logs: Logs, events: readonly StoredEvent[], files: readonly string[]) => [
  ...compare(logs),
  ...lost(logs),
  ...unsettled(logs),
  ...unheard(logs),
  ...unpromised(logs),
  ...(await confused(logs)),
  ...strayFiles(files, logs),
  ...logs.deployment.receiver.violations(events),
]

/**
 * Every message that a client was answered for is on disk, as that client's, and at least as far as it was answered.
 */
function* acknowledged({ book, ledger, deployment: { workspaces } }: Logs) {
  for (const { tag, owner, key, answers } of book.all) {
    for (const { status, messageId, messageStatus } of answers) {
      if (messageId === null) continue
      const row = ledger.messages.get(messageId)
      if (!row) yield `${tag}: ${messageId} was answered ${status} and is not in the database`
      else if (row.workspaceId !== workspaces[owner]) yield `${tag}: ${messageId} is in another workspace`
      else if (row.idempotencyKey !== key) yield `${tag}: ${messageId} has the key ${row.idempotencyKey}`
      else if (isBehind(row, status, messageStatus)) {
        yield `${tag}: ${messageId} was answered ${status} ${messageStatus} and is ${row.status}`
      }
    }
  }
}

function isBehind(
  { status, acceptedAt, lostAt, isRefused }: Row,
  answered: number,
  messageStatus: string | null,
): boolean {
  // Only a refusal is answered with 400 or 502.
  if (answered >= 400) return isRefused === 0
  // A later callback may have settled it since.
  if (messageStatus === 'UNKNOWN') return lostAt === null
  if (messageStatus === 'READ') return status !== 'READ'
  if (messageStatus === 'DELIVERED') return status !== 'DELIVERED' && status !== 'READ'
  return messageStatus === 'SENT' && acceptedAt === null && (status === 'UNKNOWN' || status === 'QUEUED')
}

/** A key stands for one message; only a refusal frees it. */
function* oneMessagePerKey({ ledger }: Logs) {
  const byKey = new Map<string, string>()
  for (const { id, workspaceId, idempotencyKey, isRefused } of ledger.messages.values()) {
    if (idempotencyKey === null || isRefused === 1) continue
    const name = `${workspaceId} ${idempotencyKey}`
    const other = byKey.get(name)
    if (other !== undefined) yield `${idempotencyKey}: stands for ${other} and for ${id}`
    byKey.set(name, id)
  }
}

/** A key stands for one batch; one that was answered for has its items, and what goes out for one is its message. */
function* batched({ book, ledger, arrivals, deployment: { workspaces } }: Logs) {
  const arrivedAs = new Map(arrivals.map(({ tag, messageId }) => [tag, messageId]))
  const byKey = Map.groupBy(ledger.batches.values(), ({ idempotencyKey }) => idempotencyKey)
  for (const batch of book.batches) {
    const { key, owner, items } = batch
    const stands = byKey.get(key) ?? []
    if (stands.length > 1) yield `${key}: stands for ${stands.length} batches`
    const [row] = stands
    const id = promisedBatch(batch)
    if (id !== null && row?.id !== id) yield `${key}: the batch ${id} was answered and is not in the database`
    if (row === undefined) continue
    if (row.workspaceId !== workspaces[owner]) yield `${key}: ${row.id} is in another workspace`
    if (row.total !== items.length || row.items.length !== items.length)
      yield `${key}: has ${items.length} items, and ${row.total} are counted and ${row.items.length} are stored`
    for (const [at, { tag, body }] of items.entries()) {
      const item = row.items[at]
      const arrived = arrivedAs.get(tag)
      if (item === undefined || item.number !== at || item.recipient !== body.phone) yield `${tag}: is no item any more`
      else if (arrived !== undefined && arrived !== item.messageId)
        yield `${tag}: reached the upstream as ${arrived}, and its item names ${item.messageId}`
      else if (item.state === 'sent' && !ledger.messages.has(item.messageId ?? ''))
        yield `${tag}: was settled as ${item.messageId}, which is not in the database`
    }
  }
}

/** The codes after which the upstream definitely did nothing, and asks to be tried again. */
const definiteCodes = new Set([2, 130429, 131056])

/** A message, and an order, is offered again only after the upstream definitely did not take it. */
function* neverTwice({ arrivals }: Logs) {
  const last = new Map<string, Arrival>()
  for (const arrival of arrivals) {
    const { messageId, tag, outcome } = arrival
    const before = last.get(messageId)
    if (before && !(before.outcome === 'refused' && definiteCodes.has(before.code ?? 0))) {
      yield `${tag}: ${messageId} reached the upstream again (${outcome}) after it was ${before.outcome} ${before.code ?? ''}`
    }
    last.set(messageId, arrival)
    const ofOrder = last.get(tag)
    if (ofOrder && ofOrder.outcome !== 'refused') {
      yield `${tag}: reached the upstream as ${messageId} after it was ${ofOrder.outcome} as ${ofOrder.messageId}`
    }
    last.set(tag, arrival)
  }
}

/** Nothing reaches the upstream that the disk does not hold as handed over. */
function* diskFirst({ arrivals, ledger }: Logs) {
  for (const { messageId, tag, outcome } of arrivals) {
    const row = ledger.messages.get(messageId)
    if (!row) yield `${tag}: ${messageId} reached the upstream and is not in the database`
    else if (outcome !== 'refused' && row.dispatchedAt === null) {
      yield `${tag}: ${messageId} was ${outcome} by the upstream and may be sent again: it is not marked as handed over`
    }
  }
}

/** What an earlier process had handed over has an end, if only UNKNOWN. */
function* recovered({ ledger, startedAt }: Logs) {
  for (const { id, status, dispatchedAt } of ledger.messages.values()) {
    if (status === 'QUEUED' && dispatchedAt !== null && dispatchedAt < startedAt) {
      yield `${id}: was handed over by an earlier process and is QUEUED still`
    }
  }
}

/** Each thing that happened to a message is an event, and nothing else is. */
function* told({ ledger: { mistold, invented } }: Logs) {
  for (const { id, status, sequence, events } of mistold) {
    yield `${id}: is ${status}, its last event has the number ${sequence}, and it has ${events} events`
  }
  if (invented > 0) yield `${invented} events are of no message`
}

/** What went out answers the message that it was to answer. */
function* asAsked({ book, arrivals }: Logs) {
  const byTag = new Map(book.all.map(order => [order.tag, order]))
  const wamidOf = new Map(arrivals.flatMap(({ messageId, wamid }) => (wamid ? [[messageId, wamid]] : [])))
  for (const { tag, messageId, quotes } of arrivals) {
    const asked = byTag.get(tag)?.content.quotes
    if (asked === undefined) yield `${messageId}: reached the upstream as ${tag}, and nobody has asked for it`
    else if ((asked === null ? null : (wamidOf.get(asked) ?? asked)) !== quotes)
      yield `${tag}: was to answer ${asked}, and reached the upstream with ${quotes}`
  }
}

/**
 * The plan of a workspace counts each month what was accepted, but for what was refused, and never over its limit. What
 * waits for its time counts when it is released.
 */
function* counted({ ledger: { messages, usage } }: Logs) {
  const accepted = new Map<string, number>()
  for (const { workspaceId, createdAt, dueAt, releasedAt, isRefused } of messages.values()) {
    if (dueAt !== null && releasedAt === null) continue
    const name = `${workspaceId} ${new Date(releasedAt ?? createdAt).toISOString().slice(0, '2026-01'.length)}`
    accepted.set(name, (accepted.get(name) ?? 0) + 1 - isRefused)
  }
  const used = new Map(usage.map(({ workspaceId, month, used }) => [`${workspaceId} ${month}`, used]))
  for (const name of new Set([...accepted.keys(), ...used.keys()])) {
    const [counter, count] = [used.get(name) ?? 0, accepted.get(name) ?? 0]
    if (counter !== count) yield `${name}: the plan counts ${counter} messages, and ${count} were accepted`
  }
  for (const { workspaceId, used, limit } of usage) {
    if (limit !== null && used > limit)
      yield `${workspaceId}: may send ${limit} messages in a month, and was let send ${used}`
  }
}

/**
 * Every message arrived, unless it was refused, or is UNKNOWN and was handed over; and each item of a batch that is done
 * became one. To be asked once nothing is under way.
 */
export function* lost({ arrivals, ledger }: Logs) {
  const arrived = new Set(arrivals.map(({ messageId }) => messageId))
  for (const { id, status, isRefused, dispatchedAt, lostAt } of ledger.messages.values()) {
    if (status === 'QUEUED' || status === 'SCHEDULED') yield `${id}: is ${status} for ever`
    else if (status === 'UNKNOWN' && (dispatchedAt === null || lostAt === null)) {
      yield `${id}: is UNKNOWN and was never handed over`
    } else if (status !== 'UNKNOWN' && isRefused === 0 && !arrived.has(id))
      yield `${id}: is ${status} and never arrived`
  }
  for (const { id, state, items } of ledger.batches.values()) {
    if (state !== 'done') yield `${id}: is ${state} for ever`
    for (const item of items)
      if (item.state !== 'sent') yield `${id}: item ${item.number} is ${item.state}, and nobody was to leave it out`
  }
}

/** 503 says that nothing was accepted. So nothing is sent of an order that got no other answer, and was never cut. */
function* unpromised({ book, arrivals }: Logs) {
  const arrived = new Set(arrivals.map(({ tag }) => tag))
  for (const order of book.all) {
    const { tag, answers, cuts } = order
    const isOnly503 = answers.length > 0 && cuts === 0 && answers.every(({ status }) => status === 503)
    if (isOnly503 && promised(order) === null && arrived.has(tag)) yield `${tag}: was answered 503 and was sent`
  }
}

/**
 * Every message that went out was reported READ, a reaction as SENT: whatever became of its answer, the callback settles
 * it.
 */
function* unsettled({ book, arrivals, ledger }: Logs) {
  const reactions = new Set(book.all.filter(({ content }) => content.fields.type === 'reaction').map(({ tag }) => tag))
  for (const { messageId, tag, outcome } of arrivals) {
    const last = reactions.has(tag) ? 'SENT' : 'READ'
    const status = ledger.messages.get(messageId)?.status
    if ((outcome === 'accepted' || outcome === 'lost') && status !== last) {
      yield `${tag}: ${messageId} was reported ${last} and is ${status}`
    }
  }
}

/** What a user wrote is stored once, with its event, and nothing else is. */
export function* unheard({ book: { written }, ledger: { inbound } }: Logs) {
  const ids = new Set(written.map(({ id }) => id))
  for (const id of ids) {
    if (!inbound.get(id))
      yield `${id}: a user wrote it, and ${inbound.has(id) ? 'no event tells it' : 'it is not stored'}`
  }
  for (const id of inbound.keys()) if (!ids.has(id)) yield `${id}: is stored, and no user wrote it`
}

/** Each file that went out is the one that was asked for. */
export async function confused({ book, arrivals, deployment: { platform } }: Logs): Promise<string[]> {
  const shownBy = new Map(book.all.map(({ tag, content }) => [tag, content.shows]))
  const hashes = new Map<string, string>()
  const found: string[] = []
  for (const { tag, mediaId } of arrivals) {
    if (mediaId === null) continue
    const hash = hashes.get(mediaId) ?? (await platform.hashOf(mediaId))
    hashes.set(mediaId, hash)
    if (hash !== shownBy.get(tag)) found.push(`${tag}: reached the upstream with another file, ${mediaId}`)
  }
  return found
}

/** Each file that is kept is where files are, and nothing is there that the database does not know. */
export function* strayFiles(names: readonly string[], { ledger: { files } }: Logs) {
  for (const name of names) if (!files.has(name)) yield `${name}: is no file that the database knows`
  const there = new Set(names)
  for (const [id, isKept] of files) if (isKept && !there.has(id)) yield `${id}: is kept, and its file is gone`
}
