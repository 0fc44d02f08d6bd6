import { openFailure, readStatus, statusProperty } from '../backup/status.ts'
import type { BackupConfig } from '../config/backup.ts'
import { type EpochMs, systemClock } from '../time/clock.ts'
import { nextTime } from '../time/recurrence.ts'
import type { Check } from './checks.ts'
import { moment } from './output.ts'
import type { Session } from './session.ts'

/** How late a backup may be: a large one takes long, and a failed one is retried meanwhile. */
const lateMsMax = 3_600_000

/** Backups are made when they are due, and the last one did not fail. */
export const backups =
  ({ config: { backup, databaseUrl }, store }: Session): Check =>
  async () => {
    if (databaseUrl !== null)
      return 'they are made with the tools of PostgreSQL and cannot be checked here: docs/deploy.md#backup'
    if (backup.dir === null) return 'there are no automatic backups: set BACKUP_DIR, or run waypost backup from a timer'
    const status = readStatus(await store.read.property(statusProperty))
    const failure = status && openFailure(status)
    if (failure) throw new Error(`the last one failed: ${failure}. It is retried every 15 minutes`)
    const last = status?.lastBackup ?? null
    if (last === null) return 'none yet: the gateway makes the first when it is due'
    if (isLate(backup, last.at)) {
      throw new Error(`the last one was made at ${moment(last.at)}, and the next is overdue: is the gateway running?`)
    }
    const where =
      status?.lastUpload?.at === undefined || backup.bucket === null ? last.file : `${last.file}, and uploaded`
    return `the last one was made at ${moment(last.at)}, with ${last.messages.toLocaleString('en-US')} messages: ${where}`
  }

const isLate = ({ every }: BackupConfig, last: EpochMs) => systemClock.now() > nextTime(every, last) + lateMsMax
