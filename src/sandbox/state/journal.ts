import type { EpochMs } from '../../base/clock.ts'
import { Bodies, type LeftOut, type ReceivedBody } from './bodies.ts'
import { BoundedMap, Ring } from './bounded.ts'
import { BOUNDS } from './defaults.ts'

/**
 * accepted  answered 200 with a message id; the message went out
 * refused   answered with an error; nothing went out
 * lost      the message went out, but the answer did not say so (reset, hang, unreadable, 5xx ...)
 * dropped   nothing went out, and the answer did not say so either
 */
export type JournalOutcome = 'accepted' | 'refused' | 'lost' | 'dropped'

/** One request to `/messages` and its outcome. */
export interface JournalEntry {
  readonly seq: number
  readonly at: EpochMs
  readonly kind: 'send' | 'markAsRead'
  readonly line: string
  /** `to` or `recipient` as given. */
  readonly to: string | undefined
  readonly waId: string | undefined
  readonly bodySha256: string
  readonly opaque: string | undefined
  /** The JSON that was sent, or the text where it is none. */
  readonly body?: unknown
  /** Why there is no body. */
  readonly bodyLeftOut?: LeftOut
  readonly outcome: JournalOutcome
  readonly code?: number
  readonly wamid?: string
  /** The magic recipient or fault that decided the outcome. */
  readonly fault?: string
}

/** An entry as it is stored: the body is stored separately. */
type KeptEntry = Omit<JournalEntry, 'body'>

export type JournalRecord = Omit<KeptEntry, 'seq' | 'bodyLeftOut'> & { readonly body: ReceivedBody }

export interface JournalFilter {
  readonly line?: string
  readonly waId?: string
  readonly opaque?: string
  readonly outcome?: JournalOutcome
  readonly afterSeq?: number
  /** At most this many, the newest that match. */
  readonly limit?: number
}

export interface JournalTotals {
  readonly requests: number
  readonly byOutcome: Readonly<Record<JournalOutcome, number>>
  readonly byCode: Readonly<Record<string, number>>
  /** Different values of `biz_opaque_callback_data` that went out. */
  readonly distinctOpaque: number
}

/** The record of every send: the proof, for a test, of what went out and that nothing went out twice. */
export class Journal {
  readonly #entries = new Ring<KeptEntry>(BOUNDS.journalEntries)
  readonly #bodies = new Bodies()
  readonly #sentByOpaque = new BoundedMap<string, number>(BOUNDS.opaqueCounts)
  readonly #doubles = new BoundedMap<string, number>(BOUNDS.journalEntries)
  readonly #byCode = new Map<string, number>()
  #byOutcome: Record<JournalOutcome, number> = { accepted: 0, refused: 0, lost: 0, dropped: 0 }
  #seq = 0

  record({ body, ...record }: JournalRecord): void {
    this.#seq += 1
    const bodyLeftOut = this.#bodies.keep(this.#seq, body)
    const entry: KeptEntry = {
      seq: this.#seq,
      ...record,
      to: short(record.to),
      waId: short(record.waId),
      opaque: short(record.opaque),
      ...(bodyLeftOut && { bodyLeftOut }),
    }
    this.#entries.push(entry)
    this.#byOutcome[entry.outcome] += 1
    if (entry.code !== undefined) {
      const code = String(entry.code)
      this.#byCode.set(code, (this.#byCode.get(code) ?? 0) + 1)
    }
    if (entry.kind === 'send' && entry.opaque !== undefined) this.#countSent(entry.opaque, entry.outcome)
  }

  /** @returns the entries that match, oldest first. Walks the whole journal: for tests and people, not for sends. */
  find(filter: JournalFilter = {}): JournalEntry[] {
    const found = this.#entries
      .toArray()
      .filter(
        entry =>
          (filter.line === undefined || entry.line === filter.line) &&
          (filter.waId === undefined || entry.waId === filter.waId) &&
          (filter.opaque === undefined || entry.opaque === filter.opaque) &&
          (filter.outcome === undefined || entry.outcome === filter.outcome) &&
          (filter.afterSeq === undefined || entry.seq > filter.afterSeq),
      )
    const wanted = filter.limit === undefined ? found : found.slice(Math.max(0, found.length - filter.limit))
    return wanted.map(entry => (entry.bodyLeftOut ? entry : { ...entry, ...this.#bodies.show(entry.seq) }))
  }

  /** @returns the opaque data that went out more than once, and how often. */
  doubles(): { opaque: string; times: number }[] {
    return [...this.#doubles.entries()].map(([opaque, times]) => ({ opaque, times }))
  }

  totals(): JournalTotals {
    return {
      requests: this.#seq,
      byOutcome: { ...this.#byOutcome },
      byCode: Object.fromEntries(this.#byCode),
      distinctOpaque: this.#sentByOpaque.size,
    }
  }

  clear(): void {
    this.#entries.clear()
    this.#bodies.clear()
    this.#sentByOpaque.clear()
    this.#doubles.clear()
    this.#byCode.clear()
    this.#byOutcome = { accepted: 0, refused: 0, lost: 0, dropped: 0 }
    this.#seq = 0
  }

  #countSent(opaque: string, outcome: JournalOutcome): void {
    if (outcome !== 'accepted' && outcome !== 'lost') return
    const times = (this.#sentByOpaque.get(opaque) ?? 0) + 1
    this.#sentByOpaque.set(opaque, times)
    if (times > 1) this.#doubles.set(opaque, times)
  }
}

/** Values longer than the upstream accepts are refused, and not kept either. */
const short = (text: string | undefined): string | undefined =>
  text !== undefined && text.length > BOUNDS.journalTextLength ? undefined : text
