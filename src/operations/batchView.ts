import type { Batch, ShownItem } from '../../db/contract/batches.ts'
import type { BatchDetails } from './batches.ts'

const iso = (at: number) => new Date(at).toISOString()
const isoOrNull = (at: number | null) => (at === null ? null : iso(at))

/** @returns a batch as lists show it */
export const batchView = ({ id, name, state, reason, duplicates, total, ...times }: Batch) => ({
  ...{ id, name, state, reason, duplicates, total, createdAt: iso(times.createdAt) },
  ...{ sendAt: isoOrNull(times.sendAt), startedAt: isoOrNull(times.startedAt), endedAt: isoOrNull(times.endedAt) },
})

/** @returns a batch with what became of its items */
export const wholeBatchView = (batch: Batch, { counts, firstAt, lastAt, warnings }: BatchDetails) => ({
  ...batchView(batch),
  ...{ counts, firstMessageAt: isoOrNull(firstAt), lastMessageAt: isoOrNull(lastAt), warnings },
})

export const itemView = ({ number, status, recipient, reference, messageId, reason }: ShownItem) => ({
  ...{ number, status, recipient: recipient === '' ? null : recipient, reference, messageId, reason },
})
