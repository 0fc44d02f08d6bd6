import type { HistoryDatabase } from './database.ts'
import { idempotencyTtlMs } from './gateway.ts'
import type { History } from './history.ts'
import type { Asked, Log } from './play.ts'
import { tenants } from './tenants.ts'

/*
 * What must be true of every history, from outside the code: what each caller was told, what the platform has seen, what
 * receivers got, and what is stored in the end. Each check says what is broken, in a sentence.
 */

interface Row {
  readonly seq: number
  readonly id: string
  readonly workspaceId: string
  readonly channelId: string
  readonly lineId: string
  readonly keyId: string | null
  readonly status: string
  readonly createdAt: number
  readonly dispatchedAt: number | null
  readonly acceptedAt: number | null
  readonly reportedSentAt: number | null
  readonly deliveredAt: number | null
  readonly readAt: number | null
  readonly lostAt: number | null
  readonly gaveUpAt: number | null
  readonly dueAt: number | null
  readonly releasedAt: number | null
  readonly cancelledAt: number | null
  readonly idempotencyKey: string | null
  readonly channelMessageId: string | null
  readonly payload: string
}

const messagesQuery = `
  SELECT m.seq, m.id, m.workspace_id AS workspaceId, l.channel_id AS channelId, l.id AS lineId, k.id AS keyId, m.status,
    m.created_at AS createdAt, m.dispatched_at AS dispatchedAt, m.accepted_at AS acceptedAt,
    m.reported_sent_at AS reportedSentAt, m.delivered_at AS deliveredAt, m.read_at AS readAt, m.lost_at AS lostAt,
    m.gave_up_at AS gaveUpAt, m.due_at AS dueAt, m.released_at AS releasedAt, m.cancelled_at AS cancelledAt,
    m.idempotency_key AS idempotencyKey, m.channel_message_id AS channelMessageId, coalesce(c.payload, '') AS payload
  FROM messages m JOIN lines l ON l.seq = m.line_seq LEFT JOIN api_keys k ON k.seq = m.api_key_seq
    LEFT JOIN message_contents c ON c.message_seq = m.seq`

interface TimelineRow {
  readonly messageSeq: number
  readonly kind: string
  readonly at: number
  readonly recordedAt: number
}

interface EventRow {
  readonly seq: number
  readonly workspaceId: string
  readonly type: string
  readonly messageSeq: number | null
  readonly sequence: number | null
}

/** All that a check reads. */
interface Found {
  readonly history: History
  readonly log: Log
  readonly messages: ReadonlyMap<string, Row>
  readonly timeline: ReadonlyMap<number, readonly TimelineRow[]>
  readonly events: readonly EventRow[]
  readonly rows: HistoryDatabase['rows']
}

/** @returns each promise that a history has broken, in a sentence */
export function broken(history: History, log: Log, database: HistoryDatabase): string[] {
  const rows = database.rows.bind(database)
  const found: Found = {
    ...{ history, log, rows },
    messages: new Map(rows<Row>(messagesQuery).map(row => [row.id, row])),
    timeline: Map.groupBy(
      rows<TimelineRow>(
        'SELECT message_seq AS messageSeq, kind, at, recorded_at AS recordedAt FROM message_events ORDER BY message_seq, recorded_at, at',
      ),
      ({ messageSeq }) => messageSeq,
    ),
    events: rows<EventRow>(
      'SELECT seq, workspace_id AS workspaceId, type, message_seq AS messageSeq, sequence FROM events ORDER BY seq',
    ),
  }
  return [
    ...log.errors.filter(words => !isOfTrouble(words)).map(words => `it logged an error: ${words}`),
    ...log.failures,
    ...log.unfinished.map(words => `in the end: ${words}`),
    ...neverTwice(found),
    ...toldIsStored(found),
    ...keysAreKept(found),
    ...oneMessageOfKey(found),
    ...reportedStays(found),
    ...inItsTime(found),
    ...onlyForward(found),
    ...endsAsThePlatformSaw(found),
    ...planIsExact(found),
    ...daysAreExact(found),
    ...eventsAreTold(found),
    ...delivered(found),
    ...revokedMeansNow(found),
    ...cancelledNeverLeaves(found),
    ...ownOnly(found),
    ...pace(found),
    ...whole(found),
  ]
}

