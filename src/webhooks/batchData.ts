import { described, orNull, Type } from '../base/schema.ts'
import { batchStates } from '../message/batches.ts'

/** What an event of a batch says. */
export const batchData = Type.Object(
  {
    batch: described('EventBatch', 'A batch, as it was at the event.', {
      id: Type.String({ description: '`batch_…`' }),
      name: orNull(Type.String(), { description: 'As your side named it.' }),
      state: Type.Enum(batchStates),
    }),
    counts: described('EventBatchCounts', 'Its items.', {
      total: Type.Integer(),
      waiting: Type.Integer({ description: 'They are still to become messages.' }),
      messages: Type.Integer({ description: 'They became messages, whatever became of these.' }),
      failed: Type.Integer({ description: 'They were refused, so there is no message.' }),
      skipped: Type.Integer({ description: 'They were left out.' }),
      cancelled: Type.Integer({ description: 'They never become messages.' }),
    }),
    reason: orNull(
      described('EventBatchReason', 'Why it is paused.', {
        code: Type.String({ description: 'A word for programs: `template`, `failures` …' }),
        message: Type.String({ description: 'A sentence.' }),
      }),
      { description: 'Null: it is not paused, or somebody has paused it.' },
    ),
  },
  { additionalProperties: false },
)
