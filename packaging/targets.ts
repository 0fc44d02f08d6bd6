/** One system that the executable is built for. */
export interface Target {
  /** In the name of its archive. */
  readonly name: string
  /** What packages call the processor; null where there is no package. */
  readonly packages: { readonly debian: string; readonly rpm: string } | null
}

/** Everything that a release has. `bun build --target` takes the names, with `bun-` before them. */
export const TARGETS: readonly Target[] = [
  { name: 'linux-x64', packages: { debian: 'amd64', rpm: 'x86_64' } },
  { name: 'linux-arm64', packages: { debian: 'arm64', rpm: 'aarch64' } },
  { name: 'linux-x64-musl', packages: null },
  { name: 'linux-arm64-musl', packages: null },
  { name: 'darwin-arm64', packages: null },
  { name: 'darwin-x64', packages: null },
  { name: 'windows-x64', packages: null },
]

/** The target that this machine runs. */
export const hostTarget = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

export const isWindows = (target: string): boolean => target.startsWith('windows')

/** @returns the executable's own name. */
export const executableName = (target: string): string => (isWindows(target) ? 'waypost.exe' : 'waypost')
