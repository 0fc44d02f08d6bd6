import type { Template } from '../../db/contract/records.ts'
import type { UpstreamUpdate } from '../../db/contract/updates.ts'
import type { EpochMs } from '../base/clock.ts'
import { field, text } from '../base/json.ts'

/** Why a template is in its status, as the upstream says it. */
export interface StatusReason {
  /** Its word, for example `PROMOTIONAL`. */
  readonly reason: string | null
  /** A sentence: what to do, or what happened. */
  readonly words: string | null
  /** When a callback said so. */
  readonly at: EpochMs | null
}

/** The listing has a word for a rejection; the sentence comes only by callback (docs/upstream.md#template-creation). */
export function statusReason(
  { status, rejectedReason }: Pick<Template, 'status' | 'rejectedReason'>,
  updates: readonly UpstreamUpdate[],
): StatusReason | null {
  const update = updates.find(({ kind }) => kind === 'message_template_status_update')
  // The last callback may be about an earlier status.
  const told = update && text(field(update.detail, 'event')) === status ? update : null
  const rejection = field(told?.detail, 'rejection_info')
  const other = field(told?.detail, 'other_info')
  const stated = text(field(told?.detail, 'reason'))
  const reason = rejectedReason ?? (stated === 'NONE' ? null : stated) ?? text(field(other, 'title'))
  const words = text(field(rejection, 'recommendation')) ?? text(field(other, 'description'))
  return reason === null && words === null ? null : { reason, words, at: told?.at ?? null }
}

/** The last quality that a callback reported. */
export const qualityOf = (updates: readonly UpstreamUpdate[]): string | null => {
  const update = updates.find(({ kind }) => kind === 'message_template_quality_update')
  return text(field(update?.detail, 'new_quality_score'))
}
