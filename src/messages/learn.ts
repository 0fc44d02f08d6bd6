import type { Line } from '../../db/records.ts'
import type { Store } from '../../db/store.ts'
import type { UpstreamFault } from '../graph/answer.ts'
import { isMediaGone, isTemplateGone } from '../graph/codes.ts'
import type { Logger } from '../log.ts'
import type { TemplateRefresher } from '../templates/refresh.ts'
import type { Settled } from './dispatch.ts'

export interface LearnerParts {
  readonly store: Store
  readonly templateRefresher: Pick<TemplateRefresher, 'request'>
  readonly log: Logger
}

/** @returns the same end, once what it tells of the upstream has been learnt. Only a refusal tells anything. */
export function learnt(
  parts: LearnerParts,
  line: Line,
  mediaIds: readonly string[],
  settled: Settled,
): Settled | Promise<Settled> {
  const { answer } = settled
  return answer.kind === 'refused' ? learn(parts, line, mediaIds, answer.fault).then(() => settled) : settled
}

/** A refusal may say that what we keep about the upstream is out of date. */
async function learn(
  { store, templateRefresher, log }: LearnerParts,
  line: Line,
  mediaIds: readonly string[],
  fault: UpstreamFault,
): Promise<void> {
  if (mediaIds.length > 0 && isMediaGone(fault)) {
    await store.write.forgetMedia({ lineId: line.id, mediaIds }).catch((error: unknown) => {
      // The caller is told of the refusal all the same; the next one is told the same, and tries again.
      log.warn({ err: error, lineId: line.id }, 'media ids that are gone could not be forgotten')
    })
  }
  if (isTemplateGone(fault)) templateRefresher.request(line.channelId)
}

/** @returns whether the upstream refused a message that shows uploaded files because of one of them. */
export const lacksMedia = ({ answer }: Settled) => answer.kind === 'refused' && isMediaGone(answer.fault)