/** A disk that is held for longer than is waited for is told as an error, and tried again. */
const isOfTrouble = (words: string) =>
  /could not be stored; retrying|trying again|retrying|could not be stored/.test(words) &&
  /Unavailable|another process has been writing/.test(words)

/** How long a key is kept. */
const leapMs = idempotencyTtlMs

/**
 * Across a restart the time counts as it is (docs/operate.md#the-time-jumps): a leap beyond the life of a key lets a
 * process that starts later forget it.
 */
const mayForgetKeys = ({ history, log }: Found) =>
  log.crashes + log.stops > 0 && history.acts.some(({ act }) => act.kind === 'time' && act.byMs >= leapMs)

/** What the platform may have taken is never offered again, as this message or as another of the same key. */
function* neverTwice(found: Found) {
  const open = new Map<string, string>()
  const isByKey = !mayForgetKeys(found)
  for (const { messageId, text, wamid } of found.log.platform.offers) {
    for (const of of isByKey ? [messageId, text] : [messageId]) {
      const before = open.get(of)
      if (before !== undefined) yield `${text}: offered again as ${messageId}, after ${before} as may have been taken`
    }
    // A definite refusal was heard, or will be: what may follow it is looked at when the next one comes.
    if (wamid === 'maybe') {
      open.set(messageId, messageId)
      open.set(text, messageId)
    }
  }
}

const told = ({ log: { asked } }: Found) => asked.flatMap(one => one.told.map(told => ({ ...told, asked: one })))

/** Statuses that a message may have after each, in the end. */
const after: Readonly<Record<string, readonly string[]>> = {
  SCHEDULED: ['SCHEDULED', 'QUEUED', 'SENT', 'DELIVERED', 'READ', 'FAILED', 'UNKNOWN', 'CANCELLED'],
  QUEUED: ['QUEUED', 'SENT', 'DELIVERED', 'READ', 'FAILED', 'UNKNOWN'],
  UNKNOWN: ['UNKNOWN', 'SENT', 'DELIVERED', 'READ', 'FAILED'],
  SENT: ['SENT', 'DELIVERED', 'READ', 'FAILED'],
  // A report that it went out beats a refusal, and says so.
  FAILED: ['FAILED', 'SENT', 'DELIVERED', 'READ'],
  DELIVERED: ['DELIVERED', 'READ'],
  READ: ['READ'],
  CANCELLED: ['CANCELLED'],
}
const mayFollow = (before: string, status: string) => after[before]?.includes(status) === true

/** What a caller was answered is on disk, as its own, and at least as far. */
function* toldIsStored(found: Found) {
  for (const { asked, status, message } of told(found)) {
    if (!message) continue
    const row = found.messages.get(message.id)
    if (!row) yield `${asked.text}: ${message.id} was answered ${status}, and is not stored`
    else if (row.workspaceId !== tenants[asked.order.tenant].workspaceId)
      yield `${asked.text}: ${message.id} is in another workspace`
    else if (!mayFollow(message.status, row.status))
      yield `${asked.text}: ${message.id} was answered ${message.status}, and is ${row.status}`
    else if (!textOf(row).includes(asked.text)) yield `${asked.text}: ${message.id} is another text`
  }
  for (const { asked, status, code } of told(found)) {
    if (status === null || status < 400 || code === 'CHANNEL_GRAPH_ERROR') continue
    if (asked.told.length > 1 || asked.order.key !== null) continue
    const stored = [...found.messages.values()].some(row => textOf(row) === asked.text)
    if (stored) yield `${asked.text}: was refused with ${code}, and is stored`
    if (found.log.platform.offers.some(({ text }) => text === asked.text))
      yield `${asked.text}: was refused with ${code}, and went out`
  }
}

function textOf({ payload }: Row): string {
  try {
    const { text } = JSON.parse(payload) as { text?: { body?: string } }
    return text?.body ?? ''
  } catch {
    return ''
  }
}

