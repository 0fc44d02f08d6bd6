import type { EpochMs } from '../../src/base/clock.ts'
import type { RunningMigration, Upgrade } from '../migrations.ts'

/*
 * While a transaction migrates, its `application_name` says so: it is shown to others at once, and ends with the
 * transaction, also when the process is killed. It may have 63 bytes.
 */

export const activityOf = ({ from, to }: Pick<Upgrade, 'from' | 'to'>): string => `waypost migrates ${from} to ${to}`

/** Finds the transaction: when it began, and its `application_name`. */
export const findMigration = `
  SELECT application_name AS activity, (extract(epoch FROM xact_start) * 1000)::float8 AS since FROM pg_stat_activity
  WHERE datname = current_database() AND application_name LIKE 'waypost migrates %' AND xact_start IS NOT NULL LIMIT 1`

/** @returns what a row of `findMigration` says */
export function migrationOf({ activity, since }: { activity: string; since: EpochMs }): RunningMigration {
  const [, , from = '', , to = ''] = activity.split(' ')
  return { since, from, to }
}
