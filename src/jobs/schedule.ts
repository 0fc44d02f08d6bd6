import { type Clock, systemClock } from '../base/clock.ts'
import { hourMs, minuteMs, secondMs } from '../base/durations.ts'
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
  const lostBefore = clock.ago(config.unknownSettleMs)
  const total = await bySteps(clock, limit => store.write.abandonUnknown({ lostBefore, at, reason, limit }))
  if (total > 0) log.warn({ messages: total }, 'settled messages of unknown outcome as FAILED')
}

interface Job {
  readonly name: string
  /** It runs whenever the time is a multiple of it. */
  readonly everyMs: number
  /** So long after it. */
  readonly afterMs?: number
  /** The shortest time between two runs. */
  readonly restMs?: (config: JobParts['config']) => number
  readonly run: (parts: JobParts) => Promise<void>
}

/** The jobs. Each is a plain function; what takes more than a few lines has its own file. */
const schedule: readonly Job[] = [
  { name: 'prune', everyMs: countedEveryMs, run: prune },
  { name: 'sync-templates', everyMs: minuteMs, restMs: config => config.templateSyncMs, run: syncAllTemplates },
  { name: 'settle-unknown', everyMs: hourMs, afterMs: 5 * minuteMs, run: settleUnknown },
  // Often, because a caller who is told of a file asks for it. A look at the index of what is due costs next to
  // nothing.
  { name: 'keep-files', everyMs: 5 * secondMs, run: keepFiles },
  // Often: the console leaves the rest of a long erasure to it. There is hardly ever one to look at.
  { name: 'erase', everyMs: 5 * secondMs, run: erase },
  // Looks every minute whether one is due: after a restart or a failure it must not wait for the next time.
  { name: 'back-up', everyMs: minuteMs, run: backUp },
]

export interface Jobs {
  /** Runs a job as at one of its times, after a run that is under way. */
  trigger(name: string): Promise<void>
  stop(): void
}

/**
 * Starts the jobs. Of several instances on one database, only the one that holds the lease runs them: each instance
 * asks before each run. Runs of a job never overlap; a failure is logged, and the job runs again at its next time.
 * @param watch waits for the times, by its steady clock: whatever the time is set to, the next one is at most
 *   `everyMs` away. Real time, also where a test moves the other clock
 */
export function startJobs(parts: JobParts, watch: Clock = systemClock): Jobs {
  const { shared } = parts.store
  const jobs = schedule.map(job => {
    let turn = Promise.resolve()
    let ranAt = Number.NEGATIVE_INFINITY
    const run = () => {
      turn = turn.then(async () => {
        try {
          if (shared === null || (await shared.leads())) await job.run(parts)
        } catch (error) {
          parts.log.error({ err: error, job: job.name }, 'a job failed')
        }
      })
      return turn
    }
    /** A timer may come a little early. */
    const isRested = () => watch.steady() - ranAt >= (job.restMs?.(parts.config) ?? 0) - job.everyMs / 2
    let cancel = () => {}
    const runLater = () => {
      const sinceLast = (watch.now() - (job.afterMs ?? 0)) % job.everyMs
      cancel = watch.setTimer(job.everyMs - sinceLast, async () => {
        if (isRested()) {
          ranAt = watch.steady()
          await run()
        }
        if (!isStopped) runLater()
      })
    }
    runLater()
    return { name: job.name, run, stop: () => cancel() }
  })
  let isStopped = false
  return {
    async trigger(name) {
      await jobs.find(job => job.name === name)?.run()
    },
    stop() {
      isStopped = true
      for (const job of jobs) job.stop()
    },
  }
}
