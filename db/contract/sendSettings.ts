import { isUsedUp } from '../../src/message/plan.ts'
import type { SendSettings, StoreReads } from './store.ts'

/** @returns what decides on the sends of a workspace in a month */
export async function readSettings(
  read: Pick<StoreReads, 'plan' | 'lines' | 'channels'>,
  of: { workspaceId: string; month: string },
): Promise<SendSettings> {
  const { workspaceId, month } = of
  const [plan, lines, channels] = await Promise.all([
    read.plan(of),
    read.lines(workspaceId),
    read.channels(workspaceId),
  ])
  // A channel that is removed between the reads takes its lines with it.
  const left = lines.filter(({ channelId }) => channels.some(({ id }) => id === channelId))
  return { month, plan, lines: left, channels }
}

const decisive = ({ plan, lines, channels }: SendSettings) => ({
  limit: plan.limit,
  onOptOut: plan.onOptOut,
  quietHours: plan.quietHours,
  isUsedUp: isUsedUp(plan),
  lines,
  channels,
})

/** @returns whether what was refused by the one is refused by the other, but for how much of a plan is used */
export const decideAlike = (one: SendSettings | null, other: SendSettings | null): boolean =>
  one !== null && other !== null && Bun.deepEquals(decisive(one), decisive(other))
