import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Store } from '../../db/contract/store.ts'
import { createVault, UnsealError, type Vault } from '../base/crypto.ts'
import { giveToOwnerOf, syncToDisk } from '../base/durable.ts'
import { messageOf } from '../base/errors.ts'
import { randomBase62 } from '../base/ids.ts'
import { type Config, secretKeyLengthMin } from '../config/config.ts'

/** The key that seals stored secrets cannot be used. The message is for the operator and never shows the key. */
export class SecretKeyError extends Error {
  override readonly name = 'SecretKeyError'
}

export type KeySettings = Pick<Config, 'secretKey' | 'secretKeyFile' | 'dataDir'>

/** 43 base62 characters hold 256 bits, the size of the cipher's key. */
export const generatedLength = 43
/** Enough that two processes never choose the same. */
const draftNameLength = 8
/** Owner alone may read and write. */
const privateMode = 0o600

/** The path of the key file, which need not exist. It is not used when `SECRET_KEY` is set. */
export const keyPath = ({ secretKeyFile, dataDir }: Pick<Config, 'secretKeyFile' | 'dataDir'>): string =>
  secretKeyFile ?? join(dataDir, 'secret.key')

/**
 * Finds the key: `SECRET_KEY`, else `SECRET_KEY_FILE`, else `secret.key` in the data folder, made at the first start.
 * @param isNeeded the database already holds secrets: a new key would open none of them, so none is made
 * @throws SecretKeyError when the file is missing or too short, or belongs to this user and others can read it
 */
export function readSecretKey(config: KeySettings, isNeeded = false): string {
  if (config.secretKey !== null) return config.secretKey
  const path = keyPath(config)
  if (config.secretKeyFile === null && isNeeded && !existsSync(path)) {
    throw new SecretKeyError(keyFileMissing(path))
  }
  if (config.secretKeyFile === null && !existsSync(path)) makeKeyFile(path)
  return readKeyFile(path, isNeeded)
}

function readKeyFile(path: string, isNeeded: boolean): string {
  let key: string
  try {
    if (isOpenToOthers(path)) {
      throw new SecretKeyError(`The key file ${path} can be read by others. Run: chmod 600 ${path}`)
    }
    key = readFileSync(path, 'utf8').trim()
  } catch (cause) {
    if (cause instanceof SecretKeyError) throw cause
    throw new SecretKeyError(`The key file ${path} cannot be read: ${messageOf(cause)}`, { cause })
  }
  if (key.length < secretKeyLengthMin) {
    const remedy = isNeeded
      ? 'Restore it from your backup: without it, the stored access tokens cannot be read. If it is lost for good, ' +
        'remove the file, and: waypost secrets forget.'
      : 'Put one into it (try: openssl rand -base64 32), or remove it.'
    throw new SecretKeyError(
      `The key file ${path} holds no key of at least ${secretKeyLengthMin} characters. ${remedy}`,
    )
  }
  return key
}

/** Checked only for a file of this user: a service manager or a container may provide a file of another user. */
export function isOpenToOthers(path: string): boolean {
  const { mode, uid } = statSync(path)
  return uid === process.getuid?.() && (mode & 0o077) !== 0
}

/**
 * The file gets its name only once its content is on disk: after a full disk or a power cut there is no file, and not
 * an empty one. When two processes start together, the second takes the key of the first.
 */
function makeKeyFile(path: string) {
  const draft = `${path}.${randomBase62(draftNameLength)}`
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(draft, `${randomBase62(generatedLength)}\n`, { flag: 'wx', mode: privateMode })
    // Before anything is sealed with it: sealed secrets are stored at once, and are lost without the key.
    syncToDisk(draft)
    giveName(draft, path)
    syncToDisk(dirname(path))
  } catch (cause) {
    throw new SecretKeyError(`The key file ${path} cannot be made: ${messageOf(cause)}`, { cause })
  } finally {
    rmSync(draft, { force: true })
  }
}

/** A link never replaces a file. Some file systems have no hard links: there the file is renamed. */
function giveName(draft: string, path: string) {
  try {
    linkSync(draft, path)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') renameSync(draft, path)
  }
}

export const keyFileMissing = (path: string) =>
  `There is no key file at ${path}, and the database holds secrets that were sealed with it. ${restoreAdvice}`

const restoreAdvice =
  'Restore SECRET_KEY or the key file from another machine that shares the database, or from your backup. ' +
  'If it is lost for good: waypost secrets forget.'

