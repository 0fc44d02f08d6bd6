import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type net from 'node:net'
import { join } from 'node:path'
import type tls from 'node:tls'
import type { Exchange, HttpRequest } from '../../../src/transport/transport.ts'
import { testFolder } from '../../folder.ts'
import { answer, closeLater, closeOpened, listen, post, serveInHand } from '../../transport/farEnd.ts'
import type { Program } from '../../transport/program.ts'
import { ca, listenTls } from '../../transport/tlsServer.ts'

/** What is promised from source is also promised by the executable, whose runtime is built anew. */
const within = testFolder('transport')
const executable = () => within('program')
afterEach(closeOpened)

beforeAll(async () => {
  const flags = [
    '--compile',
    '--bytecode',
    '--format=esm',
    '--minify-syntax',
    '--minify-whitespace',
    '--no-compile-autoload-dotenv',
  ]
  const command = [
    process.execPath,
    'build',
    ...flags,
    join(import.meta.dir, '../../transport/program.ts'),
    '--outfile',
    executable(),
  ]
  expect(await Bun.spawn(command, { stdout: 'ignore', stderr: 'inherit' }).exited).toBe(0)
})

async function run(program: Program, env: Record<string, string> = {}): Promise<Exchange[][]> {
  const stdin = new Response(JSON.stringify(program))
  const child = Bun.spawn([executable()], { cwd: within(), env, stdin, stdout: 'pipe', stderr: 'inherit' })
  closeLater(() => child.kill())
  const ends = (await child.stdout.json()) as Exchange[][]
  expect(await child.exited).toBe(0)
  return ends
}

async function exchange(url: string, fields: Partial<HttpRequest> = {}): Promise<Exchange | undefined> {
  const [[end] = []] = await run({ batches: [[post(url, fields)]], ca })
  return end
}

const http = (port: number) => `http://127.0.0.1:${port}/`

