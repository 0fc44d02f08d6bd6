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

/** Acts on a refusal. It may need the operator, or it may show that our copy of the upstream's data is out of date. */
export async function actOnRefusal(
  { store, templateRefresher, log }: RefusalParts,
  { id: messageId, channelId, lineId, mediaIds }: Refused,
  fault: UpstreamFault,
): Promise<void> {
  alertOperator(log, { messageId, channelId, lineId }, fault)
  if (isTemplateGone(fault)) templateRefresher.request(channelId)
  if (mediaIds.length === 0 || !isMediaGone(fault)) return
  await store.write.forgetMedia({ lineId, mediaIds }).catch((error: unknown) => {
    // The next message that shows them is refused too, and forgetting is tried again then.
    log.warn({ err: error, lineId }, 'expired media ids could not be deleted')
  })
}
