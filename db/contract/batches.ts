import type { EpochMs } from '../../src/base/clock.ts'
import { hourMs } from '../../src/base/durations.ts'
import type { JsonObject } from '../../src/base/json.ts'
import type { BatchEvent, BatchReason, ItemState } from '../../src/message/batches.ts'
import type { CostRow } from '../../src/message/costs.ts'
import { messageStatuses } from '../../src/message/statuses.ts'
import type { Row } from '../schema/tables.ts'

/** A batch as it is stored. */
export type Batch = Omit<Row<'batches'>, 'fingerprint' | 'keepsContent'>
export type BatchItem = Omit<Row<'batchItems'>, 'batchId'>

/** An item as it is given. */
export type NewBatchItem = Pick<Row<'batchItems'>, 'recipient' | 'reference'> & { readonly body: JsonObject }

/** Where an item is, with the state of its message. `DELETED`: its message was deleted by its age. */
export const itemStatuses = ['WAITING', ...messageStatuses, 'SKIPPED', 'DELETED'] as const
export type ItemStatus = (typeof itemStatuses)[number]

/** An item with the message that it became; null: none, or it is deleted. */
export type ShownItem = Pick<BatchItem, 'number' | 'recipient' | 'reference' | 'messageId' | 'reason'> & {
  readonly status: ItemStatus
  /** What it says is still there. */
  readonly hasContent: boolean
  readonly own: OwnFields | null
}

/** What items may say for themselves of what they are charged as. */
export const ownFields = ['type', 'templateName', 'templateLanguage', 'phoneNumberId'] as const
/** Those that an item has; null: none, as nearly all. */
export type OwnFields = Readonly<Partial<Record<(typeof ownFields)[number], unknown>>>

export type BatchCounts = Readonly<Partial<Record<ItemStatus, number>>>

/** What a number of items have come to. */
export interface BatchSums {
  readonly counts: BatchCounts
  /** When the first and the last of their messages were accepted; null: there is none. */
  readonly firstAt: EpochMs | null
  readonly lastAt: EpochMs | null
  /** Of those that were sent: whose recipient wrote within `answerMs` of it. */
  readonly answered: number
  /** Why items failed or were left out. */
  readonly reasons: readonly CountedReason[]
  /** What the platform has named a price of, once it is due. */
  readonly costs: readonly CostRow[]
  /** Those of which it may still name one. */
  readonly unpriced: readonly Unpriced[]
}

/** `country`: of the recipient; null: no number tells it. */
export interface Unpriced {
  readonly country: string | null
  readonly own: OwnFields | null
  readonly count: number
}

/** A person who writes within this time after a message has answered it. */
export const answerMs = 72 * hourMs

/** `code`: as failures are counted (src/message/counts.ts), or the reason of an item without a message. */
export interface CountedReason {
  /** `FAILED` or `SKIPPED`. */
  readonly status: ItemStatus
  readonly code: string
  /** A sentence; null: the code says all that is known. */
  readonly message: string | null
  readonly count: number
}

/** A step through the items of a batch, in their order. */
interface ItemStep {
  readonly batchId: string
  /** A number; -1: from the first. */
  readonly after: number
  /** So many are looked at. */
  readonly limit: number
}

/** Where a step has ended; null: there are no further items. */
interface Stepped {
  readonly next: number | null
}

export type BatchMoved =
  | { readonly outcome: 'moved' | 'same'; readonly batch: Batch }
  /** Its state does not allow it. */
  | { readonly outcome: 'refused'; readonly batch: Batch }
  | { readonly outcome: 'unknown' }

/** Somebody who can be written to. */
export type Person = Pick<Row<'contacts'>, 'id' | 'phone' | 'userId' | 'name'> & {
  /** When the person wrote last; null: never, or what was written is not kept any more. */
  readonly heardAt: EpochMs | null
  /** The person wants no marketing messages. */
  readonly noMarketing: boolean
}

