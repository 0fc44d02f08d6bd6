import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type AddressInfo, createServer } from 'node:net'
import { numberedId } from '../../src/base/ids.ts'
import { webhookHeaders } from '../../src/base/webhookSignature.ts'
import { accepted, draft, seedStore } from '../db/fixtures.ts'
import { startTestGateway } from '../gateway.ts'
import { Deployment, expectRefusal } from './waypost.ts'

const deployment = new Deployment()
const received: { headers: Headers; body: string }[] = []
const receiver = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: async request => {
    received.push({ headers: request.headers, body: await request.text() })
    return new Response(null, { status: received.length === 1 ? 204 : 500 })
  },
})
beforeAll(() => deployment.withStore(seedStore))
afterAll(async () => {
  await receiver.stop(true)
  deployment.remove()
})

/** The lines of a command that goes on. */
function linesOf(output: ReadableStream<Uint8Array>) {
  const decoder = new TextDecoder()
  const reader = output.getReader()
  let text = ''
  return async (): Promise<string> => {
    while (!text.includes('\n')) text += decoder.decode((await reader.read()).value, { stream: true })
    const line = text.slice(0, text.indexOf('\n'))
    text = text.slice(line.length + 1)
    return line
  }
}

test('prints each event in a line and forwards it signed, also when the receiver refuses one', async () => {
  const beginning = numberedId('evt', 'ws_1', 0)
  const child = deployment.spawn(['listen', '--after', beginning, '--forward-to', `${receiver.url}hook`])
  const line = linesOf(child.stdout)
  const secret = /whsec_\S+/.exec(await linesOf(child.stderr)())?.[0] ?? ''
  const ids = ['msg_1', 'msg_2']
  await deployment.withStore(async ({ write }) => {
    for (const id of ids) {
      await write.acceptMessage(draft({ id }))
      await write.recordEvent(accepted(id))
    }
  })
  expect(await line()).toMatch(new RegExp(`^\\S+  message.sent  ${ids[0]} SENT  → 204$`))
  expect(await line()).toMatch(new RegExp(`^\\S+  message.sent  ${ids[1]} SENT  → 500$`))
  child.kill('SIGINT')
  expect(await child.exited).toBe(0)
  for (const [at, { headers, body }] of received.entries()) {
    const event = JSON.parse(body)
    expect(event).toMatchObject({
      type: 'message.sent',
      sequence: 2,
      data: { message: { id: ids[at], status: 'SENT' } },
    })
    const signed = { id: event.id, seconds: Number(headers.get('webhook-timestamp')), body }
    expect(Object.fromEntries(headers)).toMatchObject(webhookHeaders([secret], signed))
  }
})

test('reads a gateway elsewhere with a key', async () => {
  const gateway = await startTestGateway()
  await gateway.send({ type: 'text', phone: '+15550100200', content: 'Hello' })
  const { json } = await gateway.get('/api/v1/public/events')
  const args = ['listen', '--url', gateway.url, '--after', numberedId('evt', gateway.workspaceId, 0), '--json']
  const env = { WAYPOST_API_KEY: gateway.key.apiKey, WAYPOST_API_SECRET: gateway.key.apiSecret }
  const child = deployment.spawn(args, { env })
  expect(JSON.parse(await linesOf(child.stdout)())).toEqual(json.data[0])
  child.kill('SIGINT')
  expect(await child.exited).toBe(0)
  const wrong = { ...env, WAYPOST_API_SECRET: 'sk_wrong' }
  expectRefusal(await deployment.run(['listen', '--url', gateway.url], { env: wrong }), 1, 'Send a valid pair')
  await gateway.stop()
})

