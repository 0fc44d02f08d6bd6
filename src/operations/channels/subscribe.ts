import type { Channel } from '../../../db/contract/records.ts'
import type { StoreReads } from '../../../db/contract/store.ts'
import type { Credentials } from '../../base/credentials.ts'
import { callbackUrlCharsMax } from '../../base/upstreamLimits.ts'
import type { ChannelClient, Subscription } from '../../graph/client.ts'
import { explain, isPermissionCode, isTokenCode } from '../../graph/codes.ts'
import { notAnAccount } from '../../graph/nodeKinds.ts'
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
    const message = `Callbacks are not set up: ${subscription.message}. ${adviceOn(subscription, publicUrl)}`
    return new Refused({ reason: 'CHANNEL_GRAPH_ERROR', status: 400, message: message.trim() })
  }
  // The upstream has one address for an account, also when two workspaces have connected it.
  const cutOff = (await read.channels(null))
    .filter(({ id, accountId }) => accountId === channel.accountId && id !== channel.id)
    .map(({ id }) => id)
  return { callbackUrl, cutOff }
}

/** The upstream asked the address, and was not answered as it wants. */
const addressCode = 2200
/** A function or a permission is missing, of the app or of the token. */
const permissionCodes: readonly number[] = [3, 10, 131005]

/** @returns what to do, by what was refused and with which code: words come in the language of the account */
function adviceOn(refused: Extract<Subscription, { kind: 'failed' }>, publicUrl: string): string {
  const { step, code, subcode } = refused
  // What gives no refusal says itself what to look at.
  if (code === undefined || code === null) return ''
  if (isTokenCode(code)) return explain(code)?.remedy ?? ''
  if (isPermissionCode(code) || permissionCodes.includes(code) || (code === 100 && subcode === 33)) {
    return (
      'The access token needs the permission whatsapp_business_management, and its system user needs this account ' +
      'among its assets: /docs/meta-setup#permanent-token'
    )
  }
  if (step === 'address' && code === addressCode) {
    return `Is this gateway running, and reachable from the internet at ${publicUrl} with a valid certificate?`
  }
  if (step === 'address' && code === 100) {
    const scheme = publicUrl.startsWith('https://') ? '' : ' The platform takes only addresses with https://, too.'
    return (
      'The app needs an address of its own first: in the app dashboard, under WhatsApp → Configuration, save the ' +
      `form and subscribe its field messages (/docs/meta-setup#callbacks). Then subscribe again.${scheme}`
    )
  }
  return notAnAccount(refused) ?? explain(code)?.remedy ?? ''
}
