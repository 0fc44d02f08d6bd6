import type { Database } from 'bun:sqlite'
import { BrokenPromise } from '../../src/telemetry/promises.ts'
import type { VerbAnswer, VerbCall } from '../../src/threads/protocol.ts'
import type { StoreWrites } from '../contract/store.ts'
import { CommitMeter } from '../rules/commitMeter.ts'
import { busyText, isBusy } from './busy.ts'
import type { WriterMemory } from './memory.ts'

/**
 * The store's verbs that the writer thread runs by SQLite's own means: synchronous, inside a transaction that it has
 * opened. All steps of a send are. They all say `satisfies Partial<Verbs>`: a verb without a declaration is a type
 * error.
 */
export type Verbs = {
  [Verb in keyof StoreWrites]: (argument: Parameters<StoreWrites[Verb]>[0]) => Awaited<ReturnType<StoreWrites[Verb]>>
}

/** All verbs: the rules that both engines have are asynchronous. One without an implementation is a type error. */
export type AllVerbs = {
  [Verb in keyof StoreWrites]: (
    ...argument: Parameters<Verbs[Verb]>
  ) => ReturnType<Verbs[Verb]> | ReturnType<StoreWrites[Verb]>
}

/** SQLite's codes for a problem of the disk, not of the request: the caller may try again later. */
const unavailableCodes = /^SQLITE_(FULL|IOERR|BUSY|READONLY|CANTOPEN|NOMEM|LOCKED)/

/** @returns the answer to a call that failed. Only the writer's log has the text. */
function failure(id: number, error: unknown): VerbAnswer {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return {
    id,
    ok: false,
    unavailable: unavailableCodes.test(code),
    broken: error instanceof BrokenPromise ? error.promise : undefined,
    message: isBusy(error) ? busyText : error instanceof Error ? `${code} ${error.message}`.trim() : String(error),
  }
}

const misplaced = (id: number, path: string): VerbAnswer => ({
  id,
  ok: false,
  unavailable: true,
  message: `${path} was removed or replaced`,
})

/**
 * Runs a batch of verbs as one durable transaction, and answers only after it.
 *
 * Verbs rarely fail, so a batch is first run without savepoints. When a verb fails, the batch is rolled back and run
 * again with a savepoint for each verb: then only the failing verb is undone. If the transaction itself cannot be
 * finished, every call of the batch fails and nothing is stored. Batches run one after the other.
 *
 * A verb may be asynchronous: it may await Drizzle's queries, which have their result at once. Between BEGIN and COMMIT
 * there are only microtasks, so that the thread receives no further call meanwhile.
 * @param parts `memory`: notified of the beginning and the end of transactions. `findLost`: called after each commit:
 *   the path of a database file that was removed or replaced. Then the commit is in a lost file, and is not answered as
 *   stored.
 *
 * Measured on a 2-core Linux machine with synchronous=FULL: 64 callers share a sync and reach 134k-179k inserts a
 * second; a single caller reaches 3.8k.
 */
export function groupCommit(
  client: Database,
  verbs: AllVerbs,
  parts: {
    memory: Pick<WriterMemory, 'begun' | 'writeCounts' | 'rolledBack'>
    findLost?: (() => string | null) | undefined
    meter?: CommitMeter | undefined
  },
): (batch: readonly VerbCall[]) => Promise<VerbAnswer[]> {
  const { memory, findLost = () => null, meter = new CommitMeter() } = parts
  const begin = client.query('BEGIN IMMEDIATE')
  const commit = client.query('COMMIT')
  const savepoint = client.query('SAVEPOINT verb')
  const release = client.query('RELEASE verb')
  const rollbackVerb = client.query('ROLLBACK TO verb')

  async function run({ id, verb, argument }: VerbCall): Promise<VerbAnswer> {
    // The pair of name and argument was made by a typed caller, see Mailbox.
    return { id, ok: true, value: await (verbs[verb as keyof AllVerbs] as (argument: unknown) => unknown)(argument) }
  }

  async function each(
    batch: readonly VerbCall[],
    runOne: (call: VerbCall) => Promise<VerbAnswer>,
  ): Promise<VerbAnswer[]> {
    const answers: VerbAnswer[] = []
    for (const call of batch) answers.push(await runOne(call))
    return answers
  }

  async function runAll(batch: readonly VerbCall[]): Promise<VerbAnswer[]> {
    try {
      const answers = await each(batch, run)
      memory.writeCounts()
      return answers
    } catch (error) {
      memory.rolledBack()
      if (!client.inTransaction) throw error
      client.run('ROLLBACK')
      begin.run()
      memory.begun()
      return await each(batch, runAlone)
    }
  }

  async function runAlone(call: VerbCall): Promise<VerbAnswer> {
    savepoint.run()
    try {
      const answer = await run(call)
      memory.writeCounts()
      release.run()
      return answer
    } catch (error) {
      memory.rolledBack()
      // A full disk may already have rolled back everything: then the whole batch fails, not only this verb.
      if (!client.inTransaction) throw error
      rollbackVerb.run()
      release.run()
      return failure(call.id, error)
    }
  }

  async function runBatch(batch: readonly VerbCall[]): Promise<VerbAnswer[]> {
    try {
      begin.run()
      memory.begun()
      const answers = await runAll(batch)
      const beganAt = performance.now()
      commit.run()
      meter.committed(batch.length, performance.now() - beganAt)
      const lost = findLost()
      return lost === null ? answers : batch.map(({ id }) => misplaced(id, lost))
    } catch (error) {
      memory.rolledBack()
      if (client.inTransaction) client.run('ROLLBACK')
      return batch.map(({ id }) => failure(id, error))
    }
  }
  // It rejects only when a transaction cannot even be rolled back: then the thread ends, and no later batch may run.
  let last: Promise<unknown> = Promise.resolve()
  return batch => {
    const answers = last.then(() => runBatch(batch))
    last = answers
    return answers
  }
}
