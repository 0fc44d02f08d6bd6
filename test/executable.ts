import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

const root = resolve(import.meta.dir, '..')
const named = process.env.WAYPOST_BINARY
/** The executable that is tested. `WAYPOST_BINARY` names another build than the one in `dist/`. */
export const binary = named ? resolve(named) : resolve(root, 'dist/waypost')

/**
 * The normal run has built the executable. `bun test` alone builds it where there is none; one that is older than the
 * sources stays as it is.
 */
export function ensureBuilt(): void {
  if (existsSync(binary)) return
  if (named) throw new Error(`There is no executable at ${binary}, which WAYPOST_BINARY names.`)
  const { success, stderr } = Bun.spawnSync([process.execPath, 'run', 'build'], { cwd: root })
  if (!success) throw new Error(`The executable cannot be built: ${stderr}`)
}
