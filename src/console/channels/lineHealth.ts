import type { Channel, Line, Message } from '../../../db/records.ts'
import { judgedMax } from '../../channels/latestMessages.ts'
import { hasEnd, isTokenRefused, refusedTokens } from '../../channels/refusedTokens.ts'
import { causeOf } from '../../message/counts.ts'
import { failureReasonOf } from '../../message/state.ts'
import { closed, Type } from '../../schema.ts'
import type { EpochMs } from '../../time/clock.ts'
import { causeWords } from '../messages/explained.ts'
import { isoOrNull, orNull, shape, textOrNull } from '../shapes.ts'

/** What a line met earlier says nothing of today. */
const judgedMsMax = 7 * 86_400_000
/** One failure in five. */
export const failureShare = 0.2
/** One number that does not exist is no fault of the line. */
const failuresMin = 3

export const healthSchema = shape('LineHealth', {
  state: Type.Enum(['works', 'fails', 'quiet'], {
    type: 'string',
    description: `What its last ${judgedMax} sends of a week met; \`quiet\`: it has sent nothing lately.`,
  }),
  sent: Type.Integer({ description: 'How many of its last sends are judged.' }),
  failed: Type.Integer(),
  cause: orNull(closed({ cause: Type.String(), words: Type.String() }), {
    description: 'Why most of them failed.',
  }),
  deliveredAt: textOrNull,
})

/** @param messages the latest ones of the workspace. @returns what the last sends of a line met */
export function lineHealth(
  line: Pick<Line, 'id' | 'channelId'>,
  messages: readonly Message[],
  channels: readonly Pick<Channel, 'id' | 'updatedAt'>[],
  now: EpochMs,
) {
  const secretsAt = channels.find(({ id }) => id === line.channelId)?.updatedAt ?? 0
  const own = messages.filter(({ lineId, createdAt }) => lineId === line.id && now - createdAt <= judgedMsMax)
  const judged = own
    .filter(message => hasEnd(message) && (!isTokenRefused(message, 0) || isTokenRefused(message, secretsAt)))
    .slice(0, judgedMax)
  const failures = judged.filter(({ status }) => status === 'FAILED')
  const [cause] = [...Map.groupBy(failures, message => causeOf(failureReasonOf(message)))].toSorted(
    ([, one], [, other]) => other.length - one.length,
  )
  const isFailing =
    failures.length >= Math.min(failuresMin, judged.length) && failures.length >= judged.length * failureShare
  const isRefused = refusedTokens(judged, channels).has(line.channelId)
  return {
    state: judged.length === 0 ? 'quiet' : isFailing || isRefused ? 'fails' : 'works',
    sent: judged.length,
    failed: failures.length,
    cause: cause ? { cause: cause[0], words: causeWords(cause[0]) } : null,
    deliveredAt: isoOrNull(
      own.reduce<EpochMs | null>((last, { deliveredAt, readAt }) => later(last, deliveredAt ?? readAt), null),
    ),
  } as const
}

const later = (one: EpochMs | null, other: EpochMs | null) => (other === null ? one : Math.max(one ?? 0, other))