/** A key stands for one message, unless it was freed by a refusal. */
function* oneMessageOfKey(found: Found) {
  if (mayForgetKeys(found)) return
  const { messages, timeline } = found
  const byKey = new Map<string, Row>()
  for (const row of messages.values()) {
    if (row.idempotencyKey === null) continue
    const name = `${row.workspaceId} ${row.keyId} ${row.idempotencyKey}`
    const isFreed = timeline.get(row.seq)?.some(({ kind }) => kind === 'refused' || kind === 'expired') === true
    if (isFreed) continue
    const other = byKey.get(name)
    if (other) yield `${row.idempotencyKey} of ${row.keyId} stands for ${other.id} and for ${row.id}`
    byKey.set(name, row)
  }
}

/** Who repeats a key is answered as before, whatever would refuse it by now, but for a key of ours that is revoked. */
function* keysAreKept(found: Found) {
  if (mayForgetKeys(found)) return
  const first = new Map<string, { id: string; at: number }>()
  const answers = told(found)
    .filter(({ asked, status }) => asked.order.key !== null && status !== null)
    .toSorted((one, other) => one.at - other.at)
  for (const { asked, askedAt, at, status, code, message } of answers) {
    const { tenant, apiKey, key } = asked.order
    const name = `${tenant} ${apiKey} ${key}`
    const before = first.get(name)
    const row = before && found.messages.get(before.id)
    const entries = row ? (found.timeline.get(row.seq) ?? []) : []
    const isFreed = entries.some(({ kind }) => ['refused', 'expired'].includes(kind))
    if (before && !isFreed && before.at < askedAt) {
      const isAlike = status === 401 || status === 409 || status === 503 || status === 429
      if (message ? message.id !== before.id : !isAlike)
        yield `${asked.text}: ${before.id} was answered, and its repeat is ${status} ${code ?? message?.id}`
    }
    if (message && !before) first.set(name, { id: message.id, at })
    else if (message && isFreed) first.set(name, { id: message.id, at })
  }
}

/** What was handed over leaves within a second, and is under way for a moment. */
const handOverMs = 1_200

/** Once a report that it went out is acknowledged, a message never leaves again. */
function* reportedStays({ log }: Found) {
  const at = new Map<string, number>()
  for (const { messageId, status, isNamed, acknowledgedAt } of log.acknowledged)
    if (isNamed && status !== 'failed') at.set(messageId, Math.min(at.get(messageId) ?? acknowledgedAt, acknowledgedAt))
  for (const { messageId, at: leftAt } of log.platform.offers)
    if (leftAt > (at.get(messageId) ?? Number.POSITIVE_INFINITY) + handOverMs)
      yield `${messageId} left again, after a report that it had been sent was taken`
}

/** What is scheduled is released at its time, and not before. */
function* inItsTime({ messages }: Found) {
  for (const { id, dueAt, releasedAt } of messages.values())
    if (dueAt !== null && releasedAt !== null && releasedAt < dueAt)
      yield `${id} was released ${dueAt - releasedAt} ms before its time`
}

/** What is shown of a message goes forward only. */
function* onlyForward(found: Found) {
  const shown = [
    ...found.log.looks,
    ...told(found).flatMap(({ at, message }) =>
      message ? [{ at, messageId: message.id, status: message.status }] : [],
    ),
  ].toSorted((one, other) => one.at - other.at)
  const last = new Map<string, (typeof shown)[number]>()
  for (const one of shown) {
    const before = last.get(one.messageId)
    // Those of one moment have no order.
    if (before && before.at < one.at && !mayFollow(before.status, one.status))
      yield `${one.messageId} was ${before.status}, and ${one.status} later`
    last.set(one.messageId, one)
  }
}

