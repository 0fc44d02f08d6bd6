import type { Store } from '../../db/contract/store.ts'
import { type ChannelSecret, Credentials } from '../base/credentials.ts'
import { createVault } from '../base/crypto.ts'
import { randomBase62 } from '../base/ids.ts'
import type { Config } from '../config/config.ts'
import { readSecretKey, SecretKeyError, unlockVault, vaultCheck } from '../operations/secretKey.ts'
import { commandLine } from './output.ts'
import { hasKey } from './session.ts'
import { ofWorkspaces } from './workspace.ts'

/** Nobody knows it or can guess it. */
const placeholderLength = 43

/**
 * Checks that the key of a database is really lost, so that secrets are never discarded by accident.
 * @throws SecretKeyError when a key file cannot be read or is empty: then it may still be the right one
 */
export async function keyFits(store: Store, config: Config): Promise<boolean> {
  if (!hasKey(config)) return false
  // A file that cannot be read may be the right one.
  readSecretKey(config, true)
  try {
    await unlockVault(store, config)
    return true
  } catch (cause) {
    if (cause instanceof SecretKeyError) return false
    throw cause
  }
}

/**
 * Sets the current or a new key for the database, and replaces the secrets of the lost key: the app secret by none,
 * with which all callbacks are refused and which the doctor misses, the others by random ones. The upstream refuses the
 * random access token until the channel is connected again.
 * @returns what has to be set up again: how many channels there are, and the endpoints that were on and are off now
 * @throws SecretKeyError
 */
export async function forgetSecrets(store: Store, config: Config): Promise<Forgotten> {
  const vault = createVault(readSecretKey(config))
  const credentials = new Credentials(vault)
  const channels = await store.read.channels(null)
  const webhooks = await ofWorkspaces(store, undefined, id => store.read.webhooks(id))
  await store.write.replaceSecrets({
    check: vaultCheck(vault),
    channels: channels.map(({ id }) => ({ id, ...credentials.seal(id, placeholders()) })),
    at: store.clock.now(),
  })
  const on = webhooks.filter(({ disabledAt }) => disabledAt === null)
  return { channels: channels.length, webhooks: on.map(({ id }) => id) }
}

interface Forgotten {
  readonly channels: number
  readonly webhooks: readonly string[]
}

/** How the endpoints come back; nothing where there are none. */
export const webhooksAgain = ({ webhooks: [first, ...more] }: Pick<Forgotten, 'webhooks'>): string[] =>
  first === undefined
    ? []
    : [
        `Webhooks are off, because their secrets are lost too. For each (${[first, ...more].join(', ')}),`,
        `${commandLine(`webhook rotate ${first}`)}, give the new secret to the receiver, then`,
        `${commandLine(`webhook edit ${first} --on`)}. Headers of its own are given again with --headers-file.`,
      ]

function placeholders(): Record<ChannelSecret, string> {
  const placeholder = () => randomBase62(placeholderLength)
  return { accessToken: placeholder(), appSecret: '', verifyToken: placeholder() }
}
