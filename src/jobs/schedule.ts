import { Cron } from 'croner'
import { hourMs, minuteMs } from '../base/durations.ts'
import { takeUpErasures } from '../operations/erasure.ts'
import { countedEveryMs } from './countUsage.ts'
import { bySteps, type JobParts } from './job.ts'
import { prune } from './prune.ts'

/** Makes a backup when one is due, and retries one that could not be made or uploaded. */
const backUp = ({ backups }: JobParts): Promise<void> => backups.run()

/** Fetches files that users sent, and removes those that are not kept any more. */
const keepFiles = ({ files }: JobParts): Promise<void> => files.run()

/** Goes on with erasures that were broken off, or whose history was too long for one answer of the console. */
export async function erase({ store, log }: JobParts): Promise<void> {
  for (const { subject } of await takeUpErasures(store)) log.info({ subject }, 'erased')
}

/** Reads every channel's templates again: their updates may go to another address, or get lost. */
export async function syncAllTemplates({ store, templateRefresher }: JobParts): Promise<void> {
  for (const { id } of await store.read.channels(null)) templateRefresher.request(id)
}

/** Settles messages as FAILED that were UNKNOWN for `UNKNOWN_SETTLE_HOURS`. A later callback still corrects them. */
export async function settleUnknown({ store, clock, log, config }: JobParts): Promise<void> {
  const at = clock.now()
  const hours = config.unknownSettleMs / hourMs
  const reason = `No sign of the message from the upstream platform for ${hours} hours after its answer was lost`
  const lostBefore = at - config.unknownSettleMs
  const total = await bySteps(clock, limit => store.write.abandonUnknown({ lostBefore, at, reason, limit }))
  if (total > 0) log.warn({ messages: total }, 'settled messages of unknown outcome as FAILED')
}

interface Job {
  readonly name: string
  readonly pattern: string
  /** The shortest time between two runs; when absent, the job runs at every time of the pattern. */
  readonly everyMs?: (config: JobParts['config']) => number
  readonly run: (parts: JobParts) => Promise<void>
}

/** The jobs and their times (UTC). Each is a plain function; what takes more than a few lines has its own file. */
const schedule: readonly Job[] = [
  { name: 'prune', pattern: `*/${countedEveryMs / minuteMs} * * * *`, run: prune },
  { name: 'sync-templates', pattern: '* * * * *', everyMs: config => config.templateSyncMs, run: syncAllTemplates },
  { name: 'settle-unknown', pattern: '5 * * * *', run: settleUnknown },
  // Often, because a caller who is told of a file asks for it. A look at the index of what is due costs next to
  // nothing.
  { name: 'keep-files', pattern: '*/5 * * * * *', run: keepFiles },
  // Often: the console leaves the rest of a long erasure to it. There is hardly ever one to look at.
  { name: 'erase', pattern: '*/5 * * * * *', run: erase },
  // Checks every minute whether one is due: after a restart or a failure it must not wait for the next time.
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
