import { rmSync } from 'node:fs'
import type { Store } from '../../db/contract/store.ts'
import type { EpochMs } from '../base/clock.ts'
import { type ChannelSecret, Credentials, totpPurpose } from '../base/credentials.ts'
import { createVault } from '../base/crypto.ts'
import { randomBase62 } from '../base/ids.ts'
import { resealed } from '../webhooks/secrets.ts'
import {
  adoptNextKey,
  generatedLength,
  type KeySettings,
  keyFile,
  nextKeyFile,
  SecretKeyError,
  unlockVault,
  vaultCheck,
  vaultCheckName,
  writeNextKey,
} from './secretKey.ts'

/*
 * The key is in a file and the secrets are in the database, and no single step can change both. So the order is fixed:
 * after a crash at any step there is a key that opens the secrets.
 *
 *   written    the next key is on disk beside the key file           the key file opens, the next key is left over
 *   sealed     one transaction has sealed every secret with it       the next key opens; unlockVault puts it in place
 *   replaced   the next key has the key file's name                  the key file opens
 *
 * With SECRET_KEY there is one step, the transaction; the operator has both keys.
 */
export type RotationStep = 'written' | 'sealed' | 'replaced'

export interface Rotated {
  readonly channels: number
  /** Both null with SECRET_KEY. */
  readonly keyFile: string | null
  readonly formerKeyFile: string | null
}

/**
 * Seals every stored secret with a new key. No gateway may run: it would use the old one.
 * @param newKey null: a new key is made and stored in the key file
 * @throws SecretKeyError; the old key is still valid then
 */
export async function rotateSecretKey(parts: {
  store: Store
  config: KeySettings
  newKey: string | null
  at: EpochMs
  /** Called as soon as a step is on disk. */
  onStep?: (step: RotationStep) => void
}): Promise<Rotated> {
  const { store, config, at, onStep = () => {} } = parts
  const formerVault = await unlockVault(store, config)
  const former = new Credentials(formerVault)
  const formerCheck = await store.read.property(vaultCheckName)
  if (formerCheck === null) throw new SecretKeyError('No secrets are stored: there is nothing to rotate.')
  if (parts.newKey === null && config.secretKey !== null) {
    throw new SecretKeyError('With SECRET_KEY, the new key has to be given: nothing here could keep it.')
  }
  const newKey = parts.newKey ?? randomBase62(generatedLength)
  const vault = createVault(newKey)
  const credentials = new Credentials(vault)
  const channels = await store.read.channels(null)
  const sealed = channels.map(channel => {
    const open = (secret: ChannelSecret) => former.open(channel, secret)
    const secrets = { accessToken: open('accessToken'), appSecret: open('appSecret'), verifyToken: open('verifyToken') }
    return { id: channel.id, ...credentials.seal(channel.id, secrets) }
  })

  const formerTotps = await store.read.sealedTotps()
  const totps = formerTotps.map(({ userId, sealedTotpSecret }) => {
    const purpose = totpPurpose(userId)
    return { userId, sealedTotpSecret: vault.seal(formerVault.open(sealedTotpSecret, purpose), purpose) }
  })

  const formerWebhooks = await store.read.sealedWebhooks()
  const webhooks = formerWebhooks.map(webhook => resealed(formerVault, vault, webhook))

  const path = config.secretKey === null ? keyFile(config) : null
  if (path !== null) writeNextKey(path, newKey)
  onStep('written')
  const isDone = await store.write.rotateSecrets({
    formerCheck,
    former: channels,
    formerTotps,
    formerWebhooks,
    check: vaultCheck(vault),
    channels: sealed,
    totps,
    webhooks,
    at,
  })
  if (!isDone) {
    if (path !== null) rmSync(nextKeyFile(path), { force: true })
    throw new SecretKeyError('Another command changed a secret at this very moment. Nothing was rotated: try again.')
  }
  onStep('sealed')
  const formerKeyFile = path === null ? null : adoptNextKey(path)
  onStep('replaced')
  return { channels: channels.length, keyFile: path, formerKeyFile }
}