/** How a message ends follows from what the platform did and told. */
function* endsAsThePlatformSaw({ messages, log }: Found) {
  const arrivals = Map.groupBy(log.platform.arrivals, ({ messageId }) => messageId)
  const offers = Map.groupBy(log.platform.offers, ({ messageId }) => messageId)
  const reports = Map.groupBy(log.acknowledged, ({ messageId }) => messageId)
  for (const messageId of arrivals.keys())
    if (!messages.has(messageId)) yield `${messageId} reached the platform, and is not stored`
  for (const row of messages.values()) {
    const of = arrivals.get(row.id) ?? []
    // Without our id and without an answer, nobody knows whose report it is.
    const heard = (reports.get(row.id) ?? []).filter(({ isNamed }) => isNamed || row.channelMessageId !== null)
    const isTaken = of.some(({ wamid }) => wamid !== null)
    const hears = (...statuses: string[]) => heard.some(({ status }) => statuses.includes(status))
    if (['SENT', 'DELIVERED', 'READ'].includes(row.status) && !isTaken)
      yield `${row.id} is ${row.status}, and the platform did not take it`
    if (hears('read') && row.status !== 'READ') yield `${row.id} was reported read, and is ${row.status}`
    if (hears('delivered') && !['DELIVERED', 'READ'].includes(row.status))
      yield `${row.id} was reported delivered, and is ${row.status}`
    if (hears('sent') && ['UNKNOWN', 'QUEUED'].includes(row.status))
      yield `${row.id} was reported sent, and is ${row.status}`
    // The failure of one attempt says nothing of the next.
    if (offers.get(row.id)?.length === 1 && hears('failed') && ['UNKNOWN', 'QUEUED', 'SENT'].includes(row.status))
      yield `${row.id} was reported failed, and is ${row.status}`
    if (row.status === 'READ' && !hears('read')) yield `${row.id} is READ, and nobody reported it`
    if (row.status === 'DELIVERED' && !hears('delivered')) yield `${row.id} is DELIVERED, and nobody reported it`
    if (row.status === 'UNKNOWN' && log.crashes + log.senderDeaths + log.stops === 0 && !isAmbiguous(log, row.id))
      yield `${row.id} is UNKNOWN, though every answer came`
    // One that was declined and taken all the same waits for its next attempt when its report comes.
    if (of.some(({ wamid, isDeclined }) => wamid !== null && !isDeclined) && row.dispatchedAt === null)
      yield `${row.id} was taken, and is not stored as handed over`
  }
}

const isAmbiguous = ({ platform }: Log, id: string) => platform.ambiguous.has(id)

/** What the plan has counted is what is stored, and never more than it allows. */
function* planIsExact({ rows, messages, timeline, history }: Found) {
  for (const [at, { workspaceId }] of tenants.entries()) {
    const used = rows<{ used: number }>(
      'SELECT sum(used) AS used FROM plan_usage WHERE workspace_id = ?',
      workspaceId,
    )[0]?.used
    let most = 0
    let least = 0
    for (const row of messages.values()) {
      if (row.workspaceId !== workspaceId || (row.dueAt !== null && row.releasedAt === null)) continue
      const entries = timeline.get(row.seq) ?? []
      const undone = entries.find(({ kind }) => kind === 'refused' || kind === 'expired')
      const through = entries.find(({ kind }) => ['sent', 'delivered', 'read'].includes(kind))
      // A refusal gives the count back, unless a report has shown by then that it was sent.
      if (!undone) {
        most += 1
        least += 1
      } else if (through && through.recordedAt <= undone.recordedAt) most += 1
    }
    if ((used ?? 0) > most || (used ?? 0) < least)
      yield `the plan of ${workspaceId} has counted ${used}, and stored are ${least} to ${most}`
    const limit = history.limits[at]
    const isChanged = history.acts.some(({ act }) => act.kind === 'limit' && act.tenant === at)
    if (typeof limit === 'number' && !isChanged && (used ?? 0) > limit)
      yield `the plan of ${workspaceId} has ${used} of ${limit}`
  }
}

const open = ['QUEUED', 'SCHEDULED', 'CANCELLED']

