import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

export const root = join(import.meta.dir, '../..')

export interface Import {
  /** As it is written: a package, or a path made relative to the repository. */
  readonly target: string
  /** Only types: nothing of it is there when the program runs. */
  readonly isType: boolean
  /** By `import()`: nothing of it is there before that runs. */
  readonly isLate?: true
}

export interface Module {
  /** Relative to the repository: `src/message/state.ts`. */
  readonly path: string
  readonly text: string
  readonly imports: readonly Import[]
}

const comments = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm
/** @returns the text without its comments */
export const codeOf = (text: string) => text.replace(comments, '')

const statements = /^(?:import|export)\s+(type\s+)?([^'"`;]*?\s+from\s+)?'([^']+)'/gm
const dynamic = /\bimport\(\s*'([^']+)'\s*\)/g

/** `{ type A, type B }` leaves nothing behind either. */
const isOnlyTypes = (names: string) => {
  const inner = /^\{([\s\S]*)\}\s*from\s*$/.exec(names.trim())?.[1]
  const parts = inner
    ?.split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
  return parts !== undefined && parts.length > 0 && parts.every(part => part.startsWith('type '))
}

function readModule(path: string): Module {
  const text = readFileSync(join(root, path), 'utf8')
  const code = codeOf(text)
  const resolve = (target: string) => (target.startsWith('.') ? join(dirname(path), target) : target)
  const written = [...code.matchAll(statements)].map(([, type, names = '', target = '']) => ({
    target: resolve(target),
    isType: type !== undefined || isOnlyTypes(names),
  }))
  const late = [...code.matchAll(dynamic)].map(([, target = '']) => resolve(target))
  return {
    path,
    text,
    imports: [...written, ...late.map(target => ({ target, isType: false, isLate: true }) as const)],
  }
}

const modulesOf = (folders: readonly string[]): readonly Module[] =>
  folders
    .flatMap(folder => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter(entry => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map(entry => relative(root, join(entry.parentPath, entry.name)))
    .sort()
    .map(readModule)

/** Every module of the program itself. */
export const modules = modulesOf(['src', 'workers', 'db'])

/** Every module of the tests. */
export const testModules = modulesOf(['test'])

/** Whether the file is part of the page, which runs in a browser. */
export const isPage = (path: string) => isUnder(path, 'src/console/web', 'src/partner/docs/guides/browser')

const byPath = new Map(modules.map(module => [module.path, module]))

/** Everything that may run when this module runs: its own modules and packages, over any number of steps. */
export const closure = (path: string): Set<string> => reachedFrom([path], ({ isType }) => !isType)

/** Everything that is loaded together with these modules, before any `import()` of theirs runs. */
export const loadedWith = (...paths: readonly string[]): Set<string> =>
  reachedFrom(paths, ({ isType, isLate }) => !isType && !isLate)

function reachedFrom(paths: readonly string[], isFollowed: (each: Import) => boolean): Set<string> {
  const reached = new Set<string>()
  const open = [...paths]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (reached.has(next)) continue
    reached.add(next)
    for (const each of byPath.get(next)?.imports ?? []) if (isFollowed(each)) open.push(each.target)
  }
  return reached
}

export const isUnder = (path: string, ...folders: readonly string[]) =>
  folders.some(folder => path === folder || path.startsWith(`${folder}/`))

/** Who imports whom. */
export type Graph = ReadonlyMap<string, readonly string[]>

/** @returns the files of the shortest circle of imports, the first one also at the end; empty when there is none. */
export function shortestCycle(graph: Graph): readonly string[] {
  const circles = [...graph.keys()].map(start => shortestWayBack(graph, start)).filter(circle => circle.length > 0)
  return circles.reduce<readonly string[]>(
    (best, circle) => (best.length === 0 || circle.length < best.length ? circle : best),
    [],
  )
}

function shortestWayBack(graph: Graph, start: string): readonly string[] {
  const ways = [[start]]
  const seen = new Set<string>()
  for (let way = ways.shift(); way !== undefined; way = ways.shift()) {
    for (const next of graph.get(way.at(-1) ?? start) ?? []) {
      if (next === start) return [...way, start]
      if (seen.has(next)) continue
      seen.add(next)
      ways.push([...way, next])
    }
  }
  return []
}
