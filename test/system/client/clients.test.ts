import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { firstLine } from '../../cli/waypost.ts'
import { binary, ensureBuilt } from '../../executable.ts'
import { needs } from '../../programs.ts'
import { root } from '../../structure/modules.ts'
import { chromiumPath, launchChromium } from '../browser/chromium.ts'
import { installClients } from './installation.ts'

/** Each address sends the caller on to another host, by another status. */
let met: string[] = []
const serveElsewhere = () =>
  Bun.serve({
    hostname: '127.0.0.2',
    port: 0,
    fetch: request => {
      met.push(request.url)
      return Response.json({ success: true, data: { id: 'msg_1', status: 'SENT' } })
    },
  })
const serveRedirects = (location: string) =>
  Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => {
      met.push('redirected')
      return new Response(null, { status: 307, headers: { location } })
    },
  })
/** Never answers. */
const serveNothing = () =>
  Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 0, fetch: () => new Promise(() => {}) })
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

let folder = ''
let pythonPath: Record<string, string> = {}
let details = ''
let control = ''
let key: Record<string, string> = {}
const ending = new AsyncDisposableStack()
beforeAll(async () => {
  ensureBuilt()
  const installed = await installClients()
  folder = installed.folder
  pythonPath = installed.python
  ending.defer(() => rmSync(folder, { recursive: true, force: true }))
  const elsewhere = serveElsewhere()
  const redirecting = serveRedirects(elsewhere.url.href)
  const hanging = serveNothing()
  for (const server of [elsewhere, redirecting, hanging]) ending.defer(() => server.stop(true))
  const command = [binary, 'sandbox', '--gateway', '--json', '--port=0', '--gateway-port=0']
  const kit = Bun.spawn(command, { cwd: folder, env: {}, stdout: 'pipe', stderr: 'inherit' })
  ending.defer(async () => {
    kit.kill('SIGTERM')
    await kit.exited
  })
  const printed = JSON.parse(await firstLine(kit.stdout)) as Record<'control' | 'url' | 'apiKey' | 'apiSecret', string>
  details = JSON.stringify({ ...printed, redirecting: redirecting.url.href, hanging: hanging.url.href, noAddresses })
  control = printed.control
  key = { WAYPOST_URL: printed.url, WAYPOST_API_KEY: printed.apiKey, WAYPOST_API_SECRET: printed.apiSecret }
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, 'story.ts')],
    outdir: folder,
    target: 'node',
    naming: '[name].mjs',
    external: ['@waypost/client'],
  })
  expect(built.success).toBe(true)
})
beforeEach(async () => {
  met = []
  await fetch(`${control}/reset`, { method: 'POST' })
})
afterAll(() => ending.disposeAsync())

const story = {
  sent: 'SENT',
  read: 'READ',
  queued: 'READ',
  isReplay: true,
  templates: ['order_confirmation'],
  conflict: ['IDEMPOTENCY_CONFLICT', 'order-1'],
  checked: [false, 'Another', 'IDEMPOTENCY_CONFLICT /idempotencyKey'],
  unknown: ['NOT_FOUND', null],
  stranger: ['UNAUTHORIZED', null],
  redirected: 'order-2',
  noStatus: expect.stringMatching(/^status: wait for one of QUEUED, SENT, DELIVERED, READ, not '?FAILED'?$/),
  noAddress: [expect.stringMatching(/^url: pass the address of the gateway, as in "https:\/\/gateway.example.com": /)],
  noKey: expect.stringMatching(
    /^api_?[sS]ecret: pass it as it was shown when it was made, without spaces or line ends$/,
  ),
  failed: true,
  final: 'FAILED',
  later: ['SCHEDULED', true, 'SCHEDULED', ['CANCELLED', 'CANCELLED'], ['CONFLICT', null], 'CANCELLED'],
  neverSent: 'The message ID was cancelled',
  finals: ['FAILED', 'READ'],
  hung: true,
  steps: ['2 message.sent SENT', '3 message.delivered DELIVERED', '4 message.read READ'],
  isNext: true,
  noEvents: ['VALIDATION_ERROR', null],
  listed: [['message.failed', 'message.read'], [true], []],
  inbound: ['yes', 'Yes', true, '+15550150100', true, true],
  noInbound: ['VALIDATION_ERROR', null],
  media: ['image/jpeg', true, true, true, true, 2, ['NOT_FOUND', null], ['RANGE_NOT_SATISFIABLE', null]],
  uploaded: ['image', 'image/jpeg', 'Beleg "1".jpg', true, 'image', 'SENT', ['VALIDATION_ERROR', null]],
  waited: 'READ',
  marked: ['markAsRead'],
  noEnvironment: 'WAYPOST_URL, WAYPOST_API_SECRET: not set in the environment',
  attempts: [
    ['POST', '/messages/send', 1, 'order-3', 201, null],
    ['GET', '/messages/msg_nothing', 1, null, 404, 'NOT_FOUND'],
  ],
  told: [],
}

