import type { ItemState } from '../../../src/message/batches.ts'
import type { Answer, Order, Owner } from './orders.ts'

/** One answer of the gateway to the request that makes a batch. */
export interface BatchAnswer extends Pick<Answer, 'status' | 'error'> {
  readonly batchId: string | null
}

/** Sends that a client asks for as one thing. Each item is an order whose message no answer names. */
export interface BatchOrder {
  readonly owner: Owner
  /** A client repeats with it until it is answered. */
  readonly key: string
  /** What its items share. */
  readonly defaults: Readonly<Record<string, unknown>>
  /** By their numbers; the book has them among its orders, for they may go out before the batch is answered. */
  readonly items: readonly Order[]
  readonly answers: BatchAnswer[]
}

/** The id of the batch that a client was answered with; null while it was not. */
export const promisedBatch = ({ answers }: BatchOrder): string | null =>
  answers.find(({ batchId }) => batchId !== null)?.batchId ?? null

/** An item as it is stored. */
export interface ItemRow {
  readonly batchId: string
  readonly number: number
  readonly state: ItemState
  readonly recipient: string
  /** Of the message that it became, or is about to. */
  readonly messageId: string | null
}

/** A batch as it is stored. */
export interface BatchRow {
  readonly id: string
  readonly workspaceId: string
  readonly idempotencyKey: string | null
  readonly state: string
  readonly total: number
  /** By their numbers. */
  readonly items: readonly ItemRow[]
}
