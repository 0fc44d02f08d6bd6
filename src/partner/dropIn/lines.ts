import type { Channel, Line } from '../../../db/contract/records.ts'
import type { StoreReads } from '../../../db/contract/store.ts'
import { lineIsAllowed } from '../../base/keyLines.ts'
import type { PartnerCaller } from '../caller.ts'

/** The active lines of a caller. */
export const linesOf = async ({ read, workspaceId }: PartnerCaller): Promise<readonly Line[]> =>
  (await read.lines(workspaceId)).filter(({ active }) => active)

/** @param upstreamPhoneId the platform's id of the line, which is the one that its clients know */
export async function lineNamed(caller: PartnerCaller, upstreamPhoneId: string): Promise<Line | null> {
  const isNamed = (line: Line) => line.active && line.upstreamPhoneId === upstreamPhoneId
  // A send has read them with its key; a line that was added since is looked for.
  const known = caller.settings?.lines.find(line => isNamed(line) && lineIsAllowed(caller, line.id))
  return known ?? (await linesOf(caller)).find(isNamed) ?? null
}

/** The accounts that have a line of the caller. */
export async function accountsOf(
  read: Pick<StoreReads, 'channel'>,
  caller: PartnerCaller,
): Promise<readonly Channel[]> {
  const ids = new Set((await linesOf(caller)).map(({ channelId }) => channelId))
  const channels = await Promise.all([...ids].map(id => read.channel(id)))
  return channels.filter(channel => channel !== null)
}

/** @returns the first of them; null: it has no line */
export const accountOf = async (read: Pick<StoreReads, 'channel'>, caller: PartnerCaller): Promise<Channel | null> =>
  (await accountsOf(read, caller))[0] ?? null

/** @returns null when none of its lines is of this account */
export const accountNamed = async (
  read: Pick<StoreReads, 'channel'>,
  caller: PartnerCaller,
  accountId: string,
): Promise<Channel | null> => (await accountsOf(read, caller)).find(account => account.accountId === accountId) ?? null
