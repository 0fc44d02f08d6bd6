import { describe, expect, test } from 'bun:test'
import { layers, pending } from './layers.ts'
import { type Graph, isUnder, modules, shortestCycle } from './modules.ts'

/** @returns the place of the layer that has the file, and the path that names it there. */
function placesOf(file: string) {
  return layers.flatMap(({ paths }, height) =>
    paths.filter(path => isUnder(file, path)).map(path => ({ height, path })),
  )
}

const placed = new Map(modules.map(({ path }) => [path, placesOf(path)[0]]))

/** Every import of a file of ours, type imports included. */
const edges = modules.flatMap(({ path, imports }) =>
  [...new Set(imports.map(({ target }) => target))]
    .filter(target => placed.has(target))
    .map(target => ({ from: path, to: target })),
)

const isUpwards = ({ from, to }: { from: string; to: string }) => {
  const [own, other] = [placed.get(from), placed.get(to)]
  return own !== undefined && other !== undefined && own.path !== other.path && other.height >= own.height
}

const isPending = ({ from, to }: { from: string; to: string }) =>
  pending.some(edge => edge.from === from && edge.to === to)

const written = ({ from, to }: { from: string; to: string }) => `${from} -> ${to}`

const graphOf = (kept: readonly { from: string; to: string }[]): Graph =>
  new Map(modules.map(({ path }) => [path, kept.filter(({ from }) => from === path).map(({ to }) => to)]))

describe('the layers', () => {
  test('have every file of the program, each once (a new file or folder gets its place in layers.ts)', () => {
    const misplaced = modules.map(({ path }) => ({ path, places: placesOf(path).length }))
    expect(misplaced.filter(({ places }) => places !== 1)).toEqual([])
  })

  test('name only what exists', () => {
    const empty = layers.flatMap(({ paths }) => paths).filter(path => !modules.some(file => isUnder(file.path, path)))
    expect(empty).toEqual([])
  })

  test('no file imports a higher layer or another folder of its own, not even a type', () => {
    expect(edges.filter(edge => isUpwards(edge) && !isPending(edge)).map(written)).toEqual([])
  })

  test('no files import each other in a circle, not even types', () => {
    expect(shortestCycle(graphOf(edges.filter(edge => !isPending(edge))))).toEqual([])
  })

  test('nothing is pending that is mended', () => {
    const isNeeded = (edge: { from: string; to: string }) => {
      if (!edges.some(({ from, to }) => from === edge.from && to === edge.to)) return false
      const others = edges.filter(other => !isPending(other) || written(other) === written(edge))
      return isUpwards(edge) || shortestCycle(graphOf(others)).length > 0
    }
    expect(pending.filter(edge => !isNeeded(edge)).map(written)).toEqual([])
  })
})

describe('the walk finds', () => {
  test('the shortest circle', () => {
    const graph = new Map([
      ['a', ['b', 'c']],
      ['b', ['c']],
      ['c', ['a']],
      ['d', ['a']],
    ])
    expect(shortestCycle(graph)).toEqual(['a', 'c', 'a'])
  })

  test('none in a graph without one', () => {
    expect(
      shortestCycle(
        new Map([
          ['a', ['b', 'c']],
          ['b', ['c']],
          ['c', []],
        ]),
      ),
    ).toEqual([])
  })

  test('type imports', () => {
    const store = modules.find(({ path }) => path === 'src/jobs/job.ts')
    expect(store?.imports).toContainEqual({ target: 'db/store.ts', isType: true })
  })
})
