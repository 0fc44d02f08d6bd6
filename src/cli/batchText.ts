import { type Batch, itemStatuses } from '../../db/contract/batches.ts'
import { moment } from '../base/clock.ts'
import type { BatchDetails } from '../operations/batchDetails.ts'

const momentOrNull = (at: number | null) => at && moment(at)

const amounts = (sums: BatchDetails['cost']['soFar']) =>
  sums.map(({ currency, amount }) => `${amount.toFixed(2)} ${currency}`).join(' and ') || null

/** What people are shown of a batch. */
export const batchFields = (batch: Batch, { counts, cost, reasons, ...details }: BatchDetails) => ({
  ...{ id: batch.id, state: batch.state, why: batch.reason?.message ?? null, workspace: batch.workspaceId },
  ...{ items: batch.total },
  ...Object.fromEntries(itemStatuses.flatMap(status => (counts[status] > 0 ? [[status, counts[status]]] : []))),
  ...{ 'made (UTC)': moment(batch.createdAt), 'starts (UTC)': momentOrNull(batch.sendAt) },
  ...{ 'started (UTC)': momentOrNull(batch.startedAt), 'ended (UTC)': momentOrNull(batch.endedAt) },
  ...{ 'first message (UTC)': momentOrNull(details.firstAt), 'last message (UTC)': momentOrNull(details.lastAt) },
  'answered within 72 hours': details.firstAt === null ? null : details.answered,
  ...{ 'cost so far, estimated': amounts(cost.soFar), 'cost in all, expected': amounts(cost.expected ?? []) },
  ...(cost.withoutRate > 0 && { 'messages without a rate': cost.withoutRate }),
  ...Object.fromEntries(
    reasons.map(({ status, code, message, count }) => [
      `${status.toLowerCase()}: ${code || 'others'}`,
      `${count} (${message})`,
    ]),
  ),
  ...(details.warnings.length > 0 && { note: details.warnings.map(({ message }) => message).join(' ') }),
})
