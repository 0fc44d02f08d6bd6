import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { MIGRATIONS } from '../db/migrations/list.ts'
import { type MigrationNews, SchemaMismatch } from '../db/migrations.ts'
import { CommitMeter } from '../db/rules/commitMeter.ts'
import { isDamage } from '../db/sqlite/backup.ts'
import { busyText, commandBusyMs, gatewayBusyMs, isBusy } from '../db/sqlite/busy.ts'
import { watchFiles } from '../db/sqlite/fileWatch.ts'
import { databaseFile } from '../db/sqlite/lock.ts'
import { migrate } from '../db/sqlite/migrate.ts'
import { keepMigrationCopy, migrationCopyPath, NotMigrated, removeHalfCopies } from '../db/sqlite/migrationCopy.ts'
import { removeStaleMark } from '../db/sqlite/migrationMark.ts'
import { type Connection, closeWriter, openForWriting, waitFor } from '../db/sqlite/open.ts'
import { diskReserve, keepReserve } from '../db/sqlite/reserve.ts'
import type { WriterOptions } from '../db/sqlite/store.ts'
import { storeWrites } from '../db/sqlite/writes.ts'
import manifest from '../package.json' with { type: 'json' }
import { messageOf } from '../src/base/errors.ts'
import type { VerbCall } from '../src/threads/protocol.ts'
import { serveMailbox } from '../src/threads/worker.ts'

const { version } = manifest

/** The only writer of the database: collects the calls that have arrived, commits them together, then answers. */
serveMailbox((options, { replyAtOnce, tell }) => {
  const { path, keepsContents, ...how } = options as WriterOptions
  const connection = open(path, how, tell)
  const meter = new CommitMeter()
  const writes = storeWrites(connection, { keepsContents, findLost: watchFiles(path), meter })
  const commit = how.mustTakeWrites
    ? keepReserve(writes.commit, diskReserve(databaseFile(path)), () => performance.now())
    : writes.commit

  let inbox: VerbCall[] = []
  const commitInbox = async () => {
    const batch = inbox
    inbox = []
    if (batch.length > 0) replyAtOnce(await commit(batch))
  }

  return {
    verbs: writes.verbs,
    measures: () => meter.read(),
    take(calls) {
      // After one turn of the event loop, all posts that have arrived share a commit.
      if (inbox.length === 0) setImmediate(commitInbox)
      inbox.push(...calls)
    },
    async stop() {
      await commitInbox()
      try {
        closeWriter(connection)
      } catch {
        // Everything that was answered is on disk, perhaps only in the log of the database.
      }
    },
  }
})

/**
 * @param tell says how a migration goes while this thread is busy with it
 * @throws Error with a sentence for the operator
 */
function open(
  path: string,
  how: Pick<WriterOptions, 'mustTakeWrites' | 'copiesBeforeMigration'>,
  tell: (news: MigrationNews) => void,
): Connection {
  try {
    // Checked first: SQLite would open a read-only file, and leave read-only files next to it.
    if (existsSync(path)) accessSync(path, constants.W_OK)
    const connection = openForWriting(path, commandBusyMs)
    const now = Date.now()
    let isUpgrade = false
    migrate(connection.client, now, MIGRATIONS, {
      version,
      locked() {
        if (how.copiesBeforeMigration) removeHalfCopies(path)
        removeStaleMark(path)
      },
      beforeChange({ from, migrations }) {
        isUpgrade = true
        const copy = how.copiesBeforeMigration ? migrationCopyPath(path, { from, to: version }, now) : null
        const { size } = statSync(path)
        tell({ kind: 'begins', upgrade: { from, to: version, migrations, bytes: size, copy } })
        if (copy === null) return null
        tell({ kind: 'step', step: 'copying the database' })
        keepMigrationCopy(path, copy)
        return copy
      },
      onStep: step => tell({ kind: 'step', step }),
    })
    if (isUpgrade) tell({ kind: 'ended' })
    if (how.mustTakeWrites) {
      // A harmless write.
      connection.client.run('PRAGMA user_version = 1')
      waitFor(connection.client, gatewayBusyMs)
    }
    return connection
  } catch (cause) {
    if (cause instanceof SchemaMismatch || cause instanceof NotMigrated) throw cause
    if (isBusy(cause)) throw new Error(`The database ${path} cannot be used: ${busyText}.`, { cause })
    const why = messageOf(cause)
    const advice = isDamage(cause)
      ? 'Check the file, or restore a backup'
      : 'Check who owns it, its folder and its disk'
    throw new Error(`The database ${path} cannot be used: ${why}. ${advice}.`, { cause })
  }
}
