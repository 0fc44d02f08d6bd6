import type { Template } from '../../db/contract/records.ts'
import type { UpstreamUpdate } from '../../db/contract/updates.ts'
import type { EpochMs } from '../base/clock.ts'
import { hourMs } from '../base/durations.ts'
import { field, text } from '../base/json.ts'
import { pauseHours } from '../base/upstreamLimits.ts'

/** Why a template is in its status, as the upstream says it. */
export interface StatusReason {
  /** Its word, for example `PROMOTIONAL`. */
  readonly reason: string | null
  /** A sentence: what to do, or what happened. */
  readonly words: string | null
  /** When a callback said so. */
  readonly at: EpochMs | null
  /** When the upstream ends a pause. Null: it does not say. */
  readonly until: EpochMs | null
}

/** The listing has a word for a rejection; the sentence comes only by callback (docs/upstream.md#template-creation). */
export function statusReason(
  { status, rejectedReason }: Pick<Template, 'status' | 'rejectedReason'>,
  updates: readonly UpstreamUpdate[],
): StatusReason | null {
  const update = updates.find(({ kind }) => kind === 'message_template_status_update')
  // The last callback may be about an earlier status.
  const told = update && text(field(update.detail, 'event')) === status ? update : null
  const { reason: stated, recommendation: words } = whyOf(told?.detail)
  const reason = rejectedReason ?? stated
  const hours = reason === null ? undefined : pauseHours[reason]
  const until = told && hours ? told.at + hours * hourMs : null
  return reason === null && words === null ? null : { reason, words, at: told?.at ?? null, until }
}

/** @param detail of a callback. @returns its word for why the template is in its status, and its sentence */
export function whyOf(detail: unknown): { readonly reason: string | null; readonly recommendation: string | null } {
  const other = field(detail, 'other_info')
  const stated = text(field(detail, 'reason'))
  return {
    reason: (stated === 'NONE' ? null : stated) ?? text(field(other, 'title')),
    recommendation: text(field(field(detail, 'rejection_info'), 'recommendation')) ?? text(field(other, 'description')),
  }
}

/** The last quality that a callback reported. */
export const qualityOf = (updates: readonly UpstreamUpdate[]): string | null => {
  const update = updates.find(({ kind }) => kind === 'message_template_quality_update')
  return text(field(update?.detail, 'new_quality_score'))
}
