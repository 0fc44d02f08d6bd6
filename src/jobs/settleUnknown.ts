import { hourMs } from '../base/durations.ts'
import { bySteps, type JobParts } from './job.ts'

/** Settles messages as FAILED that were UNKNOWN for `UNKNOWN_SETTLE_HOURS`. A later callback still corrects them. */
export async function settleUnknown({ store, clock, log, config }: JobParts): Promise<void> {
  const at = clock.now()
  const hours = config.unknownSettleMs / hourMs
  const reason = `No sign of the message from the upstream platform for ${hours} hours after its answer was lost`
  const lostBefore = at - config.unknownSettleMs
  const total = await bySteps(clock, limit => store.write.abandonUnknown({ lostBefore, at, reason, limit }))
  if (total > 0) log.warn({ messages: total }, 'settled messages of unknown outcome as FAILED')
}
