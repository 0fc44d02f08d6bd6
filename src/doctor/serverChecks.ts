import type { LockHolder } from '../../db/contract/shared.ts'
import { timeDatabaseWrite } from '../../db/database.ts'
import { hasLockedTable, type ServerInspection } from '../../db/postgres/inspect.ts'
import { serverVersionMin } from '../../db/postgres/migrate.ts'
import { moment } from '../base/clock.ts'
import type { DatabaseUrl } from '../config/databaseUrl.ts'
import { notReadyYet } from './checks.ts'
import type { Check } from './finding.ts'

/** Each send waits for two or three of them. */
const writeMsMax = 1_000

/** Who holds a lock, and how to end that. What it asked is not shown: it may hold data of users. */
const holderText = ({ pid, application, since, locks, waiting }: LockHolder) => {
  const who = `session ${pid}${application === '' ? '' : ` (${application})`}`
  const time = since === null ? '' : ` since ${moment(since)} (UTC)`
  const waits = waiting === 0 ? '' : `; statements that wait for it: ${waiting}`
  return `${who} holds ${locks ?? 'rows'}${time}${waits}. To end it: SELECT pg_terminate_backend(${pid})`
}

/** The server answers, nobody holds what sends wait for, and it stores a row fast enough for them. */
export const databaseServer =
  (databaseUrl: DatabaseUrl, { version, lockHolders }: ServerInspection): Check =>
  async () => {
    const server = `PostgreSQL ${version}, ${databaseUrl.place}`
    if (Number.parseInt(version, 10) < serverVersionMin)
      throw new Error(`${server}: version ${serverVersionMin} or later is needed`)
    if (lockHolders.length > 0)
      throw new Error(`${server}: sends wait for a lock. ${lockHolders.map(holderText).join('\n')}`)
    const writeMs = await timeDatabaseWrite(databaseUrl)
    const summary = `${server}: a write takes ${writeMs.toFixed(1)} ms`
    if (writeMs > writeMsMax)
      throw new Error(`${summary}: every send waits for several. Look at the server's disk and network`)
    return summary
  }

export const serverMigrations =
  ({ migration, mismatch, pending, ...inspection }: ServerInspection): Check =>
  () => {
    if (hasLockedTable(inspection)) throw new Error('migrations cannot be read while a table is locked')
    if (migration !== null) throw new Error(notReadyYet(migration))
    if (mismatch !== null) throw new Error(mismatch)
    return pending.length === 0 ? 'all applied' : `the next start applies ${pending.join(', ')}`
  }

/** The gateways that share the database. */
export const instancesCheck =
  ({ instances: known, ...inspection }: ServerInspection): Check =>
  () => {
    if (hasLockedTable(inspection)) throw new Error('the gateways cannot be read while a table is locked')
    const alive = known.filter(({ isAlive }) => isAlive)
    if (alive.length === 0) throw new Error('no gateway runs on the database: start one, or look at DATABASE_URL')
    const names = alive.map(({ name, startedAt }) => `${name} since ${moment(startedAt)}`)
    return `${alive.length === 1 ? 'one gateway' : `${alive.length} gateways`}: ${names.join(', ')}`
  }
