import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { once } from 'node:events'
import type net from 'node:net'
import { systemClock } from '../../src/base/clock.ts'
import type { RequestBody } from '../../src/transport/request.ts'
import type { HttpRequest } from '../../src/transport/transport.ts'
import { ManualClock } from '../clock.ts'
import { eventually } from '../eventually.ts'
import { acceptedUnheard, closeLater, closeOpened, deafPort, listen, openFiles, openTransport, post } from './farEnd.ts'

/** Real sockets are the subject here. */
afterEach(closeOpened)

let clock: ManualClock
beforeEach(() => {
  clock = new ManualClock()
})

const open = () => openTransport(clock)

/** Serves HTTP bytes as written here, once a request has come. */
const raw = (answer: string, then: 'end' | 'stay' = 'end') =>
  listen(socket => socket.once('data', () => (then === 'end' ? socket.end(answer) : socket.write(answer))))

/** Larger than what the system takes at once, whole and in pieces. */
const largeBodies: readonly RequestBody[] = [
  new Uint8Array(32 * 1_048_576),
  Array.from({ length: 64 }, () => new Uint8Array(524_288)),
]

const exchange = (port: number, fields: Partial<HttpRequest> = {}) =>
  open().exchange(post(`http://127.0.0.1:${port}/v25.0/1/messages`, fields))

describe('answered', () => {
  test('the whole body, the status and the headers, whatever the status', async () => {
    for (const status of [200, 400, 500]) {
      const server = Bun.serve({
        port: 0,
        hostname: '127.0.0.1',
        fetch: async request =>
          new Response(`${request.method} ${await request.text()} ü`, { status, headers: { 'X-Fb-Trace-Id': 't1' } }),
      })
      closeLater(() => server.stop(true))
      expect(await exchange(server.port ?? 0, { body: '{"a":"ü"}' })).toMatchObject({
        kind: 'answered',
        status,
        headers: { 'x-fb-trace-id': 't1' },
        body: 'POST {"a":"ü"} ü',
      })
    }
  })

  test('bytes of a file arrive as they are', async () => {
    const file = Uint8Array.from({ length: 100_000 }, (_, index) => index % 256)
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: async request => new Response(new Bun.CryptoHasher('sha256').update(await request.bytes()).digest('hex')),
    })
    closeLater(() => server.stop(true))
    const hash = new Bun.CryptoHasher('sha256').update(file).digest('hex')
    expect(await exchange(server.port ?? 0, { body: file })).toMatchObject({ body: hash })
  })

  test('a file or a text that is larger than what the system takes at once', async () => {
    const hashOf = (body: string | Uint8Array) => new Bun.CryptoHasher('sha256').update(body).digest('hex')
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: async request => new Response(hashOf(await request.bytes())),
    })
    closeLater(() => server.stop(true))
    const file = new Uint8Array(32 * 1_048_576).map((_, index) => index >> 8)
    const pieces = Array.from({ length: 64 }, (_, index) => file.subarray(index * 524_288, (index + 1) * 524_288))
    expect(await exchange(server.port ?? 0, { body: pieces })).toMatchObject({ kind: 'answered', body: hashOf(file) })
    for (const body of [file, 'ü€'.repeat(4_000_000)]) {
      expect(await exchange(server.port ?? 0, { body })).toMatchObject({ kind: 'answered', body: hashOf(body) })
    }
  })

  test('one that comes before the request is whole; the next request goes over another connection', async () => {
    let connections = 0
    const port = await listen(socket => {
      connections += 1
      socket.once('data', () => {
        socket.pause()
        socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno')
      })
    })
    const transport = open()
    for (const [index, body] of largeBodies.entries()) {
      expect(await transport.exchange(post(`http://127.0.0.1:${port}/`, { body }))).toMatchObject({ status: 413 })
      expect(connections).toBe(index + 1)
    }
  })

  test('one that follows interim answers, in pieces, with a length that is told by chunks', async () => {
    const pieces = [
      'HTTP/1.1 100 Continue\r\n\r\nHTT',
      'P/1.1 200 OK\r\nTransfer-Enc',
      'oding: chunked\r\n\r\n1\r',
      '\n{\r\n1;x',
    ]
    const port = await listen(async socket => {
      await once(socket, 'data')
      for (const piece of [...pieces, '\r\n}\r\n0\r\n\r\n']) await new Promise(resolve => socket.write(piece, resolve))
    })
    expect(await exchange(port)).toMatchObject({ kind: 'answered', status: 200, body: '{}' })
  })

  test('one without a length ends with the connection', async () => {
    expect(await exchange(await raw('HTTP/1.0 200 OK\r\n\r\nhello'))).toMatchObject({ kind: 'answered', body: 'hello' })
  })

  test('a request without a body has none', async () => {
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: async request =>
        Response.json([request.method, request.headers.get('content-length'), await request.text()]),
    })
    closeLater(() => server.stop(true))
    const transport = open()
    const { body: _body, ...get } = post(`http://127.0.0.1:${server.port}/`, { method: 'GET' })
    expect(await transport.exchange(get)).toMatchObject({ body: '["GET",null,""]' })
  })

  test('a redirect is an answer and is not followed: the token goes to nobody else', async () => {
    const port = await raw('HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n')
    expect(await exchange(port)).toMatchObject({ kind: 'answered', status: 302 })
  })

  test('its timer is gone afterwards', async () => {
    await exchange(await raw('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'))
    expect(clock.pending).toBe(0)
  })
})

