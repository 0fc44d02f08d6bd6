import type { Store } from '../../db/store.ts'
import { systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { type ChannelSecret, Credentials } from '../credentials.ts'
import { createVault } from '../crypto.ts'
import { randomBase62 } from '../ids.ts'
import { readSecretKey, SecretKeyError, unlockVault, vaultCheck } from '../secretKey.ts'
import { hasKey } from './session.ts'

/** Nobody can guess it, and nobody knows it. */
const placeholderLength = 43

/**
 * Of a database that was written with a key: so that secrets are never given up by accident.
 * @throws SecretKeyError when there is a key file that cannot be read, or holds none: then nothing is known
 */
export async function keyFits(store: Store, config: Config): Promise<boolean> {
  if (!hasKey(config)) return false
  // Of a file that cannot be read, nothing is known.
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
 * Gives the database to the key that there is now, or to a new one, and puts random words in the place of the secrets
 * that the lost one sealed: an empty app secret would let anybody sign callbacks. The upstream refuses the random
 * access token until the channel is connected again.
 * @returns how many channels there are
 * @throws SecretKeyError
 */
export async function forgetSecrets(store: Store, config: Config): Promise<number> {
  const vault = createVault(readSecretKey(config))
  const credentials = new Credentials(vault)
  const channels = await store.read.channels(null)
  await store.write.replaceSecrets({
    check: vaultCheck(vault),
    channels: channels.map(({ id }) => ({ id, ...credentials.seal(id, placeholders()) })),
    at: systemClock.now(),
  })
  return channels.length
}

function placeholders(): Record<ChannelSecret, string> {
  const placeholder = () => randomBase62(placeholderLength)
  return { accessToken: placeholder(), appSecret: placeholder(), verifyToken: placeholder() }
}
