import { makeBackup, uploadBackup } from '../src/backup/make.ts'
import { serveEach, serveMailbox, yieldToSends } from '../src/threads/worker.ts'

/** Makes one backup, or uploads one, and lives no longer than that. */
serveMailbox((_, outgoing) => {
  yieldToSends()
  return serveEach({ makeBackup, uploadBackup }, outgoing)
})
