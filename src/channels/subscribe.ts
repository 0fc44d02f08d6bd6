import type { Channel } from '../../db/records.ts'
import type { StoreReads } from '../../db/store.ts'
import type { Credentials } from '../crypto/credentials.ts'
import type { ChannelClient } from '../graph/client.ts'
import { callbackUrlCharsMax } from '../text/upstreamLimits.ts'
import { callbackPath } from './address.ts'

export type ChannelSubscription =
  /** `cutOff`: the other channels of the account, which get no callbacks any more. */
  | { readonly outcome: 'subscribed'; readonly callbackUrl: string; readonly cutOff: readonly string[] }
  | { readonly outcome: 'tooLong'; readonly callbackUrl: string }
  | { readonly outcome: 'refused'; readonly message: string }

/** Points the account's callbacks to this gateway, which the upstream calls to verify the address. */
export async function subscribeChannel(
  parts: { read: StoreReads; credentials: Credentials; client: Pick<ChannelClient, 'subscribe'> },
  channel: Channel,
  publicUrl: string,
): Promise<ChannelSubscription> {
  const { read, credentials, client } = parts
  const callbackUrl = publicUrl + callbackPath(channel.id)
  if (callbackUrl.length > callbackUrlCharsMax) return { outcome: 'tooLong', callbackUrl }
  const subscription = await client.subscribe({
    accountId: channel.accountId,
    accessToken: credentials.open(channel, 'accessToken'),
    callbackUrl,
    verifyToken: credentials.open(channel, 'verifyToken'),
  })
  if (subscription.kind === 'failed') return { outcome: 'refused', message: subscription.message }
  // The upstream has one address for an account, also when two workspaces have connected it.
  const cutOff = (await read.channels(null))
    .filter(({ id, accountId }) => accountId === channel.accountId && id !== channel.id)
    .map(({ id }) => id)
  return { outcome: 'subscribed', callbackUrl, cutOff }
}
