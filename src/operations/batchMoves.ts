import type { Batch, BatchMoved } from '../../db/contract/batches.ts'
import type { EpochMs } from '../base/clock.ts'
import type { BatchEvent } from '../message/batches.ts'
import { hasFailed } from '../message/statuses.ts'
import { type Actor, conflict, existing, Refused, unknown, wrong, wrongField } from './act.ts'
import { type BatchSender, batchOf, stepsOf } from './batches.ts'
import { mayRetry } from './batchRetry.ts'
import { inPast, timeIssues } from './batchTimes.ts'

/** What people do with a batch. */
export type BatchAct = 'start' | 'pause' | 'resume' | 'cancel'

/** Why an act is refused in a state. */
export const batchRefusals: Readonly<Record<BatchAct, string>> = {
  start: 'Only a draft or a scheduled batch can be started',
  pause: 'Only a running batch can be paused',
  resume: 'Only a paused batch can be resumed',
  cancel: 'A batch that is done cannot be cancelled',
}

/** When a start lets a batch begin: at a time, now, or (null) at the time that it has, and now where it has none. */
export type BatchStart = EpochMs | 'now' | null

/** @returns the time that a request's start names; `now` and a time at once are refused */
export function batchStart({ now = false, sendAt }: { now?: boolean; sendAt?: string }): BatchStart | Refused {
  if (now && sendAt !== undefined) return wrongField('/now', 'says that it starts now: leave out sendAt, or this')
  if (now) return 'now'
  return sendAt === undefined ? null : Date.parse(sendAt)
}

/**
 * Starts, pauses, resumes or cancels a batch. What is so already stays so: a start whose answer was lost may be
 * repeated, and sends no earlier for it.
 * @param begins of a start
 */
export async function moveBatch(
  actor: Actor,
  by: BatchSender | undefined,
  batchId: string,
  act: BatchAct,
  begins: BatchStart = null,
): Promise<Batch | Refused> {
  const batch = await batchOf(actor, batchId, by)
  if (batch instanceof Refused) return batch
  const at = actor.clock.now()
  const sendAt = begins === 'now' ? null : begins
  if (act === 'start') {
    if (batch.total === 0) return conflict('The batch has no item yet.')
    if (isStartOf(batch, begins)) return batch
    const issues = sendAt === null ? [] : sendAt <= at ? [inPast] : timeIssues(sendAt, at)
    if (issues.length > 0) return wrong(issues)
    if (sendAt !== null && batch.state !== 'draft' && batch.state !== 'scheduled')
      return conflict(`Only a draft or a scheduled batch gets another time; this batch is ${batch.state}.`)
  }
  const waits = begins !== 'now' && waitsForTime({ ...batch, sendAt: sendAt ?? batch.sendAt }, act, at)
  const event: BatchEvent = waits ? 'schedule' : act
  const keyId = act === 'start' || act === 'resume' ? (by?.keyId ?? null) : undefined
  const moved: BatchMoved = await actor.write.moveBatch({
    ...{ batchId, event, at },
    ...(keyId !== undefined && { keyId }),
    ...(event === 'schedule' && sendAt !== null && { sendAt }),
  })
  switch (moved.outcome) {
    case 'moved':
    case 'same':
      return moved.batch
    case 'refused':
      return conflict(`${batchRefusals[act]}; this one is ${moved.batch.state}.`)
    case 'unknown':
      return unknown('batch', batchId)
  }
}

export const lateItem =
  'Only what still waits can be left out; this item is becoming a message, is one, or never will be.'

/**
 * Leaves an item out that waits. What is so already stays so.
 * @param given its number, also as a path has it
 */
export async function leaveOut(
  actor: Actor,
  by: BatchSender | undefined,
  batchId: string,
  given: number | string,
): Promise<Batch | Refused> {
  const batch = await batchOf(actor, batchId, by)
  if (batch instanceof Refused) return batch
  const number = /^\d{1,9}$/.test(`${given}`) ? Number(given) : noItem
  switch (await actor.write.cancelBatchItem({ batchId, number })) {
    case 'cancelled':
    case 'same':
      return batch
    case 'late':
      return conflict(lateItem)
    case 'unknown':
      return new Refused({ reason: 'NOT_FOUND', message: 'The batch has no item with this number.' })
  }
}

/** What is no number of an item. */
const noItem = -1

/** @returns whether such a start was made before, by which it waits for its time, or has begun at that */
function isStartOf({ state, sendAt }: Batch, begins: BatchStart): boolean {
  if (begins === 'now' || state === 'draft' || state === 'cancelled') return false
  return begins === null ? state === 'scheduled' : begins === sendAt
}

/** @returns whether it is to start at its time, and not now; also when one that a restore has paused is resumed */
function waitsForTime({ state, sendAt, startedAt }: Batch, act: BatchAct, now: EpochMs): boolean {
  if (sendAt === null || sendAt <= now || startedAt !== null) return false
  if (act === 'start') return state === 'draft' || state === 'scheduled'
  return act === 'resume' && (state === 'paused' || state === 'scheduled')
}

export interface Retried {
  readonly batch: Batch
  /** Items that wait again; of a dry run: that would. */
  readonly retried: number
  /** Items whose message failed for good, or may have arrived. */
  readonly leftOut: number
}

/** Sends the items again whose message failed for a reason that can pass: never what may have arrived. */
export async function retryBatch(
  actor: Actor,
  by: BatchSender | undefined,
  batchId: string,
  { isDry = false, rest = async () => {} }: { isDry?: boolean; rest?: () => Promise<unknown> } = {},
): Promise<Retried | Refused> {
  const found = await batchOf(actor, batchId, by)
  if (found instanceof Refused) return found
  if (!['running', 'paused', 'done'].includes(found.state))
    return conflict(`Only a batch that was started can be retried; this one is ${found.state}.`)
  let [retried, leftOut] = [0, 0]
  const { read, write, clock } = actor
  for await (const found of stepsOf(actor, batchId, hasFailed.statuses, rest)) {
    // What was erased, or is older than contents are kept, cannot be sent again.
    const items = found.filter(({ hasContent }) => hasContent)
    const messages = await Promise.all(
      items.flatMap(item => (item.messageId === null ? [] : read.message(item.messageId))),
    )
    const numberOf = new Map(items.map(item => [item.messageId, item.number]))
    const again: { number: number; messageId: string }[] = []
    for (const message of messages) {
      const number = message ? numberOf.get(message.id) : undefined
      if (message && number !== undefined && (await mayRetry(message, clock.now(), id => read.timeline(id))))
        again.push({ number, messageId: message.id })
    }
    const count =
      isDry || again.length === 0
        ? again.length
        : await write.retryBatchItems({ batchId, items: again, at: clock.now(), isFirst: retried === 0 })
    retried += count
    leftOut += found.length - count
  }
  const batch = existing(await read.batch(batchId), 'batch', batchId)
  return batch instanceof Refused ? batch : { batch, retried, leftOut }
}
