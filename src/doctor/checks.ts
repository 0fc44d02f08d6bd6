import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { migratingSince, type RunningMigration } from '../../db/migrations.ts'
import type { Inspection } from '../../db/sqlite/backup.ts'
import type { EpochMs } from '../base/clock.ts'
import { dayMs } from '../base/durations.ts'
import type { Config } from '../config/config.ts'
import { type JudgedConfig, weaknessesOf } from '../config/weaknesses.ts'
import { knownVersions, servedUntil } from '../graph/apiVersions.ts'
import {
  isOpenToOthers,
  type KeySettings,
  keyFileMissing,
  keyPath,
  readSecretKey,
  vaultCheckName,
} from '../operations/secretKey.ts'
import type { Check } from './finding.ts'

/** Enough for some days of a busy gateway. With less, the operator should act soon. */
const freeBytesMin = 256 * 1024 * 1024
/** Enough to try another version of the upstream's API before the end of this one. */
const endingMs = 90 * dayMs
const bytesPerMegabyte = 1024 * 1024

/** No setting has a name that is nearly right, or endangers secrets: what a start warns of. */
export const settingsCheck =
  (config: Pick<Config, 'misnamed'> & JudgedConfig & KeySettings): Check =>
  () => {
    const slips = config.misnamed.map(
      ({ given, meant }) => `${given} is not a setting and is ignored: did you mean ${meant}?`,
    )
    const problems = [...slips, ...weaknessesOf(config, knownKey(config))]
    if (problems.length > 0) throw new Error(problems.join('\n'))
    return 'all readable, and none endangers secrets'
  }

/** Makes none. @returns null when there is none that can be read: the check of the key file says why */
function knownKey(config: KeySettings): string | null {
  try {
    return readSecretKey(config, true)
  } catch {
    return null
  }
}

/** The upstream serves the version of its API that is called. @param now when it is looked at */
export const apiVersion =
  ({ channelApiVersion: version }: Pick<Config, 'channelApiVersion'>, now: EpochMs): Check =>
  () => {
    const until = servedUntil(version)
    const advice = 'set CHANNEL_API_VERSION to a newer one, or install a newer Waypost (docs/platform.md)'
    if (until === null) {
      const [oldest, newest] = [knownVersions[0], knownVersions.at(-1)]
      if (version === newest) return `${version}: the newest that this Waypost knows, and served without a known end`
      throw new Error(
        `${version} is not among the versions that this Waypost knows, ${oldest} to ${newest}: it has ended, never ` +
          'was, or came later. Set CHANNEL_API_VERSION to one of them, or install a newer Waypost (docs/platform.md)',
      )
    }
    const leftMs = Date.parse(until) - now
    if (leftMs <= 0) throw new Error(`${version}: the upstream platform served it until ${until}: ${advice}`)
    if (leftMs < endingMs) throw new Error(`${version}: the upstream platform serves it until ${until}: ${advice}`)
    return `${version}: the upstream platform serves it until ${until}`
  }

export const dataFolder =
  ({ dataDir }: Pick<Config, 'dataDir'>): Check =>
  () => {
    const folder = nearestFolder(dataDir)
    if (!isWritable(folder))
      throw new Error(`${folder} is not writable by this user: change its owner, or set DATA_DIR`)
    return folder === dataDir ? `${dataDir} is writable` : `${dataDir} will be made at the first start`
  }

export const diskSpace =
  ({ databasePath }: Pick<Config, 'databasePath'>): Check =>
  () => {
    const { bavail, bsize } = statfsSync(nearestFolder(dirname(databasePath)))
    const free = bavail * bsize
    const megabytes = Math.floor(free / bytesPerMegabyte)
    if (free >= freeBytesMin) return `${megabytes.toLocaleString('en-US')} MB free`
    throw new Error(
      `only ${megabytes} MB are free: make room. MESSAGE_RETENTION_DAYS stops the growth, but the file never ` +
        'shrinks: with the gateway stopped, restore a fresh backup, which is compact, and delete the file that was ' +
        'moved aside',
    )
  }

/** Checks the key file without making one. @param inspection null: the database cannot be read */
export const keyFileCheck =
  (
    config: Pick<Config, 'dataDir' | 'secretKey' | 'secretKeyFile'>,
    inspection: Pick<Inspection, 'properties'> | null,
  ): Check =>
  () => {
    if (config.secretKey !== null) return 'SECRET_KEY is set'
    const path = keyPath(config)
    if (!existsSync(path)) {
      if (config.secretKeyFile === null) {
        if (inspection?.properties.includes(vaultCheckName)) throw new Error(keyFileMissing(path))
        return `${path} will be made at the first start`
      }
      throw new Error(`SECRET_KEY_FILE names ${path}, which does not exist: restore it from your backup`)
    }
    if (isOpenToOthers(path)) throw new Error(`${path} can be read by others. Run: chmod 600 ${path}`)
    return `${path} is there`
  }

export const databaseIntegrity =
  ({ databasePath }: Pick<Config, 'databasePath'>, inspection: Inspection): Check =>
  () => {
    if (inspection.obstacle !== null) {
      throw new Error(
        `${databasePath} cannot be examined (${inspection.obstacle}): check its owner, its folder and the disk`,
      )
    }
    if (inspection.difference !== null) {
      throw new Error(`Backups of ${databasePath} cannot be restored. ${inspection.difference}`)
    }
    if (inspection.damage === null) return `${databasePath} is sound`
    throw new Error(
      `${databasePath} is damaged (${inspection.damage}). Replace it by a backup: waypost restore --from … --force`,
    )
  }

/** @param running null: nobody migrates it now */
export const migrations =
  (inspection: Inspection, running: RunningMigration | null): Check =>
  () => {
    if (running !== null) throw new Error(notReadyYet(running))
    const { damage, obstacle, mismatch, pending } = inspection
    if (damage !== null) throw new Error('migrations cannot be read from a damaged database')
    if (obstacle !== null) throw new Error('migrations cannot be read while the database cannot be read')
    if (mismatch !== null) throw new Error(mismatch)
    return pending.length === 0 ? 'all applied' : `the next start applies ${pending.join(', ')}`
  }

/** Not in order: no gateway can be ready. */
export const notReadyYet = (running: RunningMigration): string =>
  `${migratingSince(running)}: no gateway is ready until that has ended. The log of the one that does it says how ` +
  'far it is'

/** Whether this user can write into a folder, or make it. */
export function isWritable(path: string): boolean {
  const folder = nearestFolder(path)
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return statSync(folder).isDirectory()
  } catch {
    return false
  }
}

/** The folder itself, or the closest one above it that exists. */
function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path))
}
