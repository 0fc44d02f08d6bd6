import { Cron } from 'croner'
import { type Clock, systemClock } from '../base/clock.ts'
import { hourMs, minuteMs, secondMs } from '../base/durations.ts'
import { messageOf } from '../base/errors.ts'
import { keepNumbers } from '../operations/channels/numbers.ts'
import { takeUpErasures } from '../operations/erasure.ts'
import { countedEveryMs } from './countUsage.ts'
import { bySteps, type JobParts } from './job.ts'
import { prune } from './prune.ts'

/** Makes a backup when one is due, and retries one that could not be made or uploaded. */
const backUp = ({ backups }: JobParts): Promise<void> => backups.run()

/** Fetches files that users sent, and removes those that are not kept any more. */
const keepFiles = ({ files }: JobParts): Promise<void> => files.run()

/**
 * Removes files that another instance has erased. Who has the database alone removes each itself, and what a crash left
 * at the start.
 */
const sweepFiles = async ({ files, store }: JobParts): Promise<void> => {
  if (store.shared !== null) await files.sweep()
}

/** Starts batches whose time has come, and runs those that are to run. It asks itself whether this instance leads. */
const runBatches = ({ batches }: JobParts): Promise<void> => batches.look()

/** Goes on with erasures that were broken off, or whose history was too long for one answer of the console. */
export async function erase({ store, log }: JobParts): Promise<void> {
  for (const { subject } of await takeUpErasures(store)) log.info({ subject }, 'erased')
}

/** Reads every channel's templates again: their updates may go to another address, or get lost. */
export async function syncAllTemplates({ store, templateRefresher }: JobParts): Promise<void> {
  for (const { id } of await store.read.channels(null)) templateRefresher.request(id)
}

/**
 * Reads what the upstream says of the numbers of each account: their quality and their limit change, and no callback is
 * sure to say so. What is known of an account that cannot be read stays; the reading of its templates says why.
 */
export async function readNumbers({ store, client, credentials, log }: JobParts): Promise<void> {
  for (const channel of await store.read.channels(null)) {
    const { id, accountId } = channel
    try {
      const listing = await client.listNumbers({ accountId, accessToken: credentials.open(channel, 'accessToken') })
      if (listing.kind === 'listed') await keepNumbers(store, channel, listing.numbers)
    } catch (cause) {
      // Those behind it are read all the same.
      log.error({ channelId: id, cause: messageOf(cause) }, 'could not read the numbers of an account')
    }
  }
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
  readonly pattern: string
  /** The shortest time between two runs; when absent, the job runs at every time of the pattern. */
  readonly restMs?: (config: JobParts['config']) => number
  /** Whether each instance does it, for its own machine. */
  readonly isOfEach?: true
  readonly run: (parts: JobParts) => Promise<void>
}

/** The jobs and their times (UTC). Each is a plain function; what takes more than a few lines has its own file. */
const schedule: readonly Job[] = [
  { name: 'prune', pattern: `*/${countedEveryMs / minuteMs} * * * *`, run: prune },
  { name: 'sync-templates', pattern: '* * * * *', restMs: config => config.templateSyncMs, run: syncAllTemplates },
  // An account has 200 such calls an hour (docs/upstream.md#throughput).
  { name: 'read-numbers', pattern: '20 * * * *', run: readNumbers },
  { name: 'settle-unknown', pattern: '5 * * * *', run: settleUnknown },
  // Often, because a caller who is told of a file asks for it. A look at the index of what is due costs next to
  // nothing.
  { name: 'keep-files', pattern: '*/5 * * * * *', run: keepFiles },
  { name: 'sweep-files', pattern: '*/10 * * * *', isOfEach: true, run: sweepFiles },
  // Often: the console leaves the rest of a long erasure to it. There is hardly ever one to look at.
  { name: 'erase', pattern: '*/5 * * * * *', run: erase },
  // Often: who starts a batch waits for its first message.
  { name: 'run-batches', pattern: '* * * * * *', isOfEach: true, run: runBatches },
  // Looks every minute whether one is due: after a restart or a failure it must not wait for the next time.
  { name: 'back-up', pattern: '* * * * *', run: backUp },
]

/** A timer may come so much early, by a clock that is corrected: then its time is not taken for the next one. */
const earlyMsMax = secondMs

export interface Jobs {
  /** Runs a job as at one of its times, after a run that is under way. */
  trigger(name: string): Promise<void>
  stop(): void
}

/**
 * Starts the jobs. Of several instances on one database, only the one that holds the lease runs them, but for what each
 * does: each instance asks before each run. Runs of a job never overlap; a failure is logged, and the job runs again at
 * its next time.
 * @param watch croner finds the next time by it, and it waits by its steady clock: a time that jumps meanwhile delays
 *   or repeats a job by one step of its pattern. Real time, also where a test moves the other clock
 */
export function startJobs(parts: JobParts, watch: Clock = systemClock): Jobs {
  const { shared } = parts.store
  const jobs = schedule.map(job => {
    // Without a function: then croner has no timer of its own, which would wait for a moment of the wall clock.
    const times = new Cron(job.pattern, { timezone: 'UTC' })
    // No timer is exact: of the minutes of the pattern, the nearest one counts.
    const restMs = (job.restMs?.(parts.config) ?? 0) - minuteMs / 2
    let turn = Promise.resolve()
    let ranAt = Number.NEGATIVE_INFINITY
    const run = () => {
      turn = turn.then(async () => {
        try {
          if (job.isOfEach || shared === null || (await shared.leads())) await job.run(parts)
        } catch (error) {
          parts.log.error({ err: error, job: job.name }, 'a job failed')
        }
      })
      return turn
    }
    let isStopped = false
    let cancel = () => {}
    const runLater = () => {
      if (isStopped) return
      const now = watch.now()
      const next = times.nextRun(new Date(now + earlyMsMax))
      if (next === null) throw new Error(`the job ${job.name} has no next time`)
      cancel = watch.setTimer(next.getTime() - now, async () => {
        if (watch.steady() - ranAt >= restMs) {
          ranAt = watch.steady()
          await run()
        }
        runLater()
      })
    }
    runLater()
    const stop = () => {
      isStopped = true
      cancel()
    }
    return { name: job.name, run, stop }
  })
  return {
    async trigger(name) {
      await jobs.find(job => job.name === name)?.run()
    },
    stop() {
      for (const job of jobs) job.stop()
    },
  }
}
