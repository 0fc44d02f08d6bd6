import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../../../src/cli/version.ts'
import { needs, program, run } from '../../programs.ts'
import { root } from '../../structure/modules.ts'
import { hungAfterMs } from '../../timeLimit.ts'
import { type Installation, installClients } from './installation.ts'

setDefaultTimeout(5 * hungAfterMs)

let installed: Installation
beforeAll(async () => {
  installed = await installClients()
  for (const name of ['consumer.ts', 'consumer.py']) {
    copyFileSync(join(import.meta.dir, name), join(installed.folder, name))
  }
})
afterAll(() => rmSync(installed.folder, { recursive: true, force: true }))

const atClient = (path: string) => join(installed.folder, 'node_modules/@waypost/client', path)

describe('the TypeScript client, installed', () => {
  const types = join(root, 'node_modules/@types')
  const places = [
    ['Node', ['ES2022'], ['node'], types],
    ['Bun', ['ESNext'], ['bun-types'], join(root, 'node_modules')],
    ['a browser', ['ES2022', 'DOM', 'DOM.Iterable'], [], types],
  ] as const
  const resolutions = [
    ['nodenext', 'nodenext', 'module'],
    ['node16', 'node16', 'module'],
    ['node16', 'node16', 'commonjs'],
    ['bundler', 'preserve', 'module'],
  ] as const
  const cases = places.flatMap(place => resolutions.map(resolution => [...place, ...resolution] as const))

  test.each(cases)('is right in its types, and refuses wrong sends, in %s', async (place, lib, uses, from, ...how) => {
    const [moduleResolution, module, type] = how
    const folder = join(installed.folder, `${place}-${moduleResolution}-${type}`)
    mkdirSync(folder)
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type }))
    copyFileSync(join(import.meta.dir, 'consumer.ts'), join(folder, 'consumer.ts'))
    const strict = { strict: true, noEmit: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true }
    const compilerOptions = {
      ...strict,
      target: 'ES2022',
      lib,
      types: uses,
      typeRoots: [from],
      moduleResolution,
      module,
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }))
    const { stdout } = await run([join(root, 'node_modules/.bin/tsc'), '--project', folder])
    // The declarations of the runtime itself are not ours to mend; those of the client are checked.
    const isOfRuntime = (line: string) => /node_modules\/(bun-types|@types)\//.test(line)
    expect(stdout.split('\n').filter(line => line !== '' && !isOfRuntime(line))).toEqual([])
  })

  test('has no scripts, which npm would warn of', () => {
    expect(JSON.parse(readFileSync(atClient('package.json'), 'utf8'))).not.toHaveProperty('scripts')
  })

  test('needs nothing beside itself, and nothing that a browser does not have', async () => {
    for (const folder of ['dist', 'dist/require']) {
      const scripts = readdirSync(atClient(folder)).filter(name => name.endsWith('.js'))
      expect(scripts).toContain('index.js')
      const imports = scripts.flatMap(name =>
        new Bun.Transpiler({ loader: 'js' }).scanImports(readFileSync(atClient(join(folder, name)), 'utf8')),
      )
      expect(imports.filter(({ path }) => !/^\.\/\w+\.js$/.test(path))).toEqual([])
    }
  })
})

describe('the Python client, installed', () => {
  const python = program('python3')
  const checkers = [
    ['pyright, strictly', [process.execPath, join(root, 'node_modules/pyright/index.js')], python],
    ['mypy --strict', ['mypy', '--strict', '--cache-dir', '/dev/null', 'consumer.py'], program('mypy')],
  ] as const

  describe.each(checkers)('%s', (_, command, checker) => {
    const { isMissing, name } = needs('finds its types right, and refuses wrong sends', python, checker)
    test.skipIf(isMissing)(name, async () => {
      const settings = {
        typeCheckingMode: 'strict',
        reportUnnecessaryTypeIgnoreComment: true,
        include: ['consumer.py'],
      }
      writeFileSync(join(installed.folder, 'pyrightconfig.json'), JSON.stringify({ ...settings, pythonVersion: '3.9' }))
      const { code, stdout } = await run(command, { cwd: installed.folder, env: { ...installed.python } })
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^0 errors|^Success: no issues/) })
    })
  })

  test('says that it is typed', () => {
    // A ZIP has the names of its files in plain text.
    expect(readFileSync(installed.packed[1]).includes('waypost/py.typed')).toBe(true)
  })
})

test('both bear the version of the gateway that they are released with', async () => {
  const own = JSON.parse(readFileSync(atClient('package.json'), 'utf8')) as { version: string }
  const wheel = installed.packed[1]
  const python = readFileSync(join(root, 'clients/python/waypost/__init__.py'), 'utf8')
  expect([own.version, /-([\d.]+)-py3/.exec(wheel)?.[1], /__version__ = "(.+)"/.exec(python)?.[1]]).toEqual([
    version,
    version,
    version,
  ])
})
