import { closeSync, fsyncSync, lchownSync, openSync, statSync } from 'node:fs'

/** With less the gateway is not ready: space for the database, its log and a checkpoint. */
export const freeBytesMin = 64 * 1_048_576
/** What copies and files leave free: a database on the same disk needs it for sends, which go on meanwhile. */
export const spareBytes = 2 * freeBytesMin

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

/**
 * A file that root writes would belong to root, and the gateway's user could not open it: it gets the owner of another
 * file or folder. For any other user nothing is done.
 */
export function giveToOwnerOf(like: string, path: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(like)
  // Not through a link that another user may have put there.
  lchownSync(path, uid, gid)
}
