import { type BatchState, openBatchesMax } from '../../message/batches.ts'
import { type BatchAct, batchRefusals, lateItem } from '../../operations/batchMoves.ts'
import type { ErrorExample } from './errorExample.ts'

/*
 * The refusals of batches, as `errorExamples.ts` has those of all calls.
 */

type Operation = NonNullable<ErrorExample['operation']>

/** @param issue makes an example of one problem */
export const malformed = (
  issue: (operation: Operation, summary: string, path: string, message: string) => ErrorExample,
): Readonly<Record<string, ErrorExample>> => ({
  batchItem: issue(
    ['createBatch', 'addBatchItems'],
    'An item that is no send',
    '/items/0/phone',
    'is required, unless contactId or userId is given',
  ),
  batchPage: issue(['listBatches', 'listBatchItems'], 'A page beyond its bound', '/limit', 'must be at most 100'),
  startsAt: issue('startBatch', 'No time', '/sendAt', 'must be a time with its zone, such as 2026-03-01T09:30:00Z'),
  dryRun: issue('retryBatch', 'Not a flag', '/dryRun', 'must be true or false'),
})

export const notFound: Readonly<Record<string, ErrorExample>> = {
  batch: {
    operation: [
      ...([
        'getBatch',
        'listBatchItems',
        'leaveOutBatchItem',
        'addBatchItems',
        'startBatch',
        'pauseBatch',
        'resumeBatch',
      ] as const),
      ...(['cancelBatch', 'retryBatch'] as const),
    ],
    summary: 'Unknown batch',
    message: 'No batch has this id.',
  },
}

const stateSummary = 'Its state does not allow it'
const inState = (operation: Operation, act: BatchAct, state: BatchState): ErrorExample => ({
  ...{ operation, summary: stateSummary, message: `${batchRefusals[act]}; this one is ${state}.` },
})

export const conflict: Readonly<Record<string, ErrorExample>> = {
  tooManyBatches: {
    operation: 'createBatch',
    summary: 'As many as there may be',
    message: `The workspace has ${openBatchesMax} batches that have not ended: cancel some, or wait.`,
  },
  notDraft: {
    operation: 'addBatchItems',
    summary: 'It was started',
    message: 'Only a draft takes further items; this batch is running.',
  },
  lateItem: {
    operation: 'leaveOutBatchItem',
    summary: 'It is too late',
    message: lateItem,
  },
  startState: inState('startBatch', 'start', 'cancelled'),
  pauseState: inState('pauseBatch', 'pause', 'draft'),
  resumeState: inState('resumeBatch', 'resume', 'draft'),
  cancelState: inState('cancelBatch', 'cancel', 'done'),
  retryState: {
    operation: 'retryBatch',
    summary: stateSummary,
    message: 'Only a batch that was started can be retried; this one is draft.',
  },
}

export const busy: Readonly<Record<string, ErrorExample>> = {
  busyReading: {
    operation: ['createBatch', 'addBatchItems'],
    summary: 'Not able to accept',
    message: 'Too many requests are being read. Send this one again later.',
  },
}
