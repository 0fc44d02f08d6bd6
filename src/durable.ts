import { closeSync, fsyncSync, openSync } from 'node:fs'

/**
 * Waits until a file's content, or a folder's list of names, is on disk: what is reported after it outlasts a power cut.
 * @throws Error of the system when it cannot be opened or the disk fails
 */
export function syncToDisk(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
