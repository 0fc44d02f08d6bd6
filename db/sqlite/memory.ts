import type { Database } from 'bun:sqlite'
import { ShortLivedMap } from '../../src/base/shortLivedMap.ts'
import { mayLeave } from '../../src/message/statuses.ts'
import { holds, keep } from '../../src/telemetry/promises.ts'
import type { Message } from '../contract/records.ts'
import type { Row } from '../schema/tables.ts'
import type { Month, PlanRow } from './sendReads.ts'
import { countMark, readingUncounted } from './uncounted.ts'

/** With its number, which the tables beside the messages know it by, and that of its last event. */
export type StoredMessage = Message & Pick<Row<'messages'>, 'seq' | 'sequence'>

/** The line and the key of a message, as acceptance needs them. */
export interface LineAndKey {
  readonly lineSeq: number
  readonly channelId: string
  readonly workspaceId: string
  readonly removedAt: number | null
  /** Null when there is no such key. */
  readonly apiKeySeq: number | null
  readonly keyWorkspaceId: string | null
  readonly keyRevokedAt: number | null
}

type DayCount = Row<'dailyCounts'>

/**
 * After so many acceptances and events the counts of new messages are written: two to four pages then, and who reads
 * them looks at no more rows.
 */
const uncountedMax = 200

/**
 * Numbers of events that are on disk as used before they are: a write for each of them would be a page of each commit.
 */
const numbersReserved = 100

/** The last number of a workspace that was used, and the last that is on disk as used. */
interface Numbers {
  readonly last: number
  readonly reserved: number
}

/** Messages in flight: a line at full speed has some thousand. Beyond this the oldest are read again. */
const messagesMax = 4_096
/** Of each of the others: lines and keys, and workspaces, that send at the same time. */
const othersMax = 1_000

/**
 * A cache of the writer: rows that a send needs twice, and counts of a batch that are not written yet.
 *
 * It is never stale, because it is cleared by every verb that does not keep it up to date (`writes.ts`), by a rollback,
 * and by a commit of another connection, such as a command that runs beside the gateway: SQLite reports that when the
 * next batch begins, and while a batch runs no other connection can write.
 */
export class WriterMemory {
  readonly #version
  readonly #addToMonth
  readonly #addToDay
  readonly #takeFromDay
  readonly #lastNumber
  readonly #reserve
  readonly #mark
  readonly #readUncounted
  readonly #messages = new ShortLivedMap<string, StoredMessage>()
  readonly #plans = new ShortLivedMap<string, PlanRow>()
  readonly #linesAndKeys = new ShortLivedMap<string, LineAndKey>()
  readonly #days = new ShortLivedMap<string, DayCount>()
  readonly #numbers = new ShortLivedMap<string, Numbers>()
  readonly #asked = new ShortLivedMap<string, boolean>()
  #seenVersion: number | undefined
  /** Each message behind the mark of the counts has added one. How many were left there before is not known. */
  #uncounted = uncountedMax
  /** The last message that the counts on disk have; null when it has to be read. */
  #counted: number | null = null
  /** Whether any status update is parked; null when it has to be read. */
  hasParked: boolean | null = null

