import { afterAll, beforeAll, expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { ERRORS } from '../../../src/base/errors.ts'
import { guideList } from '../../../src/partner/docs/guides/pages.ts'
import { eventually } from '../../eventually.ts'
import { binary, ensureBuilt } from '../../executable.ts'
import { accept, postCallback, startUpstream, statusCallback, type Upstream } from '../../upstream.ts'
import { appSecret, Installation } from './installation.ts'

beforeAll(ensureBuilt)

const closers: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

function install(upstream: Upstream = startUpstream()): Installation {
  const installation = new Installation(upstream.url)
  closers.push(async () => {
    await installation.remove()
    await upstream.stop()
  })
  return installation
}

/** An upstream that tells when a message has come, and answers it when the test says so. */
function heldUpstream() {
  const arrived = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const upstream = startUpstream(async request => {
    arrived.resolve()
    await released.promise
    return accept(request)
  })
  return { upstream, arrived: arrived.promise, release: released.resolve }
}

test('tells its version and ends with 2 when it is called wrongly', async () => {
  const installation = install()

  const { version } = await installation.json<{ version: string }>('version')
  const wrong = await installation.run('wrokspace')

  expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  expect(wrong).toMatchObject({ code: 2, stdout: '' })
  expect(wrong.stderr).toContain('wrokspace')
  expect(installation.files()).toEqual([])
})

test('is the same wherever it was built: no file name in it has the folder of the source', async () => {
  const executable = await Bun.file(binary).bytes()

  expect(Buffer.from(executable.buffer).includes(resolve(import.meta.dir, '../../..'))).toBe(false)
})

test('serves its health and an API reference that needs no other host', async () => {
  const gateway = await install().serve()

  const [live, ready, page, script, document] = await Promise.all(
    ['/livez', '/readyz', '/docs', '/docs/scalar.js', '/docs/json'].map(path => gateway.get(path)),
  )

  expect([live?.status, ready?.status]).toEqual([200, 200])
  expect(page).toMatchObject({ status: 200, type: expect.stringContaining('text/html') })
  expect(page?.text.match(/(src|href|url)\s*[=(:]\s*["']?(https?:)?\/\/[^"'\s)]+/gi)).toBeNull()
  expect(script).toMatchObject({ status: 200, type: expect.stringContaining('javascript') })
  expect(JSON.parse(document?.text ?? '').paths).toHaveProperty(['/api/v1/public/messages/send', 'post'])
  expect(await gateway.end('SIGTERM')).toBe(0)
})

test('serves the console with every file that it names, from inside', async () => {
  const gateway = await install().serve()

  const document = await gateway.get('/console/w/ws_1/messages')
  const files = [...document.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path)
  const answers = await Promise.all(files.map(path => gateway.get(path)))

  expect(document).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' })
  expect(document.text).not.toMatch(/(src|href)="(https?:)?\/\//)
  expect(files.length).toBeGreaterThanOrEqual(3)
  expect(answers.map(({ status }) => status)).toEqual(files.map(() => 200))
  expect(answers.map(({ type }) => type?.split(';')[0]).sort()).toEqual([
    'image/svg+xml',
    'text/css',
    'text/javascript',
  ])
  expect(await gateway.end('SIGTERM')).toBe(0)
})

test('serves every guide from inside, and an error leads to the heading of its code', async () => {
  const gateway = await install().serve()

  const guides = await Promise.all(guideList.map(({ name }) => gateway.get(`/docs/${name}`)))
  const refused = await fetch(`${gateway.url}/api/v1/public/templates`)
  const [, link = ''] = /^<([^>#]*#[^>]*)>; rel="help"$/.exec(refused.headers.get('link') ?? '') ?? []
  const page = await gateway.get(link)

  expect(guides.map(({ status }) => status)).toEqual(guideList.map(() => 200))
  expect(guides.every(({ text }) => text.includes('<main '))).toBe(true)
  for (const reason of Object.keys(ERRORS)) expect(page.text).toContain(`id="${reason}"`)
  expect(link).toEndWith('#UNAUTHORIZED')
  expect(await gateway.end('SIGTERM')).toBe(0)
})

test('sends, and a restart on the same data still knows the message and its idempotency key', async () => {
  const installation = install()
  const { key } = await installation.provision()
  const first = await installation.serve()

  const sent = await first.send(key, 'order-1')
  const code = await first.end('SIGTERM')
  const second = await installation.serve()
  const id = sent.json.data?.id ?? ''
  const status = await second.status(key, id)
  const replay = await second.send(key, 'order-1')

  expect(sent).toMatchObject({ status: 201, json: { data: { status: 'SENT', idempotentReplay: false } } })
  expect(code).toBe(0)
  expect(status).toMatchObject({ status: 200, json: { data: { id, status: 'SENT' } } })
  expect(replay).toMatchObject({ status: 200, json: { data: { id, idempotentReplay: true } } })
})

test('SIGTERM: a send in flight gets its answer, nothing new is taken, and the exit code is 0', async () => {
  const { upstream, arrived, release } = heldUpstream()
  const installation = install(upstream)
  const { key } = await installation.provision()
  const gateway = await installation.serve()

  const answer = gateway.send(key, 'order-1')
  await arrived
  const ended = gateway.end('SIGTERM')
  await eventually(async () => {
    const ready = await fetch(`${gateway.url}/readyz`).catch(() => null)
    expect(ready?.ok ?? false).toBe(false)
  })
  release()
  const { status, json } = await answer

  expect({ status, json }).toMatchObject({ status: 201, json: { data: { status: 'SENT' } } })
  expect(await ended).toBe(0)
  expect(upstream.received).toHaveLength(1)
})

test.each([
  ['SIGINT', 'SIGTERM'],
  ['SIGTERM', 'SIGTERM'],
] as const)('%s, then %s: the second signal does not wait for what is in flight', async (first, second) => {
  const { upstream, arrived, release } = heldUpstream()
  const installation = install(upstream)
  const { key } = await installation.provision()
  const gateway = await installation.serve()

  const answer = gateway.send(key, 'order-1').catch(() => 'cut off')
  await arrived
  void gateway.end(first)
  await eventually(() => expect(fetch(`${gateway.url}/readyz`)).rejects.toThrow())
  const ended = gateway.end(second)

  expect(await answer).toBe('cut off')
  expect(await ended).not.toBe(0)
  release()
})

test('SIGKILL: what was in flight is UNKNOWN after the restart, is not resent, and its callback settles it', async () => {
  const { upstream, arrived, release } = heldUpstream()
  const installation = install(upstream)
  const { workspaceId, callbackPath, key } = await installation.provision()
  const first = await installation.serve()

  const answer = first.send(key, 'order-1').catch(() => 'cut off')
  await arrived
  await first.end('SIGKILL')
  expect(await answer).toBe('cut off')
  const second = await installation.serve()
  const [message] = await installation.json<{ id: string; status: string }[]>(
    ...['message', 'list', '--workspace', workspaceId],
  )
  const id = message?.id ?? ''
  const unknown = await second.status(key, id)
  const callback = statusCallback({
    id: 'wamid.late',
    status: 'delivered',
    timestamp: String(Math.floor(Date.now() / 1000)),
    biz_opaque_callback_data: String(upstream.received[0]?.json.biz_opaque_callback_data),
  })
  const taken = await postCallback(second.url + callbackPath, callback, appSecret)
  const settled = await second.status(key, id)
  const replay = await second.send(key, 'order-1')
  release()

  expect(unknown).toMatchObject({ status: 200, json: { data: { id, status: 'UNKNOWN' } } })
  expect(taken.status).toBe(200)
  expect(settled).toMatchObject({ status: 200, json: { data: { id, status: 'DELIVERED' } } })
  expect(replay).toMatchObject({ status: 200, json: { data: { id, status: 'DELIVERED', idempotentReplay: true } } })
  expect(upstream.received).toHaveLength(1)
})

test('401 UNAUTHORIZED: a key that the command line revokes is refused at the next request', async () => {
  const installation = install()
  const { workspaceId, key } = await installation.provision()
  const second = await installation.createKey(workspaceId)
  const gateway = await installation.serve()
  const before = await gateway.send(second, 'order-1')

  await installation.json('key', 'revoke', second.apiKey)
  const after = await gateway.send(second, 'order-2')
  const other = await gateway.send(key, 'order-3')

  expect([before.status, after.status, other.status]).toEqual([201, 401, 201])
  expect(after.json.error).toBe('UNAUTHORIZED')
})

test('leaves nothing in its folder but the data, and uses no file that it finds there', async () => {
  const installation = install()
  installation.plant('.env', 'LOG_LEVEL=nonsense\nDATA_DIR=./elsewhere\n')
  installation.plant('bunfig.toml', 'preload = ["./planted.ts"]\n')
  for (const name of [
    'planted.ts',
    'workers/writer.ts',
    'workers/sender.ts',
    'workers/backup.ts',
    'workers/notifier.ts',
  ]) {
    installation.plant(name, 'process.exit(77)\n')
  }
  const planted = installation.files()
  const { key } = await installation.provision()
  const gateway = await installation.serve()

  const sent = await gateway.send(key, 'order-1')
  const code = await gateway.end('SIGTERM')

  expect([sent.status, code]).toEqual([201, 0])
  expect(installation.files()).toEqual([...planted, 'data'].sort())
})
