import type { ServerInspection } from '../../db/postgres/inspect.ts'
import type { DatabaseUrl } from '../databaseUrl.ts'
import type { Check } from './checks.ts'
import { moment } from './output.ts'

/** Each send waits for two or three of them. */
const writeMsMax = 1_000
/** Older ones are not tested, and PostgreSQL ends their support in November 2026. */
const versionMin = 15

/** The server answers, and stores a row within a time that sends can wait for. */
export const databaseServer =
  ({ place }: DatabaseUrl, { version, writeMs }: ServerInspection): Check =>
  () => {
    const summary = `PostgreSQL ${version}, ${place}: a write takes ${writeMs.toFixed(1)} ms`
    if (Number.parseInt(version, 10) < versionMin)
      throw new Error(`${summary}. Version ${versionMin} or later is needed`)
    if (writeMs > writeMsMax)
      throw new Error(`${summary}: every send waits for several. Look at the server's disk and network`)
    return summary
  }

export const serverMigrations =
  ({ isEmpty, mismatch, pending }: ServerInspection): Check =>
  () => {
    if (mismatch !== null) throw new Error(mismatch)
    if (isEmpty) return 'nothing of Waypost is in the database yet: the first start makes it'
    return pending.length === 0 ? 'all applied' : `the next start applies ${pending.join(', ')}`
  }

/** The gateways that share the database. */
export const instances =
  ({ instances: known }: ServerInspection): Check =>
  () => {
    const alive = known.filter(({ isAlive }) => isAlive)
    if (alive.length === 0) return 'no gateway runs on the database'
    const names = alive.map(({ name, startedAt }) => `${name} since ${moment(startedAt)}`)
    return `${alive.length === 1 ? 'one gateway' : `${alive.length} gateways`}: ${names.join(', ')}`
  }
