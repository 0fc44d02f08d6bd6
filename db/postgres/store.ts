import { hostname } from 'node:os'
import manifest from '../../package.json' with { type: 'json' }
import type { Clock, EpochMs } from '../../src/base/clock.ts'
import { DatabaseClock } from '../../src/base/databaseClock.ts'
import type { Logger } from '../../src/telemetry/log.ts'
import type { Author } from '../contract/queries.ts'
import type { Store, StoreReads, StoreWrites } from '../contract/store.ts'
import type { MigrationNews } from '../migrations.ts'
import { auditedWrites } from '../rules/audited.ts'
import { first } from '../rules/engine.ts'
import { keepingSettings } from '../rules/keptSettings.ts'
import { recordLookups, type SendReads } from '../rules/lookups.ts'
import { sharedReads } from '../rules/reads.ts'
import { acceptanceVerbs } from './acceptance.ts'
import { Changes } from './changes.ts'
import { findOn } from './coalesce.ts'
import { engineOf } from './engine.ts'
import { eventVerbs } from './events.ts'
import { handOverVerbs } from './handOver.ts'
import { databaseNow, Instance } from './instances.ts'
import { LockWatch } from './locks.ts'
import { migrate } from './migrate.ts'
import { MIGRATIONS } from './migrations/list.ts'
import { type Connection, connectionsMax, openPool, type Pool } from './open.ts'
import { Orphans } from './orphans.ts'
import { Validity } from './pace.ts'
import { releaseVerbs } from './release.ts'
import { columns, messageTables } from './rows.ts'
import { sendReads } from './sendReads.ts'
import { sharedOf } from './shared.ts'
import { statisticsFollowGrowth } from './statistics.ts'
import { takeoverVerbs } from './takeover.ts'
import { reading } from './transaction.ts'
import { fencedWebhookVerbs, noticing } from './webhooks.ts'
import { callbackVerbs, inTransactions } from './writes.ts'

const { version } = manifest

/** A command runs one query after the other. */
const commandConnectionsMax = 3

/** The verbs of messages that this process sends, and of endpoints that it delivers to. */
type SendingWrites = Pick<
  StoreWrites,
  | 'acceptMessage'
  | 'releaseMessage'
  | 'handOverMessages'
  | 'deferMessages'
  | 'claimWaiting'
  | 'markInterrupted'
  | 'recordAttempts'
  | 'disableWebhook'
>

/**
 * Opens a database of PostgreSQL, and brings it to this version. Several instances may have it open at once.
 * @param options `url`: with user and password. `clock`: a DatabaseClock gets the time of the database, at once and
 *   with each heartbeat; any other is a test's. `keepsContents`: contents stay until they are pruned. `auditedAs`: the
 *   author; the audit keeps changes with this name. Without it, it is the gateway itself. `isInstance`: whether it
 *   sends messages; a command does not, has no lease, and takes nothing over. `besideGateways`: migrates also while
 *   instances of the version before run. `onMigration`: told while it migrates
 * @throws Error when the server cannot be reached, or the database belongs to a newer version
 */
