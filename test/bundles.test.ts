import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { testFolder } from './folder.ts'
import { run } from './programs.ts'

const within = testFolder('bundles')

/** Above all that Linux gives to a process. */
const endedPid = 4_194_305
const user = process.getuid?.() ?? 0
const preload = (name: string) => ['--preload', resolve(import.meta.dir, name)]
const starting = `
  const { workerUrl } = await import(${JSON.stringify(resolve(import.meta.dir, '../src/threads/thread.ts'))})
  new Worker(workerUrl('writer')).terminate()`

test('in the shared temporary folder, what ended processes left is removed, and what others left is left alone', async () => {
  const left = (owner: number) => within(`waypost-bundles-${owner}`, `${endedPid}-1`)
  for (const owner of [user, user + 1]) mkdirSync(left(owner), { recursive: true })
  const env = { TMPDIR: within() }
  const { code, stderr } = await run([process.execPath, ...preload('bundledWorkers.ts'), '-e', starting], { env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(existsSync(left(user + 1))).toBe(true)
  const [own, ...others] = readdirSync(within(`waypost-bundles-${user}`))
  expect(others).toEqual([])
  expect(existsSync(join(within(`waypost-bundles-${user}`), own ?? '', 'writer/writer.js'))).toBe(true)
  expect(own).not.toStartWith(`${endedPid}-`)
})

test('a bundled package gives each of its names, and one copy of what its entries share', async () => {
  const named = `
    const entries = ['', '/compile', '/error', '/format', '/guard', '/schema', '/system', '/type', '/value']
    const older = ['', '/compiler', '/errors', '/parser', '/syntax', '/system', '/type', '/value']
    const specifiers = [...entries.map(name => 'typebox' + name), ...older.map(name => '@sinclair/typebox' + name)]
    const names = await Promise.all(specifiers.map(async name => [name, Object.keys(await import(name)).sort()]))
    const { Settings } = await import('typebox/system')
    Settings.Set({ maxErrors: 3 })
    const { Type } = await import('typebox')
    const { Value } = await import('typebox/value')
    const errors = Value.Errors(Type.Array(Type.String()), [1, 2, 3, 4, 5, 6, 7, 8, 9]).length
    console.log(JSON.stringify({ names, errors }))`
  const cwd = resolve(import.meta.dir, '..')
  const [plain, bundled] = await Promise.all(
    [[], preload('bundledPackages.ts')].map(how =>
      run([process.execPath, ...how, '-e', named], { cwd, env: { TMPDIR: within() } }),
    ),
  )
  expect(plain).toMatchObject({ code: 0, stdout: expect.stringContaining('"errors":3') })
  expect(bundled).toEqual(plain)
  const folders = [...new Bun.Glob('waypost-bundles-*/*/packages/*').scanSync({ cwd: within(), onlyFiles: false })]
  expect(folders.map(path => basename(path))).toEqual(expect.arrayContaining(['@sinclair', 'typebox']))
})
