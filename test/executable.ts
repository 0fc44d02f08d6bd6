import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dir, '..')
const named = process.env.WAYPOST_BINARY
const ownBuild = resolve(root, 'dist/waypost')
/** The executable that is tested. `WAYPOST_BINARY` names another build than the one in `dist/`. */
export const binary = named ? resolve(named) : ownBuild

/** What the executable is made of, its documents included. */
const sources = [
  '{package.json,bun.lock,SECURITY.md}',
  '{src,workers,db,docs,packaging}/**',
  '{clients,packages}/*/README.md',
]

/**
 * The normal run has built the executable, and names it. Without a name it is built where there is none, and where a
 * source is newer: no test judges an old program.
 * @throws Error when `WAYPOST_BINARY` names none, or the one of `dist/` while a source is newer
 */
export function ensureBuilt(): void {
  const isThere = existsSync(binary)
  if (named && !isThere) throw new Error(`There is no executable at ${binary}, which WAYPOST_BINARY names.`)
  // Another build is tested as it is.
  if (binary !== ownBuild) return
  const changed = isThere ? changedSince(statSync(binary).mtimeMs, root) : binary
  if (changed === null) return
  if (named) throw new Error(`${binary}, which WAYPOST_BINARY names, is older than ${changed}: bun run build`)
  const { success, stderr } = Bun.spawnSync([process.execPath, 'run', 'build'], { cwd: root })
  if (!success) throw new Error(`The executable cannot be built: ${stderr}`)
}

/** @returns a source below the folder that is newer than this time; null when none is */
function changedSince(builtAtMs: number, folder: string): string | null {
  const paths = sources.flatMap(source => [...new Bun.Glob(source).scanSync({ cwd: folder })])
  return paths.find(path => statSync(join(folder, path)).mtimeMs > builtAtMs) ?? null
}
