import { constants, setPriority } from 'node:os'
import { type BackupOrder, makeBackup, type UploadOrder, uploadBackup } from '../src/backup/make.ts'
import { messageOf } from '../src/errors.ts'
import type { Call } from '../src/queue/protocol.ts'
import { serveMailbox } from '../src/queue/worker.ts'

/** Makes one backup, or uploads one, and lives no longer than that. */
serveMailbox((_, { reply }) => {
  yieldToSends()
  const verbs: Readonly<Record<string, (order: unknown) => unknown>> = {
    makeBackup: order => makeBackup(order as BackupOrder),
    uploadBackup: order => uploadBackup(order as UploadOrder),
  }
  async function answer({ id, verb, argument }: Call) {
    try {
      reply([{ id, ok: true, value: await verbs[verb]?.(argument) }])
    } catch (error) {
      reply([{ id, ok: false, unavailable: false, message: messageOf(error) }])
    }
  }
  return {
    verbs: Object.keys(verbs),
    take(calls) {
      for (const call of calls) void answer(call)
    },
    stop() {},
  }
})

/** On Linux this is about one thread: the processor is left to those that send. Elsewhere it would slow the whole process. */
function yieldToSends(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, constants.priority.PRIORITY_LOW)
  } catch {
    // Not allowed here: the copy is made all the same.
  }
}
