import { isUsedUp } from '../../src/message/plan.ts'
import type { SendSettings, StoreReads } from './store.ts'

/** @returns what decides on the sends of a workspace in a month, read one after the other */
export async function readSettings(
  read: Pick<StoreReads, 'plan' | 'lines' | 'channel'>,
  of: { workspaceId: string; month: string },
): Promise<SendSettings> {
  const [plan, lines] = await Promise.all([read.plan(of), read.lines(of.workspaceId)])
  const channelIds = new Set(lines.map(({ channelId }) => channelId))
  const channels = (await Promise.all([...channelIds].map(id => read.channel(id)))).filter(channel => channel !== null)
  // A channel that is removed between the reads takes its lines with it.
  const left = lines.filter(({ channelId }) => channels.some(({ id }) => id === channelId))
  return { month: of.month, plan, lines: left, channels }
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
