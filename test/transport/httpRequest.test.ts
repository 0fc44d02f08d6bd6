import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { encodeRequest } from '../../src/transport/httpRequest.ts'
import type { HttpRequest } from '../../src/transport/transport.ts'

const url = 'https://graph.example.com/v25.0/1/messages'
const request = (fields: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'POST',
  url,
  headers: {},
  timeoutMs: 1_000,
  ...fields,
})

/** The request as its bytes are, one character for each. */
function written(fields: Partial<HttpRequest>): string {
  const encoded = encodeRequest(request(fields))
  if (encoded.kind !== 'encoded') throw new Error(encoded.why)
  return Buffer.concat(encoded.parts.map(part => Buffer.from(part))).toString('latin1')
}

describe('the bytes', () => {
  test('a POST with a body, its length counted in bytes', () => {
    expect(written({ headers: { authorization: 'Bearer x', 'Content-Type': 'application/json' }, body: '"ü€"' })).toBe(
      'POST /v25.0/1/messages HTTP/1.1\r\n' +
        'Host: graph.example.com\r\n' +
        'authorization: Bearer x\r\n' +
        'Content-Type: application/json\r\n' +
        'Content-Length: 7\r\n' +
        'Connection: keep-alive\r\n' +
        '\r\n' +
        '"\xc3\xbc\xe2\x82\xac"',
    )
  })

  test('a GET without a body says nothing of one', () => {
    expect(written({ method: 'GET' })).toBe(
      `GET /v25.0/1/messages HTTP/1.1\r\nHost: graph.example.com\r\nConnection: keep-alive\r\n\r\n`,
    )
  })

  test('a POST without a body says that it has none', () => {
    expect(written({})).toContain('\r\nContent-Length: 0\r\n')
    expect(written({ body: '' })).toContain('\r\nContent-Length: 0\r\n')
  })

  test('a header beyond ASCII is latin1, a body beside it UTF-8', () => {
    const bytes = written({ headers: { 'x-name': 'J\xfcrgen' }, body: 'ü' })
    expect(bytes).toContain('\r\nx-name: J\xfcrgen\r\n')
    expect(bytes).toEndWith('\r\n\r\n\xc3\xbc')
  })

  const addresses: readonly [address: string, host: string, target: string][] = [
    ['http://127.0.0.1:3999', '127.0.0.1:3999', '/'],
    ['http://a.example:80/x', 'a.example', '/x'],
    ['https://a.example:443/x?y=1&z=%20#part', 'a.example', '/x?y=1&z=%20'],
    ['http://[::1]:8080/x', '[::1]:8080', '/x'],
    ['HTTP://A.EXAMPLE/X', 'a.example', '/X'],
    ['http://a.example/ü x', 'a.example', '/%C3%BC%20x'],
  ]
  test.each(addresses)('the address %s', (address, host, target) => {
    expect(written({ method: 'GET', url: address })).toStartWith(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\n`)
  })

  test('headers and body are one part up to 64 KiB, and a larger body is not copied', () => {
    const partsOf = (body: string | Uint8Array) => {
      const encoded = encodeRequest(request({ body }))
      return encoded.kind === 'encoded' ? encoded.parts : []
    }
    expect(partsOf('x'.repeat(65_536))).toHaveLength(1)
    expect(partsOf(new Uint8Array(65_536))).toHaveLength(1)
    const large = new Uint8Array(65_537)
    expect(partsOf(large)[1]).toBe(large)
  })

  test('a body in pieces is one body, and large pieces are not copied', () => {
    const pieces = [Buffer.from('{"a":'), Buffer.from('"ü"}')]
    expect(written({ body: pieces })).toBe(written({ body: '{"a":"ü"}' }))
    const large = [new Uint8Array(40_000), new Uint8Array(40_000)]
    const encoded = encodeRequest(request({ body: large }))
    if (encoded.kind === 'invalid') throw new Error(encoded.why)
    const [head, ...rest] = encoded.parts
    expect(Buffer.from(head as Uint8Array).toString()).toContain('Content-Length: 80000')
    expect(rest.map((piece, at) => piece === large[at])).toEqual([true, true])
  })

  test('nothing in a header or a body ends the request elsewhere than its own lengths say', () => {
    const latin1 = fc.string({ unit: fc.nat({ max: 255 }).map(code => String.fromCharCode(code)), maxLength: 4 })
    fc.assert(
      fc.property(latin1, latin1, fc.string({ unit: 'binary' }), (name, value, body) => {
        const encoded = encodeRequest(request({ headers: { [`x${name}`]: value }, body }))
        if (encoded.kind === 'invalid') return
        const bytes = Buffer.concat(encoded.parts.map(part => Buffer.from(part)))
        const [head = ''] = bytes.toString('latin1').split('\r\n\r\n', 1)
        expect(head.split(/[\r\n]+/)).toHaveLength(5)
        expect(bytes.subarray(head.length + 4)).toEqual(Buffer.from(body))
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('invalid: what HTTP cannot carry as it was given', () => {
  const rows: readonly [name: string, fields: Partial<HttpRequest>][] = [
    ['a line break in a value', { headers: { 'x-a': 'a\r\nx-b: c' } }],
    ['a bare CR in a value', { headers: { 'x-a': 'a\rb' } }],
    ['a bare LF in a value', { headers: { 'x-a': 'a\nb' } }],
    ['a NUL in a value', { headers: { 'x-a': 'a\0b' } }],
    ['a DEL in a value', { headers: { 'x-a': 'a\x7fb' } }],
    ['a typographic dash in a value', { headers: { authorization: 'Bearer a–b' } }],
    ['a line break in a name', { headers: { 'x\r\na': 'b' } }],
    ['a space in a name', { headers: { 'x a': 'b' } }],
    ['a colon in a name', { headers: { 'x:': 'b' } }],
    ['an umlaut in a name', { headers: { 'x-ü': 'b' } }],
    ['no name', { headers: { '': 'b' } }],
    ['a length of the caller', { headers: { 'content-length': '5' } }],
    ['a coding of the caller', { headers: { 'Transfer-Encoding': 'chunked' } }],
    ['a host of the caller', { headers: { HOST: 'other.example' } }],
    ['a line break in the address', { url: `${url}\r\nx: y` }],
    ['a tab in the address', { url: `${url}\t` }],
    ['a NUL in the address', { url: `${url}\0` }],
    ['no address', { url: '' }],
    ['a path', { url: '/v25.0/1/messages' }],
    ['a port past every port', { url: 'http://a.example:65536/' }],
    ['another scheme', { url: 'ftp://a.example/' }],
    ['a password in the address', { url: 'https://user:secret@a.example/' }],
  ]
  test.each(rows)('%s', (_, fields) => {
    expect(encodeRequest(request({ body: '{}', ...fields }))).toEqual({ kind: 'invalid', why: expect.any(String) })
  })

  test('the reason does not show the value, which may be a secret', () => {
    const encoded = encodeRequest(request({ headers: { authorization: 'Bearer secret–' } }))
    expect(JSON.stringify(encoded)).not.toContain('secret')
  })
})
