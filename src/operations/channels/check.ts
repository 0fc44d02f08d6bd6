import type { CallbackReceipt, CallbackRefusal, Channel } from '../../../db/contract/records.ts'
import type { EpochMs } from '../../base/clock.ts'
import type { ChannelClient } from '../../graph/client.ts'
import { callbackPath } from './subscribe.ts'

/** How the callbacks of a channel come in. Times are exact to the minute. */
export type CallbackState =
  | { readonly state: 'none' }
  | { readonly state: 'accepted'; readonly acceptedAt: EpochMs }
  /** The last one was refused; an earlier one may have been accepted. */
  | {
      readonly state: 'refused'
      readonly refusedAt: EpochMs
      readonly refusal: CallbackRefusal | null
      readonly acceptedAt: EpochMs | null
    }

export function callbackState(receipt: CallbackReceipt | undefined): CallbackState {
  const acceptedAt = receipt?.acceptedAt ?? null
  const refusedAt = receipt?.refusedAt ?? null
  if (refusedAt !== null && refusedAt >= (acceptedAt ?? 0)) {
    return { state: 'refused', refusedAt, refusal: receipt?.refusal ?? null, acceptedAt }
  }
  return acceptedAt === null ? { state: 'none' } : { state: 'accepted', acceptedAt }
}

/** Where the upstream sends the account's callbacks, as it says itself. */
export type SubscriptionState =
  | { readonly state: 'here' | 'nowhere' }
  | { readonly state: 'elsewhere'; readonly addresses: readonly (string | null)[] }
  /** The upstream does not say, for example because it refuses the access token. */
  | { readonly state: 'unknown'; readonly message: string }

export async function subscriptionState(
  client: Pick<ChannelClient, 'callbackAddresses'>,
  { id, accountId }: Pick<Channel, 'id' | 'accountId'>,
  accessToken: string,
): Promise<SubscriptionState> {
  const subscribed = await client.callbackAddresses({ accountId, accessToken })
  if (subscribed.kind === 'failed') return { state: 'unknown', message: subscribed.message }
  const { addresses } = subscribed
  if (addresses.length === 0) return { state: 'nowhere' }
  // Without an address for this account, the app's own address may be ours: only callbacks that come can show that.
  const isHere = addresses.some(address => address === null || address.endsWith(callbackPath(id)))
  return isHere ? { state: 'here' } : { state: 'elsewhere', addresses }
}

/** @returns the channels that share an account with another: its callbacks go to one of them. */
export const sharingAccounts = (channels: readonly Channel[]): readonly Channel[][] =>
  [...Map.groupBy(channels, ({ accountId }) => accountId).values()].filter(({ length }) => length > 1)
