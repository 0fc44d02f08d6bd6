import { join } from 'node:path'
import { run } from './processes.ts'

/** The executable of an earlier state. */
export interface Reference {
  /** Its commit, in short. */
  readonly name: string
  readonly binary: string
}

const repository = join(import.meta.dir, '../..')

/**
 * Builds a commit of this repository in a clone, with the packages of its own lock file.
 * @param folder which is empty or absent, and is the clone afterwards
 * @throws Error with what git or the build said
 */
export async function buildReference(commit: string, folder: string): Promise<Reference> {
  // Where the cache of the packages is, and which registry they come from.
  const env = Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => !!entry[1]))
  const name = (await run(['git', 'rev-parse', '--short', `${commit}^{commit}`], {}, repository)).trim()
  await run(['git', 'clone', '--quiet', '--shared', '--no-checkout', repository, folder], {})
  await run(['git', 'checkout', '--quiet', name], {}, folder)
  await run([process.execPath, 'install', '--frozen-lockfile'], env, folder)
  await run([process.execPath, 'run', 'build'], env, folder)
  return { name, binary: join(folder, 'dist/waypost') }
}
