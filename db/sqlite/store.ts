import type { Clock } from '../../src/base/clock.ts'
import { minuteMs } from '../../src/base/durations.ts'
import type { Logger } from '../../src/telemetry/log.ts'
import { Mailbox } from '../../src/threads/mailbox.ts'
import type { Author } from '../contract/queries.ts'
import type { Store, StoreReads, StoreWrites } from '../contract/store.ts'
import type { MigrationNews } from '../migrations.ts'
import { auditedWrites } from '../rules/audited.ts'
import { keepingSettings } from '../rules/keptSettings.ts'
import { recordLookups, type SendReads } from '../rules/lookups.ts'
import { sharedReads } from '../rules/reads.ts'
import { commandBusyMs } from './busy.ts'
import { engineOf } from './engine.ts'
import { markMigration } from './migrationMark.ts'
import { type Connection, openForReading } from './open.ts'
import { columns, messageTables } from './rows.ts'
import { findOn, sendReads } from './sendReads.ts'
import { readingFrom, Snapshot } from './snapshot.ts'

/** The last commit and the checkpoint of a large log: seconds on a slow disk. */
const writerStopMs = 30_000

/** One step of the migration of a large file, as the copy before it: ten gigabytes take minutes on a slow disk. */
const writerReadyMs = 30 * minuteMs

/**
 * Opens a file that is there for reads alone: no thread, and nothing is migrated.
 * @throws Error when it is absent, or of another version
 */
export function openReads(path: string): { readonly read: StoreReads; close(): Promise<void> } {
  const reader = openForReading(path, commandBusyMs)
  try {
    const turn = new Snapshot(reader.client)
    return {
      read: keepingSettings(readingFrom(turn, { ...sendReads(reader), ...storeReads(reader) })),
      async close() {
        turn.close()
        reader.client.close()
      },
    }
  } catch (cause) {
    reader.client.close()
    throw cause
  }
}

/** What the writer thread is started with. */
export interface WriterOptions {
  readonly path: string
  /**
   * Of a gateway: a disk that takes no writes is detected at the start, not at the first send, and some of its room is
   * kept for changes by people (`reserve.ts`).
   */
  readonly mustTakeWrites: boolean
  /** Whether contents stay until they are pruned. Otherwise they stay only until their message is sent. */
  readonly keepsContents: boolean
  /** An older file is copied before it is migrated. */
  readonly copiesBeforeMigration: boolean
}

/**
 * Opens the database file: a writer thread that migrates it, then a read-only connection for this thread.
 * An answered write is visible to this thread's next read.
 * @param auditedAs the author: the audit keeps changes with this name. Without it, it is the gateway itself
 * @param onMigration told while an older file is migrated
 * @param onWriterLost the writer died: the outcome of open calls is unknown, and nothing further can be stored
 * @throws Error with a sentence for the operator when the file cannot be used
 */
export async function openStore(options: {
  path: string
  mustTakeWrites?: boolean
  keepsContents?: boolean
  copiesBeforeMigration?: boolean
  clock: Clock
  log: Logger
  onMigration?: (news: MigrationNews) => void
  onWriterLost: () => void
  auditedAs?: string
}): Promise<Store> {
  const { path, clock, log, onMigration, onWriterLost, auditedAs } = options
  const { mustTakeWrites = false, keepsContents = true, copiesBeforeMigration = true } = options
  const writerOptions: WriterOptions = { path, mustTakeWrites, keepsContents, copiesBeforeMigration }
  let snapshot: Snapshot | undefined
  let unmark = () => {}
  const onNews = (news: MigrationNews) => {
    if (news.kind === 'begins')
      unmark = markMigration(path, { from: news.upgrade.from, to: news.upgrade.to, since: clock.now() })
    onMigration?.(news)
  }
  const writer = await Mailbox.open<StoreWrites>({
    worker: 'writer',
    options: writerOptions,
    clock,
    log,
    readyMsMax: writerReadyMs,
    stopMsMax: writerStopMs,
    // The writer tells nothing else.
    onNews: news => onNews(news as MigrationNews),
    onCrash: onWriterLost,
    onAnswers: () => snapshot?.end(),
  }).finally(() => unmark())
  // Only now: while there is no file, opening it for reading fails.
  const reader = mustTakeWrites ? openForReading(path) : openForReading(path, commandBusyMs)
  const turn = new Snapshot(reader.client)
  snapshot = turn
  const writes = writer.verbs()
  const writeAs = (author: Author) => auditedWrites(writes, () => ({ ...author, at: clock.now() }))
  return {
    clock,
    read: keepingSettings({
      ...readingFrom(turn, sendReads(reader), 'keep'),
      ...readingFrom(turn, storeReads(reader)),
    }),
    write: auditedAs === undefined ? writes : writeAs({ actor: auditedAs }),
    writeAs,
    shared: null,
    measures: () => writer.measures(),
    async close() {
      turn.close()
      reader.client.close()
      await writer.stop()
    },
  }
}

/** All reads but the settings', on a connection that cannot write. */
export const storeReads = (connection: Connection): Omit<StoreReads, keyof SendReads | 'sendingKey'> => ({
  ...sharedReads(engineOf(connection)),
  ...recordLookups(findOn(connection), columns, messageTables),
})
