import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../package.json'
import { WORKERS } from '../../src/threads/thread.ts'
import { isUnder, modules, root, testModules } from './modules.ts'

describe('the executable', () => {
  const entries = manifest.scripts.build.split(/\s+/).filter(word => word.endsWith('.ts'))

  test('is built from main.ts and exactly the worker threads that the program spawns', () => {
    expect(entries.toSorted()).toEqual(['src/main.ts', ...Object.values(WORKERS)].sort())
    for (const entry of entries) expect(existsSync(join(root, entry))).toBe(true)
  })

  test('main.ts comes first: it is what runs', () => {
    expect(entries[0]).toBe('src/main.ts')
  })

  test('every file of workers/ is one of its threads', () => {
    const files = modules.map(({ path }) => path).filter(path => isUnder(path, 'workers'))
    expect(files).toEqual(Object.values(WORKERS).sort())
  })

  test('reads no .env and no bunfig of a foreign folder', () => {
    expect(manifest.scripts.build).toContain('--no-compile-autoload-dotenv')
    expect(manifest.scripts.build).toContain('--no-compile-autoload-bunfig')
  })
})

const peersOf = (name: string): string[] => {
  const { peerDependencies = {} } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'))
  return Object.keys(peerDependencies)
}

describe('dependencies', () => {
  test('are pinned to one version each', () => {
    const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
  })

  test('are all used by the program', () => {
    const used = new Set(modules.flatMap(({ imports }) => imports.map(({ target }) => target)))
    const text = modules.map(module => module.text).join('\n')
    const names = Object.keys(manifest.dependencies)
    const isNamed = (name: string) => [...used].some(target => isUnder(target, name)) || text.includes(`${name}/`)
    // What a used one leaves to us to install.
    const peers = new Set(names.filter(isNamed).flatMap(peersOf))
    const unused = names.filter(name => !isNamed(name) && !peers.has(name))
    expect(unused).toEqual([])
  })
})

describe('every file', () => {
  const linesMax = 400
  /** The formatter's too: it breaks code, and leaves comments and strings to us. */
  const columnsMax = 120

  test(`has at most ${linesMax} lines`, () => {
    const long = modules.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    expect(long.filter(({ lines }) => lines > linesMax)).toEqual([])
  })

  test(`has no line beyond ${columnsMax} columns`, () => {
    const wide = modules
      .flatMap(({ path, text }) => text.split('\n').map((line, at) => ({ where: `${path}:${at + 1}`, line })))
      .filter(({ line }) => line.length > columnsMax)
    expect(wide.map(({ where }) => where)).toEqual([])
  })

  test('has no `any` for a type, and silences no checker', () => {
    const any = /(?::|\bas|[<|&,(=])\s*any\b\s*(?=[>[\])|&,;=}]|$)|@ts-(ignore|nocheck|expect-error)/m
    // What the client's types refuse; then answers and bodies of every shape: tests read the fields that they assert.
    const untyped = [
      'test/e2e/carousel.test.ts',
      'test/e2e/recorded/clients.ts',
      'test/e2e/stack.ts',
      'test/gateway.ts',
      'test/system/client/consumer.ts',
      'test/webhooks/receiver.ts',
    ]
    const found = [...modules, ...testModules].filter(({ text }) => any.test(text)).map(({ path }) => path)
    expect(found.sort()).toEqual(untyped)
  })

  test('leaves nothing to be done', () => {
    expect(modules.filter(({ text }) => /\b(TODO|FIXME|XXX|HACK)\b/.test(text)).map(({ path }) => path)).toEqual([])
  })
})
