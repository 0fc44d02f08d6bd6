import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dir, '..')

/** A package that the executable has inside, in whole or in part. */
export interface Inside {
  readonly name: string
  readonly version: string
  /** As its package.json says it, an SPDX expression. */
  readonly licence: string
  readonly author: string | null
  readonly folder: string
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly author?: string | { readonly name: string }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const readManifest = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** @throws Error when a package names no licence */
function describe(folder: string): Inside {
  const { name, version, license, author } = readManifest(folder)
  if (!license) throw new Error(`${folder}/package.json names no licence`)
  return {
    name,
    version,
    licence: license,
    author: typeof author === 'object' ? author.name : (author ?? null),
    folder,
  }
}

/**
 * @param contents the bundler's own lists of the files (`--metafile`)
 * @returns the packages of which a file is inside
 */
export async function bundled(contents: readonly string[]): Promise<Inside[]> {
  const lists = await Promise.all(contents.map(path => Bun.file(path).json() as Promise<{ inputs: object }>))
  const folders = new Set(lists.flatMap(({ inputs }) => Object.keys(inputs)).flatMap(packageFolder))
  return [...folders].map(describe)
}

/** @returns the folder of the package that a file belongs to, or nothing for a file of ours */
function packageFolder(file: string): string[] {
  const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []
  return folder === undefined ? [] : [join(root, folder)]
}

/**
 * Everything that a package needs to run, and it too: as much as a bundle of it can have inside.
 * @param name of a package of ours; null: all that we need to run
 */
export function neededBy(name: string | null): Inside[] {
  const folders = new Set<string>()
  function add(folder: string) {
    if (folders.has(folder)) return
    folders.add(folder)
    const { dependencies, peerDependencies } = readManifest(folder)
    for (const needed of Object.keys({ ...peerDependencies, ...dependencies })) {
      const found = locate(folder, needed)
      if (found !== null) add(found)
    }
  }
  if (name === null) {
    add(root)
    folders.delete(root)
  } else {
    add(join(root, 'node_modules', name))
  }
  return [...folders].map(describe)
}

/** @returns the folder that an import of this package finds; null for one that is not installed, which a peer may be */
function locate(from: string, name: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return candidate
    if (folder === root || folder === dirname(folder)) return null
  }
}
