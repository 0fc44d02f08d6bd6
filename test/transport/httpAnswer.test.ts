import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { AnswerReader, type HttpAnswer, type Reading } from '../../src/transport/httpAnswer.ts'

/** What the pieces amount to, and then the end of the connection if they are not enough. */
function read(pieces: readonly Uint8Array[]): Reading {
  const reader = new AnswerReader()
  for (const piece of pieces) {
    const reading = reader.feed(Buffer.from(piece))
    if (reading.kind !== 'incomplete') return reading
  }
  return reader.end()
}

const bytesOf = (text: string) => Buffer.from(text, 'latin1')
const readText = (text: string) => read([bytesOf(text)])
function answerOf(reading: Reading): HttpAnswer {
  if (reading.kind !== 'whole') throw new Error(JSON.stringify(reading))
  return reading.answer
}
/** Without its status line. */
const ok = (rest: string) => readText(`HTTP/1.1 200 OK\r\n${rest}`)

/** Cuts bytes at the given places, each a part of the whole. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places.map(place => Math.floor(place * bytes.length)), bytes.length].toSorted((a, b) => a - b)
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
}
const places = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 })
const singly = (bytes: Uint8Array) => Array.from(bytes, byte => Uint8Array.of(byte))

describe('any cut of the bytes gives the same answer', () => {
  const fieldName = fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,20}$/).map(name => `x-${name}`)
  const fieldValue = fc.stringMatching(/^([\x21-\x7e\x80-\xff]([\t\x20-\x7e\x80-\xff]{0,30}[\x21-\x7e\x80-\xff])?)?$/)
  const fields = fc.uniqueArray(fc.tuple(fieldName, fieldValue), {
    maxLength: 6,
    selector: ([name]: readonly [string, string]) => name.toLowerCase(),
  })
  const framing = fc.constantFrom('sized', 'chunked', 'rest')
  const given = fc.record({
    status: fc.integer({ min: 200, max: 599 }).filter(status => status !== 204 && status !== 304),
    reason: fc.constantFrom('', ' ', ' OK', ' Über'),
    fields,
    framing,
    body: fc.string({ unit: 'grapheme', maxLength: 200 }),
    interim: fc.nat({ max: 2 }),
    chunks: places,
    places,
  })

  type Given = typeof given extends fc.Arbitrary<infer Value> ? Value : never

  function write({ status, reason, fields, framing, body, interim, chunks }: Omit<Given, 'places'>) {
    const bodyBytes = Buffer.from(body)
    const lines = fields.map(([name, value]) => `${name}:${value === '' ? '' : ` ${value} `}\r\n`).join('')
    const head = (framingField: string) =>
      bytesOf(
        'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(interim) +
          `HTTP/1.1 ${status}${reason}\r\n${lines}${framingField}\r\n`,
      )
    if (framing === 'sized') return Buffer.concat([head(`Content-Length: ${bodyBytes.length}\r\n`), bodyBytes])
    if (framing === 'rest') return Buffer.concat([head(''), bodyBytes])
    const pieces = cut(bodyBytes, chunks)
      .filter(piece => piece.length > 0)
      .flatMap(piece => [bytesOf(`00${piece.length.toString(16)};a="b;c" \r\n`), piece, bytesOf('\r\n')])
    return Buffer.concat([head('Transfer-Encoding: Chunked\r\n'), ...pieces, bytesOf('0\r\nX-Sum: 1\r\n\r\n')])
  }

  test('of an answer, which is read as it was written', () => {
    fc.assert(
      fc.property(given, ({ places, ...answer }) => {
        const bytes = write(answer)
        const expected = {
          status: answer.status,
          body: answer.body,
          headers: Object.fromEntries(answer.fields.map(([name, value]) => [name.toLowerCase(), value])),
        }
        for (const pieces of [[bytes], cut(bytes, places), singly(bytes)]) {
          expect(answerOf(read(pieces))).toMatchObject(expected)
        }
      }),
      { numRuns: 300 },
    )
  })

  /** What comes after an answer may be seen with it or not. */
  const essence = (reading: Reading) => (reading.kind === 'whole' ? { ...reading.answer, keepMs: null } : reading)

  test('of an answer with bytes changed, left out or put in', () => {
    const change = fc.record({
      place: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      remove: fc.nat({ max: 3 }),
      insert: fc.oneof(fc.uint8Array({ maxLength: 3 }), fc.constantFrom(...['\r\n', '\n', ' ', ':', '0'].map(bytesOf))),
    })
    fc.assert(
      fc.property(given, fc.array(change, { minLength: 1, maxLength: 3 }), ({ places, ...answer }, changes) => {
        let bytes: Uint8Array = write(answer)
        for (const { place, remove, insert } of changes) {
          const at = Math.floor(place * bytes.length)
          bytes = Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + remove)])
        }
        const expected = essence(read([bytes]))
        expect(essence(read(cut(bytes, places)))).toEqual(expected)
        expect(essence(read(singly(bytes)))).toEqual(expected)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('whole', () => {
  test('header names in any case, values without the spaces around them, repeated ones joined', () => {
    expect(answerOf(ok('X-A:1\r\nx-b: \t two \t\r\nX-a: 3\r\nContent-Length: 0\r\n\r\n')).headers).toEqual({
      'x-a': '1, 3',
      'x-b': 'two',
      'content-length': '0',
    })
  })

  test('a value that goes on in the next line (RFC 9112 5.2)', () => {
    expect(answerOf(ok('X-A: one\r\n  two\r\n\tthree\r\nContent-Length: 0\r\n\r\n')).headers).toEqual({
      'x-a': 'one two three',
      'content-length': '0',
    })
  })

  test('a header named like a property of every object', () => {
    const { headers } = answerOf(ok('__proto__: a\r\nconstructor: b\r\nContent-Length: 0\r\n\r\n'))
    expect(Object.entries(headers)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
      ['content-length', '0'],
    ])
  })

  test.each([204, 304])('%d has no body, whatever its headers say', status => {
    expect(answerOf(readText(`HTTP/1.1 ${status} x\r\nContent-Length: 5\r\n\r\n`))).toMatchObject({ status, body: '' })
  })

  test('a character cut in two by a chunk', () => {
    expect(answerOf(ok('Transfer-Encoding: chunked\r\n\r\n1\r\n\xc3\r\n1\r\n\xbc\r\n0\r\n\r\n')).body).toBe('ü')
  })

  test('a million chunks of one byte', () => {
    const reader = new AnswerReader()
    reader.feed(bytesOf('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'))
    const chunks = bytesOf('1\r\nx\r\n'.repeat(1_000))
    for (let count = 0; count < 1_000; count += 1) reader.feed(chunks)
    expect(answerOf(reader.feed(bytesOf('0\r\n\r\n'))).body).toBe('x'.repeat(1_000_000))
  })
})

describe('how long the connection may be kept', () => {
  const sized = 'Content-Length: 2\r\n\r\nok'
  const rows: readonly [name: string, answer: string, keepMs: number][] = [
    ['nothing said', `HTTP/1.1 200 OK\r\n${sized}`, Number.POSITIVE_INFINITY],
    ['keep-alive', `HTTP/1.1 200 OK\r\nConnection: keep-alive\r\n${sized}`, Number.POSITIVE_INFINITY],
    ['its time', `HTTP/1.1 200 OK\r\nKeep-Alive: max=5, Timeout=7\r\n${sized}`, 7_000],
    ['no time', `HTTP/1.1 200 OK\r\nKeep-Alive: timeout=0\r\n${sized}`, 0],
    ['close', `HTTP/1.1 200 OK\r\nConnection: Close\r\n${sized}`, 0],
    ['close among others', `HTTP/1.1 200 OK\r\nConnection: x, close , y\r\n${sized}`, 0],
    [
      'a name that only begins with close',
      `HTTP/1.1 200 OK\r\nConnection: closed\r\n${sized}`,
      Number.POSITIVE_INFINITY,
    ],
    ['HTTP/1.0', `HTTP/1.0 200 OK\r\n${sized}`, 0],
    ['HTTP/1.0 with keep-alive', `HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n${sized}`, 0],
    ['an end by closing', 'HTTP/1.1 200 OK\r\n\r\nok', 0],
    ['more than the answer', `HTTP/1.1 200 OK\r\n${sized}\r\n`, 0],
  ]
  test.each(rows)('%s', (_, answer, keepMs) => {
    expect(answerOf(readText(answer))).toMatchObject({ status: 200, body: 'ok', keepMs })
  })
})

describe('malformed, where a guess would be taken for the end of a send', () => {
  const rows: readonly [name: string, answer: string][] = [
    ['nothing', ''],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['an empty line first', '\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['HTTP/2', 'HTTP/2 200\r\nContent-Length: 0\r\n\r\n'],
    ['HTTP/1.2', 'HTTP/1.2 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['small letters', 'http/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n'],
    ['a status of four digits', 'HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n'],
    ['a status of zeros', 'HTTP/1.1 000 OK\r\nContent-Length: 0\r\n\r\n'],
    ['two spaces before the status', 'HTTP/1.1  200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['a control character in the reason', 'HTTP/1.1 200 O\0K\r\nContent-Length: 0\r\n\r\n'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'],
    ['an interim answer alone', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['headers that break off', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n'],
  ]
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
    ...fields.map(([name, lines]) => [name, `HTTP/1.1 200 OK\r\n${lines}\r\n\r\n`] as const),
    ...bodies.map(([name, rest]) => [name, `HTTP/1.1 200 OK\r\n${rest}`] as const),
  ]
  test.each(all)('%s', (_, answer) => {
    expect(readText(answer)).toEqual({ kind: 'malformed', why: expect.any(String) })
    expect(read(singly(bytesOf(answer)))).toEqual({ kind: 'malformed', why: expect.any(String) })
  })

  test('chunks in HTTP/1.0, which has none', () => {
    expect(readText('HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n').kind).toBe('malformed')
  })
})

describe('bounds', () => {
  const tooLarge = { kind: 'malformed', why: 'the answer is too large' } as const
  const mebibyte = Buffer.alloc(1_048_576, 'x')
  const fedMebibytes = (head: string, count: number, each = (bytes: Buffer) => bytes) => {
    const reader = new AnswerReader()
    let reading = reader.feed(bytesOf(head))
    for (let index = 0; index < count && reading.kind === 'incomplete'; index += 1)
      reading = reader.feed(each(mebibyte))
    return { reading, reader }
  }
  const chunk = (bytes: Buffer) => Buffer.concat([bytesOf(`${bytes.length.toString(16)}\r\n`), bytes, bytesOf('\r\n')])

  test('16 MiB of body and no more, however it is delimited', () => {
    expect(ok(`Content-Length: ${16 * 1_048_576 + 1}\r\n\r\n`)).toEqual(tooLarge)
    expect(fedMebibytes(`HTTP/1.1 200 OK\r\nContent-Length: ${16 * 1_048_576}\r\n\r\n`, 16).reading.kind).toBe('whole')
    const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
    expect(fedMebibytes(chunked, 16, chunk).reader.feed(bytesOf('0\r\n\r\n')).kind).toBe('whole')
    expect(fedMebibytes(chunked, 16, chunk).reader.feed(bytesOf('1\r\n'))).toEqual(tooLarge)
    expect(fedMebibytes('HTTP/1.1 200 OK\r\n\r\n', 16).reader.end().kind).toBe('whole')
    expect(fedMebibytes('HTTP/1.1 200 OK\r\n\r\n', 17).reading).toEqual(tooLarge)
  })

  test.each([
    ['one header', 'HTTP/1.1 200 OK\r\nX-A: ', 'a'],
    ['many headers', 'HTTP/1.1 200 OK\r\n', 'X-A: b\r\n'],
    ['interim answers', '', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['a line before a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;', 'a'],
    ['trailers', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n', 'X-A: b\r\n'],
  ])('64 KiB of headers: %s', (_, start, repeated) => {
    const reader = new AnswerReader()
    reader.feed(bytesOf(start))
    const kinds = Array.from(
      { length: 65 },
      () => reader.feed(bytesOf(repeated.repeat(Math.ceil(1_024 / repeated.length)))).kind,
    )
    expect(kinds).toContain('malformed')
  })
})
