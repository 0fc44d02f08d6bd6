/** The writer of a gateway waits this long for a command that writes beside it; nobody else waits on its thread. */
export const gatewayBusyMs = 5_000
/**
 * A command waits longer than the longest write of a gateway takes, which is a large step of an erasure on a slow disk.
 * Under load the gateway writes again and again, and SQLite lets nobody queue for the lock: who waits tries ten times a
 * second.
 */
export const commandBusyMs = 60_000

/** @returns whether another process held the lock for as long as was waited for it */
export const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')

/** What is said then, in place of SQLite's words. */
export const busyText = 'another process has been writing to the database for too long; nothing was stored, try again'
