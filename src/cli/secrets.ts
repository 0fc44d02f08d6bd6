import type { Command } from 'commander'
import { lockDatabase } from '../../db/sqlite/lock.ts'
import { isSealed } from '../secretKey.ts'
import { addNoun, addVerb } from './command.ts'
import { CommandError } from './failure.ts'
import { forgetSecrets, keyFits } from './forget.ts'
import { toggle } from './inputs.ts'
import { commandLine, report } from './output.ts'
import type { Workbench } from './session.ts'

export function secretsCommands(program: Command, { withStore }: Workbench): void {
  const secrets = addNoun(
    program,
    'secrets',
    'secrets: the stored secrets of all channels, and the key that seals them',
  )

  addVerb(secrets, {
    name: 'forget',
    summary: 'when the key is lost for good: give up all stored secrets, so that channels can be connected again',
    example: 'secrets forget --force',
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
