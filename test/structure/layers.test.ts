import { describe, expect, test } from 'bun:test'
import { layers } from './layers.ts'
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

const written = ({ from, to }: { from: string; to: string }) => `${from} -> ${to}`

const graph: Graph = new Map(
  modules.map(({ path }) => [path, edges.filter(({ from }) => from === path).map(({ to }) => to)]),
)

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
    expect(edges.filter(isUpwards).map(written)).toEqual([])
  })

  test('no files import each other in a circle, not even types', () => {
    expect(shortestCycle(graph)).toEqual([])
  })
})

describe('the walk finds', () => {
  test('the shortest circle', () => {
    const example = new Map([
      ['a', ['b', 'c']],
      ['b', ['c']],
      ['c', ['a']],
      ['d', ['a']],
    ])
    expect(shortestCycle(example)).toEqual(['a', 'c', 'a'])
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
    expect(store?.imports).toContainEqual({ target: 'db/contract/store.ts', isType: true })
  })
})
