import { closeSync, fsyncSync, openSync } from 'node:fs'

/**
 * Waits until a file's content, or a folder's list of names, is on disk, so that it survives a power cut.
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
