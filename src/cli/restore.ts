import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Store } from '../../db/contract/store.ts'
import { openDatabaseFile } from '../../db/database.ts'
import { keepAside, putBack, sidecars } from '../../db/sqlite/aside.ts'
import { detachDatabase, inspectDatabase } from '../../db/sqlite/backup.ts'
import { databaseFile, lockDatabase, lockPath } from '../../db/sqlite/lock.ts'
import { systemClock } from '../base/clock.ts'
import { giveToOwnerOf, syncToDisk } from '../base/durable.ts'
import { messageOf } from '../base/errors.ts'
import { type Config, dataFolderMode } from '../config/config.ts'
import { findFormerKey, isSealed, keyPath, openVault, readSecretKey, SecretKeyError } from '../operations/secretKey.ts'
import { CommandError } from './failure.ts'
import { forgetSecrets, keyFits } from './forget.ts'
import { auditName, sentenced } from './session.ts'
import { type ForgottenKeys, settleRestored } from './settleWaiting.ts'

export interface Restored {
  readonly database: string
  readonly restoredFrom: string
  /** The new path of the former database. */
  readonly movedAside: string | null
  /** Messages that were waiting in the backup. */
  readonly interrupted: number
  /** Batches that ran in the backup, or were to start. */
  readonly batches: number
  /** Endpoints that are off, because their secrets were discarded with the lost key. */
  readonly webhooks: readonly string[]
  readonly keysForgotten: ForgottenKeys
}

/**
 * Replaces the database by a backup. Everything is checked on a copy first. The database itself is touched only at the
 * very end, and kept under another name, never deleted.
 * @throws CommandError; then nothing has changed
 */
export async function restoreDatabase(options: {
  readonly settings: Config
  readonly from: string
  readonly force: boolean
  /** Also when the key is lost: the channels have to be connected again. */
  readonly forgetLost?: boolean
}): Promise<Restored> {
  const { settings, from, force, forgetLost = false } = options
  checkSource(from)
  const database = findDatabase(settings.databasePath)
  if (existsSync(database) && !force) {
    throw new CommandError(`There is a database at ${database} already: --force moves it aside`, {
      code: 'NOT_CONFIRMED',
    })
  }
  const owned = existsSync(database) ? database : dirname(database)
  const unlock = lock(database)
  const copy = `${database}.restoring`
  try {
    giveToOwnerOf(owned, lockPath(database))
    checkUnused(database)
    removeDatabase(copy)
    copyIn(from, copy)
    checkSound(from, copy)
    const prepared = await prepare(copy, settings, forgetLost)
    checkFinished(copy)
    giveToOwnerOf(owned, copy)
    checkUnused(database)
    const movedAside = keepAside(database, systemClock.now())
    try {
      renameSync(copy, database)
      syncToDisk(dirname(database))
    } catch (cause) {
      putBack(database, movedAside)
      throw cause
    }
    return { database, restoredFrom: from, movedAside, ...prepared }
  } finally {
    try {
      removeDatabase(copy)
    } catch {
      // The next restore removes it first. This one has happened, or has its own reason.
    }
    unlock()
  }
}

/** @returns the path of the file, which need not exist yet. Its folder exists after the call */
function findDatabase(path: string): string {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: dataFolderMode })
    return databaseFile(path)
  } catch (cause) {
    throw new CommandError(`Nothing was restored. ${messageOf(cause)}`, { cause })
  }
}

/** From here on no gateway can start on the database. */
function lock(database: string): () => void {
  try {
    return lockDatabase(database)
  } catch (cause) {
    throw new CommandError(`Nothing was restored. ${messageOf(cause)}`, { cause })
  }
}

function checkSource(from: string): void {
  if (!existsSync(from) || !statSync(from).isFile())
    throw new CommandError(`There is no file at ${from}`, { code: 'NOT_FOUND' })
  if (existsSync(`${from}-wal`) && statSync(`${from}-wal`).size > 0) {
    throw new CommandError(`The file ${from} is a database in use, not a backup: make one with waypost backup`, {
      code: 'CONFLICT',
    })
  }
}

/** Other commands do not take the lock. A database that one of them has open must not be moved either. */
function checkUnused(database: string): void {
  if (existsSync(database) && detachDatabase(database) === 'inUse') {
    throw new CommandError(`The database ${database} is in use by another command: try again`, { code: 'CONFLICT' })
  }
}

function copyIn(from: string, copy: string): void {
  try {
    copyFileSync(from, copy)
    chmodSync(copy, 0o600)
  } catch (cause) {
    throw new CommandError(`The file ${from} cannot be copied to ${copy}: ${messageOf(cause)}`, { cause })
  }
}

function checkSound(from: string, copy: string): void {
  const { damage, obstacle, mismatch, difference } = inspectDatabase(copy, 'full')
  if (obstacle !== null) throw new CommandError(`The file ${from} cannot be examined: ${obstacle}`)
  if (damage !== null) throw new CommandError(`The file ${from} is damaged: ${damage}`)
  const refusal = mismatch ?? difference
  if (refusal !== null) throw new CommandError(`The file ${from} cannot be restored. ${refusal}`)
}

/** Migrates the copy to this version, checks that its secrets can be read, and settles its waiting messages. */
async function prepare(
  copy: string,
  settings: Config,
  forgetLost: boolean,
): Promise<Pick<Restored, 'interrupted' | 'batches' | 'webhooks' | 'keysForgotten'>> {
  const store = await sentenced(() =>
    openDatabaseFile(copy, { auditedAs: auditName(settings), copiesBeforeMigration: false }),
  )
  try {
    const isNeeded = await isSealed(store)
    let webhooks: readonly string[] = []
    // A new key would not open them.
    if (forgetLost && isNeeded && !(await keyFits(store, settings)))
      webhooks = (await forgetSecrets(store, settings)).webhooks
    else if (settings.secretKey !== null || existsSync(keyPath(settings))) {
      await checkKey(store, settings, isNeeded)
    } else if (isNeeded) {
      throw new CommandError(
        `Put the key file back first, at ${keyPath(settings)}: the backup's secrets need it ` +
          '(lost for good: --forget-secrets)',
      )
    }
    await store.write.noteAction({ action: 'database.restore', subject: settings.databasePath })
    const { messages: interrupted, batches, keysForgotten } = await settleRestored(store)
    return { keysForgotten, interrupted, batches, webhooks }
  } finally {
    await store.close()
  }
}

/** @throws SecretKeyError; CommandError when a former key opens the backup, which was made before a rotation then */
async function checkKey(store: Store, settings: Config, isNeeded: boolean): Promise<void> {
  try {
    await openVault(store, readSecretKey(settings, isNeeded))
  } catch (cause) {
    const former = cause instanceof SecretKeyError && isNeeded ? await findFormerKey(store, settings) : null
    if (former === null) throw cause
    const place = settings.secretKey === null ? `in the place of ${keyPath(settings)}` : 'into SECRET_KEY'
    throw new CommandError(
      `The backup is older than a rotation of the secret key: the key in ${former} opens it. Put that key ${place} ` +
        'first, and keep the current one: newer backups need it',
      { cause },
    )
  }
}

/** The copy's log must be empty, because it is not moved. On a full disk, writing it into the file fails silently. */
function checkFinished(copy: string): void {
  if (existsSync(`${copy}-wal`) && statSync(`${copy}-wal`).size > 0) {
    throw new CommandError(`Nothing was restored. The copy ${copy} could not be finished: is the disk full?`)
  }
}

function removeDatabase(path: string): void {
  for (const suffix of ['', ...sidecars]) rmSync(path + suffix, { force: true })
}