describe('not sent: no byte of the request has left', () => {
  test('connection refused', async () => {
    const port = await listen(() => {})
    await closeOpened()
    expect(await exchange(port)).toMatchObject({ kind: 'notSent' })
  })

  test('a name that does not resolve', async () => {
    expect(await open().exchange(post('http://no-such-host.invalid/'))).toMatchObject({ kind: 'notSent' })
  })

  test('TLS spoken to a port that does not', async () => {
    const port = await raw('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n')
    expect(await open().exchange(post(`https://127.0.0.1:${port}/`))).toMatchObject({ kind: 'notSent' })
  })

  test('a connection that is cut during the TLS handshake', async () => {
    const port = await listen(socket => socket.once('data', () => socket.destroy()))
    expect(await open().exchange(post(`https://127.0.0.1:${port}/`))).toMatchObject({ kind: 'notSent' })
  })

  test('a TLS handshake that is never answered, at the time limit', async () => {
    const hello = Promise.withResolvers<void>()
    const port = await listen(socket => socket.once('data', () => hello.resolve()))
    const end = open().exchange(post(`https://127.0.0.1:${port}/`))
    await hello.promise
    clock.advance(30_000)
    expect(await end).toEqual({ kind: 'notSent', why: 'no answer within 30000 ms', cause: 'silence' })
  })

  test('a connection that is given up before it opens carries nothing', async () => {
    let heard = ''
    const port = await listen(socket => {
      socket.on('data', bytes => {
        heard += bytes
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
      })
    })
    const end = exchange(port)
    clock.advance(30_000)
    expect(await end).toEqual({ kind: 'notSent', why: 'no answer within 30000 ms', cause: 'silence' })
    expect(await exchange(port)).toMatchObject({ kind: 'answered' })
    expect(heard.match(/POST/g)).toHaveLength(1)
  })

  test.skipIf(process.platform !== 'linux')(
    'attempts to connect that hang are called off, and keep no file',
    async () => {
      const port = await deafPort()
      const transport = open()
      const filesBefore = openFiles()
      const ends = Array.from({ length: acceptedUnheard + 200 }, () =>
        transport.exchange(post(`http://127.0.0.1:${port}/`)),
      )
      await eventually(() => expect(openFiles()).toBeGreaterThan(filesBefore + acceptedUnheard))
      clock.advance(30_000)
      const kinds = (await Promise.all(ends)).map(({ kind }) => kind)
      expect(kinds.filter(kind => kind === 'notSent').length).toBeGreaterThan(0)
      await eventually(() => expect(openFiles()).toBeLessThanOrEqual(filesBefore))
    },
  )

  test.each(['Bearer a\nb', 'Bearer tökén–'])('a header that HTTP cannot carry: %j', async authorization => {
    const port = await raw('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    expect(await exchange(port, { headers: { authorization } }).catch(String)).toMatchObject({ kind: 'notSent' })
  })

  test('a request that cannot be made leaves nothing behind that fails at its time limit', async () => {
    await exchange(1, { headers: { authorization: 'a\nb' } }).catch(() => {})
    expect(() => clock.advance(30_000)).not.toThrow()
    expect(clock.pending).toBe(0)
  })
})

describe('why there is no answer is said in words, with those of the system', () => {
  test.each([
    [
      'http://nowhere.invalid/',
      'notSent',
      'name',
      'its host name does not exist (getaddrinfo ENOTFOUND nowhere.invalid)',
    ],
    [
      'http://127.0.0.1:1/',
      'notSent',
      'refused',
      'its server refused the connection (connect ECONNREFUSED 127.0.0.1:1)',
    ],
  ] as const)('%s', async (url, kind, cause, why) => {
    expect(await open().exchange(post(url))).toEqual({ kind, why, cause })
  })

  test('a server of another protocol, and one that hangs up', async () => {
    const ssh = await raw('SSH-2.0-OpenSSH_9.2\r\n')
    expect(await exchange(ssh)).toMatchObject({
      kind: 'lost',
      cause: 'noHttp',
      why: expect.stringMatching(/^its server does not answer in HTTP/),
    })
    const port = await listen(socket => socket.end())
    expect(await exchange(port)).toMatchObject({
      cause: 'closed',
      why: expect.stringMatching(/^its server closed the connection/),
    })
    const plain = await raw('HTTP/1.1 400 Bad Request\r\n\r\n')
    const secure = await open().exchange(post(`https://127.0.0.1:${plain}/`))
    expect(secure).toMatchObject({
      kind: 'notSent',
      cause: 'noTls',
      why: expect.stringMatching(/^its server does not speak TLS/),
    })
  })
})

describe('lost: the upstream may have acted on it', () => {
  const cuts: readonly [name: string, serve: (socket: net.Socket) => void][] = [
    ['a reset before any answer', socket => socket.once('data', () => socket.resetAndDestroy())],
    ['an end before any answer', socket => socket.once('data', () => socket.end())],
  ]
  test.each(cuts)('%s', async (_, serve) => {
    expect(await exchange(await listen(serve))).toMatchObject({ kind: 'lost' })
  })

  const broken: readonly [name: string, answer: string][] = [
    ['a body shorter than announced', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"messages":'],
    ['a chunked body without its end', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"mes\r\n'],
    ['headers that break off', 'HTTP/1.1 200 OK\r\nContent-Le'],
    ['something that is not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok!'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'],
  ]
  test.each(broken)('%s', async (_, answer) => {
    expect(await exchange(await raw(answer))).toMatchObject({ kind: 'lost' })
  })

  test('no answer at the time limit', async () => {
    const request = Promise.withResolvers<void>()
    const port = await listen(socket => socket.once('data', () => request.resolve()))
    const end = exchange(port, { timeoutMs: 30_000 })
    await request.promise
    clock.advance(29_999)
    expect(Bun.peek.status(end)).toBe('pending')
    clock.advance(1)
    expect(await end).toEqual({ kind: 'lost', why: 'no answer within 30000 ms', cause: 'silence' })
  })

  test('a request that is not taken whole until the time limit', async () => {
    for (const body of largeBodies) {
      const request = Promise.withResolvers<void>()
      const port = await listen(socket => socket.once('data', () => request.resolve(void socket.pause())))
      const end = exchange(port, { body })
      await request.promise
      clock.advance(30_000)
      expect(await end).toEqual({ kind: 'lost', why: 'no answer within 30000 ms', cause: 'silence' })
    }
  })

  test('a body that stalls: the time limit covers the whole exchange', async () => {
    const request = Promise.withResolvers<void>()
    const port = await listen(socket =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc', () => request.resolve())
      }),
    )
    const end = exchange(port)
    await request.promise
    clock.advance(30_000)
    expect(await end).toMatchObject({ kind: 'lost' })
  })

  test('a reset in the middle of a large request', async () => {
    const port = await listen(socket => socket.once('data', () => socket.resetAndDestroy()))
    for (const body of largeBodies) expect(await exchange(port, { body })).toMatchObject({ kind: 'lost' })
  })

  test('an answer that only the end of the connection ends, before the request is whole', async () => {
    const port = await listen(socket =>
      socket.once('data', () => {
        socket.pause()
        socket.end('HTTP/1.0 413 Too Large\r\n\r\nno')
      }),
    )
    for (const body of largeBodies) expect(await exchange(port, { body })).toMatchObject({ kind: 'lost' })
  })

  test('an answer that only the end of the connection ends, when that is a reset', async () => {
    const port = await listen(socket =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{"messages":[', () => socket.resetAndDestroy())
      }),
    )
    expect(await exchange(port)).toMatchObject({ kind: 'lost' })
  })

  test('an answer that is larger than any answer', async () => {
    const megabyte = 'x'.repeat(1_048_576)
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(megabyte.repeat(5)) })
    closeLater(() => server.stop(true))
    expect(await exchange(server.port ?? 0)).toMatchObject({ kind: 'lost', why: 'the answer has more than 4096 KB' })
  })
})

