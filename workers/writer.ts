import { groupCommit } from '../db/sqlite/commit.ts'
import { migrate } from '../db/sqlite/migrate.ts'
import { closeWriter, openForWriting } from '../db/sqlite/open.ts'
import { storeVerbs } from '../db/sqlite/verbs.ts'
import type { Call } from '../src/queue/protocol.ts'
import { serveMailbox } from '../src/queue/worker.ts'

/** The only writer of the database: gathers what has arrived, commits it as one, then answers. */
serveMailbox((options, { reply }) => {
  const { path } = options as { path: string }
  const connection = openForWriting(path)
  migrate(connection.client, Date.now())
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
