import { closeSync, fsyncSync, lchownSync, openSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Unavailable } from './unavailable.ts'

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

/**
 * @param path a file that is written, or will be
 * @throws Unavailable when that many more bytes would leave too little on its disk
 */
export function checkFreeBytes(path: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(dirname(path))
  if (bavail * bsize - bytes >= spareBytes) return
  throw new Unavailable(`the disk is nearly full: ${Math.floor((bavail * bsize) / 1_048_576)} MB are free`)
}

/** The free bytes are looked at again after so many. */
const checkedBytes = 8 * 1_048_576

/** @returns to be called with the bytes of the file so far: it looks at the disk now and then, and throws as above */
export function watchFreeBytes(path: string): (bytes: number) => void {
  let checked = 0
  return bytes => {
    if (bytes <= checked) return
    checkFreeBytes(path, checkedBytes)
    checked = bytes + checkedBytes
  }
}
