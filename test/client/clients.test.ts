import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { firstLine } from '../cli/waypost.ts'
import { binary, ensureBuilt } from '../executable.ts'
import { hungAfterMs } from '../timeLimit.ts'

setDefaultTimeout(hungAfterMs)

const root = resolve(import.meta.dir, '../..')
const folder = mkdtempSync(join(tmpdir(), 'waypost-clients-'))
ensureBuilt()
const kit = Bun.spawn([binary, 'sandbox', '--gateway', '--json', '--port=0', '--gateway-port=0'], {
  cwd: folder,
  env: {},
  stdout: 'pipe',
  stderr: 'inherit',
})
let details = ''
let control = ''
beforeAll(async () => {
  details = await firstLine(kit.stdout)
  control = (JSON.parse(details) as { control: string }).control
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, 'story.ts')],
    outdir: folder,
    target: 'node',
    naming: '[name].mjs',
  })
  expect(built.success).toBe(true)
})
beforeEach(async () => {
  await fetch(`${control}/reset`, { method: 'POST' })
})
afterAll(async () => {
  kit.kill('SIGTERM')
  await kit.exited
  rmSync(folder, { recursive: true, force: true })
})

const story = {
  sent: 'SENT',
  read: 'READ',
  isReplay: true,
  templates: ['order_confirmation'],
  conflict: 'IDEMPOTENCY_CONFLICT',
  unknown: 'NOT_FOUND',
  stranger: 'UNAUTHORIZED',
  failed: true,
}

async function tell(command: readonly string[], env: Record<string, string> = {}) {
  const child = Bun.spawn([...command], { cwd: folder, env: { KIT: details, ...env }, stdout: 'pipe', stderr: 'pipe' })
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, stderr, seen: code === 0 ? (JSON.parse(stdout) as unknown) : null }
}

const node = Bun.which('node')
const python = Bun.which('python3')

test('the TypeScript client sends, waits, repeats and refuses against the executable, in Bun', async () => {
  expect(await tell([process.execPath, 'story.mjs'])).toEqual({ code: 0, stderr: '', seen: story })
})

test.skipIf(node === null)('the same in Node', async () => {
  expect(await tell([node ?? '', 'story.mjs'])).toEqual({ code: 0, stderr: '', seen: story })
})

test.skipIf(python === null)('the Python client does the same', async () => {
  const env = { PYTHONPATH: join(root, 'clients/python'), PYTHONDONTWRITEBYTECODE: '1' }
  expect(await tell([python ?? '', join(import.meta.dir, 'story.py')], env)).toEqual({
    code: 0,
    stderr: '',
    seen: story,
  })
})

test('its types are those of the API document that the executable serves', async () => {
  const { url } = JSON.parse(details) as { url: string }
  const document = await (await fetch(`${url}/docs/json`)).text()
  const types = await Bun.file(join(root, 'packages/client/src/api.ts')).text()
  // When this fails: bun run client:types
  expect(types.split('\n', 1)[0]).toEndWith(Bun.CryptoHasher.hash('sha256', document, 'hex'))
})

test('the built package needs nothing beside itself', async () => {
  const { outputs, success } = await Bun.build({
    entrypoints: [join(root, 'packages/client/src/index.ts')],
    target: 'node',
  })
  expect(success).toBe(true)
  const [output] = outputs
  expect(
    new Bun.Transpiler({ loader: 'js' }).scanImports((await output?.text()) ?? 'import "nothing was built"'),
  ).toEqual([])
})
