import type { UpstreamFault } from '../channel/answer.ts'
import { needsOperator } from '../channel/codes.ts'
import type { SendJob } from '../channel/job.ts'
import type { Logger } from '../log.ts'

/**
 * Tells the operator of a refusal that concerns more than its message (upstream reference 4.1, "alert"). A caller may have
 * been answered long ago, and hears nothing of it.
 */
export function alertOperator(log: Logger, job: SendJob, fault: UpstreamFault): void {
  if (!needsOperator(fault)) return
  const { code, traceId } = fault
  const { messageId, channelId, lineId } = job
  const entry = { messageId, channelId, lineId, code, traceId }
  log.error(entry, 'the upstream platform refuses the token, the account or the line: somebody has to act')
}
