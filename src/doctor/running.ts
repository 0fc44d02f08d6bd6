import type { StoreReads } from '../../db/contract/store.ts'
import { inspectDatabaseServer } from '../../db/database.ts'
import { type EpochMs, systemClock } from '../base/clock.ts'
import type { Config } from '../config/config.ts'
import type { JudgedConfig } from '../config/weaknesses.ts'
import type { ChannelClient } from '../graph/client.ts'
import { type KeySettings, keyPath, vaultCheckName } from '../operations/secretKey.ts'
import { accessTokens, callbacks, channelsCheck, type ExaminedChannels, upstream, vault } from './channelChecks.ts'
import { apiVersion, dataFolder, diskSpace, keyFileCheck, settingsCheck } from './checks.ts'
import { clockCheck } from './clockCheck.ts'
import { backups, litestreamFolder, replication, writeAheadLog } from './copyChecks.ts'
import { type Finding, look } from './finding.ts'
import { promiseCheck } from './promiseCheck.ts'
import { upgradeCheck } from './upgradeCheck.ts'

/*
 * What a gateway finds of itself while it runs. It has opened its database and its key, so neither is in question; and
 * nothing here reads the whole database, because sends go on in the same thread. `waypost doctor` does, and a backup is
 * checked whole when it is made.
 */

/** The settings that are examined. */
export type ExaminedConfig = JudgedConfig &
  KeySettings &
  Pick<Config, 'databasePath' | 'backup' | 'misnamed' | 'channelApiVersion'>

/**
 * Members of a workspace may know nothing of the machine (shownSettings in src/config/settings.ts).
 * @returns the text with the setting that names it in place of each place
 */
export function withoutPlaces(config: ExaminedConfig, text: string): string {
  const places = [
    [config.databaseUrl?.place, 'DATABASE_URL'],
    [config.databasePath, 'DATABASE_PATH'],
    [keyPath(config), 'SECRET_KEY_FILE'],
    [config.backup.dir, 'BACKUP_DIR'],
    // The last: the others may be in it.
    [config.dataDir, 'DATA_DIR'],
  ] as const
  return places.reduce((shown, [place, name]) => (place ? shown.replaceAll(place, name) : shown), text)
}

/** The gateway itself: nothing of any workspace. */
export async function examineGateway(
  config: ExaminedConfig,
  read: Pick<StoreReads, 'property'>,
  now: EpochMs,
): Promise<Finding[]> {
  const engine = config.databaseUrl === null ? examineFile(config) : examineServer(config.databaseUrl)
  return [
    await look('settings', settingsCheck(config)),
    await look('API version', apiVersion(config, now)),
    await look('data folder', dataFolder(config)),
    // It was there at the start. Without it, the next start fails.
    await look('key file', keyFileCheck(config, { properties: [vaultCheckName] })),
    ...(await engine),
    await look('backups', backups(config, read, false)),
    await look('clock', clockCheck(read, systemClock.now())),
    await look('promises', promiseCheck(read, now)),
    await look('upgrade', upgradeCheck(read, now)),
  ]
}

async function examineFile(config: ExaminedConfig): Promise<Finding[]> {
  const litestream = litestreamFolder(config.databasePath)
  return [
    await look('disk space', diskSpace(config)),
    await look('write-ahead log', writeAheadLog(config)),
    ...(litestream === null ? [] : [await look('replication', replication(config, litestream))]),
  ]
}

async function examineServer(url: NonNullable<ExaminedConfig['databaseUrl']>): Promise<Finding[]> {
  // Late, as db/database.ts: a gateway with a file does not load PostgreSQL.
  const { databaseServer } = await import('./serverChecks.ts')
  return [await look('database', async () => databaseServer(url, await inspectDatabaseServer(url))())]
}

/** The channels of one workspace. @param client asks the upstream; null: it is not asked */
export async function examineChannels(examined: ExaminedChannels, client: ChannelClient | null): Promise<Finding[]> {
  return [
    await look('channels', channelsCheck(examined)),
    await look('secrets', vault(examined)),
    await look('access tokens', accessTokens(examined)),
    await look('callbacks', callbacks(examined)),
    ...(client === null ? [] : [await look('upstream', upstream(examined, client))]),
  ]
}
