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
/** Each address sends the caller on to another host, by another status. */
let met: string[] = []
const elsewhere = Bun.serve({
  hostname: '127.0.0.2',
  port: 0,
  fetch: request => {
    met.push(request.url)
    return Response.json({ success: true, data: { id: 'msg_1', status: 'SENT' } })
  },
})
const redirecting = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: () => {
    met.push('redirected')
    return new Response(null, { status: 307, headers: { location: elsewhere.url.href } })
  },
})
const noAddresses = [
  '',
  'gateway.example.com',
  'localhost:8080',
  '//gateway.example.com',
  'ftp://gateway.example.com',
  'https://',
  'https://user:password@gateway.example.com',
  'https://gateway.example.com:99999',
  'https://gateway.example.com?a=1',
  'https://gateway.example.com/#a',
  'https://gateway.example.com/a b',
  'https://gateway.example.com/api/v1/public/',
]

let details = ''
let control = ''
beforeAll(async () => {
  const printed = JSON.parse(await firstLine(kit.stdout)) as { control: string }
  details = JSON.stringify({ ...printed, redirecting: redirecting.url.href, noAddresses })
  control = printed.control
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, 'story.ts')],
    outdir: folder,
    target: 'node',
    naming: '[name].mjs',
  })
  expect(built.success).toBe(true)
})
beforeEach(async () => {
  met = []
  await fetch(`${control}/reset`, { method: 'POST' })
})
afterAll(async () => {
  kit.kill('SIGTERM')
  await kit.exited
  await redirecting.stop(true)
  await elsewhere.stop(true)
  rmSync(folder, { recursive: true, force: true })
})

const story = {
  sent: 'SENT',
  read: 'READ',
  queued: 'READ',
  isReplay: true,
  templates: ['order_confirmation'],
  conflict: ['IDEMPOTENCY_CONFLICT', 'order-1'],
  unknown: ['NOT_FOUND', null],
  stranger: ['UNAUTHORIZED', null],
  redirected: 'order-2',
  noStatus: expect.stringMatching(/^status: wait for one of QUEUED, SENT, DELIVERED, READ, not '?FAILED'?$/),
  noAddress: [expect.stringMatching(/^url: pass the address of the gateway, as in "https:\/\/gateway.example.com": /)],
  noKey: expect.stringMatching(
    /^api_?[sS]ecret: pass it as it was shown when it was made, without spaces or line ends$/,
  ),
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
  expect(met).toEqual(['redirected'])
})

test.skipIf(node === null)('the same in Node', async () => {
  expect(await tell([node ?? '', 'story.mjs'])).toEqual({ code: 0, stderr: '', seen: story })
  expect(met).toEqual(['redirected'])
})

test.skipIf(python === null)('the Python client does the same', async () => {
  const env = { PYTHONPATH: join(root, 'clients/python'), PYTHONDONTWRITEBYTECODE: '1' }
  expect(await tell([python ?? '', join(import.meta.dir, 'story.py')], env)).toEqual({
    code: 0,
    stderr: '',
    seen: story,
  })
  expect(met).toEqual(['redirected'])
})

test.skipIf(python === null)('the Python client takes a context for a certificate of your own', async () => {
  const certificates = join(root, 'test/transport/certificates')
  const own = Bun.serve({
    port: 0,
    tls: { cert: Bun.file(join(certificates, 'localhost.pem')), key: Bun.file(join(certificates, 'key.pem')) },
    fetch: () => Response.json({ success: true, data: { id: 'msg_1', status: 'SENT' } }),
  })
  try {
    const call = `import ssl, waypost
context = ssl.create_default_context(cafile="${certificates}/ca.pem")
client = waypost.Client("https://localhost:${own.port}", "pk_1", "sk_1", context=context)
print('"' + client.status("msg_1")["id"] + '"')`
    const env = { PYTHONPATH: join(root, 'clients/python'), PYTHONDONTWRITEBYTECODE: '1' }
    expect(await tell([python ?? '', '-c', call], env)).toEqual({ code: 0, stderr: '', seen: 'msg_1' })
  } finally {
    await own.stop(true)
  }
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
