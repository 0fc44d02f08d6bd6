import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Store } from '../../db/contract/store.ts'
import type { DatabaseFile } from '../../db/database.ts'
import type { Clock } from '../base/clock.ts'
import { freeBytesMin } from '../base/durable.ts'
import { clockDifferenceMsMax } from '../base/runningTime.ts'
import { Unavailable } from '../base/unavailable.ts'
import type { Readiness } from './operation.ts'

/** Within this time the last result is used again: a check writes to the disk, and anybody may ask. */
const freshMs = 1_000
/** A commit takes milliseconds. A writer that needs longer delays every send. */
const writeMsMax = 2_000

/** A row among the rate windows that no limit reads. It is overwritten each time. */
const probeSubject = 'readyz'

interface ReadinessParts {
  /** Null: the database is on a server, which monitors its own disk. */
  readonly file: DatabaseFile | null
  readonly store: {
    readonly read: Pick<Store['read'], 'property'>
    readonly write: Pick<Store['write'], 'countRequests'>
  }
  readonly senders: readonly { readonly isReady: boolean }[]
  readonly clock: Clock
  /** By how much this machine's time is ahead of the database's; null where it is not compared. */
  readonly clockAheadMs: () => number | null
  /** @returns the free bytes of the disk that the path is on. */
  readonly freeBytes?: (path: string) => Promise<number>
}

/** @returns the parts that a process knows of itself, without a look at the database */
export function ownParts({ senders, clockAheadMs }: Pick<ReadinessParts, 'senders' | 'clockAheadMs'>): Readiness {
  const aheadMs = clockAheadMs()
  return {
    senders: wordOf(!senders.some(({ isReady }) => isReady), 'no thread is running'),
    ...(aheadMs !== null && { clock: clockWord(aheadMs) }),
  }
}

/** @returns a function that checks each part that a send needs. It never throws. */
export function createReadiness(parts: ReadinessParts): () => Promise<Readiness> {
  const { file, clock, freeBytes = freeBytesOf } = parts
  let last: { readonly at: number; readonly answer: Promise<Readiness> } | undefined

  async function lookAtFile({ path, findLost }: DatabaseFile): Promise<Readiness> {
    const [written, free] = await Promise.all([write(parts), freeBytes(dirname(path)).catch(() => null)])
    const isShort = free !== null && free < freeBytesMin
    return {
      writer: written === 'late' ? late : wordOf(written === 'lost', 'ended'),
      ...ownParts(parts),
      disk:
        written === 'unavailable'
          ? 'takes no writes'
          : wordOf(isShort, `less than ${freeBytesMin / 1_048_576} MiB are free`),
      database: wordOf(findLost() !== null, 'its file was removed or replaced'),
    }
  }

  async function lookAtServer(): Promise<Readiness> {
    const [written, answers] = await Promise.all([write(parts), read(parts)])
    return { ...ownParts(parts), database: serverWord(written, answers) }
  }

  const look = () => (file === null ? lookAtServer() : lookAtFile(file))
  return () => {
    const at = clock.steady()
    if (!last || at - last.at >= freshMs) last = { at, answer: look() }
    return last.answer
  }
}

const late = `did not store anything within ${writeMsMax / 1000} seconds`

/** A server that answers and stores nothing has a full disk, or is a read-only standby. */
function serverWord(written: Written, answers: boolean): string {
  if (written === 'done') return 'ok'
  if (!answers) return 'cannot be reached'
  return written === 'late' ? late : 'takes no writes'
}

const clockWord = (aheadMs: number) =>
  wordOf(
    Math.abs(aheadMs) > clockDifferenceMsMax,
    `${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} that of the database`,
  )

/** @returns whether the database answers in time. */
async function read({ store, clock }: Pick<ReadinessParts, 'store' | 'clock'>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>()
  const cancelTimer = clock.setTimer(writeMsMax, () => resolve(false))
  const answered = store.read.property(probeSubject).then(
    () => true,
    () => false,
  )
  return Promise.race([answered, late]).finally(cancelTimer)
}

const wordOf = (isWrong: boolean, problem: string) => (isWrong ? problem : 'ok')

type Written = 'done' | 'late' | 'unavailable' | 'lost'

/** Stores a row, as a send does: the surest check that the disk takes writes. */
async function write({ store, clock }: Pick<ReadinessParts, 'store' | 'clock'>): Promise<Written> {
  const { promise: late, resolve } = Promise.withResolvers<'late'>()
  const cancelTimer = clock.setTimer(writeMsMax, () => resolve('late'))
  const windows = [{ subject: probeSubject, startsAt: clock.now(), count: 0 }]
  const written = store.write.countRequests({ windows }).then(
    () => 'done' as const,
    (error: unknown) => (error instanceof Unavailable ? ('unavailable' as const) : ('lost' as const)),
  )
  return Promise.race([written, late]).finally(cancelTimer)
}

async function freeBytesOf(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path)
  return bavail * bsize
}