/** What is counted by days are the messages that are stored. */
function* daysAreExact({ rows, messages }: Found) {
  const counts = rows<{ name: string; count: number }>(
    `SELECT workspace_id || ' ' || kind AS name, sum(count) AS count FROM daily_counts
     WHERE kind IN ('SENT', 'DELIVERED', 'READ', 'FAILED', 'UNKNOWN') GROUP BY 1`,
  )
  const counted = new Map(counts.map(({ name, count }) => [name, count]))
  const stored = new Map<string, number>()
  for (const { workspaceId, status } of messages.values()) {
    if (open.includes(status)) continue
    const name = `${workspaceId} ${status}`
    stored.set(name, (stored.get(name) ?? 0) + 1)
  }
  for (const name of new Set([...counted.keys(), ...stored.keys()])) {
    const [one, other] = [counted.get(name) ?? 0, stored.get(name) ?? 0]
    if (one !== other) yield `${name}: ${one} are counted, and ${other} are stored`
  }
}

/** Each thing that happened to a message is one event, and events of a message are told in their order. */
function* eventsAreTold({ messages, events }: Found) {
  const byMessage = Map.groupBy(events, ({ messageSeq }) => messageSeq)
  for (const row of messages.values()) {
    const own = byMessage.get(row.seq) ?? []
    const count = (type: string) => own.filter(event => event.type === `message.${type}`).length
    const expected: readonly (readonly [string, boolean])[] = [
      ['sent', row.acceptedAt !== null || row.reportedSentAt !== null],
      ['delivered', row.deliveredAt !== null],
      ['read', row.readAt !== null],
      ['released', row.releasedAt !== null],
      ['cancelled', row.cancelledAt !== null],
    ]
    for (const [type, is] of expected)
      if (count(type) !== (is ? 1 : 0)) yield `${row.id} is ${row.status}, and ${type} is told ${count(type)} times`
    if (row.status === 'FAILED' && count('failed') === 0) yield `${row.id} is FAILED, and nobody is told`
    if (row.status === 'UNKNOWN' && count('unknown') === 0) yield `${row.id} is UNKNOWN, and nobody is told`
    const numbers = own.map(({ sequence }) => sequence)
    if (numbers.some((number, at) => at > 0 && (numbers[at - 1] ?? 0) >= (number ?? 0)))
      yield `${row.id}: its events have the numbers ${numbers.join(', ')}`
    if (own.some(({ workspaceId }) => workspaceId !== row.workspaceId)) yield `${row.id}: its events are elsewhere`
  }
  const seqs = new Set([...messages.values()].map(({ seq }) => seq))
  for (const { messageSeq, type } of events)
    if (messageSeq !== null && !seqs.has(messageSeq)) yield `${type} is told of no message`
}

/** As in `src/webhooks/queue.ts`: so long an event of a message waits for an earlier one that failed. */
const orderedMs = 60_000

/** An endpoint gets each event of its workspace, and none of another; those of a message in their order. */
function* delivered({ log, events, messages, history, rows }: Found) {
  const workspaceOf = new Map([...messages.values()].map(({ id, workspaceId }) => [id, workspaceId]))
  const isTimeSet = history.acts.some(({ act }) => act.kind === 'time')
  for (const [at, { workspaceId, webhookId }] of tenants.entries()) {
    if (!history.receivers[at]) continue
    const own = log.delivered.filter(({ url }) => url.endsWith(`/${at}`))
    const arrived = new Set(own.filter(({ hasWorked }) => hasWorked).map(({ id }) => id))
    const told = events.filter(event => event.workspaceId === workspaceId)
    const pending = rows<object>(
      "SELECT seq FROM webhook_deliveries WHERE endpoint_id = ? AND state = 'pending'",
      webhookId,
    )
    if (arrived.size + pending.length < told.length)
      yield `the endpoint of ${workspaceId} got ${arrived.size} of ${told.length} events, and ${pending.length} wait`
    const byMessage = new Map<string, { first: number; sequence: number; arrivedAt: number }[]>()
    const known = new Map<string, { first: number; sequence: number; arrivedAt: number }>()
    for (const { id, body, at: when, hasWorked } of own) {
      const { data, sequence } = JSON.parse(body) as { data?: { message?: { id: string } }; sequence: number }
      const messageId = data?.message?.id
      if (messageId === undefined) continue
      if (workspaceOf.get(messageId) !== workspaceId) yield `${messageId} was delivered to ${workspaceId}`
      const event = known.get(id) ?? { first: when, sequence, arrivedAt: Number.POSITIVE_INFINITY }
      if (!known.has(id)) byMessage.set(messageId, [...(byMessage.get(messageId) ?? []), event])
      known.set(id, event)
      if (!hasWorked) continue
      if (event.arrivedAt === Number.POSITIVE_INFINITY && !isTimeSet) {
        const others = byMessage.get(messageId) ?? []
        const before = others.find(
          other => other.sequence < sequence && other.arrivedAt > when && when < other.first + orderedMs,
        )
        if (before) yield `${messageId}: event ${sequence} was delivered before ${before.sequence}`
        // What was not even tried yet.
        const later = others.find(other => other.sequence > sequence && other.arrivedAt < when && event.first === when)
        if (later) yield `${messageId}: event ${sequence} was tried after ${later.sequence} had been delivered`
      }
      event.arrivedAt = Math.min(event.arrivedAt, when)
    }
  }
}

