import type { Batch, ShownItem } from '../../db/contract/batches.ts'
import type { BatchDetails } from './batchDetails.ts'

const iso = (at: number) => new Date(at).toISOString()
const isoOrNull = (at: number | null) => (at === null ? null : iso(at))

/** @returns a batch as lists show it */
export const batchView = ({ id, name, state, reason, duplicates, total, ...times }: Batch) => ({
  ...{ id, name, state, reason, duplicates, total, createdAt: iso(times.createdAt) },
  ...{ sendAt: isoOrNull(times.sendAt), startedAt: isoOrNull(times.startedAt), endedAt: isoOrNull(times.endedAt) },
})

/** @returns a batch with what became of its items */
export const wholeBatchView = (batch: Batch, { firstAt, lastAt, cost, ...details }: BatchDetails) => ({
  ...batchView(batch),
  ...{ counts: details.counts, firstMessageAt: isoOrNull(firstAt), lastMessageAt: isoOrNull(lastAt) },
  ...{ answered: details.answered, reasons: [...details.reasons], warnings: [...details.warnings] },
  cost: {
    ...{ soFar: [...cost.soFar], expected: cost.expected && [...cost.expected], withoutRate: cost.withoutRate },
    byCountry: [...cost.rows],
  },
})

export const itemView = ({ number, status, recipient, reference, messageId, reason }: ShownItem) => ({
  ...{ number, status, recipient: recipient === '' ? null : recipient, reference, messageId, reason },
})