describe('connections', () => {
  test('one after another share one connection', async () => {
    let connections = 0
    const port = await listen(socket => {
      connections += 1
      socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'))
    })
    const transport = open()
    for (let count = 0; count < 5; count += 1) {
      expect(await transport.exchange(post(`http://127.0.0.1:${port}/`))).toMatchObject({ kind: 'answered' })
    }
    expect(connections).toBe(1)
  })

  test('a connection that broke is not used again', async () => {
    let connections = 0
    const port = await listen(socket => {
      connections += 1
      const isFirst = connections === 1
      socket.on('data', () => {
        if (isFirst) socket.destroy()
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
      })
    })
    const transport = open()
    expect(await transport.exchange(post(`http://127.0.0.1:${port}/`))).toMatchObject({ kind: 'lost' })
    expect(await transport.exchange(post(`http://127.0.0.1:${port}/`))).toMatchObject({ kind: 'answered' })
  })

  test('600 exchanges with a slow upstream are all under way at once', async () => {
    const count = 600
    let arrived = 0
    const everyone = Promise.withResolvers<void>()
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch() {
        arrived += 1
        if (arrived === count) everyone.resolve()
        await everyone.promise
        return new Response('ok')
      },
    })
    closeLater(() => server.stop(true))
    // The time of the machine here: a cap would let the first ones wait until the test fails.
    const transport = openTransport(systemClock)
    const url = `http://127.0.0.1:${server.port}/`
    const ends = await Promise.all(
      Array.from({ length: count }, () => transport.exchange(post(url, { timeoutMs: 4_000 }))),
    )
    expect(new Set(ends.map(end => end.kind))).toEqual(new Set(['answered']))
    expect(arrived).toBe(count)
  })
})

describe('the address', () => {
  test('a scheme in capitals is the same scheme', async () => {
    const port = await raw('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    const transport = open()
    expect(await transport.exchange(post(`HTTP://127.0.0.1:${port}/`))).toMatchObject({ kind: 'answered' })
    // Nobody speaks TLS there: what counts is that it is tried.
    expect(await transport.exchange(post(`HTTPS://127.0.0.1:${port}/`)).catch(String)).toMatchObject({
      kind: 'notSent',
    })
  })
})
