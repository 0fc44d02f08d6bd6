import { statusOf } from '../../../src/message/state.ts'
import { ManualClock } from '../../clock.ts'
import { replaceWorkers } from '../../threads/workers.ts'
import { Disk } from './disk.ts'
import { Gateway } from './gateway.ts'
import type { Schedule } from './schedule.ts'
import { SenderThread } from './thread.ts'
import { longestMs, pass, passUntil } from './time.ts'
import { Upstream } from './upstream.ts'
import { isResumable, type Sightings, Witness } from './witness.ts'

/** What went wrong in a schedule, and what happened in it. */
export interface Outcome extends Sightings {
  /** Accepted messages without an end, and all that is kept though nothing is left to happen. */
  readonly leftBehind: readonly string[]
  /** What the next start has to call UNKNOWN. */
  readonly undecided: readonly string[]
  /** What is UNKNOWN though no answer was lost. */
  readonly unknownForNothing: readonly string[]
  /** The kinds of the events that the disk took. */
  readonly stored: readonly string[]
}

/** Plays a schedule: until the gateway has stopped, or until nothing is left to happen. */
export async function play(schedule: Schedule): Promise<Outcome> {
  const clock = new ManualClock()
  const witness = new Witness()
  const disk = new Disk(clock, witness, schedule)
  const upstream = new Upstream(disk, witness)
  const livesMs = schedule.livesMs.values()
  class NextThread extends SenderThread {
    constructor() {
      super(clock, upstream, livesMs.next().value)
    }
  }
  const threads = replaceWorkers(NextThread)
  try {
    const gateway = await Gateway.open(clock, disk, schedule.threads)
    for (const [index, order] of schedule.orders.entries()) {
      upstream.plan(`m${index}`, order.replies)
      clock.setTimer(order.atMs, () => void gateway.send(`m${index}`, order))
    }
    for (const { fromMs, toMs } of schedule.fullDisk) {
      clock.setTimer(fromMs, () => disk.fill())
      clock.setTimer(toMs, () => disk.clear())
    }
    await pass(clock, schedule.stopAtMs ?? longestMs)
    if (schedule.stopAtMs !== null) await passUntil(clock, gateway.stop())
    return {
      ...witness.sightings,
      leftBehind: [...gateway.leftBehind()],
      undecided: [...undecided(disk)],
      unknownForNothing: [...unknownForNothing(disk, upstream)],
      stored: disk.stored,
    }
  } finally {
    threads.restore()
  }
}

function* undecided({ messages }: Disk): Iterable<string> {
  for (const [messageId, record] of messages) {
    if (statusOf(record) === 'QUEUED' && !isResumable(record)) yield `${messageId} may have left and has no end`
  }
}

function* unknownForNothing({ messages }: Disk, { lost }: Upstream): Iterable<string> {
  for (const [messageId, record] of messages) {
    if (statusOf(record) === 'UNKNOWN' && !lost.has(messageId)) yield `${messageId} is UNKNOWN`
  }
}
