import { existsSync } from 'node:fs'
import type { Store, StoreWrites } from '../../db/contract/store.ts'
import { absence, isAbsent, keepGatewaysOut, type MigrationOptions, openCommandDatabase } from '../../db/database.ts'
import { systemClock } from '../base/clock.ts'
import { Credentials } from '../base/credentials.ts'
import type { Vault } from '../base/crypto.ts'
import { messageOf } from '../base/errors.ts'
import { type Config, loadConfig } from '../config/config.ts'
import { type ChannelClient, channelSettings, createChannelClient } from '../graph/client.ts'
import type { Actor } from '../operations/act.ts'
import { keyPath, unlockVault } from '../operations/secretKey.ts'
import { createTransport } from '../transport/transport.ts'
import type { Surroundings } from './environment.ts'
import { CommandError } from './failure.ts'
import { osUser } from './osUser.ts'
import { errorOutput } from './streams.ts'

/** The context of a command. */
export interface Session {
  readonly config: Config
  readonly store: Store
  /** On whose behalf acts are done. */
  readonly operator: Actor
  /** The database was made for this command. */
  readonly isNew: boolean
  /** Opens the vault; only the commands that touch secrets need the key. */
  readonly vault: () => Promise<Vault>
  readonly credentials: () => Promise<Credentials>
}

/** Runs a command's work with its settings and its database. */
export interface Workbench extends Surroundings {
  /** @throws ConfigError, and CommandError beside an installed service */
  config(): Config
  /**
   * Opens the database, also while a gateway runs, and closes it after the work, also after a failure.
   * @throws CommandError
   */
  withStore<Result>(work: (session: Session) => Promise<Result>, options?: StoreOptions): Promise<Result>
}

interface StoreOptions extends MigrationOptions {
  /** Makes a new database where there is none. Without it, a wrong folder is an error. */
  readonly create?: boolean
  /** Refused while a gateway runs, and none can start until the work is done. */
  readonly withoutGateways?: boolean
}

export function createWorkbench(surroundings: Surroundings): Workbench {
  const config = () => {
    surroundings.checkPlace()
    return loadConfig(surroundings.environment())
  }
  return {
    ...surroundings,
    config,
    async withStore(work, { create = false, withoutGateways = false, besideGateways = false, onMigration } = {}) {
      const settings = config()
      const isNew = await sentenced(() => isAbsent(settings))
      if (isNew && !create) throw new CommandError(absence(settings), { code: 'NO_DATABASE' })
      await using opened = new AsyncDisposableStack()
      const noticed = waitNotice()
      const store = await sentenced(async () => {
        // Acquired before the open and released after the close: releasing it would drop SQLite's own locks on the
        // file.
        if (withoutGateways) opened.defer(await keepGatewaysOut(settings))
        const command = await noticed(
          openCommandDatabase(settings, {
            auditedAs: auditName(settings),
            // None can run, and the lock that this process holds is not one of a gateway.
            besideGateways: besideGateways || withoutGateways,
            ...(onMigration && { onMigration }),
          }),
        )
        return { ...command, write: eachNoticed(command.write, noticed) }
      })
      opened.defer(() => store.close())
      const vault = () => unlockVault(store, settings)
      const credentials = async () => new Credentials(await vault())
      const { read, write, clock } = store
      const operator = { read, write, clock, workspaceId: null }
      return await work({ config: settings, store, operator, isNew, vault, credentials })
    },
  }
}

/** What takes longer waits for others, mostly: a write takes milliseconds. */
const noticeMs = 2_000

type Noticed = <Value>(waitedFor: Promise<Value>) => Promise<Value>

/** @returns says once, on standard error, that a command waits for its database */
function waitNotice(): Noticed {
  let isSaid = false
  const say = () => {
    if (isSaid) return
    isSaid = true
    errorOutput
      .write('Waiting for the database: gateways and other commands write to it, one after the other.\n')
      .catch(() => {})
  }
  return waitedFor => {
    const cancelTimer = systemClock.setTimer(noticeMs, say)
    return waitedFor.finally(cancelTimer)
  }
}

/** @returns the same verbs, each of them noticed */
const eachNoticed = (write: StoreWrites, noticed: Noticed): StoreWrites =>
  new Proxy(write, {
    get(verbs, name) {
      const verb: unknown = Reflect.get(verbs, name)
      return typeof verb === 'function' ? (argument: unknown) => noticed(Reflect.apply(verb, verbs, [argument])) : verb
    },
  })

/** The name of the user who runs the command, for the audit. */
export const auditName = ({ sudoUser }: Pick<Config, 'sudoUser'>) => `cli:${osUser(sudoUser)}`

/** @throws CommandError with a sentence about what went wrong */
export async function sentenced<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    throw new CommandError(messageOf(cause), { cause })
  }
}

/** Whether there is a key, which may be the wrong one. Does not make one. */
export const hasKey = (config: Config): boolean => config.secretKey !== null || existsSync(keyPath(config))

/** Gives `work` a client of the upstream platform and closes its connections afterwards. */
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
