import { Elysia } from 'elysia'
import type { Channel } from '../../../db/records.ts'
import { connectChannel } from '../../channels/connect.ts'
import { matchLines } from '../../channels/numbers.ts'
import type { ChannelSecret } from '../../crypto/credentials.ts'
import { GatewayError } from '../../errors.ts'
import { closed, Type, wire } from '../../schema.ts'
import { guard, type MemberCaller } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { conflict, found, ownOf } from '../refusals.ts'
import { wired } from '../shapes.ts'
import { removedThing } from './removal.ts'
import { appIdField, channelSchema, channelView, secretField, upstreamId } from './schemas.ts'

const accessTokenField = secretField("The account's access token. It is stored sealed, and never shown again.")
const appSecretField = secretField(
  "The app's secret, which signs callbacks. It is stored sealed, and never shown again.",
)

const connectBody = wired('ChannelConnection', {
  accountId: upstreamId,
  accessToken: accessTokenField,
  appSecret: appSecretField,
  appId: Type.Optional(appIdField),
  replaces: Type.Optional(
    Type.Boolean({ description: 'Replaces the secrets of a connected account; without it such a request is refused.' }),
  ),
  addLines: Type.Optional(Type.Boolean({ description: "Adds each of the account's phone numbers as a line." })),
})
const changeBody = wire(
  closed(
    {
      accessToken: Type.Optional(accessTokenField),
      appSecret: Type.Optional(appSecretField),
      appId: Type.Optional(appIdField),
    },
    { minProperties: 1, title: 'ChannelChange' },
  ),
)

const channelAnswer = wire(channelSchema)
const channelsAnswer = wired('ChannelList', { channels: Type.Array(channelSchema) })

/** The channels of a workspace: connections to accounts of the upstream platform. */
export function channelRoutes(parts: ConsoleParts) {
  const { store, clock, credentials, client, templateRefresher } = parts
  const { read } = store
  const view = (channel: Channel) => viewOf(parts, channel)

  /** @throws GatewayError when the account cannot be read with the token */
  async function numbersOf(accountId: string, accessToken: string) {
    const listing = await client.listNumbers({ accountId, accessToken })
    if (listing.kind === 'listed') return listing.numbers
    throw new GatewayError({
      reason: 'CHANNEL_GRAPH_ERROR',
      status: 400,
      message:
        `Nothing was changed: the account ${accountId} cannot be read with this access token: ${listing.message}. ` +
        'Check both.',
    })
  }

  async function replaceSecret(member: MemberCaller, channelId: string, secret: ChannelSecret, text: string) {
    const sealed = credentials.sealOne(channelId, secret, text)
    await member.write.replaceSecret({ channelId, secret, sealed, at: clock.now() })
  }

  return new Elysia({ name: 'console-channels', prefix: '/workspaces/:workspaceId/channels' })
    .use(guard(parts))
    .get(
      '',
      async ({ member }) => ({
        channels: await Promise.all((await read.channels(member.workspaceId)).map(view)),
      }),
      { role: 'viewer', response: channelsAnswer, summary: 'List channels' },
    )
    .post(
      '',
      async ({ member, body }) => {
        const { workspaceId, write } = member
        const { accountId, appId, addLines = false, replaces = false } = body
        const isKnown = (await read.channels(workspaceId)).some(channel => channel.accountId === accountId)
        if (isKnown && !replaces) throw connectedAlready(accountId)
        const accessToken = body.accessToken.trim()
        const appSecret = body.appSecret.trim()
        const records = await numbersOf(accountId, accessToken)
        const connection = await connectChannel(
          { store: { read, write }, credentials, clock },
          { workspaceId, accountId, appId, accessToken, appSecret, verifyToken: undefined },
        )
        const { channel } = found(connection, 'channel')
        await matchLines({ read, write }, clock, channel, records, addLines)
        templateRefresher.request(channel.id)
        return { channel: await view(channel) }
      },
      {
        role: 'admin',
        body: connectBody,
        response: wired('ConnectedChannel', { channel: channelSchema }),
        summary: 'Connect an account',
        description:
          'Or, with `replaces`, replaces the secrets of a connected one: its id, lines and verify token stay. The account is ' +
          'read with the access token first; when that fails, nothing is changed.',
      },
    )
    .get('/:channelId', async ({ member, params }) => view(await channelOf(parts, member, params.channelId)), {
      role: 'viewer',
      response: channelAnswer,
      summary: 'Read a channel',
    })
    .patch(
      '/:channelId',
      async ({ member, params, body: { accessToken, appSecret, appId } }) => {
        const { id, accountId } = await channelOf(parts, member, params.channelId)
        if (accessToken !== undefined) {
          await numbersOf(accountId, accessToken.trim())
          await replaceSecret(member, id, 'accessToken', accessToken.trim())
        }
        if (appSecret !== undefined) await replaceSecret(member, id, 'appSecret', appSecret.trim())
        if (appId !== undefined) await member.write.setAppId({ channelId: id, appId, at: clock.now() })
        return view(await channelOf(parts, member, id))
      },
      {
        role: 'admin',
        body: changeBody,
        response: channelAnswer,
        summary: 'Change the secrets of a channel',
        description: 'Only the given ones. The account is read with a new access token first.',
      },
    )
    .delete(
      '/:channelId',
      async ({ member, params }) => {
        const { id } = await channelOf(parts, member, params.channelId)
        const removal = await member.write.disconnectChannel({ channelId: id, at: clock.now() })
        return { id: removedThing(removal, 'channel').id }
      },
      {
        role: 'admin',
        response: wired('DisconnectedChannel', { id: Type.String() }),
        summary: 'Disconnect a channel',
        description:
          'Removes it for good, with its lines, templates and secrets; its messages stay. Refused while messages ' +
          'wait to be sent from it.',
      },
    )
}

/** @throws GatewayError NOT_FOUND, also for a channel of another workspace */
export const channelOf = async ({ store }: ConsoleParts, member: MemberCaller, channelId: string) =>
  ownOf(member, await store.read.channel(channelId), 'channel')

async function viewOf({ store, publicUrl }: ConsoleParts, channel: Channel) {
  const [receipts, updates] = await Promise.all([store.read.callbackReceipts(), store.read.updates(channel.id)])
  return channelView(channel, {
    publicUrl,
    receipt: receipts.find(({ channelId }) => channelId === channel.id),
    updates,
  })
}

const connectedAlready = (accountId: string) =>
  conflict(
    `Nothing was changed: the account ${accountId} is connected already. With replaces: true its secrets are replaced.`,
  )