describe('the compiled transport', () => {
  test('keeps a connection, and uses another one when it was closed', async () => {
    const { port, sockets } = await serveInHand(answer)
    const batches = [[post(http(port))], [post(http(port))]]
    expect((await run({ batches })).flat()).toMatchObject([{ kind: 'answered' }, { kind: 'answered', body: 'ok' }])
    expect(sockets).toHaveLength(1)
  })

  test('has more than 256 exchanges under way at once', async () => {
    const waiting: net.Socket[] = []
    const port = await listen(socket =>
      socket.once('data', () => {
        if (waiting.push(socket) === 300) for (const each of waiting) each.write(answer)
      }),
    )
    const [ends = []] = await run({ batches: [Array.from({ length: 300 }, () => post(http(port)))] })
    expect(new Set(ends.map(({ kind }) => kind))).toEqual(new Set(['answered']))
  })

  test('reads an answer in chunks behind interim answers', async () => {
    const port = await listen(socket =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Enco')
        socket.write('ding: chunked\r\n\r\n1\r\n{\r\n1;x\r\n}\r\n0\r\n\r\n')
      }),
    )
    expect(await exchange(http(port))).toMatchObject({ kind: 'answered', status: 200, body: '{}' })
  })

  test('not sent: a refused connection, and a name without an address', async () => {
    const port = await listen(() => {})
    await closeOpened()
    expect(await exchange(http(port))).toMatchObject({ kind: 'notSent' })
    expect(await exchange('http://no-such-host.invalid/')).toMatchObject({ kind: 'notSent' })
  })

  const lost: readonly [name: string, serve: (socket: net.Socket) => unknown][] = [
    ['a reset before any answer', socket => socket.resetAndDestroy()],
    ['an end before any answer', socket => socket.end()],
    ['a reset within the answer', socket => socket.write(answer.slice(0, -1), () => socket.resetAndDestroy())],
    ['an end within the answer', socket => socket.end(answer.slice(0, -1))],
    [
      'chunks without their end',
      socket => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n'),
    ],
    ['no HTTP', socket => socket.end('SSH-2.0-OpenSSH_9.6\r\n')],
    ['two lengths', socket => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nok')],
    ['interim answers without an end', socket => socket.write('HTTP/1.1 100 Continue\r\n\r\n'.repeat(100))],
    ['headers without an end', socket => socket.write(`HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(200_000)}`)],
    ['too large a body', socket => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n')],
  ]
  test.each(lost)('lost, and not repeated: %s', async (_, serve) => {
    let requests = 0
    const port = await listen(socket =>
      socket.once('data', () => {
        requests += 1
        serve(socket)
      }),
    )
    expect(await exchange(http(port))).toMatchObject({ kind: 'lost' })
    expect(requests).toBe(1)
  })

  test('lost at its time limit', async () => {
    const port = await listen(() => {})
    const end = await exchange(http(port), { timeoutMs: 200 })
    expect(end).toEqual({ kind: 'lost', why: 'no answer within 200 ms', cause: 'silence' })
  })

  test('answered by a name that the certificate has', async () => {
    const { port } = await listenTls('localhost')
    expect(await exchange(`https://localhost:${port}/`)).toMatchObject({ kind: 'answered', body: 'ok' })
  })

  const cuts: readonly [name: string, act: (socket: tls.TLSSocket) => unknown][] = [
    ['after the request', socket => socket.destroy()],
    ['within the answer', socket => socket.end(answer.slice(0, -1))],
  ]
  test.each(cuts)('lost over TLS, and not repeated, when a kept connection closes %s', async (_, act) => {
    const { port, received, greetings } = await listenTls('localhost', {}, undefined, (socket, count) =>
      count === 1 ? socket.write(answer) : act(socket),
    )
    const batches = ['1', '2', '3'].map(body => [post(`https://localhost:${port}/`, { body })])
    expect((await run({ batches, ca })).flat().map(({ kind }) => kind)).toEqual(['answered', 'lost', 'answered'])
    expect(received.map(request => request.at(-1))).toEqual(['1', '2', '3'])
    expect(greetings).toHaveLength(2)
  })

  test('answered over another connection when a kept one was closed before the request', async () => {
    const gone = Promise.withResolvers<void>()
    const { port, greetings } = await listenTls('localhost', {}, undefined, socket => {
      socket.once('close', () => gone.resolve())
      socket.end(answer)
    })
    const later = await listen(socket => socket.once('data', () => void gone.promise.then(() => socket.write(answer))))
    const batches = [`https://localhost:${port}/`, http(later), `https://localhost:${port}/`].map(url => [post(url)])
    expect((await run({ batches, ca })).flat().map(({ kind }) => kind)).toEqual(Array(3).fill('answered'))
    expect(greetings).toHaveLength(2)
  })

  test('not sent: an authority that is not believed', async () => {
    const server = await listenTls('localhost')
    const [[end] = []] = await run({ batches: [[post(`https://localhost:${server.port}/`)]] })
    expect(end).toMatchObject({ kind: 'notSent' })
    await server.ended
    expect(server.received).toEqual([])
  })

  test('not sent: a TLS handshake that is never answered', async () => {
    const port = await listen(() => {})
    expect(await exchange(`https://localhost:${port}/`, { timeoutMs: 200 })).toMatchObject({ kind: 'notSent' })
  })

  test.each([
    ['a certificate that signed itself', 'selfSigned', 'localhost'],
    ['a certificate for another name', 'elsewhere', 'localhost'],
    ['a certificate for a name, where an address was asked for', 'localhost', '127.0.0.1'],
    ['a certificate that has expired', 'expired', 'localhost'],
  ])('not sent, and not a byte of the request written: %s', async (_, name, host) => {
    const server = await listenTls(name)
    const program = { batches: [[post(`https://${host}:${server.port}/`)]], ca }
    const [[end] = []] = await run(program, { NODE_TLS_REJECT_UNAUTHORIZED: '0' })
    expect(end).toEqual({ kind: 'notSent', why: expect.stringMatching(/certificate|altnames/), cause: 'certificate' })
    await server.ended
    expect(server.received).toEqual([])
  })
})
