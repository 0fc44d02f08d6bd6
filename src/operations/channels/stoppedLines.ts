import type { Channel, Line, Message } from '../../../db/contract/records.ts'
import type { UpstreamUpdate } from '../../../db/contract/updates.ts'
import type { EpochMs } from '../../base/clock.ts'
import { field, text } from '../../base/json.ts'
import { accountErrorKind, accountErrorSpanMs } from '../../graph/accountErrors.ts'
import { isStopCode } from '../../graph/codes.ts'
import { causeOf } from '../../message/counts.ts'
import { failureReasonOf } from '../../message/state.ts'
import { isUnsettled } from '../../message/statuses.ts'

/** A line, or the whole account, that the upstream lets send nothing until its owner acts there. */
export interface StoppedLine {
  readonly channelId: string
  /** Of the upstream's errors; null: the update named none. */
  readonly code: number | null
  readonly since: EpochMs
}

/**
 * @param messages the latest ones of the workspace, newest first: a line with only older ones is not reported
 * @param updates the upstream's, by the ids of channels
 * @returns active lines whose latest message that has an end was refused because the line or its account is stopped,
 *   and accounts of which the upstream said so after the last message that it took; of a channel each code once. What
 *   was so before its secrets were replaced says nothing of today
 */
export function stoppedLines(
  messages: readonly Message[],
  lines: readonly Pick<Line, 'id' | 'active'>[],
  channels: readonly Pick<Channel, 'id' | 'updatedAt'>[],
  updates: ReadonlyMap<string, readonly UpstreamUpdate[]>,
): StoppedLine[] {
  const ended = messages.filter(({ status }) => !isUnsettled(status))
  // One that is not used any more sends no message that would end it.
  const active = new Set(lines.flatMap(({ id, active }) => (active ? [id] : [])))
  return channels.flatMap(({ id: channelId, updatedAt }) => {
    const own = ended.filter(message => message.channelId === channelId)
    const ofActive = own.filter(({ lineId }) => active.has(lineId))
    const stops = [...Map.groupBy(ofActive, ({ lineId }) => lineId).values()].flatMap(ofLine => {
      const other = ofLine.findIndex(message => stopOf(message) === null)
      const [last, first] = [ofLine[0], ofLine[(other === -1 ? ofLine.length : other) - 1]]
      return last && first ? [{ channelId, code: stopOf(last), since: first.gaveUpAt ?? first.createdAt }] : []
    })
    const takenAt = Math.max(0, ...own.flatMap(({ acceptedAt }) => acceptedAt ?? []))
    for (const update of updates.get(channelId) ?? []) {
      const code = toldStop(update)
      if (code !== undefined && toldUntil(update) > takenAt) stops.push({ channelId, code, since: update.at })
    }
    const current = stops.filter(({ since }) => since > updatedAt).toSorted((one, two) => one.since - two.since)
    return current.filter(({ code }, at) => current.findIndex(other => other.code === code) === at)
  })
}

/** @returns the code with which the upstream refused the message because of its line or account; else null */
function stopOf(message: Message): number | null {
  const cause = causeOf(failureReasonOf(message))
  return /^\d{1,9}$/.test(cause) && isStopCode(Number(cause)) ? Number(cause) : null
}

/** @returns the latest time at which it may have been told */
const toldUntil = ({ kind, at }: UpstreamUpdate) => (kind.startsWith(accountErrorKind) ? at + accountErrorSpanMs : at)

/** @returns the code, null where an update has none; undefined of an update that says nothing of the kind */
function toldStop({ kind, detail }: UpstreamUpdate): number | null | undefined {
  if (kind === 'account_update DISABLED_UPDATE') {
    return text(field(field(detail, 'ban_info'), 'waba_ban_state')) === 'DISABLE' ? null : undefined
  }
  const code = kind.startsWith(`${accountErrorKind} `) ? Number(kind.slice(accountErrorKind.length + 1)) : Number.NaN
  return isStopCode(code) ? code : undefined
}
