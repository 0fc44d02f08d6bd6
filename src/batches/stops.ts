import type { Line, Message, TimelineEntry } from '../../db/contract/records.ts'
import type { EpochMs } from '../base/clock.ts'
import { secondMs } from '../base/durations.ts'
import { field } from '../base/json.ts'
import { isPermissionCode, isTemplateGone, spamCode } from '../graph/codes.ts'
import { CODES } from '../graph/codeTable.ts'
import { failureOfReason } from '../graph/failures.ts'
import { type BatchReason, badNumberReason } from '../message/batches.ts'
import { failureReasonOf } from '../message/state.ts'
import { hasFailed, mayLeave } from '../message/statuses.ts'

/** A batch is judged by so many of its last messages, */
export const judgedMax = 100
/** of which at most so many may fail. */
export const failedMax = 20
/** What waits longer than that is asked why: a line may be held for hours. */
const heldMs = 10 * secondMs

const paymentCodes: readonly number[] = [131042, 131044, 134011]

/** @returns why a batch pauses itself when the platform says this code; null: it goes on */
export function stopOfCode(code: number): BatchReason | null {
  const known = CODES.get(code)
  const errorClass = known?.errorClass ?? (isPermissionCode(code) ? 'accountStop' : null)
  const message = `${code}: ${known?.meaning ?? 'The line or the account may not send.'}`
  if (paymentCodes.includes(code)) return { code: 'payment', message }
  if (isTemplateGone({ code })) return { code: 'template', message }
  const stopsLine = errorClass === 'accountStop' || errorClass === 'holdAccount' || errorClass === 'token'
  return stopsLine || code === spamCode ? { code: 'line', message } : null
}

/**
 * @param last of the messages of the batch, since it was started or resumed
 * @param refused items beside them that were refused, and have no message
 * @returns why it pauses itself; null: it goes on
 */
export function stopOf(last: readonly Message[], refused = 0): BatchReason | null {
  const failed = last.filter(message => hasFailed(message.status) && badNumberReason(failureReasonOf(message)) === null)
  for (const message of failed) {
    const { code } = failureOfReason(failureReasonOf(message) ?? '')
    const stop = code === null ? null : stopOfCode(code)
    if (stop) return stop
  }
  const count = failed.length + refused
  if (count <= failedMax) return null
  return { code: 'failures', message: `${count} of its last ${last.length + refused} items have failed.` }
}

/**
 * One that waits for its time, as for the end of quiet hours, is not held.
 * @returns the message that waits for so long that its timeline may say why; undefined: none does
 */
export const heldAmong = (last: readonly Message[], now: EpochMs): Message | undefined =>
  last.find(({ status, createdAt }) => mayLeave(status) && now - createdAt > heldMs)

/** @returns why what waits is held: its last refusal stops the whole line; null: it waits for its turn */
export function stopOfHeld(timeline: readonly TimelineEntry[]): BatchReason | null {
  const code = timeline.map(({ detail }) => field(detail, 'code')).findLast(known => typeof known === 'number')
  return typeof code === 'number' ? stopOfCode(code) : null
}

/** The platform's words for how people rate what a line sends, the best first. */
const ratings = ['GREEN', 'YELLOW', 'RED']
export const isRated = ({ quality }: Pick<Line, 'quality'>) => ratings.includes(quality ?? '')

/**
 * @param before how the platform rated the line when the batch first sent from it
 * @returns why the batch pauses itself; null: the line is not rated worse since
 */
export function stopOfQuality(
  before: string,
  { quality, number }: Pick<Line, 'quality' | 'number'>,
): BatchReason | null {
  if (ratings.indexOf(quality ?? '') <= ratings.indexOf(before)) return null
  const message = `People rate what ${number} sends worse than before: ${quality}, and it was ${before}.`
  return { code: 'line', message }
}
