import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dir, '..')
const named = process.env.WAYPOST_BINARY
/** The executable that is tested. `WAYPOST_BINARY` names another build than the one in `dist/`. */
export const binary = named ? resolve(named) : resolve(root, 'dist/waypost')

/** What the executable is made of, its documents included. */
const sources = [
  '{package.json,bun.lock,SECURITY.md}',
  '{src,workers,db,docs,packaging}/**',
  '{clients,packages}/*/README.md',
]

/**
 * The normal run has built the executable, and names it. Without a name it is built where there is none, and where a source
 * is newer: no test judges an old program.
 */
export function ensureBuilt(): void {
  if (named) {
    if (existsSync(binary)) return
    throw new Error(`There is no executable at ${binary}, which WAYPOST_BINARY names.`)
  }
  if (isNewest()) return
  const { success, stderr } = Bun.spawnSync([process.execPath, 'run', 'build'], { cwd: root })
  if (!success) throw new Error(`The executable cannot be built: ${stderr}`)
}

function isNewest(): boolean {
  const builtAt = statSync(binary, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const paths = sources.flatMap(source => [...new Bun.Glob(source).scanSync({ cwd: root })])
  return paths.every(path => statSync(join(root, path)).mtimeMs <= builtAt)
}
