/** Every worker of the program. A test compares this map with the entry points of the build. */
export const WORKERS = { writer: 'workers/writer.ts', sender: 'workers/sender.ts' } as const

export type WorkerName = keyof typeof WORKERS

/** From source this file is in src/queue/; in the executable all entry points lie beside each other. */
const root = Bun.isStandaloneExecutable ? './' : '../../'

/**
 * Absolute on purpose: a bare relative path that is not embedded would be loaded from the folder the program was
 * started in, so that a planted file would run.
 */
export const workerUrl = (name: WorkerName): string => new URL(root + WORKERS[name], import.meta.url).href