export async function openPostgresStore(options: {
  url: string
  clock: Clock
  log: Logger
  keepsContents?: boolean
  auditedAs?: string
  isInstance?: boolean
  besideGateways?: boolean
  onMigration?: (news: MigrationNews) => void
}): Promise<Store> {
  const { url, clock, log, keepsContents = true, auditedAs, onMigration = () => {} } = options
  const { isInstance = auditedAs === undefined, besideGateways = false } = options
  const pool = openPool(url, isInstance ? connectionsMax : commandConnectionsMax)
  try {
    await migrate(pool, clock.now(), MIGRATIONS, { version, besideInstances: besideGateways, tell: onMigration })
    const instance = isInstance ? await startInstance(pool, { clock, log }) : null
    if (instance === null && clock instanceof DatabaseClock) await askTime(pool, clock)
    const locks = new LockWatch({ url, clock, log })
    if (isInstance) pool.onLate = () => locks.late()
    const stopStatistics = isInstance ? statisticsFollowGrowth(pool, url, clock) : () => {}
    const changes = instance && new Changes({ pool, instance, clock, log })
    const every: StoreWrites = {
      ...inTransactions(pool),
      ...callbackVerbs(pool, keepsContents),
      ...eventVerbs(pool, keepsContents),
      ...(instance ? sendingWrites({ pool, instance, clock, keepsContents }) : noSendingWrites),
    }
    const verbs = instance ? noticing(every, instance) : every
    const writeAs = (author: Author) => auditedWrites(verbs, () => ({ ...author, at: clock.now() }))
    return {
      clock,
      read: readsOf(pool),
      write: auditedAs === undefined ? verbs : writeAs({ actor: auditedAs }),
      writeAs,
      shared: sharedOf({ pool, instance, changes: changes ?? noChanges, locks }),
      measures: async () => pool.meter.read(),
      async close() {
        changes?.stop()
        locks.stop()
        stopStatistics()
        try {
          await instance?.stop()
        } catch (error) {
          log.warn({ err: error }, 'the lease of this instance could not be released; it expires within seconds')
        }
        await pool.close()
      },
    }
  } catch (error) {
    await pool.close()
    throw error
  }
}

/** Opens a database for reads alone: nothing is migrated. */
export function openPostgresReads(url: string): { readonly read: StoreReads; close(): Promise<void> } {
  const pool = openPool(url, 1)
  return { read: readsOf(pool), close: () => pool.close() }
}

const readsOf = (pool: Pool): StoreReads =>
  keepingSettings(answeringInTime(pool, { ...sendReads(pool), ...storeReads(pool) }))

const startInstance = (pool: Pool, parts: { clock: Clock; log: Logger }) =>
  Instance.start({ pool, name: `${hostname()}:${process.pid}`, ...parts })

/** For a command, which has no heartbeat. */
async function askTime(pool: Pool, clock: DatabaseClock): Promise<void> {
  const askedAt = clock.steady()
  const ask = () => first(pool.query<{ now: EpochMs }>(`SELECT ${databaseNow}::float8 AS now`))
  const answer = await reading(pool, ask)
  if (answer) clock.heard(answer.now, askedAt)
}

function sendingWrites(parts: { pool: Pool; instance: Instance; clock: Clock; keepsContents: boolean }): SendingWrites {
  const sending = { ...parts, orphans: new Orphans(), validity: new Validity() }
  return {
    ...acceptanceVerbs(sending),
    ...releaseVerbs(sending),
    ...handOverVerbs(sending),
    ...takeoverVerbs(sending),
    ...fencedWebhookVerbs(parts.instance),
  }
}

const noInstance = async (): Promise<never> => {
  throw new Error('This process has not opened the database as an instance of the gateway: it sends no messages.')
}

const noSendingWrites: SendingWrites = {
  acceptMessage: noInstance,
  releaseMessage: noInstance,
  handOverMessages: noInstance,
  deferMessages: noInstance,
  claimWaiting: noInstance,
  markInterrupted: noInstance,
  recordAttempts: noInstance,
  disableWebhook: noInstance,
}

/** The pages of instances reload from time to time anyway. */
const noChanges: Pick<Changes, 'announce' | 'watch'> = { announce: () => {}, watch: () => () => {} }

/** @returns the same reads, which fail when the server cannot be reached or does not answer */
function answeringInTime<Reads extends object>(pool: Pool, reads: Reads): Reads {
  const ending = Object.entries(reads).map(([name, read]) => {
    const ask = read as (query: unknown) => Promise<unknown>
    return [name, (query: unknown) => reading(pool, () => ask(query))] as const
  })
  // Each read keeps its own type.
  return Object.fromEntries(ending) as unknown as Reads
}

/** All reads but the settings', each outside of any transaction. */
export const storeReads = (connection: Connection): Omit<StoreReads, keyof SendReads | 'sendingKey'> => ({
  ...sharedReads(engineOf(connection)),
  ...recordLookups(findOn(connection), columns, messageTables),
})
