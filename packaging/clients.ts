import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pyproject from '../clients/python/pyproject.toml' with { type: 'toml' }
import manifest from '../packages/client/package.json' with { type: 'json' }
import { run } from './command.ts'
import { setTimes } from './tree.ts'

/** What packs the clients. */
export const clientPrograms: readonly string[] = ['zip']

const root = join(import.meta.dir, '..')
const licence = join(root, 'LICENSE')

/**
 * Builds the TypeScript client, and packs it for `npm install`. The same source gives the same bytes.
 * @param work a folder to work in
 * @param out the folder that the package goes to
 * @returns the path of the package
 */
export function typescriptClient(work: string, out: string): string {
  const source = join(root, 'packages/client')
  const tree = mkdtempSync(join(work, 'npm-'))
  const tsc = join(root, 'node_modules/.bin/tsc')
  run([tsc, '--project', source, '--outDir', join(tree, 'dist')])
  // For those who say `require`, as Jest does: the package itself is made of ES modules.
  const forRequire = join(tree, 'dist/require')
  run([tsc, '--project', join(source, 'tsconfig.require.json'), '--outDir', forRequire])
  writeFileSync(join(forRequire, 'package.json'), '{ "type": "commonjs" }\n')
  copyFileSync(join(source, 'README.md'), join(tree, 'README.md'))
  copyFileSync(licence, join(tree, 'LICENSE'))
  // Without the scripts: what they make is there, and npm would ask whoever installs it whether to run them.
  writeFileSync(join(tree, 'package.json'), `${JSON.stringify({ ...manifest, scripts: undefined }, null, 2)}\n`)
  const pack = ['pm', 'pack', '--quiet', '--destination', out]
  return run([process.execPath, ...pack], { cwd: tree }).trim()
}

/**
 * Packs the Python client as a wheel for `pip install`: a ZIP with what PEP 427 asks for beside the package. The same
 * source and time give the same bytes.
 * @param epoch seconds since 1970: the time of every file
 * @returns the path of the wheel
 */
export function pythonClient(work: string, out: string, epoch: number): string {
  const source = join(root, 'clients/python')
  const { name, version, description, license, 'requires-python': python } = pyproject.project
  const distribution = `${name.replaceAll('-', '_')}-${version}`
  const info = `${distribution}.dist-info`
  const tree = mkdtempSync(join(work, 'wheel-'))
  mkdirSync(join(tree, info, 'licenses'), { recursive: true })
  for (const each of pyproject.tool.setuptools.packages) {
    cpSync(join(source, each), join(tree, each), { recursive: true, filter: path => !path.endsWith('__pycache__') })
  }
  copyFileSync(licence, join(tree, info, 'licenses/LICENSE'))
  const metadata = `Metadata-Version: 2.4
Name: ${name}
Version: ${version}
Summary: ${description}
License-Expression: ${license}
License-File: LICENSE
Requires-Python: ${python}
Description-Content-Type: text/markdown

${readFileSync(join(source, 'README.md'), 'utf8')}`
  writeFileSync(join(tree, info, 'METADATA'), metadata)
  const tag = 'py3-none-any'
  const wheel = `Wheel-Version: 1.0\nGenerator: waypost\nRoot-Is-Purelib: true\nTag: ${tag}\n`
  writeFileSync(join(tree, info, 'WHEEL'), wheel)
  const files = readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(tree.length + 1))
    .sort()
  const record = `${info}/RECORD`
  writeFileSync(join(tree, record), `${files.map(path => recorded(tree, path)).join('')}${record},,\n`)

  run(['chmod', '-R', 'u=rwX,go=rX', tree])
  setTimes(tree, epoch)
  const path = join(out, `${distribution}-${tag}.whl`)
  // Without the extra fields, which hold times of access; in UTC, because ZIP has local times.
  run(['zip', '-q', '-X', path, ...files, record], { cwd: tree, env: { TZ: 'UTC' } })
  return path
}

/** @returns the line of a file in a wheel's RECORD: its path, the sum in base64 for addresses, its size in bytes */
function recorded(tree: string, path: string): string {
  const bytes = readFileSync(join(tree, path))
  const sum = new Bun.CryptoHasher('sha256').update(bytes).digest('base64url')
  return `${path},sha256=${sum},${bytes.length}\n`
}
