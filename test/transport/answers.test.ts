import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type net from 'node:net'
import fc from 'fast-check'
import { systemClock } from '../../src/base/clock.ts'
import type { Exchange } from '../../src/transport/transport.ts'
import { closeOpened, listen, openTransport, post } from './farEnd.ts'

/** Real sockets are the subject here. */
afterEach(closeOpened)

const bytesOf = (text: string) => Buffer.from(text, 'latin1')

/** How the far end writes: everything at once, or piece after piece. */
let write: (socket: net.Socket) => unknown
let port: number
beforeEach(async () => {
  port = await listen(socket => socket.once('data', () => write(socket)))
})

/** Over a connection of its own. */
const exchange = () => openTransport(systemClock).exchange(post(`http://127.0.0.1:${port}/`))

/** @returns the end of an exchange whose answer comes in these pieces, and then the end of the connection */
function read(...pieces: readonly Uint8Array[]): Promise<Exchange> {
  write = async socket => {
    socket.setNoDelay()
    for (const piece of pieces) await new Promise(resolve => socket.write(piece, resolve))
    socket.end()
  }
  return exchange()
}

/** @returns the end of an exchange whose answer begins so and then repeats something until it is refused */
function flood(start: string, repeated: string): Promise<Exchange> {
  const block = bytesOf(repeated.repeat(Math.ceil(16_384 / repeated.length)))
  write = socket => {
    socket.write(bytesOf(start))
    const more = () => {
      while (!socket.destroyed && socket.write(block)) {}
    }
    socket.on('drain', more)
    more()
  }
  return exchange()
}