async function tell(command: readonly string[], env: Record<string, string> = {}) {
  const child = Bun.spawn([...command], {
    cwd: folder,
    env: { KIT: details, ...key, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
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

test.skipIf(node === null)('a program that says require has the same client, in Node', async () => {
  // As Jest, and versions of Node that cannot require ES modules.
  const call = `const { WaypostClient, verifyWebhook } = require('@waypost/client')
WaypostClient.fromEnvironment().templates({ name: 'order_confirmation' })
  .then(({ length }) => console.log(JSON.stringify([length > 0, typeof verifyWebhook])))`
  const flags = process.versions.node.startsWith('18') ? [] : ['--no-experimental-require-module']
  const seen = await tell([node ?? '', ...flags, '--input-type=commonjs', '-e', call])
  expect(seen).toEqual({ code: 0, stderr: '', seen: [true, 'function'] })
})

const browser = needs('in a page it needs no key, and refuses a secret', ['Chromium', chromiumPath !== null])
test.skipIf(browser.isMissing)(browser.name, async () => {
  await Bun.write(
    join(folder, 'page.js'),
    `import { WaypostClient } from '@waypost/client'
const gateway = new WaypostClient({ url: location.origin + '/waypost', withoutKey: true })
const { id } = await gateway.send({ type: 'text', phone: '+15550150100', content: 'Hi' })
const { status } = await gateway.waitFor(id, 'READ')
const errorOf = call => { try { call() } catch (error) { return error.message } }
const key = { url: location.origin, apiKey: 'pk_1', apiSecret: 'sk_1' }
globalThis.seen = [status, errorOf(() => new WaypostClient(key)), errorOf(() => WaypostClient.fromEnvironment())]`,
  )
  const { outputs } = await Bun.build({ entrypoints: [join(folder, 'page.js')], target: 'browser' })
  const { url, apiKey = '', apiSecret = '' } = JSON.parse(details) as Record<string, string>
  const as = (type: string) => ({ headers: { 'content-type': type } })
  /** The page's own server: it adds the key. */
  const own = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    routes: {
      '/': new Response('<script type="module" src="/page.js"></script>', as('text/html')),
      '/page.js': new Response(outputs[0], as('text/javascript')),
      '/waypost/*': async ({ url: asked, method, body, headers }) => {
        const type = headers.get('content-type')
        const passed = { apiKey, apiSecret, ...(type !== null && { 'content-type': type }) }
        return fetch(url + new URL(asked).pathname.replace('/waypost', ''), { method, body, headers: passed })
      },
    },
  })
  const chromium = await launchChromium()
  try {
    const page = await chromium.newPage()
    const failed = new Promise((_, reject) => page.on('pageerror', reject))
    await page.goto(own.url.href)
    await Promise.race([page.waitForFunction('globalThis.seen'), failed])
    expect(await page.evaluate('globalThis.seen')).toEqual([
      'READ',
      expect.stringMatching(/^apiSecret: everybody can read it in a web page/),
      'WAYPOST_URL, WAYPOST_API_KEY, WAYPOST_API_SECRET: not set in the environment',
    ])
  } finally {
    await chromium.close()
    await own.stop(true)
  }
})

test.skipIf(python === null)('the Python client does the same', async () => {
  const seen = await tell([python ?? '', join(import.meta.dir, 'story.py')], pythonPath)
  expect(seen).toEqual({ code: 0, stderr: '', seen: story })
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
    expect(await tell([python ?? '', '-c', call], pythonPath)).toEqual({ code: 0, stderr: '', seen: 'msg_1' })
  } finally {
    await own.stop(true)
  }
})

test.skipIf(python === null)('a hook that fails is logged in Python, and changes no call', async () => {
  const { url, apiKey, apiSecret } = JSON.parse(details) as Record<string, string>
  const call = `import json, waypost
def fail(event):
    raise ValueError("no log")
client = waypost.Client("${url}", "${apiKey}", "${apiSecret}", before_attempt=fail, after_attempt=fail)
print(json.dumps(len(client.templates(name="order_confirmation")) > 0))`
  const { seen, stderr } = await tell([python ?? '', '-c', call], pythonPath)
  expect(seen).toBe(true)
  expect(stderr.match(/ValueError: no log/g)).toHaveLength(2)
})
