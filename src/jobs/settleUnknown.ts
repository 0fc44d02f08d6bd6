import type { JobParts } from './schedule.ts'

const stepRows = 500

/** Gives up messages whose outcome stayed unknown for `UNKNOWN_SETTLE_HOURS`; a later callback still corrects them. */
export async function settleUnknown({ store, clock, log, config }: JobParts): Promise<void> {
  const at = clock.now()
  const hours = config.unknownSettleMs / 3_600_000
  const reason = `No sign of the message from the upstream platform for ${hours} hours after its answer was lost`
  let total = 0
  for (;;) {
    const lostBefore = at - config.unknownSettleMs
    const count = await store.write.abandonUnknown({ lostBefore, at, reason, most: stepRows })
    total += count
    if (count < stepRows) break
  }
  if (total > 0) log.warn({ messages: total }, 'gave up messages whose outcome stayed unknown')
}
