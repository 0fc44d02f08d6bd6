import type { Command } from 'commander'
import type { ChannelSecret } from '../base/credentials.ts'
import { channelOf, replaceSecret } from '../operations/channels/channels.ts'
import { noVerifyOption, readNumbers } from './account.ts'
import { channelView } from './channelView.ts'
import { addVerb } from './command.ts'
import { done } from './failure.ts'
import { argument, idOf, required, text } from './inputs.ts'
import { report } from './output.ts'
import { sealing } from './sealing.ts'
import { given, readSecrets } from './secretInput.ts'
import type { Session, Workbench } from './session.ts'

/** Changes one secret of a channel. Secrets come only by file: other users of a machine can see arguments. */
export function channelSecretCommands(channel: Command, { withStore }: Workbench): void {
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