/** Cuts bytes at the given places, each a part of the whole. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...places.map(place => Math.floor(place * bytes.length)), bytes.length].toSorted((a, b) => a - b)
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end)).filter(piece => piece.length > 0)
}

describe('whole', () => {
  const body = '{"name":"J\u00fcrgen \u20ac"}'
  const chunked = [...Buffer.from(body)].map(byte => `1;x=y\r\n${String.fromCharCode(byte)}\r\n`).join('')
  const sized = `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${Buffer.from(body).toString('latin1')}`
  const answers: readonly [framing: string, answer: string][] = [
    ['a length', `HTTP/1.1 200 OK\r\nX-A: 1\r\n${sized}`],
    ['chunks', `HTTP/1.1 200 OK\r\nx-a: 1\r\nTransfer-Encoding: Chunked\r\n\r\n${chunked}0\r\nX-Sum: 1\r\n\r\n`],
    ['the end of the connection', `HTTP/1.1 200 OK\r\nX-a:1\r\n\r\n${sized.split('\r\n\r\n')[1]}`],
    [
      'a length, after interim answers',
      `${'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(3)}HTTP/1.1 200 OK\r\nX-A: 1\r\n${sized}`,
    ],
  ]
  test.each(answers)('any cut of the bytes gives the same answer: %s', async (_, answer) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }), async places => {
        const end = await read(...cut(bytesOf(answer), places))
        expect(end).toMatchObject({ kind: 'answered', status: 200, headers: { 'x-a': '1' }, body })
      }),
      { numRuns: 40 },
    )
  })

  test.each([204, 304])('%d has no body, whatever its headers say', async status => {
    const end = await read(bytesOf(`HTTP/1.1 ${status} x\r\nContent-Length: 5\r\n\r\n`))
    expect(end).toMatchObject({ kind: 'answered', status, body: '' })
  })

  test('four thousand chunks of one byte', async () => {
    const chunks = bytesOf('1\r\nx\r\n'.repeat(4_096))
    const head = bytesOf('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
    const end = await read(head, chunks, bytesOf('0\r\n\r\n'))
    expect(end.kind === 'answered' && end.body === 'x'.repeat(4_096)).toBe(true)
  })
})

describe('malformed, where a guess would be taken for the end of a send', () => {
  const rows: readonly [name: string, answer: string][] = [
    ['nothing', ''],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['HTTP/2', 'HTTP/2 200\r\nContent-Length: 0\r\n\r\n'],
    ['HTTP/1.2', 'HTTP/1.2 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['small letters', 'http/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n'],
    ['a status of four digits', 'HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n'],
    ['a status of zeros', 'HTTP/1.1 000 OK\r\nContent-Length: 0\r\n\r\n'],
    ['two spaces before the status', 'HTTP/1.1  200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'],
    ['an interim answer alone', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['headers that break off', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n'],
  ]
  const chunksIn10 = 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'
  const fields: readonly [name: string, lines: string][] = [
    ['no colon', 'X-A\r\nContent-Length: 0'],
    ['no name', ': a\r\nContent-Length: 0'],
    ['a space before the colon', 'Content-Length : 0'],
    ['a space in the name', 'X A: b\r\nContent-Length: 0'],
    ['a first field that continues nothing', ' X-A: b\r\nContent-Length: 0'],
    ['a NUL in a value', 'X-A: \0\r\nContent-Length: 0'],
    ['a bare CR in a value', 'X-A: a\rb\r\nContent-Length: 0'],
    ['a bare LF', 'X-A: a\nContent-Length: 0'],
    ['a length that is negative', 'Content-Length: -1'],
    ['a length with a sign', 'Content-Length: +0'],
    ['a length in hexadecimal', 'Content-Length: 0x0'],
    ['a length with a fraction', 'Content-Length: 0.0'],
    ['a length that is empty', 'Content-Length:'],
    ['a length with a space of latin1 before it', 'Content-Length: \xa00'],
    ['a length past every number', `Content-Length: ${'9'.repeat(400)}`],
    ['two lengths', 'Content-Length: 0\r\nContent-Length: 1'],
    ['two equal lengths', 'Content-Length: 0\r\nContent-Length: 0'],
    ['a length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0'],
    ['a coding that nobody asked for', 'Transfer-Encoding: gzip, chunked\r\n\r\n0'],
    ['chunks twice over', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0'],
    ['no coding at all', 'Transfer-Encoding:\r\n\r\n0'],
  ]
  const bodies: readonly [name: string, rest: string][] = [
    ['a body shorter than its length', 'Content-Length: 3\r\n\r\nok'],
    ['a chunk without a size', 'Transfer-Encoding: chunked\r\n\r\n\r\nok\r\n0\r\n\r\n'],
    ['a size that is no number', 'Transfer-Encoding: chunked\r\n\r\n2x\r\nok\r\n0\r\n\r\n'],
    ['a size with a sign', 'Transfer-Encoding: chunked\r\n\r\n+2\r\nok\r\n0\r\n\r\n'],
    ['a size after a space', 'Transfer-Encoding: chunked\r\n\r\n 2\r\nok\r\n0\r\n\r\n'],
    ['a size line that ends in LF alone', 'Transfer-Encoding: chunked\r\n\r\n2\nok\r\n0\r\n\r\n'],
    ['a CR within an extension', 'Transfer-Encoding: chunked\r\n\r\n2;a\rb\r\nok\r\n0\r\n\r\n'],
    ['a chunk longer than its size', 'Transfer-Encoding: chunked\r\n\r\n2\r\nokay\r\n0\r\n\r\n'],
    ['a chunk shorter than its size', 'Transfer-Encoding: chunked\r\n\r\n4\r\nok\r\n0\r\n\r\n'],
    ['a chunk whose own last byte would make the line break', 'Transfer-Encoding: chunked\r\n\r\n1\r\n\r\n0\r\n\r\n'],
    ['no last chunk', 'Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n'],
    ['no end of the trailers', 'Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-A: b\r\n'],
    ['a trailer that is no field', 'Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-A\r\n\r\n'],
  ]
  const all: (readonly [name: string, answer: string])[] = [
    ...rows,
    ['chunks in HTTP/1.0, which has none', chunksIn10],
    ...fields.map(([name, lines]) => [name, `HTTP/1.1 200 OK\r\n${lines}\r\n\r\n`] as const),
    ...bodies.map(([name, rest]) => [name, `HTTP/1.1 200 OK\r\n${rest}`] as const),
  ]

  test.each(all)('%s', async (_, answer) => {
    const lost = { kind: 'lost', why: expect.any(String) } as const
    expect(await read(bytesOf(answer))).toMatchObject(lost)
    expect(await read(...Array.from(bytesOf(answer), byte => Uint8Array.of(byte)))).toMatchObject(lost)
  })
})

describe('bounds', () => {
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
  const mebibytes = (count: number) => Buffer.alloc(count * 1_048_576, 'x')
  const chunk = (bytes: Buffer) => [bytesOf(`${bytes.length.toString(16)}\r\n`), bytes, bytesOf('\r\n')]

  test('4 MiB of body are taken, however they are delimited', async () => {
    const body = mebibytes(4)
    const answers = [
      [bytesOf(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`), body],
      [bytesOf(chunked), ...chunk(body), bytesOf('0\r\n\r\n')],
      [bytesOf('HTTP/1.1 200 OK\r\n\r\n'), body],
    ]
    for (const answer of answers) {
      const end = await read(...answer)
      expect(end.kind === 'answered' && end.body.length).toBe(body.length)
    }
  })

  test.each([
    ['told by a length', `HTTP/1.1 200 OK\r\nContent-Length: ${4 * 1_048_576 + 1}\r\n\r\n`, 'x'],
    ['in chunks', chunked, `400\r\n${'x'.repeat(1_024)}\r\n`],
    ['up to the end of the connection', 'HTTP/1.1 200 OK\r\n\r\n', 'x'],
  ])('a larger body is not read to its end: %s', async (_, start, repeated) => {
    const begun = { status: 200, headers: expect.anything(), body: expect.stringMatching(/^x/) }
    expect(await flood(start, repeated)).toEqual({ kind: 'lost', why: 'the answer has more than 4096 KB', begun })
  })

  test('an answer in pieces of a byte is not read to its end', async () => {
    const why = 'the answer comes in pieces that are too small'
    expect(await flood(chunked, '1\r\nx\r\n')).toMatchObject({ kind: 'lost', why, begun: { status: 200 } })
  })

  test.each([
    ['one header', 'HTTP/1.1 200 OK\r\nX-A: ', 'a'],
    ['many headers', 'HTTP/1.1 200 OK\r\n', 'X-A: b\r\n'],
    ['the reason behind the status', 'HTTP/1.1 200 ', 'O'],
    ['a line before a chunk', `${chunked}1;`, 'a'],
    ['the size of a chunk', `${chunked}1`, '0'],
    ['trailers', `${chunked}0\r\n`, 'X-A: b\r\n'],
  ])('64 KiB of headers: %s', async (_, start, repeated) => {
    expect(await flood(start, repeated)).toMatchObject({ kind: 'lost', why: expect.stringMatching(/overflow/i) })
  })

  test('16 interim answers come before the answer, and no more', async () => {
    const interim = (count: number) => bytesOf('HTTP/1.1 100 Continue\r\n\r\n'.repeat(count))
    const ok = bytesOf('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    const tooMany = { kind: 'lost', why: 'the answer has too many interim answers' } as const
    expect(await read(interim(16), ok)).toMatchObject({ kind: 'answered', body: 'ok' })
    expect(await read(interim(17), ok)).toEqual(tooMany)
    expect(await flood('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n')).toEqual(tooMany)
  })
})
