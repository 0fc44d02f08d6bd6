import type { Command } from 'commander'
import type { Channel } from '../../db/records.ts'
import { lockDatabase } from '../../db/sqlite/lock.ts'
import type { Store } from '../../db/store.ts'
import { systemClock } from '../clock.ts'
import type { ChannelSecret, Credentials } from '../credentials.ts'
import { newId, randomBase62 } from '../ids.ts'
import { isoTime } from '../isoTime.ts'
import { isSealed } from '../secretKey.ts'
import { addNoun, addVerb } from './command.ts'
import { CommandError, found } from './failure.ts'
import { forgetSecrets, keyFits } from './forget.ts'
import { argument, id, optional, required, text, toggle, workspaceOption } from './inputs.ts'
import { commandLine, moment, report, table } from './output.ts'
import { given, readSecrets } from './secrets.ts'
import { type Workbench, withChannelClient } from './session.ts'
import { findWorkspace } from './workspace.ts'

/** 32 base62 characters hold 190 bits: enough for a token that is only ever compared. */
const verifyTokenLength = 32

/** Upstream reference 8. */
const callbackUrlLengthMax = 200

export function channelCommands(program: Command, { withStore }: Workbench): void {
  const channel = addNoun(program, 'channel', 'channels: connections to accounts of the upstream platform')
  const secret = text('secret')
  const path = text('path')

  addVerb(channel, {
    name: 'connect',
    summary: 'connect an account, or replace the secrets of a connected one',
    inputs: {
      workspace: workspaceOption,
      accountId: required(id, "the upstream platform's id of the account"),
      accessToken: optional(secret, 'the access token; better by file: other users can see arguments'),
      accessTokenFile: optional(path, 'a file that holds it; - is standard input'),
      appSecret: optional(secret, "the app's secret, which signs callbacks"),
      appSecretFile: optional(path, 'a file that holds it; - is standard input'),
      verifyToken: optional(secret, 'the word that proves our callback address; made up when absent'),
      verifyTokenFile: optional(path, 'a file that holds it; - is standard input'),
    },
    async run({ workspace, accountId, ...sources }) {
      const secrets = await readSecrets({
        accessToken: { option: 'access-token', value: sources.accessToken, file: sources.accessTokenFile },
        appSecret: { option: 'app-secret', value: sources.appSecret, file: sources.appSecretFile },
        verifyToken: { option: 'verify-token', value: sources.verifyToken, file: sources.verifyTokenFile },
      })
      const accessToken = given(secrets.accessToken, 'access-token')
      const appSecret = given(secrets.appSecret, 'app-secret')
      return withStore(async session => {
        const { store } = session
        await findWorkspace(store, workspace)
        const credentials = await session.credentials()
        const known = (await store.read.channels(workspace)).find(channel => channel.accountId === accountId)
        // A new access token must not make the upstream's setup of the callback address wrong.
        const kept = () => (known ? credentials.open(known, 'verifyToken') : randomBase62(verifyTokenLength))
        const verifyToken = secrets.verifyToken ?? kept()
        const target = { workspaceId: workspace, accountId, channelId: known?.id ?? newId('chan') }
        const connected = await connect(store, credentials, target, { accessToken, appSecret, verifyToken })
        return {
          data: { ...channelView(connected), verifyToken },
          text: report(
            `Account ${accountId} ${known ? 'reconnected: its secrets are replaced' : 'connected'}`,
            { id: connected.id, 'callback path': callbackPath(connected.id), 'verify token': verifyToken },
            known
              ? undefined
              : `${commandLine(`line add --channel ${connected.id} --upstream-phone-id … --number +…`)}\n` +
                  `      ${commandLine(`channel subscribe ${connected.id}`)} once the gateway runs at its PUBLIC_URL`,
          ),
        }
      })
    },
  })

  addVerb(channel, {
    name: 'list',
    summary: 'list the channels',
    inputs: { workspace: optional(id, 'only those of this workspace, ws_…') },
    run: ({ workspace }) =>
      withStore(async ({ store }) => {
        if (workspace !== undefined) await findWorkspace(store, workspace)
        const channels = await store.read.channels(workspace ?? null)
        return {
          data: channels.map(channelView),
          text: table(
            ['id', 'account', 'workspace', 'connected (UTC)', 'secrets of (UTC)'],
            channels.map(({ id, accountId, workspaceId, createdAt, updatedAt }) => [
              id,
              accountId,
              workspaceId,
              moment(createdAt),
              moment(updatedAt),
            ]),
            `No channel yet. Connect one: ${commandLine('channel connect --workspace ws_… --account-id … …')}`,
          ),
        }
      }),
  })

  addVerb(channel, {
    name: 'subscribe',
    summary: "point the account's callbacks to this gateway, which must be running at its PUBLIC_URL",
    inputs: { channel: argument(id, 'the channel, chan_…') },
    run: ({ channel: channelId }) =>
      withStore(async session => {
        const { publicUrl } = session.config
        const channel = found(await session.store.read.channel(channelId), 'channel', channelId)
        if (publicUrl === null) {
          throw new CommandError(
            'Set PUBLIC_URL to the https:// address where the upstream platform reaches this gateway',
          )
        }
        const credentials = await session.credentials()
        const callbackUrl = publicUrl + callbackPath(channel.id)
        if (callbackUrl.length > callbackUrlLengthMax) {
          throw new CommandError(
            `The callback address ${callbackUrl} is too long for the upstream platform: at most ${callbackUrlLengthMax} characters. Set a shorter PUBLIC_URL`,
          )
        }
        const subscription = await withChannelClient(session.config, client =>
          client.subscribe({
            accountId: channel.accountId,
            accessToken: credentials.open(channel, 'accessToken'),
            callbackUrl,
            verifyToken: credentials.open(channel, 'verifyToken'),
          }),
        )
        if (subscription.kind === 'failed') {
          throw new CommandError(
            `Callbacks are not set up: ${subscription.message} (is the gateway running, and reachable at ${publicUrl}?)`,
          )
        }
        // The upstream has one address for an account, whoever connected it.
        const cutOff = (await session.store.read.channels(null))
          .filter(({ id, accountId }) => accountId === channel.accountId && id !== channel.id)
          .map(({ id }) => id)
        const details = { id: channel.id, 'callback address': callbackUrl }
        const warning = { 'no callbacks any more for': `${cutOff.join(', ')}, of the same account` }
        return {
          data: { ...channelView(channel), callbackUrl, subscribed: true, cutOff },
          text: report('Callbacks set up', cutOff.length > 0 ? { ...details, ...warning } : details),
        }
      }),
  })

  addVerb(channel, {
    name: 'forget-secrets',
    summary: 'when the key is lost for good: give up all stored secrets, so that channels can be connected again',
    inputs: { force: toggle('do it; without it, nothing is changed') },
    run: ({ force }) =>
      withStore(async ({ store, config }) => {
        // A gateway that runs still has the key that it started with.
        const unlock = lockDatabase(config.databasePath)
        try {
          if (!(await isSealed(store))) throw new CommandError('No secrets are stored: there is nothing to give up')
          if (await keyFits(store, config)) {
            throw new CommandError(
              'The key opens the stored secrets: there is no need. To replace some, connect the channel',
            )
          }
          if (!force) {
            const channels = (await store.read.channels(null)).length
            throw new CommandError(
              `--force gives up the secrets of all channels (${channels}) for good: each has to be connected again. All else stays`,
            )
          }
          const channels = await forgetSecrets(store, config)
          return {
            data: { channels },
            text: report(
              'The stored secrets are given up',
              { channels },
              'before the gateway starts, as what waits would be refused, connect each again:\n' +
                `      ${commandLine('channel connect --workspace ws_… --account-id … …')}, then ${commandLine('channel subscribe chan_…')}`,
            ),
          }
        } finally {
          unlock()
        }
      }),
  })
}

interface Target {
  readonly workspaceId: string
  readonly accountId: string
  readonly channelId: string
}

/**
 * Secrets are sealed for one channel id. Should another process connect the same account at this very moment, its id
 * wins, and they are sealed once more for that one.
 */
async function connect(
  store: Store,
  credentials: Credentials,
  { workspaceId, accountId, channelId }: Target,
  secrets: Readonly<Record<ChannelSecret, string>>,
): Promise<Channel> {
  const now = systemClock.now()
  const connectAs = async (id: string) => {
    const sealed = credentials.seal(id, secrets)
    const channel = { id, workspaceId, accountId, ...sealed, createdAt: now, updatedAt: now }
    return found(await store.write.connectChannel(channel), 'workspace', workspaceId)
  }
  const connected = await connectAs(channelId)
  return connected.id === channelId ? connected : connectAs(connected.id)
}

const callbackPath = (channelId: string) => `/callbacks/channel/${channelId}`

/** A channel as it may be shown: without its secrets. */
const channelView = ({ id, workspaceId, accountId, createdAt, updatedAt }: Channel) => ({
  id,
  workspaceId,
  accountId,
  callbackPath: callbackPath(id),
  createdAt: isoTime(createdAt),
  updatedAt: isoTime(updatedAt),
})
