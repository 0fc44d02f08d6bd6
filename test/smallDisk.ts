import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk that can be filled up and freed while a gateway works on it. */
export interface SmallDisk {
  readonly folder: string
  /** From now on nothing more fits, whoever writes. */
  fill(pid: number): void
  free(pid: number): void
  remove(): void
}

const has = (command: string) => Bun.which(command) !== null
const run = (...command: string[]) => Bun.spawnSync(command).success

function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'waypost-disk-'))
}

const tmpfsKibibytes = 24 * 1024

/** Only an administrator may mount. */
export const canMount = ((): boolean => {
  if (process.platform !== 'linux' || !has('mount')) return false
  const folder = makeFolder()
  const isMounted = run('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder)
  if (isMounted) run('umount', '--lazy', folder)
  rmSync(folder, { recursive: true })
  return isMounted
})()

/** A file system of its own, in memory: writes to it end with ENOSPC once it is full. */
export function mountSmallDisk(kibibytes = tmpfsKibibytes): SmallDisk {
  const folder = makeFolder()
  if (!run('mount', '-t', 'tmpfs', '-o', `size=${kibibytes}k`, 'tmpfs', folder)) throw new Error('cannot mount')
  const filler = join(folder, 'filler')
  return {
    folder,
    fill() {
      const file = openSync(filler, 'w')
      // In ever smaller pieces, so that not one page is left.
      for (let bytes = 1_048_576; bytes >= 1; bytes = Math.floor(bytes / 2)) {
        try {
          for (;;) writeSync(file, Buffer.alloc(bytes))
        } catch {}
      }
      closeSync(file)
    },
    free() {
      rmSync(filler, { force: true })
    },
    remove() {
      // Lazily: a closed connection keeps its file until it is collected.
      run('umount', '--lazy', folder)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const canLimit = process.platform === 'linux' && has('prlimit')

/**
 * An ordinary folder; the process itself is forbidden to let a file grow: writes end with EFBIG, which is an I/O error.
 */
export function limitedDisk(): SmallDisk {
  const folder = makeFolder()
  const limit = (pid: number, bytes: string) => {
    if (!run('prlimit', '--pid', String(pid), `--fsize=${bytes}:unlimited`)) throw new Error('cannot set the limit')
  }
  return {
    folder,
    fill: pid => limit(pid, '0'),
    free: pid => limit(pid, 'unlimited'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
