import type { Store } from '../../db/store.ts'
import { alertOperator } from '../graph/alert.ts'
import type { UpstreamFault } from '../graph/answer.ts'
import { isMediaGone, isTemplateGone } from '../graph/codes.ts'
import type { Logger } from '../log.ts'
import type { TemplateRefresher } from '../templates/refresh.ts'

export interface RefusalParts {
  readonly store: Pick<Store, 'write'>
  readonly templateRefresher: Pick<TemplateRefresher, 'request'>
  readonly log: Logger
}

interface Refused {
  readonly id: string
  readonly channelId: string
  readonly lineId: string
  /** The uploaded files that it shows. */
  readonly mediaIds: readonly string[]
}

/** Acts on a refusal: it may need the operator, or say that what we keep about the upstream is out of date. */
export async function actOnRefusal(
  { store, templateRefresher, log }: RefusalParts,
  { id: messageId, channelId, lineId, mediaIds }: Refused,
  fault: UpstreamFault,
): Promise<void> {
  alertOperator(log, { messageId, channelId, lineId }, fault)
  if (isTemplateGone(fault)) templateRefresher.request(channelId)
  if (mediaIds.length === 0 || !isMediaGone(fault)) return
  await store.write.forgetMedia({ lineId, mediaIds }).catch((error: unknown) => {
    // A message that shows them is refused again, and forgets them then.
    log.warn({ err: error, lineId }, 'media ids that are gone could not be forgotten')
  })
}
