export const isInstalled = (program: string): boolean => Bun.which(program) !== null

/**
 * Runs a program of the packaging.
 * @returns what it printed
 * @throws Error with what it printed when it fails, or when it is not installed
 */
export function run(command: readonly string[], options: { cwd?: string; env?: Record<string, string> } = {}): string {
  const { cwd, env } = options
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], {
    ...(cwd !== undefined && { cwd }),
    env: { ...process.env, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  if (exitCode !== 0) throw new Error(`${command.join(' ')} failed: ${stderr}${stdout}`)
  return stdout.toString()
}
