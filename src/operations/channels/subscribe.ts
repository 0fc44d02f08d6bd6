import type { Channel } from '../../../db/contract/records.ts'
import type { StoreReads } from '../../../db/contract/store.ts'
import type { Credentials } from '../../base/credentials.ts'
import { callbackUrlCharsMax } from '../../base/upstreamLimits.ts'
import type { ChannelClient } from '../../graph/client.ts'
import { Refused } from '../act.ts'

/** Where the upstream sends the callbacks of a channel (docs/upstream.md#callback-subscription). */
export const callbackPath = (channelId: string) => `/callbacks/channel/${channelId}`

export interface ChannelSubscription {
  readonly callbackUrl: string
  /** The other channels of the account, which get no callbacks any more. */
  readonly cutOff: readonly string[]
}

const publicUrlNeeded = (message: string) =>
  new Refused({ reason: 'CONFLICT', message, details: { setting: 'PUBLIC_URL' } })

/** Points the account's callbacks to this gateway, which the upstream calls to verify the address. */
export async function subscribeChannel(
  parts: { read: StoreReads; credentials: Credentials; client: Pick<ChannelClient, 'subscribe'> },
  channel: Channel,
  publicUrl: string | null,
): Promise<ChannelSubscription | Refused> {
  if (publicUrl === null) {
    return publicUrlNeeded(
      'Set PUBLIC_URL to the https:// address where the upstream platform reaches this gateway, and restart it.',
    )
  }
  const { read, credentials, client } = parts
  const callbackUrl = publicUrl + callbackPath(channel.id)
  if (callbackUrl.length > callbackUrlCharsMax) {
    return publicUrlNeeded(
      `The callback address ${callbackUrl} is too long for the upstream platform: at most ${callbackUrlCharsMax} ` +
        'characters. Set a shorter PUBLIC_URL.',
    )
  }
  const subscription = await client.subscribe({
    accountId: channel.accountId,
    accessToken: credentials.open(channel, 'accessToken'),
    callbackUrl,
    verifyToken: credentials.open(channel, 'verifyToken'),
  })
  if (subscription.kind === 'failed') {
    return new Refused({
      reason: 'CHANNEL_GRAPH_ERROR',
      status: 400,
      message:
        `Callbacks are not set up: ${subscription.message}. ` +
        `Is this gateway running, and reachable at ${publicUrl}?`,
    })
  }
  // The upstream has one address for an account, also when two workspaces have connected it.
  const cutOff = (await read.channels(null))
    .filter(({ id, accountId }) => accountId === channel.accountId && id !== channel.id)
    .map(({ id }) => id)
  return { callbackUrl, cutOff }
}