/** The property of a database that was written with a key. */
export const vaultCheckName = 'vault_check'
const checkText = 'waypost'
const checkPurpose = 'vault check'

/** @returns a property that shows later whether a key is the key of this vault. */
export const vaultCheck = (vault: Vault) => ({ name: vaultCheckName, value: vault.seal(checkText, checkPurpose) })

/**
 * Opens the vault for this database.
 * @throws SecretKeyError when the database's secrets were sealed with another key: at the start, not at the first send
 */
export async function openVault(store: Store, secretKey: string): Promise<Vault> {
  const vault = createVault(secretKey)
  const sealed = await store.write.claimProperty(vaultCheck(vault))
  try {
    vault.open(sealed, checkPurpose)
  } catch (cause) {
    if (!(cause instanceof UnsealError)) throw cause
    throw new SecretKeyError(`The secret key is not the one that this database was written with. ${restoreAdvice}`, {
      cause,
    })
  }
  return vault
}

/**
 * Finds this deployment's key and opens its vault. An interrupted rotation of the key is finished first.
 * @throws SecretKeyError
 */
export async function unlockVault(store: Store, config: KeySettings): Promise<Vault> {
  const key = readSecretKey(config, await isSealed(store))
  try {
    return await openVault(store, key)
  } catch (cause) {
    const isOfFile = cause instanceof SecretKeyError && config.secretKey === null
    const vault = isOfFile ? await finishRotation(store, keyFile(config)) : null
    if (vault === null) throw cause
    return vault
  }
}

/** @returns the path of the key file after following links: a rotation replaces the file, not the link. */
export const keyFile = (config: KeySettings): string => {
  const path = keyPath(config)
  return existsSync(path) ? realpathSync(path) : path
}

/** @returns the path of the new key during a rotation. */
export const nextKeyFile = (path: string): string => `${path}.next`

/** @returns null when there is no next key, or the secrets are not sealed with it */
async function finishRotation(store: Store, path: string): Promise<Vault | null> {
  if (!existsSync(nextKeyFile(path))) return null
  try {
    const vault = await openVault(store, readKeyFile(nextKeyFile(path), true))
    adoptNextKey(path)
    return vault
  } catch (cause) {
    if (cause instanceof SecretKeyError) return null
    throw cause
  }
}

const formerSuffix = '.former-'

/**
 * @returns the path of the key that a rotation has replaced, and that this database was written with; null when it is
 * not beside the key file
 */
export async function findFormerKey(store: Store, config: KeySettings): Promise<string | null> {
  const path = keyFile(config)
  const folder = dirname(path)
  const names = existsSync(folder) ? readdirSync(folder) : []
  for (const name of names.filter(name => name.startsWith(basename(path) + formerSuffix))) {
    const former = join(folder, name)
    try {
      await openVault(store, readKeyFile(former, true))
      return former
    } catch (cause) {
      if (!(cause instanceof SecretKeyError)) throw cause
    }
  }
  return null
}

/**
 * Replaces the key file by the next key in one step. The old key is kept under another name, for older backups.
 * @returns the other name
 * @throws Error of the system; the next key still opens the vault then
 */
export function adoptNextKey(path: string): string {
  const former = `${path}${formerSuffix}${randomBase62(draftNameLength)}`
  try {
    linkSync(path, former)
  } catch {
    // Some file systems have no hard links.
    copyFileSync(path, former)
    giveToOwnerOf(path, former)
  }
  renameSync(nextKeyFile(path), path)
  syncToDisk(dirname(path))
  return former
}

/**
 * Writes the next key next to the key file, for the same user, and waits until it is on disk. @throws SecretKeyError
 */
export function writeNextKey(path: string, key: string): void {
  const next = nextKeyFile(path)
  try {
    rmSync(next, { force: true })
    writeFileSync(next, `${key}\n`, { flag: 'wx', mode: privateMode })
    giveToOwnerOf(path, next)
    syncToDisk(next)
    syncToDisk(dirname(next))
  } catch (cause) {
    rmSync(next, { force: true })
    throw new SecretKeyError(`The new key file ${next} cannot be made: ${messageOf(cause)}`, { cause })
  }
}

/** @returns whether the database was written with a key, so that the key is needed. */
export const isSealed = async (store: Store): Promise<boolean> => (await store.read.property(vaultCheckName)) !== null
