import { type BatchAnswer, type BatchOrder, promisedBatch } from './batches.ts'
import type { Content, KeptFile, Quotable } from './contents.ts'

/** Which of the two workspaces: without a monthly limit, or with one. */
export type Owner = 'unlimited' | 'limited'

/** One answer of the gateway to an order. */
export interface Answer {
  readonly status: number
  readonly error: string | null
  readonly messageId: string | null
  readonly messageStatus: string | null
  readonly isReplay: boolean
}

/** Something that a client wants sent once. What it knows is what it asked for and what it was answered. */
export interface Order {
  /** Part of the message's text, so that the stand-in's journal tells which order a request belongs to. */
  readonly tag: string
  readonly owner: Owner
  /** Null: posted once and never again. */
  readonly key: string | null
  readonly body: Readonly<Record<string, unknown>>
  readonly content: Content
  /** Whether the upstream takes it at the first attempt. */
  readonly isOrdinary: boolean
  readonly answers: Answer[]
  /** How often its connection was cut before an answer. */
  cuts: number
}

/** The id of the message that a client was promised; null while it was promised none. */
export function promised({ answers }: Order): string | null {
  const kept = answers.find(({ status }) => status === 200 || status === 201)
  return kept?.messageId ?? null
}

/** Everything that the callers asked for, and what they were answered, in all rounds. */
export class OrderBook {
  readonly all: Order[] = []
  readonly batches: BatchOrder[] = []
  /** Answers that no client may ever get, and answers that contradict an earlier one. */
  readonly violations: string[] = []
  readonly answers = new Map<string, number>()
  /** What the gateway keeps for the callers. */
  readonly files: KeptFile[] = []
  /** What users wrote. */
  readonly written: Quotable[] = []
  /** How many requests were answered. */
  answered = 0
  replays = 0
  cuts = 0

  readonly #outages: readonly string[]

  /** @param outages answers, `503 SERVICE_UNAVAILABLE`, that say that the gateway or its database is away */
  constructor(outages: readonly string[]) {
    this.#outages = outages
  }

  add(order: Order): Order {
    this.all.push(order)
    return order
  }

  addBatch(batch: BatchOrder): BatchOrder {
    this.batches.push(batch)
    for (const item of batch.items) this.add(item)
    return batch
  }

  /**
   * Keeps an answer.
   * @param before what the client was promised when it asked; of two at once, either may be answered as the replay
   */
  keep(order: Order, answer: Answer, before: string | null): void {
    const name = nameOf(answer)
    this.answers.set(name, (this.answers.get(name) ?? 0) + 1)
    order.answers.push(answer)
    this.answered += 1
    if (this.mayBeUnavailable(answer)) return
    if (!mayBeAnswered(order, answer))
      this.violations.push(`${order.tag}: was answered ${name}, and asked ${JSON.stringify(order.body)}`)
    if (before === null || !order.isOrdinary) return
    this.replays += 1
    if (answer.status !== 200 || answer.messageId !== before || !answer.isReplay) {
      this.violations.push(`${order.tag}: was promised ${before}, and its replay is ${name} ${answer.messageId}`)
    }
  }

  /** Keeps an answer to a request that makes a batch: the same key gives the same batch, whatever has happened. */
  keepBatch(batch: BatchOrder, answer: BatchAnswer): void {
    const before = promisedBatch(batch)
    batch.answers.push(answer)
    this.answered += 1
    const { status, error, batchId } = answer
    if (this.mayBeUnavailable({ status, error, messageId: batchId })) return
    // The first answer that comes may be that of a repetition, for the one before it was cut.
    const isAsItMay = batchId !== null && (status === 200 || (status === 202 && before === null))
    if (!isAsItMay || (before !== null && batchId !== before))
      this.violations.push(`${batch.key}: was promised ${before}, and is answered ${nameOf(answer)} ${batchId}`)
  }

  /** Whether an answer says, as it may, that nothing is known of the order now. Its caller repeats it with its key. */
  mayBeUnavailable(answer: Pick<Answer, 'status' | 'error' | 'messageId'>): boolean {
    return answer.messageId === null && this.#outages.includes(nameOf(answer))
  }

  cut(order: Order): void {
    order.cuts += 1
    this.cuts += 1
  }
}

const nameOf = ({ status, error }: Pick<Answer, 'status' | 'error'>) =>
  error === null ? String(status) : `${status} ${error}`

/** Nothing here is malformed, unauthorised or too much, so that few answers are left. */
function mayBeAnswered({ owner, key, isOrdinary }: Order, { status, error, messageId }: Answer): boolean {
  switch (status) {
    case 201:
      return messageId !== null
    case 200:
      return messageId !== null && key !== null
    case 400:
    case 502:
      return error === 'CHANNEL_GRAPH_ERROR' && messageId !== null && !isOrdinary
    case 402:
      return owner === 'limited'
    default:
      return false
  }
}