  constructor(client: Database) {
    this.#version = client.query<{ data_version: number }, []>('PRAGMA data_version')
    this.#seenVersion = this.#version.get()?.data_version
    this.#addToMonth = client.query<Pick<Row<'planUsage'>, 'used'>, [Row<'planUsage'>]>(
      `INSERT INTO plan_usage (workspace_id, month, used) VALUES ($workspaceId, $month, $used)
       ON CONFLICT (workspace_id, month) DO UPDATE SET used = used + excluded.used RETURNING used`,
    )
    const addToDay = `INSERT INTO daily_counts (workspace_id, day, kind, count)
      VALUES ($workspaceId, $day, $kind, $count)
      ON CONFLICT (workspace_id, day, kind) DO UPDATE SET count = count + excluded.count`
    this.#addToDay = client.query<never, [DayCount]>(addToDay)
    this.#takeFromDay = client.query<Pick<DayCount, 'count'>, [DayCount]>(`${addToDay} RETURNING count`)
    this.#lastNumber = client.query<{ last: number }, [string]>(
      'SELECT last FROM event_counters WHERE workspace_id = ?',
    )
    this.#reserve = client.query<never, [string, number]>(
      `INSERT INTO event_counters (workspace_id, last) VALUES (?, ?)
       ON CONFLICT (workspace_id) DO UPDATE SET last = excluded.last`,
    )
    this.#mark = countMark(client)
    this.#readUncounted = readingUncounted(client)
  }

  /** Call it when a transaction has begun that keeps other writers out. */
  begun(): void {
    const version = this.#version.get()?.data_version
    if (version !== this.#seenVersion) this.forget()
    this.#seenVersion = version
  }

  /** Forgets everything that was read. */
  forget(): void {
    this.#messages.clear()
    this.#plans.clear()
    this.#linesAndKeys.clear()
    this.#numbers.clear()
    this.#asked.clear()
    this.#counted = null
    this.hasParked = null
  }

  /** Unwritten counts are dropped with the messages that they belong to, and the mark may be back where it was. */
  rolledBack(): void {
    this.forget()
    this.#days.clear()
    this.#uncounted = uncountedMax
  }

  /** Writes the counts of messages that are counted. Each batch ends with it, and only this class has them before. */
  writeCounts(): void {
    if (this.#uncounted >= uncountedMax) this.countAll()
    for (const day of this.#days.values()) {
      if (day.count > 0) this.#addToDay.run(day)
      else if (day.count < 0)
        holds('daysNotNegative', (this.#takeFromDay.get(day)?.count ?? 0) >= 0, () => ({ ...day }))
    }
    this.#days.clear()
  }

  /**
   * Counts the messages behind the mark as they are now, and lists those that are under way. A verb needs it that
   * deletes messages, goes by what is counted or not settled, or takes back a count.
   */
  countAll(): void {
    const { months, days, underWay, last } = this.#readUncounted()
    this.#uncounted = 0
    if (last === null) return
    for (const month of months) this.#addUsed(month)
    for (const day of days) this.#addToDay.run(day)
    if (underWay.length > 0) this.#mark.list()
    this.#moveMark(last)
  }

  /** @throws BrokenPromise when a month is not as it is remembered: all is read anew then */
  #addUsed(month: Row<'planUsage'>): void {
    const used = this.#addToMonth.get(month)?.used ?? 0
    const plan = this.#plans.get(keyOf(month))
    if (!plan) return
    const about = () => ({ ...month, used, limit: plan.limit, remembered: plan.used })
    keep('planKept', plan.limit === null || used <= plan.limit, about)
    keep('planRemembered', used === plan.used, about)
  }

  #moveMark(seq: number): void {
    this.#mark.put(seq)
    this.#counted = seq
  }

  /** Whether the counts have a message: then what happens to it changes them. Else it counts as it is in the end. */
  isCounted(seq: number): boolean {
    this.#counted ??= this.#mark.read()
    return seq <= this.#counted
  }

  message(id: string): StoredMessage | undefined {
    return this.#messages.get(id)
  }

  /** Keeps a message while it is handed over and has no end: the next event is that of its answer. */
  keepMessage(message: StoredMessage): void {
    if (mayLeave(message.status) && message.dispatchedAt !== null) {
      put(this.#messages, message.id, message, messagesMax)
    } else {
      this.#messages.delete(message.id)
    }
  }

  /** @param read reads it when it is not known */
  lineAndKey(lineId: string, apiKeyId: string | null, read: () => LineAndKey | null): LineAndKey | null {
    const key = `${lineId} ${apiKeyId}`
    const known = this.#linesAndKeys.get(key)
    if (known) return known
    const found = read()
    if (found) put(this.#linesAndKeys, key, found, othersMax)
    return found
  }

  /** @returns whether a webhook of the workspace asks for the acceptance of messages; `read` when it is not known */
  asksForQueued(workspaceId: string, read: () => boolean): boolean {
    const known = this.#asked.get(workspaceId)
    if (known !== undefined) return known
    const asks = read()
    put(this.#asked, workspaceId, asks, othersMax)
    return asks
  }

  /** @returns the limit and what is used, with what this batch has counted */
  plan(month: Month, read: () => PlanRow | null): PlanRow | null {
    const key = keyOf(month)
    const known = this.#plans.get(key)
    if (known) return known
    const plan = read()
    if (plan) put(this.#plans, key, plan, othersMax)
    return plan
  }

  /** Counts a new message in its month, whose plan was asked for: its row does, behind the mark. */
  countNew(month: Month, seq: number): void {
    // SQLite gives the numbers of the newest messages again when they are gone.
    if (this.isCounted(seq)) this.#moveMark(seq - 1)
    const isFirst = this.#use(month) === 1
    // A month in which something was sent has its row.
    this.#uncounted = isFirst ? uncountedMax : this.#uncounted + 1
  }

  /** Counts a message that has waited for its time. */
  countReleased(month: Month): void {
    this.countAll()
    this.#use(month)
    this.#addUsed({ ...month, used: 1 })
  }

  /** @returns how many the plan has, where it is known */
  #use(month: Month): number | undefined {
    const key = keyOf(month)
    const plan = this.#plans.get(key)
    if (!plan) return undefined
    const used = plan.used + 1
    this.#plans.set(key, { ...plan, used })
    return used
  }

  /** The count of a month is about to be changed by a statement. */
  forgetPlan(month: Month): void {
    this.countAll()
    this.#plans.delete(keyOf(month))
  }

  countDay(workspaceId: string, day: string, kind: string, count: number): void {
    const key = `${workspaceId} ${day} ${kind}`
    this.#days.set(key, { workspaceId, day, kind, count: (this.#days.get(key)?.count ?? 0) + count })
  }

  /**
   * @returns the next number of an event in a workspace: greater than all before. What was reserved and is forgotten
   *   leaves a gap
   */
  nextNumber(workspaceId: string): number {
    this.#uncounted += 1
    const known = this.#numbers.get(workspaceId)
    const last = (known?.last ?? this.#lastNumber.get(workspaceId)?.last ?? 0) + 1
    const reserved = known && last <= known.reserved ? known.reserved : last + numbersReserved - 1
    if (reserved !== known?.reserved) this.#reserve.run(workspaceId, reserved)
    put(this.#numbers, workspaceId, { last, reserved }, othersMax)
    return last
  }
}

const keyOf = ({ workspaceId, month }: Month) => `${workspaceId} ${month}`

/** Beyond its bound a map drops its oldest entries. */
function put<Value>(map: ShortLivedMap<string, Value>, key: string, value: Value, max: number): void {
  map.set(key, value)
  const oldest = map.size > max ? map.first() : undefined
  if (oldest !== undefined) map.delete(oldest)
}
