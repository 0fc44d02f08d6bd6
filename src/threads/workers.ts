/** Every worker of the program. A test compares this map with the entry points of the build. */
export const WORKERS = {
  writer: 'workers/writer.ts',
  sender: 'workers/sender.ts',
  backup: 'workers/backup.ts',
  notifier: 'workers/notifier.ts',
  files: 'workers/files.ts',
} as const

export type WorkerName = keyof typeof WORKERS

/** From source this file is in src/threads/; in the executable all entry points are in one folder. */
const root = Bun.isStandaloneExecutable ? './' : '../../'

/**
 * Absolute on purpose: a relative path that is not embedded would be loaded from the current folder, so that a foreign
 * file could run.
 */
export const workerUrl = (name: WorkerName): string => new URL(root + WORKERS[name], import.meta.url).href
