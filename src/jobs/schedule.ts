import { Cron } from 'croner'
import { minuteMs } from '../base/durations.ts'
import { backUp } from './backUp.ts'
import { countedEveryMs } from './countUsage.ts'
import { erase } from './erase.ts'
import type { JobParts } from './job.ts'
import { keepFiles } from './keepFiles.ts'
import { prune } from './prune.ts'
import { settleUnknown } from './settleUnknown.ts'
import { syncAllTemplates } from './syncTemplates.ts'

interface Job {
  readonly name: string
  readonly pattern: string
  /** The shortest time between two runs; when absent, the job runs at every time of the pattern. */
  readonly everyMs?: (config: JobParts['config']) => number
  readonly run: (parts: JobParts) => Promise<void>
}

/** The jobs and their times (UTC). Each job is a plain function in its own file. */
const schedule: readonly Job[] = [
  { name: 'prune', pattern: `*/${countedEveryMs / minuteMs} * * * *`, run: prune },
  { name: 'sync-templates', pattern: '* * * * *', everyMs: config => config.templateSyncMs, run: syncAllTemplates },
  { name: 'settle-unknown', pattern: '5 * * * *', run: settleUnknown },
  // Often, because a caller who is told of a file asks for it. A look at the index of what is due costs next to
  // nothing.
  { name: 'keep-files', pattern: '*/5 * * * * *', run: keepFiles },
  // Checks every minute whether one is due: after a restart or a failure it must not wait for the next time.
  // Often: the console leaves the rest of a long erasure to it. There is hardly ever one to look at.
  { name: 'erase', pattern: '*/5 * * * * *', run: erase },
  { name: 'back-up', pattern: '* * * * *', run: backUp },
]

export interface Jobs {
  /** The next times of each job by its name; none after a stop. */
  next(times: number): Readonly<Record<string, readonly Date[]>>
  /** Runs a job as at one of its times. */
  trigger(name: string): Promise<void>
  stop(): void
}

/**
 * Starts the jobs. Of several instances on one database, only the one that holds the lease runs them: each instance
 * asks before each run. Runs of a job never overlap; a failure is logged, and the job runs again at its next time.
 */
export function startJobs(parts: JobParts): Jobs {
  const { shared } = parts.store
  const jobs = schedule.map(
    ({ name, pattern, everyMs, run }) =>
      new Cron(
        pattern,
        // Without a name: croner's names are unique in the process, which may have more than one gateway.
        {
          timezone: 'UTC',
          protect: true,
          unref: true,
          ...(everyMs && { interval: everyMs(parts.config) / 1_000 }),
          catch: error => parts.log.error({ err: error, job: name }, 'a job failed'),
        },
        async () => {
          if (shared === null || (await shared.leads())) await run(parts)
        },
      ),
  )
  return {
    next: times =>
      Object.fromEntries(schedule.map(({ name }, at) => [name, jobs[at]?.isRunning() ? jobs[at].nextRuns(times) : []])),
    async trigger(name) {
      await jobs[schedule.findIndex(job => job.name === name)]?.trigger()
    },
    stop() {
      for (const job of jobs) job.stop()
    },
  }
}