/** A key that is revoked changes nothing more. */
function* revokedMeansNow(found: Found) {
  for (const { tenant, at, messageIds } of found.log.revoked) {
    const keyId = tenants[tenant].keys[0].apiKey
    for (const row of found.messages.values())
      if (row.keyId === keyId && !messageIds.has(row.id)) yield `${row.id} was stored by ${keyId} after it was revoked`
    const late = (one: Asked) => one.order.tenant === tenant && one.order.apiKey === 0
    for (const { asked, askedAt, status } of told(found))
      if (late(asked) && askedAt > at && status !== null && status < 400)
        yield `${asked.text}: was answered ${status} by a key that is revoked`
  }
}

/** What is told as cancelled never leaves. */
function* cancelledNeverLeaves({ log, messages }: Found) {
  for (const { messageId } of log.cancelled) {
    if (log.platform.offers.some(offer => offer.messageId === messageId)) yield `${messageId} was cancelled, and left`
    if (messages.get(messageId)?.status !== 'CANCELLED')
      yield `${messageId} was told as cancelled, and is ${messages.get(messageId)?.status}`
  }
}

/** Each message leaves by its own line, with its own token, to whom it is for. */
function* ownOnly({ log, messages }: Found) {
  for (const { messageId, phoneId, token, text } of log.platform.offers) {
    const row = messages.get(messageId)
    const names = tenants.find(one => one.phoneId === phoneId)
    if (!row || !names) continue
    if (names.workspaceId !== row.workspaceId) yield `${messageId} left by a line of another workspace`
    if (token !== `Bearer ${names.token}`) yield `${messageId} left with another token`
    if (textOf(row) !== '' && textOf(row) !== text) yield `${messageId} left as ${text}, and is ${textOf(row)}`
  }
}

/** The pace is kept over each second; the clock of a line and the way to it differ by so much. */
const paceSlackMs = 30

/** A line sends no more in a second than it may, also across a restart. */
function* pace({ log, history }: Found) {
  for (const [at, { phoneId, workspaceId }] of tenants.entries()) {
    const perSecond = history.lines[at]?.perSecond ?? 0
    if (perSecond === 0) continue
    const times = log.platform.offers.filter(offer => offer.phoneId === phoneId).map(({ at }) => at)
    for (let from = 0; from + perSecond < times.length; from += 1) {
      const ms = (times[from + perSecond] ?? 0) - (times[from] ?? 0)
      if (ms < 1_000 - paceSlackMs)
        yield `the line of ${workspaceId} sent ${perSecond + 1} within ${Math.round(ms)} ms, and may send ${perSecond} a second`
    }
  }
}

/** Each row refers to one that is there. */
function* whole({ rows }: Found) {
  const orphans = rows<object>('PRAGMA foreign_key_check')
  if (orphans.length > 0) yield `rows refer to none: ${JSON.stringify(orphans.slice(0, 3))}`
}
