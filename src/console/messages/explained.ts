import type { TimelineEntry } from '../../../db/records.ts'
import { explain } from '../../graph/codes.ts'
import type { Explanation } from '../../graph/codeWords.ts'
import { field, list } from '../../text/json.ts'

/** Why something failed: the upstream's own words, and ours. */
export interface Failure {
  readonly code: number | null
  /** As callers of the partner API get it. */
  readonly reason: string
  readonly explanation: Explanation | null
}

/** @param reason `131026: Message undeliverable` */
export function failureOf(reason: string): Failure {
  const code = /^(\d{1,9}): /.exec(reason)?.[1]
  return code === undefined
    ? { code: null, reason, explanation: null }
    : { code: Number(code), reason, explanation: explain(Number(code)) }
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
