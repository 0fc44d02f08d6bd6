import type { Command } from 'commander'
import { secretKeyLengthMin } from '../config/config.ts'
import { type Rotated, rotateSecretKey } from '../operations/keyRotation.ts'
import { isSealed } from '../operations/secretKey.ts'
import { addNoun, addVerb } from './command.ts'
import { CommandError, UsageError } from './failure.ts'
import { forgetSecrets, keyFits, webhooksAgain } from './forget.ts'
import { optional, text, toggle } from './inputs.ts'
import { commandLine, report } from './output.ts'
import { readFrom } from './secretInput.ts'
import type { Workbench } from './session.ts'

/** A running gateway still uses the key that it started with. */
const alone = { withoutGateways: true }

export function secretsCommands(program: Command, { withStore }: Workbench): void {
  const secrets = addNoun(
    program,
    'secrets',
    'secrets: the stored secrets of all channels, and the key that seals them',
  )

  addVerb(secrets, {
    name: 'rotate',
    summary: 'seal all stored secrets with a new key; stop the gateway first',
    example: 'secrets rotate',
    inputs: {
      newKeyFile: optional(text('path'), 'a file that holds the new key, - is standard input; needed with SECRET_KEY'),
    },
    async run({ newKeyFile }) {
      const newKey = newKeyFile === undefined ? null : await readNewKey(newKeyFile)
      return withStore(async ({ store, config }) => {
        if (config.secretKey !== null && newKey === null) {
          throw new UsageError('SECRET_KEY is set: give the new key with --new-key-file (try: openssl rand -base64 32)')
        }
        if (newKey !== null && newKey === config.secretKey) throw new UsageError('The new key is the one in SECRET_KEY')
        const rotated = await rotateSecretKey({ store, config, newKey, at: store.clock.now() })
        return { data: rotated, text: rotationReport(rotated, config.databaseUrl !== null) }
      }, alone)
    },
  })

  addVerb(secrets, {
    name: 'forget',
    summary: 'discard all stored secrets when the key is lost for good, so that channels can be connected again',
    example: 'secrets forget --force',
    inputs: { force: toggle('really do it; without --force nothing is changed') },
    run: ({ force }) =>
      withStore(async ({ store, config }) => {
        if (!(await isSealed(store))) {
          throw new CommandError('No secrets are stored: there is nothing to discard', { code: 'CONFLICT' })
        }
        if (await keyFits(store, config)) {
          throw new CommandError(
            'The key opens the stored secrets: there is no need to discard them. To replace some, connect the channel',
            { code: 'CONFLICT' },
          )
        }
        if (!force) {
          const channels = (await store.read.channels(null)).length
          throw new CommandError(
            `--force discards the secrets of all channels (${channels}) for good: each has to be connected again`,
            { code: 'NOT_CONFIRMED' },
          )
        }
        const forgotten = await forgetSecrets(store, config)
        const { channels, webhooks } = forgotten
        return {
          data: forgotten,
          text: report(
            'The stored secrets are discarded',
            { channels, 'webhooks now off': webhooks.length },
            [
              'connect each channel again before the gateway starts, or waiting messages are refused:',
              `${commandLine('channel connect --workspace ws_… --account-id … …')}, then ` +
                commandLine('channel subscribe chan_…'),
              ...webhooksAgain(forgotten),
            ].join('\n      '),
          ),
        }
      }, alone),
  })
}

/** @throws UsageError when it is too short; the key is not repeated */
async function readNewKey(file: string): Promise<string> {
  const key = (await readFrom(file, 'new-key')).trim()
  if (key.length < secretKeyLengthMin || /\s/.test(key)) {
    throw new UsageError(
      `The file for --new-key-file must hold one word of at least ${secretKeyLengthMin} characters (try: openssl ` +
        'rand -base64 32)',
    )
  }
  return key
}

function rotationReport({ channels, keyFile, formerKeyFile }: Rotated, isShared: boolean): string {
  if (keyFile === null) {
    return report(
      'The stored secrets are sealed with the new key',
      { channels },
      'set SECRET_KEY to the new key before the gateway starts. Keep the old key as long as older backups.',
    )
  }
  return report(
    'The stored secrets are sealed with a new key',
    { channels, 'key file': keyFile, 'old key': formerKeyFile },
    'keep a copy of the key file with your backups. The old key opens older backups: remove it together with them.' +
      (isShared ? ' Copy the key file to every machine that shares the database, before a gateway starts there.' : ''),
  )
}
