import type { Database } from 'bun:sqlite'
import type { Answer, Call } from '../../src/queue/protocol.ts'
import type { Verbs } from './verbs.ts'

/** SQLite's words for "the disk, not the request": the caller may try again later. */
const unavailableCodes = /^SQLITE_(FULL|IOERR|BUSY|READONLY|CANTOPEN|NOMEM|LOCKED)/

/** @returns the answer to a call that failed; only the writer's log gets to see the text. */
function failure(id: number, error: unknown): Answer {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return {
    id,
    ok: false,
    unavailable: unavailableCodes.test(code),
    message: error instanceof Error ? `${code} ${error.message}`.trim() : String(error),
  }
}

const misplaced = (id: number, path: string): Answer => ({
  id,
  ok: false,
  unavailable: true,
  message: `${path} was removed or replaced`,
})

/**
 * Runs a batch of verbs as one durable transaction and only then hands out the answers.
 *
 * Verbs hardly ever fail, so a batch is first run without savepoints. When one fails, all is rolled back and the batch is
 * run again with a savepoint for each verb: the one that fails is undone alone, neither aborting nor half-applying its
 * neighbours. If the transaction itself cannot be finished, every call of the batch fails and nothing is stored.
 * @param findLost asked after each commit: the path of a database file that was removed or replaced. What was committed
 *   then is in no file that anybody will read, and is not answered as stored.
 *
 * Measured on a 2-core Linux machine with synchronous=FULL: 64 callers share a sync and reach 134k-179k inserts a
 * second; a single caller reaches 3.8k.
 */
export function groupCommit(
  client: Database,
  verbs: Verbs,
  findLost: () => string | null = () => null,
): (batch: readonly Call[]) => Answer[] {
  const begin = client.query('BEGIN IMMEDIATE')
  const commit = client.query('COMMIT')
  const savepoint = client.query('SAVEPOINT verb')
  const release = client.query('RELEASE verb')
  const rollbackVerb = client.query('ROLLBACK TO verb')

  function run({ id, verb, argument }: Call): Answer {
    // The pair of name and argument was made by a typed caller, see Mailbox.
    return { id, ok: true, value: (verbs[verb as keyof Verbs] as (argument: unknown) => unknown)(argument) }
  }

  function runAll(batch: readonly Call[]): Answer[] {
    try {
      return batch.map(run)
    } catch (error) {
      if (!client.inTransaction) throw error
      client.run('ROLLBACK')
      begin.run()
      return batch.map(runAlone)
    }
  }

  function runAlone(call: Call): Answer {
    savepoint.run()
    try {
      const answer = run(call)
      release.run()
      return answer
    } catch (error) {
      // A full disk may have rolled back everything already: then the whole batch is lost, not this verb alone.
      if (!client.inTransaction) throw error
      rollbackVerb.run()
      release.run()
      return failure(call.id, error)
    }
  }

  return batch => {
    try {
      begin.run()
      const answers = runAll(batch)
      commit.run()
      const lost = findLost()
      return lost === null ? answers : batch.map(({ id }) => misplaced(id, lost))
    } catch (error) {
      if (client.inTransaction) client.run('ROLLBACK')
      return batch.map(({ id }) => failure(id, error))
    }
  }
}
