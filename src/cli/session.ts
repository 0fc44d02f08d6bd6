import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { openStore } from '../../db/sqlite/store.ts'
import type { Store } from '../../db/store.ts'
import { systemClock } from '../clock.ts'
import { type Config, dataFolderMode, type Environment, loadConfig } from '../config.ts'
import { Credentials } from '../credentials.ts'
import { messageOf } from '../errors.ts'
import { type ChannelClient, channelSettings, createChannelClient } from '../graph/client.ts'
import { silentLogger } from '../log.ts'
import { keyPath, unlockVault } from '../secretKey.ts'
import { createTransport } from '../transport/transport.ts'
import { CommandError } from './failure.ts'

/** What a command works with. */
export interface Session {
  readonly config: Config
  readonly store: Store
  /** Opens the vault; only the commands that touch secrets need the key. */
  credentials(): Promise<Credentials>
}

/** Runs a command's work on this environment's settings and database. */
export interface Workbench {
  /** @throws ConfigError */
  config(): Config
  /** Opens the database, beside a running gateway or not, and closes it after the work, whatever its end. */
  withStore<Result>(work: (session: Session) => Promise<Result>): Promise<Result>
}

export function createWorkbench(environment: Environment): Workbench {
  const config = () => loadConfig(environment)
  return {
    config,
    async withStore(work) {
      const settings = config()
      const store = await openDatabase(settings.databasePath)
      try {
        return await work({
          config: settings,
          store,
          credentials: async () => new Credentials(await unlockVault(store, settings)),
        })
      } finally {
        await store.close()
      }
    },
  }
}

/** Opens a database file and brings it to this version. @throws CommandError */
export async function openDatabase(path: string): Promise<Store> {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: dataFolderMode })
    return await openStore({
      path,
      clock: systemClock,
      log: silentLogger,
      // A one-shot command needs no alarm: the call that it waits for fails.
      onWriterLost: () => {},
    })
  } catch (cause) {
    throw new CommandError(`The database ${path} cannot be opened: ${messageOf(cause)}`, { cause })
  }
}

/** Whether there is a key, which may be the wrong one: looking makes none. */
export const hasKey = (config: Config): boolean => config.secretKey !== null || existsSync(keyPath(config))

/** Lends a client of the upstream platform and closes its connections afterwards. */
export async function withChannelClient<Result>(
  config: Config,
  work: (client: ChannelClient) => Promise<Result>,
): Promise<Result> {
  const transport = createTransport(systemClock)
  try {
    return await work(createChannelClient(transport, channelSettings(config)))
  } finally {
    transport.close()
  }
}
