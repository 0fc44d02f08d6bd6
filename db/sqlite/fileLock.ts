import { dlopen, read } from 'bun:ffi'
import { closeSync, openSync } from 'node:fs'

/** lockf(3): take the lock, or fail at once when another process has it. The same number on Linux and macOS. */
const F_TLOCK = 2
/** EAGAIN on Linux, EAGAIN on macOS, EACCES: POSIX lets a system choose. */
const heldCodes: readonly (number | undefined)[] = [11, 35, 13]

const libraries: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1'],
  darwin: ['/usr/lib/libSystem.B.dylib'],
}

type Lock = 'locked' | 'held' | 'unsupported'

/**
 * Locks the first byte of a file for this process, also after the file is renamed or removed. The kernel releases the
 * lock at any end of the process.
 *
 * It is a POSIX record lock, as SQLite's own are on the same file. SQLite uses bytes from 2^30 on, so the two never
 * meet. A process loses all its POSIX locks on a file when it closes any descriptor of that file. Therefore the
 * descriptor stays open until SQLite has closed the file, and nothing else in this process may open the file by itself.
 * SQLite knows the rule: it keeps its descriptors open for as long as one of its connections holds a lock. flock(2) is
 * not used: on macOS it collides with SQLite's locks.
 * @returns a function that releases the lock; `held` when another process has it; `unsupported` when the file cannot be
 *   opened for writing or the system knows no such lock
 */
export function lockFile(path: string, isMade: boolean): (() => void) | Exclude<Lock, 'locked'> {
  let file: number
  try {
    file = openSync(path, isMade ? 'a+' : 'r+')
  } catch {
    return 'unsupported'
  }
  const outcome = tryLock(file)
  if (outcome === 'locked') return () => closeSync(file)
  closeSync(file)
  return outcome
}

function tryLock(file: number): Lock {
  for (const library of libraries[process.platform] ?? []) {
    try {
      const { lockf } = dlopen(library, { lockf: { args: ['int', 'int', 'i64'], returns: 'int' } }).symbols
      const errno = errnoOf(library)
      if (lockf(file, F_TLOCK, 1) === 0) return 'locked'
      return heldCodes.includes(errno()) ? 'held' : 'unsupported'
    } catch {
      // Not this system's library.
    }
  }
  return 'unsupported'
}

/**
 * @returns a function that reads the error of the last call. It is found before that call, so that nothing comes
 * between.
 */
function errnoOf(library: string): () => number | undefined {
  const address = { args: [], returns: 'ptr' } as const
  const where =
    process.platform === 'darwin'
      ? dlopen(library, { __error: address }).symbols.__error
      : dlopen(library, { __errno_location: address }).symbols.__errno_location
  return () => {
    const pointer = where()
    return pointer === null ? undefined : read.i32(pointer, 0)
  }
}
