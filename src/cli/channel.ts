import type { Command } from 'commander'
import type { Channel } from '../../db/contract/records.ts'
import type { ChannelSecret } from '../base/credentials.ts'
import { channelOf, disconnectChannel, replaceSecret, setAppId } from '../operations/channels/channels.ts'
import { connectAccount } from '../operations/channels/connect.ts'
import { type AccountNumber, numberView } from '../operations/channels/numbers.ts'
import { callbackPath, subscribeChannel } from '../operations/channels/subscribe.ts'
import { noVerifyOption, numberTable, readNumbers, unverified } from './account.ts'
import { addNoun, addVerb } from './command.ts'
import { done, UsageError } from './failure.ts'
import {
  appId,
  argument,
  id,
  idOf,
  oneWorkspaceOption,
  optional,
  required,
  text,
  toggle,
  workspacesOption,
} from './inputs.ts'
import { addList } from './list.ts'
import { commandLine, report, withIsoTimes } from './output.ts'
import { sealing } from './sealing.ts'
import { given, readSecrets } from './secretInput.ts'
import { type Session, type Workbench, withChannelClient } from './session.ts'
import { findWorkspace, oneWorkspace } from './workspace.ts'

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

/** A channel as it may be shown: without its secrets. */
const channelView = ({ id, workspaceId, accountId, appId, createdAt, updatedAt }: Channel) => ({
  id,
  workspaceId,
  accountId,
  appId,
  callbackPath: callbackPath(id),
  ...withIsoTimes({ createdAt, updatedAt }),
})

function connectCommand(channel: Command, { withStore }: Workbench): void {
  const secret = text('secret')
  const path = text('path')

  addVerb(channel, {
    name: 'connect',
    summary: 'connect an account, or replace the secrets of a connected one',
    example:
      'channel connect --workspace ws_… --account-id 1234567890 --access-token-file token.txt --app-secret-file ' +
      'app-secret.txt --add-lines',
    inputs: {
      workspace: oneWorkspaceOption,
      accountId: required(id, "the upstream platform's id of the account"),
      accessToken: optional(secret, 'the access token; better by file: other users can see arguments'),
      accessTokenFile: optional(path, 'a file that holds it; - is standard input'),
      appSecret: optional(secret, "the app's secret, which signs callbacks; they are refused while it is absent"),
      appSecretFile: optional(path, 'a file that holds it; - is standard input'),
      verifyToken: optional(secret, 'the word that verifies our callback address; generated when absent'),
      verifyTokenFile: optional(path, 'a file that holds it; - is standard input'),
      appId: optional(appId, "the app's id, for the examples of templates with a file in the header"),
      addLines: toggle("add each of the account's phone numbers as an active line"),
      noVerify: noVerifyOption,
      alsoHere: toggle('connect it although another workspace has the account: its callbacks go to only one of them'),
    },
    oneOf: [['accessToken', 'accessTokenFile']],
    async run({ workspace, accountId, appId, addLines, noVerify, alsoHere, ...sources }) {
      if (addLines && noVerify) throw new UsageError('--add-lines asks the upstream platform: leave out --no-verify')
      const secrets = await readSecrets({
        accessToken: { option: 'access-token', value: sources.accessToken, file: sources.accessTokenFile },
        appSecret: { option: 'app-secret', value: sources.appSecret, file: sources.appSecretFile },
        verifyToken: { option: 'verify-token', value: sources.verifyToken, file: sources.verifyTokenFile },
      })
      const accessToken = given(secrets.accessToken, 'access-token')
      const appSecret = secrets.appSecret ?? undefined
      return withStore(async session => {
        const { store, operator, config } = session
        const { id: workspaceId } = await oneWorkspace(store, workspace)
        const verifyToken = secrets.verifyToken ?? undefined
        const account = { workspaceId, accountId, appId, accessToken, appSecret, verifyToken }
        const choices = { replaces: true, alsoHere, addLines }
        const connection = await sealing(session, session.credentials, credentials =>
          withChannelClient(config, client =>
            connectAccount(operator, { credentials, client: noVerify ? null : client }, account, choices),
          ),
        )
        const {
          channel: connected,
          wasKnown,
          hasAppSecret,
          verifyToken: word,
          numbers,
        } = done(connection, { ...unverified, CONFLICT: 'To connect it here as well: --also-here' })
        const text = report(
          `Account ${accountId} ${wasKnown ? 'reconnected: its secrets are replaced' : 'connected'}`,
          { id: connected.id, 'callback path': callbackPath(connected.id), 'verify token': word },
          nextSteps(connected, hasAppSecret, numbers),
        )
        return {
          data: {
            ...channelView(connected),
            verifyToken: word,
            hasAppSecret,
            numbers: numbers?.map(numberView) ?? null,
          },
          text: numbers ? `${numberTable(numbers)}\n\n${text}` : text,
        }
      })
    },
  })
}

