import type { Command } from 'commander'
import { callbackPath } from '../operations/channels/address.ts'
import { channelOf, disconnectChannel, setAppId } from '../operations/channels/channels.ts'
import { subscribeChannel } from '../operations/channels/subscribe.ts'
import { connectCommand } from './channelConnect.ts'
import { channelSecretCommands } from './channelSecrets.ts'
import { channelView } from './channelView.ts'
import { addNoun, addVerb } from './command.ts'
import { done } from './failure.ts'
import { appId, argument, idOf, workspacesOption } from './inputs.ts'
import { addList } from './list.ts'
import { commandLine, report } from './output.ts'
import { type Workbench, withChannelClient } from './session.ts'
import { findWorkspace } from './workspace.ts'

export function channelCommands(program: Command, workbench: Workbench): void {
  const { withStore } = workbench
  const channel = addNoun(program, 'channel', 'channels: connections to accounts of the upstream platform')

  connectCommand(channel, workbench)
  channelSecretCommands(channel, workbench)

  addList(channel, workbench, {
    summary: 'list the channels',
    example: 'channel list',
    inputs: { workspace: workspacesOption },
    async read({ store }, { workspace }) {
      if (workspace !== undefined) await findWorkspace(store, workspace)
      return store.read.channels(workspace ?? null)
    },
    view: channelView,
    columns: {
      id: 'id',
      account: 'accountId',
      workspace: 'workspaceId',
      'connected (UTC)': 'createdAt',
      'secrets of (UTC)': 'updatedAt',
    },
    whenEmpty: () => `No channel yet. Connect one: ${commandLine('channel connect --workspace ws_… --account-id … …')}`,
    updates: ({ store }, { id }) => store.read.updates(id),
  })

  addVerb(channel, {
    name: 'subscribe',
    summary: "direct the account's callbacks to this gateway, which must be running at its PUBLIC_URL",
    example: 'channel subscribe chan_…',
    inputs: { channel: argument(idOf('channel'), 'the channel, chan_…') },
    run: ({ channel: channelId }) =>
      withStore(async session => {
        const { publicUrl } = session.config
        const channel = done(await channelOf(session.operator, channelId))
        const { read } = session.store
        const credentials = await session.credentials()
        const subscription = done(
          await withChannelClient(session.config, client =>
            subscribeChannel({ read, credentials, client }, channel, publicUrl),
          ),
        )
        const { callbackUrl, cutOff } = subscription
        const details = { id: channel.id, 'callback address': callbackUrl }
        const warning = { 'no callbacks any more for': `${cutOff.join(', ')}, of the same account` }
        return {
          data: { ...channelView(channel), callbackUrl, subscribed: true, cutOff },
          text: report('Callbacks set up', cutOff.length > 0 ? { ...details, ...warning } : details),
        }
      }),
  })

  addVerb(channel, {
    name: 'set-app-id',
    summary: "set the app's id, needed to upload examples for templates with a file in the header",
    example: 'channel set-app-id chan_… 670843887433847',
    inputs: {
      channel: argument(idOf('channel'), 'the channel, chan_…'),
      appId: argument(appId, "the app's id, from the upstream platform's console"),
    },
    run: ({ channel: channelId, appId }) =>
      withStore(async ({ operator }) => {
        const channel = done(await setAppId(operator, channelId, appId))
        return {
          data: channelView(channel),
          text: report('App id set', { id: channel.id, account: channel.accountId, app: appId }),
        }
      }),
  })

  addVerb(channel, {
    name: 'disconnect',
    summary: 'remove a channel for good, with its lines, templates and secrets; its messages stay',
    example: 'channel disconnect chan_…',
    inputs: { channel: argument(idOf('channel'), 'the channel, chan_…') },
    run: ({ channel: channelId }) =>
      withStore(async ({ operator }) => {
        const removed = done(await disconnectChannel(operator, channelId))
        return {
          data: channelView(removed),
          text: report(
            'Channel disconnected: its lines, templates and secrets are gone, its messages can still be read',
            { id: removed.id, account: removed.accountId },
            `remove the callback address ${callbackPath(removed.id)} from the account at the upstream platform,\n` +
              '      which otherwise calls it for days',
          ),
        }
      }),
  })
}
