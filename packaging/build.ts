import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './command.ts'
import { executableName } from './targets.ts'

const root = join(import.meta.dir, '..')

export interface Built {
  /** The executable, alone in its folder. */
  readonly executable: string
  /** JSON files that together name every file that is in it: in the program, and in the console's page. */
  readonly contents: readonly string[]
}

/** Builds by the same line as `bun run build`, for the target. @param work a folder of the release's own */
export function build(target: string, work: string): Built {
  const scratch = join(work, `${target}-build`)
  const built = join(scratch, executableName(target))
  const contents = join(work, `${target}-contents.json`)
  run(
    [process.execPath, 'run', 'build', `--target=bun-${target}`, `--metafile=${contents}`, '--outfile', built],
    // The environment of a caller decides nothing about what is built.
    { cwd: root, env: { NODE_ENV: '', WAYPOST_COMMIT: '', WAYPOST_COMMIT_DATE: '' } },
  )
  // The source maps beside it are left behind: traces name lines of the source without them.
  const folder = join(work, target)
  const executable = join(folder, executableName(target))
  mkdirSync(folder)
  copyFileSync(built, executable)
  rmSync(scratch, { recursive: true })
  return { executable, contents: [contents, join(root, 'dist/console.inputs.json')] }
}
