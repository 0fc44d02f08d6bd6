import { dlopen } from 'bun:ffi'
import { existsSync } from 'node:fs'
import { hungAfterMs } from './timeLimit.ts'

/** Something of the machine that a test needs: a name for people, and whether it is there. */
export type Need = readonly [name: string, isThere: boolean]

export const program = (name: string): Need => [name, Bun.which(name) !== null]
export const file = (path: string): Need => [path, existsSync(path)]
export const library = (name: string, func: string): Need => [name, canLoad(name, func)]
export const linuxX64: Need = ['Linux on x64', process.platform === 'linux' && process.arch === 'x64']

function canLoad(library: string, func: string): boolean {
  try {
    dlopen(library, { [func]: {} }).close()
    return true
  } catch {
    return false
  }
}

/** What keeps a test from running here, and its name, which says so. */
export function needs(name: string, ...all: readonly Need[]): { isMissing: boolean; name: string } {
  const missing = all.filter(([, isThere]) => !isThere).map(([need]) => need)
  if (missing.length === 0) return { isMissing: false, name }
  return { isMissing: true, name: `${name} (skipped here, without ${missing.join(', ')})` }
}

/** Runs a program to its end. It is ended by force after the time, and never has the caller's input. */
export async function run(command: readonly string[], options: { cwd?: string; env?: Record<string, string> } = {}) {
  const { cwd, env } = options
  const child = Bun.spawn([...command], {
    ...(cwd !== undefined && { cwd }),
    env: { ...process.env, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: 5 * hungAfterMs,
    killSignal: 'SIGKILL',
  })
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, stdout, stderr }
}
