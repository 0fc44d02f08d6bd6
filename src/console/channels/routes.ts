import { Elysia } from 'elysia'
import type { Channel } from '../../../db/contract/records.ts'
import { closed, Type, wire } from '../../base/schema.ts'
import {
  channelOf,
  disconnectChannel,
  readNumbers,
  replaceSecret,
  setAppId,
} from '../../operations/channels/channels.ts'
import { connectAccount } from '../../operations/channels/connect.ts'
import { appIdField, secretField, upstreamIdField } from '../../operations/fields.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { done } from '../refusals.ts'
import { wired } from '../shapes.ts'
import { channelSchema, channelView } from './schemas.ts'

const accessTokenField = secretField("The account's access token. It is stored sealed, and never shown again.")
const appSecretField = secretField(
  "The app's secret, which signs callbacks. It is stored sealed, and never shown again.",
)

const connectBody = wired('ChannelConnection', {
  accountId: upstreamIdField,
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
  const { store, credentials, client, templateRefresher } = parts
  const { read } = store
  const view = (channel: Channel) => viewOf(parts, channel)

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
        const { workspaceId } = member
        const { accountId, appId, addLines = false, replaces = false } = body
        const secrets = {
          accessToken: body.accessToken.trim(),
          appSecret: body.appSecret.trim(),
          verifyToken: undefined,
        }
        const account = { workspaceId, accountId, appId, ...secrets }
        const choices = { replaces, alsoHere: true, addLines }
        const { channel } = done(await connectAccount(member, { credentials, client }, account, choices))
        templateRefresher.request(channel.id)
        return { channel: await view(channel) }
      },
      {
        role: 'admin',
        body: connectBody,
        response: wired('ConnectedChannel', { channel: channelSchema }),
        summary: 'Connect an account',
        description:
          'Or, with `replaces`, replaces the secrets of a connected one: its id, lines and verify token stay. The ' +
          'account is read with the access token first; when that fails, nothing is changed.',
      },
    )
    .get('/:channelId', async ({ member, params }) => view(done(await channelOf(member, params.channelId))), {
      role: 'viewer',
      response: channelAnswer,
      summary: 'Read a channel',
    })
    .patch(
      '/:channelId',
      async ({ member, params, body: { accessToken, appSecret, appId } }) => {
        const { id, accountId } = done(await channelOf(member, params.channelId))
        if (accessToken !== undefined) {
          const text = accessToken.trim()
          done(await readNumbers(client, { accountId, accessToken: text }))
          done(await replaceSecret(member, credentials, id, { secret: 'accessToken', text }))
        }
        if (appSecret !== undefined)
          done(await replaceSecret(member, credentials, id, { secret: 'appSecret', text: appSecret.trim() }))
        if (appId !== undefined) done(await setAppId(member, id, appId))
        return view(done(await channelOf(member, id)))
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
      async ({ member, params }) => ({ id: done(await disconnectChannel(member, params.channelId)).id }),
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

async function viewOf({ store, publicUrl }: ConsoleParts, channel: Channel) {
  const [receipts, updates] = await Promise.all([store.read.callbackReceipts(), store.read.updates(channel.id)])
  return channelView(channel, {
    publicUrl,
    receipt: receipts.find(({ channelId }) => channelId === channel.id),
    updates,
  })
}
