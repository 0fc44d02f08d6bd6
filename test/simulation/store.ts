import type { Store, StoreWrites } from '../../db/contract/store.ts'
import { auditedWrites } from '../../db/rules/audited.ts'
import { keepingSettings } from '../../db/rules/keptSettings.ts'
import { readingFrom, Snapshot } from '../../db/sqlite/snapshot.ts'
import type { Clock } from '../../src/base/clock.ts'
import type { Logger } from '../../src/telemetry/log.ts'
import { Mailbox } from '../../src/threads/mailbox.ts'
import type { HistoryDatabase } from './database.ts'

const nobodySends = () => Promise.reject(new Error('a command sends nothing here'))

/** @returns what a command does beside gateways, each verb in a commit of its own */
export function commandStore(database: HistoryDatabase, clock: Clock): Pick<Store, 'clock' | 'read' | 'write'> {
  const { reads, writes } = database.command
  const commit = async (verb: string, argument: unknown) => {
    database.release()
    const [answer] = await writes.commit([{ id: 0, verb, argument }])
    if (!answer?.ok) throw new Error(`${verb}: ${answer?.message}`)
    return answer.value
  }
  const verbs = writes.verbs.map(verb => [verb, (argument: unknown) => commit(verb, argument)])
  // A verb for each name that the writer has.
  return { clock, read: { ...reads, sendingKey: nobodySends }, write: Object.fromEntries(verbs) as StoreWrites }
}

/** As in `db/sqlite/store.ts`. */
const writerStopMs = 30_000

/**
 * The store of one process: its own mailbox, snapshot and kept settings, over connections that were opened before. As
 * `openStore` in `db/sqlite/store.ts`, which opens them.
 */
export async function openHistoryStore(parts: {
  readonly database: HistoryDatabase
  readonly clock: Clock
  readonly log: Logger
  readonly onWriterLost: () => void
}): Promise<Store> {
  const { database, clock, log, onWriterLost } = parts
  let snapshot: Snapshot | undefined
  const writer = await Mailbox.open<StoreWrites>({
    ...{ worker: 'writer', options: {}, clock, log, stopMsMax: writerStopMs, onCrash: onWriterLost },
    onAnswers: () => snapshot?.end(),
  })
  const { reader, send, store } = database.reads
  const turn = new Snapshot(reader.client)
  snapshot = turn
  // Of a process that is gone, a turn may be open still.
  if (reader.client.inTransaction) reader.client.run('COMMIT')
  const writes = writer.verbs()
  return {
    clock,
    read: keepingSettings({ ...readingFrom(turn, send, 'keep'), ...readingFrom(turn, store) }),
    write: writes,
    writeAs: author => auditedWrites(writes, () => ({ ...author, at: clock.now() })),
    shared: null,
    measures: async () => null,
    async close() {
      turn.close()
      await writer.stop()
    },
  }
}
