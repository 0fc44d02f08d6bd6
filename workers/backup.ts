import { constants, setPriority } from 'node:os'
import { makeBackup, uploadBackup } from '../src/backup/make.ts'
import { serveEach, serveMailbox } from '../src/threads/worker.ts'

/** Makes one backup, or uploads one, and lives no longer than that. */
serveMailbox((_, outgoing) => {
  yieldToSends()
  return serveEach({ makeBackup, uploadBackup }, outgoing)
})

/** On Linux the priority is per thread: sending goes first. Elsewhere it would slow the whole process. */
function yieldToSends(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, constants.priority.PRIORITY_LOW)
  } catch {
    // Not allowed here: the copy is made anyway.
  }
}
