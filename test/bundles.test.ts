import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { testFolder } from './folder.ts'
import { run } from './programs.ts'

const within = testFolder('bundles')
/** The shared temporary folder of one test. */
const temporaryFolder = () => mkdtempSync(within('tmp-'))

/** Above all that Linux gives to a process. */
const endedPid = 4_194_305
const user = process.getuid?.() ?? 0
const preload = (name: string) => ['--preload', resolve(import.meta.dir, name)]
const starting = `
  const { workerUrl } = await import(${JSON.stringify(resolve(import.meta.dir, '../src/threads/thread.ts'))})
  new Worker(workerUrl('writer')).terminate()`

test('in the shared temporary folder, what ended processes left is removed, and what others left is left alone', async () => {
  const TMPDIR = temporaryFolder()
  const bundlesOf = (owner: number) => join(TMPDIR, `waypost-bundles-${owner}`)
  const left = (owner: number) => join(bundlesOf(owner), `${endedPid}-1`)
  for (const owner of [user, user + 1]) mkdirSync(left(owner), { recursive: true })
  const command = [process.execPath, ...preload('bundledWorkers.ts'), '-e', starting]
  const { code, stderr } = await run(command, { env: { TMPDIR } })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(existsSync(left(user + 1))).toBe(true)
  const [own, ...others] = readdirSync(bundlesOf(user))
  expect(others).toEqual([])
  expect(existsSync(join(bundlesOf(user), own ?? '', 'writer/writer.js'))).toBe(true)
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
  const TMPDIR = temporaryFolder()
  const [plain, bundled] = await Promise.all(
    [[], preload('bundledPackages.ts')].map(how =>
      run([process.execPath, ...how, '-e', named], { cwd, env: { TMPDIR } }),
    ),
  )
  expect(plain).toMatchObject({ code: 0, stdout: expect.stringContaining('"errors":3') })
  expect(bundled).toEqual(plain)
  const folders = [...new Bun.Glob('waypost-bundles-*/*/packages/*').scanSync({ cwd: TMPDIR, onlyFiles: false })]
  expect(folders.map(path => basename(path))).toEqual(expect.arrayContaining(['@sinclair', 'typebox']))
})
