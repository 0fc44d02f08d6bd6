import { groupCommit } from '../db/sqlite/commit.ts'
import { migrate, SchemaMismatch } from '../db/sqlite/migrate.ts'
import { type Connection, closeWriter, openForWriting } from '../db/sqlite/open.ts'
import { storeVerbs } from '../db/sqlite/verbs.ts'
import type { Call } from '../src/queue/protocol.ts'
import { serveMailbox } from '../src/queue/worker.ts'

/** The only writer of the database: gathers what has arrived, commits it as one, then answers. */
serveMailbox((options, { reply }) => {
  const { path } = options as { path: string }
  const connection = open(path)
  const commit = groupCommit(connection.client, storeVerbs(connection))

  let inbox: Call[] = []
  const commitInbox = () => {
    const batch = inbox
    inbox = []
    if (batch.length > 0) reply(commit(batch))
  }

  return {
    take(calls) {
      // One turn of the event loop gathers every post that has arrived by then into the same sync.
      if (inbox.length === 0) setImmediate(commitInbox)
      inbox.push(...calls)
    },
    stop() {
      commitInbox()
      closeWriter(connection)
    },
  }
})

/** @throws Error with a sentence for the operator */
function open(path: string): Connection {
  try {
    const connection = openForWriting(path)
    migrate(connection.client, Date.now())
    return connection
  } catch (cause) {
    if (cause instanceof SchemaMismatch) throw cause
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Error(
      `The database ${path} cannot be used: ${why}. Check the file and its folder, or restore a backup.`,
      {
        cause,
      },
    )
  }
}