export interface BatchReads {
  batch(batchId: string): Promise<Batch | null>
  /** Newest first; `after`: the id of the last one of the page before. */
  batches(query: { workspaceId: string; after: string | null; limit: number }): Promise<Batch[]>
  /** Of all workspaces: those that run. */
  runningBatches(): Promise<Batch[]>
  /** Counts a part of the items by what became of them. */
  countBatchItems(step: ItemStep): Promise<Stepped & BatchSums>
  /** Those of a part that have one of these statuses; null: all. */
  batchItems(step: ItemStep & { statuses: readonly ItemStatus[] | null }): Promise<Stepped & { items: ShownItem[] }>
  /** The first of those that become messages, with what they say, as long as it is kept. */
  firstBatchItems(query: { batchId: string; limit: number }): Promise<BatchItem[]>
  /** How many items of a batch are how far. */
  batchItemStates(batchId: string): Promise<Readonly<Partial<Record<ItemState, number>>>>
  /**
   * A part of the people who wrote to the workspace, who wrote last first: those who can be written to.
   * `after`: the `next` of the part before; null: from the first
   */
  heardPeople(query: {
    workspaceId: string
    /** Only who wrote since then. */
    since: EpochMs
    after: number | null
    limit: number
  }): Promise<{ readonly people: readonly Person[]; readonly next: number | null }>
  /**
   * A part of all contacts of the workspace, the newest first: those who can be written to.
   * `after`: the `next` of the part before; null: from the first
   */
  people(query: {
    workspaceId: string
    after: string | null
    limit: number
  }): Promise<{ readonly people: readonly Person[]; readonly next: string | null }>
  /** Items from a number on whose message is being made, or was when a process ended. */
  claimedBatchItems(query: { batchId: string; from: number; limit: number }): Promise<BatchItem[]>
}

export interface BatchWrites {
  /** A repetition, by scope and idempotency key, is answered with the batch as it is. */
  createBatch(created: {
    batch: Omit<Row<'batches'>, 'total' | 'startedAt' | 'endedAt' | 'reason' | 'keepsContent'>
    items: readonly NewBatchItem[]
    /** Its time has passed, or that of an item: only a repetition is answered. */
    isLate?: boolean
  }): Promise<
    | { outcome: 'created' | 'replayed'; batch: Batch }
    | { outcome: 'conflict' | 'late' | 'tooMany' | 'unknownWorkspace' }
  >
  /**
   * Adds items to a draft. `offset`: how many it has before. So a repetition finds its items there, and adds nothing.
   */
  addBatchItems(added: {
    batchId: string
    offset: number
    items: readonly NewBatchItem[]
    /** The time of one has passed: only a repetition is answered. */
    isLate?: boolean
  }): Promise<
    | { outcome: 'added' | 'replayed'; batch: Batch }
    /** `conflict`: the batch has another number of items, or others there. */
    | { outcome: 'conflict' | 'notDraft' | 'tooMany'; batch: Batch }
    | { outcome: 'late' }
    | { outcome: 'unknown' }
  >
  /**
   * Moves a batch through its state machine, and tells the event. `finish` is refused while an item waits.
   * @param move.keyId of who starts or resumes it; absent: it stays
   */
  moveBatch(move: {
    batchId: string
    event: BatchEvent
    at: EpochMs
    keyId?: string | null
    reason?: BatchReason
    /** Of `schedule`: when it starts, in place of the time that it had. */
    sendAt?: EpochMs
  }): Promise<BatchMoved>
  /** Lets an item never become a message; `late`: it has, or will not anyway. */
  cancelBatchItem(cancelled: { batchId: string; number: number }): Promise<'cancelled' | 'same' | 'late' | 'unknown'>
  /**
   * Lets items wait again whose message failed: each only while its message is this one.
   * @returns how many there are now
   */
  retryBatchItems(retry: {
    batchId: string
    items: readonly { readonly number: number; readonly messageId: string }[]
    at: EpochMs
    /** The first step of several: it stands for all in the audit. */
    isFirst: boolean
  }): Promise<number>
}

/** What the gateway does by itself. */
export interface BatchWork {
  /** Starts those whose time has come, and pauses those whose time has passed by then. @returns how many */
  startDueBatches(due: { at: EpochMs; lateBefore: EpochMs; lateReason: BatchReason }): Promise<number>
  /**
   * Gives the first items that wait the ids of their messages. From then on they are claimed: whoever makes their
   * messages uses these ids. @returns null: the batch does not run
   */
  claimBatchItems(claim: { batchId: string; messageIds: readonly string[] }): Promise<BatchItem[] | null>
  /** Keeps what became of claimed items. Safe to repeat, and by several: one that has another message id stays. */
  settleBatchItems(settled: {
    batchId: string
    items: readonly {
      readonly number: number
      readonly messageId: string
      /** But for `sent`, no message was made of it, and none will be by this id. */
      readonly state: 'sent' | 'failed' | 'skipped' | 'cancelled'
      readonly reason: BatchReason | null
    }[]
  }): Promise<void>
  /** Each run of a restored database: what ran is paused, as items of it may have been sent since. @returns how many */
  pauseBatches(pause: { at: EpochMs; reason: BatchReason }): Promise<number>
  /** Drops what the items of batches that have ended say. @returns how many items */
  pruneBatchContents(prune: { endedBefore: EpochMs; limit: number }): Promise<number>
  /** Deletes batches that have ended, with their items. @returns how many rows */
  pruneBatches(prune: { endedBefore: EpochMs; limit: number }): Promise<number>
}
