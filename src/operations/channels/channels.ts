import type { Channel } from '../../../db/contract/records.ts'
import type { ChannelSecret, Credentials } from '../../base/credentials.ts'
import type { ChannelClient, PhoneNumberRecord } from '../../graph/client.ts'
import { notAnAccount } from '../../graph/nodeKinds.ts'
import { type Actor, existing, ownOf, Refused, removedOr } from '../act.ts'

/** The channel, which the actor may see. */
export const channelOf = async (actor: Pick<Actor, 'read' | 'workspaceId'>, channelId: string) =>
  ownOf(actor, await actor.read.channel(channelId), 'channel', channelId)

/** Reads an account's phone numbers from the upstream platform: one call, which works only with the right token. */
export async function readNumbers(
  client: Pick<ChannelClient, 'listNumbers'>,
  { accountId, accessToken }: { readonly accountId: string; readonly accessToken: string },
): Promise<readonly PhoneNumberRecord[] | Refused> {
  const listing = await client.listNumbers({ accountId, accessToken })
  if (listing.kind === 'listed') return listing.numbers
  // What gives no refusal has said nothing about the token.
  const what =
    listing.code === undefined
      ? `the account ${accountId} could not be looked up: ${listing.message}.`
      : `the account ${accountId} cannot be read with this access token: ${listing.message}. ` +
        `${notAnAccount(listing) ?? 'Check both'}.`
  const message = `Nothing was changed: ${what}`
  return new Refused({ reason: 'CHANNEL_GRAPH_ERROR', status: 400, message })
}

/** Seals and stores one secret of a channel. The next send, or callback, uses it. */
export async function replaceSecret(
  { write, clock }: Pick<Actor, 'write' | 'clock'>,
  credentials: Pick<Credentials, 'sealOne'>,
  channelId: string,
  { secret, text }: { readonly secret: ChannelSecret; readonly text: string },
): Promise<Channel | Refused> {
  const sealed = credentials.sealOne(channelId, secret, text)
  return existing(await write.replaceSecret({ channelId, secret, sealed, at: clock.now() }), 'channel', channelId)
}

/** Sets the id of the app, which uploads of examples need. */
export const setAppId = async (
  { write, clock }: Pick<Actor, 'write' | 'clock'>,
  channelId: string,
  appId: string,
): Promise<Channel | Refused> =>
  existing(await write.setAppId({ channelId, appId, at: clock.now() }), 'channel', channelId)

/** Removes it for good, with its lines, templates and secrets; its messages stay. Refused while messages wait on it. */
export async function disconnectChannel(actor: Actor, channelId: string): Promise<Channel | Refused> {
  const known = await channelOf(actor, channelId)
  if (known instanceof Refused) return known
  return removedOr(await actor.write.disconnectChannel({ channelId, at: actor.clock.now() }), 'channel', channelId)
}
