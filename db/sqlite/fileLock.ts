import { dlopen, type Pointer, read } from 'bun:ffi'
import { closeSync, openSync } from 'node:fs'

/** fcntl(2) of Linux: take a lock that belongs to the open file, or fail at once when another open file has it. */
const F_OFD_SETLK = 37
/** `struct flock`, four words of 8 bytes: F_WRLCK from the beginning of the file, start 0, length 1, no process. */
const firstByte = new BigInt64Array([1n, 0n, 1n, 0n])
/** lockf(3) of macOS: take a lock that belongs to the process, or fail at once when another process has it. */
const F_TLOCK = 2
/** EAGAIN on Linux, EAGAIN on macOS, EACCES: POSIX lets a system choose. */
const heldCodes: readonly (number | undefined)[] = [11, 35, 13]

type Lock = 'locked' | 'held' | 'unsupported'

/** The calls of a system's C library. */
interface Calls {
  /** @returns 0, or another number for an error */
  lock(file: number): number
  /** @returns where the error of the last call is */
  errno(): Pointer | bigint | null
}

const address = { args: [], returns: 'ptr' } as const

const systems: Readonly<Partial<Record<NodeJS.Platform, { libraries: string[]; open(library: string): Calls }>>> = {
  linux: {
    libraries: ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1'],
    open(library) {
      const fcntl = { args: ['int', 'int', 'ptr'], returns: 'int' } as const
      const { symbols } = dlopen(library, { fcntl, __errno_location: address })
      return { lock: file => symbols.fcntl(file, F_OFD_SETLK, firstByte), errno: symbols.__errno_location }
    },
  },
  // Its fcntl takes the third argument in a way that bun:ffi cannot give it on ARM.
  darwin: {
    libraries: ['/usr/lib/libSystem.B.dylib'],
    open(library) {
      const lockf = { args: ['int', 'int', 'i64'], returns: 'int' } as const
      const { symbols } = dlopen(library, { lockf, __error: address })
      return { lock: file => symbols.lockf(file, F_TLOCK, 1), errno: symbols.__error }
    },
  },
}

/**
 * Locks the first byte of a file, also after the file is renamed or removed. The kernel releases the lock at any end of
 * the process.
 *
 * SQLite's own locks on the same file are from byte 2^30 on, so the two never meet. They belong to the process: SQLite
 * releases those of the whole file whenever it has none left, as before a new file gets its log, and so does the close
 * of any descriptor of the file. A lock of that kind would go with them. On Linux, this one belongs to the open file
 * and stays until that is closed. macOS has only the other kind for us: there, the lock is lost in a new or restored
 * file. flock(2) is not used: on macOS it collides with SQLite's locks.
 * @returns a function that releases the lock. Call it after SQLite has closed the file, because it would lose its
 *   locks; `held` when another gateway or command has it; `unsupported` when the file cannot be opened for writing or
 *   the system knows no such lock
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
  const system = systems[process.platform]
  if (system === undefined) return 'unsupported'
  for (const library of system.libraries) {
    try {
      // Both are loaded before the lock is taken, so that nothing comes between the two calls.
      const { lock, errno } = system.open(library)
      if (lock(file) === 0) return 'locked'
      const error = errno()
      return error !== null && heldCodes.includes(read.i32(error, 0)) ? 'held' : 'unsupported'
    } catch {
      // Not this system's library.
    }
  }
  return 'unsupported'
}
