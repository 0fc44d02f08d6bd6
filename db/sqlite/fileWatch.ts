import { statSync } from 'node:fs'
import type { Clock } from '../../src/base/clock.ts'
import { databaseFile } from './lock.ts'

/** The database and its log: what is committed goes into the one or the other. */
const suffixes = ['', '-wal'] as const

/**
 * Detects that a file of an open database was removed or replaced. Writes would then go to a file that is lost.
 * @param path of the database, whose files exist
 * @returns a function that answers with the path of a file that is not the one it was; null while all are in their
 *   place
 */
export function watchFiles(path: string): () => string | null {
  // By the name it was opened by: a link that leads elsewhere now is another file as well.
  const real = databaseFile(path)
  const files = suffixes.flatMap(suffix => {
    const name = suffix === '' ? path : real + suffix
    const identity = identityOf(name)
    return identity === null ? [] : [{ name, identity }]
  })
  return () => files.find(({ name, identity }) => identityOf(name) !== identity)?.name ?? null
}

/** An idle gateway detects it within this time; one with sends at the next commit. */
const lookMs = 1_000

/**
 * Checks regularly that the files of an open database are in place.
 * @param onLost called once, with the path of the first file that is not
 * @returns a function that ends it
 */
export function keepWatch(path: string, clock: Clock, onLost: (file: string) => void): () => void {
  const findLost = watchFiles(path)
  const look = () => {
    const lost = findLost()
    if (lost === null) cancel = clock.setTimer(lookMs, look)
    else onLost(lost)
  }
  let cancel = clock.setTimer(lookMs, look)
  return () => cancel()
}

/** @returns device and number of the file; null when there is none */
function identityOf(path: string): string | null {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat ? `${stat.dev}:${stat.ino}` : null
  } catch {
    return null
  }
}
