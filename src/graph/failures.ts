import type { MessageStatusView, TimelineEntry } from '../../db/contract/records.ts'
import { field, list } from '../base/json.ts'
import { failureReasonOf } from '../message/state.ts'
import { closedWindowCode, explain, isPermissionCode } from './codes.ts'
import { CODES, type ErrorClass } from './codeTable.ts'
import type { Explanation } from './codeWords.ts'

/** Why something failed: the upstream's own words, and ours. */
export interface ExplainedFailure {
  readonly code: number | null
  /** As callers of the partner API get it. */
  readonly reason: string
  readonly explanation: Explanation | null
  readonly cure: Cure | null
}

/** Where a person can do something about a failure. `templates`: another message has to be a template. */
export const cures = ['token', 'channel', 'template', 'templates', 'contact'] as const
export type Cure = (typeof cures)[number]

/** Codes whose cure is not that of their class. */
const ownCures: readonly (readonly [Cure, readonly number[]])[] = [
  ['token', [10, 131005]],
  ['template', [132000, 132001, 132005, 132007, 132008, 132012, 132015, 132016, 132018, 134101]],
  ['templates', [closedWindowCode]],
  ['contact', [130403, 130472, 131026, 131030, 131049, 131050, 131056, 137000]],
]
const classCures: Readonly<Partial<Record<ErrorClass, Cure>>> = {
  token: 'token',
  accountStop: 'channel',
  holdAccount: 'channel',
  throttleLine: 'channel',
}

function cureOf(code: number): Cure | null {
  const [own] = ownCures.find(([, codes]) => codes.includes(code)) ?? []
  if (own !== undefined) return own
  if (isPermissionCode(code)) return 'token'
  const errorClass = CODES.get(code)?.errorClass
  return (errorClass && classCures[errorClass]) ?? null
}

/** @param reason `131026: Message undeliverable` */
export function failureOfReason(reason: string): ExplainedFailure {
  const code = /^(\d{1,9}): /.exec(reason)?.[1]
  return code === undefined
    ? { code: null, reason, explanation: null, cure: null }
    : { code: Number(code), reason, explanation: explain(Number(code)), cure: cureOf(Number(code)) }
}

/** @returns why a message failed, in a few words; null: it did not */
export function failureWords(message: MessageStatusView): string | null {
  const reason = failureReasonOf(message)
  if (reason === null) return null
  const { explanation } = failureOfReason(reason)
  return explanation?.short ?? reason
}

/** @param cause as failures are counted (src/message/counts.ts) */
export function causeWords(cause: string): string {
  const short = /^\d{1,9}$/.test(cause) ? explain(Number(cause))?.short : undefined
  return short === undefined ? cause : `${short} (${cause})`
}

/** @returns the explanation of the first code that an entry of a timeline names: of an answer, or of a callback */
export function explanationOf({ detail }: TimelineEntry): Explanation | null {
  const [error] = list(field(detail, 'errors'))
  const code = field(detail, 'code') ?? field(error, 'code')
  return typeof code === 'number' ? explain(code) : null
}