/** @param numbers null: the account's numbers were not read */
function nextSteps({ id }: Channel, hasAppSecret: boolean, numbers: readonly AccountNumber[] | null): string {
  const missing = numbers?.filter(({ line }) => line === null).map(({ record }) => record) ?? [null]
  const steps = missing.map(record =>
    commandLine(
      `line add --channel ${id} --upstream-phone-id ${record?.id ?? '…'} --number ` +
        `${record?.displayNumber?.replace(/[^\d+]/g, '') ?? '+…'}`,
    ),
  )
  if (!hasAppSecret) steps.unshift(commandLine(`channel set-app-secret ${id} --app-secret-file …`))
  const [first] = numbers?.filter(({ isNew }) => isNew) ?? []
  const several = (numbers?.filter(({ line }) => line?.active).length ?? 0) > 1
  if (first?.line && several) {
    steps.push(`${commandLine(`line default ${first.line.id}`)}, or another: sends that name no line use it`)
  }
  return [...steps, `${commandLine(`channel subscribe ${id}`)} once the gateway runs at its PUBLIC_URL`].join(
    '\n      ',
  )
}

/** Changes one secret of a channel. Secrets come only by file: other users of a machine can see arguments. */
function channelSecretCommands(channel: Command, { withStore }: Workbench): void {
  const channelArgument = argument(idOf('channel'), 'the channel, chan_…')
  const file = (what: string) => required(text('path'), `a file that holds ${what}; - is standard input`)

  addVerb(channel, {
    name: 'set-token',
    summary: "change a channel's access token",
    example: 'channel set-token chan_… --access-token-file token.txt',
    inputs: { channel: channelArgument, accessTokenFile: file('the access token'), noVerify: noVerifyOption },
    async run({ channel: channelId, accessTokenFile, noVerify }) {
      const accessToken = await readOne('access-token', accessTokenFile)
      return withStore(async session => {
        const { accountId } = done(await channelOf(session.operator, channelId))
        if (!noVerify) await readNumbers(session.config, { accountId, accessToken })
        return replace(session, channelId, 'accessToken', accessToken, 'Access token changed: the next send uses it')
      })
    },
  })

  addVerb(channel, {
    name: 'set-app-secret',
    summary: "change a channel's app secret, which signs its callbacks",
    example: 'channel set-app-secret chan_… --app-secret-file app-secret.txt',
    inputs: { channel: channelArgument, appSecretFile: file('the app secret') },
    async run({ channel: channelId, appSecretFile }) {
      const appSecret = await readOne('app-secret', appSecretFile)
      return withStore(session =>
        replace(session, channelId, 'appSecret', appSecret, 'App secret changed: the next callback is checked with it'),
      )
    },
  })
}

async function readOne(option: string, file: string): Promise<string> {
  const { secret } = await readSecrets({ secret: { option, value: undefined, file } })
  return given(secret, option)
}

async function replace(session: Session, channelId: string, secret: ChannelSecret, text: string, title: string) {
  const changed = done(
    await sealing(session, session.credentials, credentials =>
      replaceSecret(session.operator, credentials, channelId, { secret, text }),
    ),
  )
  return { data: channelView(changed), text: report(title, { id: changed.id, account: changed.accountId }) }
}