test('asks again when an answer is cut off, as by a gateway that is killed', async () => {
  const event = { id: 'evt_1', type: 'message.sent', timestamp: '2026-01-01T00:00:00.000Z', sequence: 2, data: {} }
  const whole = JSON.stringify({ success: true, data: [event], next: event.id })
  let answers = 0
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', () => {
      const body = answers++ === 0 ? whole.slice(0, 20) : whole
      socket.end(
        `HTTP/1.1 200 OK\r\nRetry-After: 0.05\r\nConnection: close\r\nContent-Length: ${whole.length}\r\n\r\n${body}`,
      )
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const env = { WAYPOST_API_KEY: 'pk_1', WAYPOST_API_SECRET: 'sk_1' }
  const child = deployment.spawn(['listen', '--url', `http://127.0.0.1:${port}`, '--json'], { env })
  expect(JSON.parse(await linesOf(child.stdout)())).toEqual(event)
  child.kill('SIGINT')
  await child.exited
  server.close()
})

test('says once that a gateway elsewhere does not answer, and names the secret beside the JSON', async () => {
  let answers = 0
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => {
      answers += 1
      return new Response(null, { status: 503, headers: { 'Retry-After': '0.01' } })
    },
  })
  const env = { WAYPOST_API_KEY: 'pk_1', WAYPOST_API_SECRET: 'sk_1' }
  const url = server.url.origin
  const child = deployment.spawn(['listen', '--url', url, '--forward-to', `${receiver.url}hook`, '--json'], { env })
  const line = linesOf(child.stderr)
  expect(await line()).toContain('whsec_')
  expect(await line()).toBe(`${url} is asked again until it gives events, or until Ctrl-C: it answered 503`)
  for (const asked = answers; answers < asked + 3; ) await Bun.sleep(10)
  // Nobody is there any more: the trouble goes on, and was said.
  await server.stop(true)
  child.kill('SIGINT')
  expect(await child.exited).toBe(0)
  expect(await child.stdout.text()).toBe('')
})

test('an answer without an end, of a gateway or of a receiver, is left', async () => {
  const left = new Set<string>()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) => {
      const { pathname } = new URL(url)
      const pull = (controller: ReadableStreamDefaultController) => controller.enqueue(new Uint8Array(65_536))
      return new Response(new ReadableStream({ pull, cancel: () => void left.add(pathname) }))
    },
  })
  const url = server.url.origin
  const env = { WAYPOST_API_KEY: 'pk_1', WAYPOST_API_SECRET: 'sk_1' }
  const ended = await deployment.run(['listen', '--url', url], { env })
  expectRefusal(ended, 1, 'answered with more than 16 MB')
  const own = new Deployment()
  await own.withStore(async store => {
    await seedStore(store)
    await store.write.acceptMessage(draft({ id: 'msg_1' }))
    await store.write.recordEvent(accepted('msg_1'))
  })
  const child = own.spawn(['listen', '--after', numberedId('evt', 'ws_1', 0), '--forward-to', `${url}/hook`])
  expect(await linesOf(child.stdout)()).toContain('→ 200')
  child.kill('SIGINT')
  await child.exited
  expect([...left]).toEqual(['/api/v1/public/events', '/hook'])
  await server.stop(true)
  own.remove()
})

test.each([
  ['a type that does not exist', ['--type', 'message.lost'], 'message.sent'],
  ['a gateway elsewhere without its key', ['--url', 'http://127.0.0.1:1'], 'WAYPOST_API_KEY'],
  [
    'a place of another workspace',
    ['--after', numberedId('evt', 'ws_another_workspace', 1)],
    'no position in the list of this workspace',
  ],
  [
    'a password, which nothing would send on',
    ['--forward-to', 'http://ada:hidden@127.0.0.1:9'],
    'must not carry a user name',
  ],
  ['a user of a gateway', ['--url', 'http://ada@127.0.0.1:9'], 'must not carry a user name'],
])('2: %s', async (_, args, says) => {
  const ended = await deployment.run(['listen', ...args])
  expectRefusal(ended, 2, says)
  expect(ended.stderr).not.toContain('hidden')
})
