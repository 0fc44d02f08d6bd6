import type { Command } from 'commander'
import type { Channel } from '../../db/contract/records.ts'
import type { Store } from '../../db/contract/store.ts'
import { callbackPath } from '../operations/channels/address.ts'
import { connectChannel } from '../operations/channels/connect.ts'
import { type AccountNumber, matchLines, numberView } from '../operations/channels/numbers.ts'
import { noVerifyOption, numberTable, readNumbers } from './account.ts'
import { channelView } from './channelView.ts'
import { addVerb } from './command.ts'
import { CommandError, found, UsageError } from './failure.ts'
import { appId, id, oneWorkspaceOption, optional, required, text, toggle } from './inputs.ts'
import { commandLine, report } from './output.ts'
import { sealing } from './sealing.ts'
import { given, readSecrets } from './secretInput.ts'
import type { Workbench } from './session.ts'
import { oneWorkspace } from './workspace.ts'

export function connectCommand(channel: Command, { withStore }: Workbench): void {
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
        const { store, config } = session
        const { id: workspaceId } = await oneWorkspace(store, workspace)
        if (!alsoHere) await checkAlone(store, accountId, workspaceId)
        const records = noVerify ? null : await readNumbers(config, { accountId, accessToken })
        const verifyToken = secrets.verifyToken ?? undefined
        const account = { workspaceId, accountId, appId, accessToken, appSecret, verifyToken }
        const connection = await sealing(session, session.credentials, credentials =>
          connectChannel({ store, credentials, clock: store.clock }, account),
        )
        const {
          channel: connected,
          wasKnown,
          hasAppSecret,
          verifyToken: word,
        } = found(connection, 'workspace', workspaceId)
        const numbers = records && (await matchLines(store, store.clock, connected, records, addLines))
        const done = report(
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
          text: numbers ? `${numberTable(numbers)}\n\n${done}` : done,
        }
      })
    },
  })
}

/** @throws CommandError when another workspace has the account: it sends its callbacks to one place only */
async function checkAlone(store: Store, accountId: string, workspaceId: string): Promise<void> {
  const others = (await store.read.channels(null)).filter(
    channel => channel.accountId === accountId && channel.workspaceId !== workspaceId,
  )
  if (others.length === 0) return
  const places = others.map(({ id, workspaceId }) => `${workspaceId} (${id})`).join(', ')
  throw new CommandError(
    `Nothing was changed: the account ${accountId} is already connected in the workspace ${places}, and its ` +
      'callbacks go to only one of them. Is this the right account? To connect it here as well: --also-here',
    { code: 'NOT_CONFIRMED' },
  )
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
