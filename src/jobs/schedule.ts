import { Cron } from 'croner'
import type { JobParts } from './job.ts'
import { prune } from './prune.ts'
import { settleUnknown } from './settleUnknown.ts'
import { syncTemplates } from './syncTemplates.ts'

/** What runs by itself, and when (UTC). Each job is a plain function of its own file. */
const schedule: readonly { name: string; pattern: string; run: (parts: JobParts) => Promise<void> }[] = [
  { name: 'prune', pattern: '*/10 * * * *', run: prune },
  { name: 'sync-templates', pattern: '35 * * * *', run: syncTemplates },
  { name: 'settle-unknown', pattern: '5 * * * *', run: settleUnknown },
]

export interface Jobs {
  /** When each job runs next, by its name; null once it is stopped. */
  next(): Readonly<Record<string, Date | null>>
  stop(): void
}

/** Starts the jobs. A job never overlaps itself, and one that fails is logged and runs again at its next time. */
export function startJobs(parts: JobParts): Jobs {
  const jobs = schedule.map(
    ({ name, pattern, run }) =>
      new Cron(
        pattern,
        // Without a name: croner keeps names for the whole process, where there may be more than one gateway.
        {
          timezone: 'UTC',
          protect: true,
          unref: true,
          catch: error => parts.log.error({ err: error, job: name }, 'a job failed'),
        },
        () => run(parts),
      ),
  )
  return {
    next: () => Object.fromEntries(schedule.map(({ name }, at) => [name, jobs[at]?.nextRun() ?? null])),
    stop() {
      for (const job of jobs) job.stop()
    },
  }
}
