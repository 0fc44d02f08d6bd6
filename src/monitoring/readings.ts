import { stat } from 'node:fs/promises'
import type { Shared } from '../../db/contract/shared.ts'
import type { Store } from '../../db/contract/store.ts'
import type { BackupStatus, BackupsDue } from '../backup/status.ts'
import { type Clock, within } from '../base/clock.ts'
import type { Histogram, Measures, Metrics } from '../telemetry/metrics.ts'

/** What is read of the sender threads, of the outbox and of the database. */
export interface ReadingParts {
  readonly metrics: Metrics
  readonly store: {
    readonly read: Pick<Store['read'], 'unknownMessages' | 'webhookStates'>
    readonly shared: Pick<Shared, 'locks'> | null
    measures(): Promise<Measures | null>
  }
  readonly senders: { readonly restarts: number; measures(): Promise<(Measures | null)[]> }
  readonly notifier: { readonly restarts: number; measures(): Promise<Measures | null> }
  readonly outbox: { backlogs(): Backlog[] }
  /** Null: the database is on a server, which measures its disk itself. */
  readonly databasePath: string | null
  /** Those who follow what changes. */
  readonly feed: { readonly listeners: number }
  readonly backups: { readonly status: BackupStatus; readonly due: BackupsDue }
  /** The files of users. */
  readonly media: { readonly storedBytes: number | null; readonly storageBytesMax: number }
  /** By how much this machine's time is ahead of the database's; null where it is not compared. */
  readonly clockAheadMs: () => number | null
  /** How many messages of a line may wait: SEND_QUEUE_MAX. */
  readonly queueMax: number
  /** Of the main thread. */
  readonly lag: Histogram
  readonly checkReadiness: () => Promise<Readonly<Record<string, string>>>
  readonly isStopping: () => boolean
  readonly version: string
  readonly clock: Clock
}

interface Backlog {
  readonly lineId: string
  readonly waiting: number
  readonly underWay: number
  readonly oldestAt: number | null
}

/** Prometheus waits 10 seconds for all metrics, by default. A database that is locked answers later. */
const readMsMax = 3_000

/** What the metrics show, all read at the same time. */
export type Readings = Awaited<ReturnType<typeof takeReadings>>

export async function takeReadings(parts: ReadingParts) {
  const { metrics, store, senders, notifier, outbox, databasePath, lag, backups, clock } = parts
  const [writer, senderMeasures, notifierMeasures, readiness, unknown, webhooks, files] = await Promise.all([
    store.measures(),
    senders.measures(),
    notifier.measures(),
    parts.checkReadiness(),
    // Without the database the other metrics are still shown: they are needed most then.
    within(clock, readMsMax, store.read.unknownMessages()).catch(() => null),
    within(clock, readMsMax, store.read.webhookStates()).catch(() => null),
    filesOf(databasePath),
  ])
  return {
    metrics,
    now: clock.now(),
    writer,
    loops: [
      ['main', lag.read()] as const,
      ['writer', writer?.eventLoopLag] as const,
      ...senderMeasures.map((measures, at) => [`sender-${at + 1}`, measures?.eventLoopLag] as const),
      ['notifier', notifierMeasures?.eventLoopLag] as const,
    ],
    restarts: [['sender', senders.restarts] as const, ['notifier', notifier.restarts] as const],
    backlogs: boundedBacklogs(outbox.backlogs()),
    unknown,
    webhooks,
    files,
    locks: store.shared?.locks() ?? null,
    readiness,
    eventStreams: parts.feed.listeners,
    backups: backups.status,
    backupsDue: backups.due,
    mediaBytes: parts.media.storedBytes,
    mediaBytesMax: parts.media.storageBytesMax,
    clockAheadMs: parts.clockAheadMs(),
    queueMax: parts.queueMax,
    isStopping: parts.isStopping(),
    version: parts.version,
    memory: process.memoryUsage(),
    cpu: process.cpuUsage(),
    startedAt: clock.now() - process.uptime() * 1_000,
  }
}

async function filesOf(databasePath: string | null) {
  if (databasePath === null) return []
  const [database, wal] = await Promise.all([bytesOf(databasePath), bytesOf(`${databasePath}-wal`)])
  return [['database', database] as const, ['wal', wal] as const]
}

/** @returns 0 for a file that is not there */
async function bytesOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  )
}

/** Lines that have metrics of their own: each is a series that Prometheus keeps. */
const linesMax = 100

/** @returns the longest backlogs by line, and all other lines together as `other` */
export function boundedBacklogs(backlogs: readonly Backlog[]): Backlog[] {
  if (backlogs.length <= linesMax) return [...backlogs]
  const size = ({ waiting, underWay }: Backlog) => waiting + underWay
  const sorted = backlogs.toSorted((one, other) => size(other) - size(one))
  const others = { lineId: 'other', waiting: 0, underWay: 0, oldestAt: null as number | null }
  for (const { waiting, underWay, oldestAt } of sorted.slice(linesMax)) {
    others.waiting += waiting
    others.underWay += underWay
    if (oldestAt !== null) others.oldestAt = Math.min(oldestAt, others.oldestAt ?? oldestAt)
  }
  return [...sorted.slice(0, linesMax), others]
}
