import { timeDatabaseWrite } from '../../db/database.ts'
import type { ServerInspection } from '../../db/postgres/inspect.ts'
import { serverVersionMin } from '../../db/postgres/migrate.ts'
import { moment } from '../base/clock.ts'
import type { DatabaseUrl } from '../config/databaseUrl.ts'
import { notReadyYet } from './checks.ts'
import type { Check } from './finding.ts'

/** Each send waits for two or three of them. */
const writeMsMax = 1_000

/** The server answers, and stores a row fast enough for sends. */
export const databaseServer =
  (databaseUrl: DatabaseUrl, { version }: ServerInspection): Check =>
  async () => {
    const server = `PostgreSQL ${version}, ${databaseUrl.place}`
    if (Number.parseInt(version, 10) < serverVersionMin)
      throw new Error(`${server}: version ${serverVersionMin} or later is needed`)
    const writeMs = await timeDatabaseWrite(databaseUrl)
    const summary = `${server}: a write takes ${writeMs.toFixed(1)} ms`
    if (writeMs > writeMsMax)
      throw new Error(`${summary}: every send waits for several. Look at the server's disk and network`)
    return summary
  }

export const serverMigrations =
  ({ isEmpty, migration, mismatch, pending }: ServerInspection): Check =>
  () => {
    if (migration !== null) throw new Error(notReadyYet(migration))
    if (mismatch !== null) throw new Error(mismatch)
    if (isEmpty) return 'the database has no tables of Waypost yet: the first start makes them'
    return pending.length === 0 ? 'all applied' : `the next start applies ${pending.join(', ')}`
  }

/** The gateways that share the database. */
export const instancesCheck =
  ({ instances: known }: ServerInspection): Check =>
  () => {
    const alive = known.filter(({ isAlive }) => isAlive)
    if (alive.length === 0) return 'no gateway runs on the database'
    const names = alive.map(({ name, startedAt }) => `${name} since ${moment(startedAt)}`)
    return `${alive.length === 1 ? 'one gateway' : `${alive.length} gateways`}: ${names.join(', ')}`
  }
