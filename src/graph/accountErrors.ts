import type { ToldUpdate } from '../../db/contract/updates.ts'
import type { EpochMs } from '../base/clock.ts'
import { minuteMs } from '../base/durations.ts'
import type { UpstreamFault } from './answer.ts'

/** An update's kind of an error of the account, as a callback brings it: its code follows. */
export const accountErrorKind = 'account_error'

/**
 * The upstream repeats an error of an account. All of one of these spans are one update, dated by its beginning, and
 * one event.
 */
export const accountErrorSpanMs = minuteMs

const spanOf = (at: EpochMs): EpochMs => Math.floor(at / accountErrorSpanMs) * accountErrorSpanMs

/**
 * @param until when it is expected to end; absent: nobody knows
 * @returns the error as an update, and so as an alert
 */
export function errorUpdate(
  { code, title, details }: UpstreamFault,
  { accountId, about, at, until }: Pick<ToldUpdate, 'accountId' | 'about' | 'at'> & { readonly until?: EpochMs },
): ToldUpdate {
  const end = until === undefined ? {} : { until: new Date(spanOf(until)).toISOString() }
  const detail = { code, title, ...(details !== null && { details }), ...end }
  return { accountId, about, at: spanOf(at), kind: `${accountErrorKind} ${code}`, detail }
}
