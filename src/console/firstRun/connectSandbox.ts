import type { Channel } from '../../../db/contract/records.ts'
import { GatewayError } from '../../base/errors.ts'
import type { StandIn } from '../../graph/sandbox.ts'
import { Refused } from '../../operations/act.ts'
import { connectChannel } from '../../operations/channels/connect.ts'
import { matchLines } from '../../operations/channels/numbers.ts'
import { subscribeChannel } from '../../operations/channels/subscribe.ts'
import type { MemberCaller } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { notFound } from '../refusals.ts'

/**
 * Connects the stand-in's account, adds its first line, subscribes its callbacks and requests its templates. Safe to
 * repeat.
 */
export async function connectSandbox(
  { store: { read }, clock, client, credentials, templateRefresher, publicUrl, ownUrl }: ConsoleParts,
  { write, workspaceId }: MemberCaller,
  { account: { lines, ...account }, setAppCallback }: StandIn,
): Promise<Channel> {
  const parts = { store: { read, write }, credentials, clock }
  const connection = await connectChannel(parts, { workspaceId, ...account, verifyToken: undefined })
  if (!connection) throw notFound('No such workspace.')
  const { channel } = connection
  // One line alone: then sends need not name it.
  const records = lines.slice(0, 1).map(({ upstreamPhoneId, number }) => ({
    id: upstreamPhoneId,
    displayNumber: number,
    name: null,
    quality: null,
    status: null,
    messagingLimit: null,
  }))
  await matchLines(parts.store, clock, channel, records, true)
  // The stand-in is on this machine, or near, and reaches us without a public address.
  const subscription = await subscribeChannel({ read, credentials, client }, channel, publicUrl ?? ownUrl())
  if (subscription instanceof Refused) {
    throw new GatewayError({ ...subscription, message: `The sandbox is connected. ${subscription.message}` })
  }
  if (!(await setAppCallback(subscription.callbackUrl))) throw withoutCallbacks('its app did not take the address')
  templateRefresher.request(channel.id)
  return channel
}

const withoutCallbacks = (why: string) =>
  new GatewayError({
    reason: 'CHANNEL_GRAPH_ERROR',
    status: 400,
    message: `The sandbox is connected, but its callbacks are not set up: ${why}.`,
  })
