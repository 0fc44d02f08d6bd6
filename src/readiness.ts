import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Store } from '../db/store.ts'
import type { Clock } from './clock.ts'
import type { Readiness } from './http/operation.ts'
import { WorkerUnavailable } from './queue/mailbox.ts'

/** Within this time the last result is used again: a check writes to the disk, and anybody may ask. */
const freshMs = 1_000
/** A commit takes milliseconds. A writer that needs longer delays every send. */
const writeMsMax = 2_000
/** Space for the database, its log and a checkpoint. */
const freeBytesMin = 64 * 1_048_576

/** A row among the rate windows that no limit reads. It is overwritten each time. */
const probeSubject = 'readyz'

interface ReadinessParts {
  readonly databasePath: string
  /** @returns a file of the database that was removed or replaced; null when none was. */
  readonly findLostFile: () => string | null
  readonly store: Pick<Store, 'write'>
  readonly senders: readonly { readonly isReady: boolean }[]
  readonly clock: Clock
  /** @returns the free bytes of the disk that the path is on. */
  readonly freeBytes?: (path: string) => Promise<number>
}

/** @returns a function that checks each part that a send needs. It never throws. */
export function createReadiness(parts: ReadinessParts): () => Promise<Readiness> {
  const { databasePath, findLostFile, store, senders, clock, freeBytes = freeBytesOf } = parts
  let last: { readonly at: number; readonly answer: Promise<Readiness> } | undefined

  async function look(): Promise<Readiness> {
    const [written, free] = await Promise.all([write(store, clock), freeBytes(dirname(databasePath)).catch(() => null)])
    const isShort = free !== null && free < freeBytesMin
    return {
      writer:
        written === 'late'
          ? `did not store anything within ${writeMsMax / 1000} seconds`
          : wordOf(written === 'lost', 'ended'),
      senders: wordOf(!senders.some(({ isReady }) => isReady), 'no thread is running'),
      disk:
        written === 'unavailable'
          ? 'takes no writes'
          : wordOf(isShort, `less than ${freeBytesMin / 1_048_576} MiB are free`),
      database: wordOf(findLostFile() !== null, 'its file was removed or replaced'),
    }
  }
  return () => {
    const at = clock.steady()
    if (!last || at - last.at >= freshMs) last = { at, answer: look() }
    return last.answer
  }
}

const wordOf = (isWrong: boolean, problem: string) => (isWrong ? problem : 'ok')

/** Stores a row, as a send does. No other check shows so surely that the disk takes writes. */
async function write(store: Pick<Store, 'write'>, clock: Clock): Promise<'done' | 'late' | 'unavailable' | 'lost'> {
  const { promise: late, resolve } = Promise.withResolvers<'late'>()
  const cancelTimer = clock.setTimer(writeMsMax, () => resolve('late'))
  const windows = [{ subject: probeSubject, startsAt: clock.now(), count: 0 }]
  const written = store.write.countRequests({ windows }).then(
    () => 'done' as const,
    (error: unknown) => (error instanceof WorkerUnavailable ? ('unavailable' as const) : ('lost' as const)),
  )
  return Promise.race([written, late]).finally(cancelTimer)
}

async function freeBytesOf(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path)
  return bavail * bsize
}
