import { systemClock } from '../src/base/clock.ts'
import { type GatewayDatabase, type GatewayDatabaseOptions, openGatewayDatabase } from './database.ts'
import { MigrationReport } from './migrationReport.ts'

/** A gateway was told to stop before it was ready. */
export class StoppedBeforeReady extends Error {
  override readonly name = 'StoppedBeforeReady'
}

/** @throws StoppedBeforeReady */
export function throwIfStopped({ aborted }: AbortSignal): void {
  if (aborted) throw new StoppedBeforeReady('the gateway was stopped before it was ready')
}

/**
 * Opens the database of a gateway that starts, and tells of its migration.
 * @param options `onProgress`: told what a migration does, at least every five seconds
 * @throws StoppedBeforeReady at once when it is to stop. The database stays locked until it is open, or the process
 *   ends: nothing else interrupts a statement, and the transaction of a process that ends is undone
 * @throws Error as `openGatewayDatabase`
 */
export async function openStartingDatabase(
  options: Omit<GatewayDatabaseOptions, 'onMigration'> & {
    stopping: AbortSignal
    onProgress: ((status: string) => void) | undefined
  },
): Promise<GatewayDatabase> {
  const { stopping, onProgress, ...parts } = options
  throwIfStopped(stopping)
  const report = new MigrationReport({ log: parts.log, clock: systemClock, ...(onProgress && { tell: onProgress }) })
  const opening = openGatewayDatabase({ ...parts, onMigration: report.take })
  const stopped = Promise.withResolvers<never>()
  const onStop = () => {
    if (report.isRunning)
      parts.log.warn('the migration was stopped: unless it had just ended, the database stays as it was before')
    // Where the process goes on, as in a test.
    opening.then(database => database.close()).catch(() => {})
    stopped.reject(new StoppedBeforeReady('the gateway was stopped before it was ready'))
  }
  stopping.addEventListener('abort', onStop, { once: true })
  try {
    return await Promise.race([opening, stopped.promise])
  } finally {
    stopping.removeEventListener('abort', onStop)
    report.close()
  }
}
