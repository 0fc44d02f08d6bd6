import { type Batch, itemStatuses } from '../../db/contract/batches.ts'
import { moment } from '../base/clock.ts'
import type { BatchDetails } from '../operations/batches.ts'

const momentOrNull = (at: number | null) => at && moment(at)

/** What people are shown of a batch. */
export const batchFields = (batch: Batch, { counts, firstAt, lastAt, warnings }: BatchDetails) => ({
  ...{ id: batch.id, state: batch.state, why: batch.reason?.message ?? null, workspace: batch.workspaceId },
  ...{ items: batch.total },
  ...Object.fromEntries(itemStatuses.flatMap(status => (counts[status] > 0 ? [[status, counts[status]]] : []))),
  ...{ 'made (UTC)': moment(batch.createdAt), 'starts (UTC)': momentOrNull(batch.sendAt) },
  ...{ 'started (UTC)': momentOrNull(batch.startedAt), 'ended (UTC)': momentOrNull(batch.endedAt) },
  ...{ 'first message (UTC)': momentOrNull(firstAt), 'last message (UTC)': momentOrNull(lastAt) },
  ...(warnings.length > 0 && { note: warnings.map(({ message }) => message).join(' ') }),
})
