import { afterEach, expect, test } from 'bun:test'
import fc from 'fast-check'
import { systemClock } from '../../src/base/clock.ts'
import type { Exchange, HttpRequest, Transport } from '../../src/transport/transport.ts'
import { answer, closeOpened, listen, openTransport, post } from './farEnd.ts'

/** Real sockets are the subject here. */
afterEach(closeOpened)

/** A server that keeps what it hears, one character for each byte, and answers each request that has come whole. */
async function openEar(): Promise<{ port: number; heard: () => string; transport: Transport }> {
  let heard = ''
  const port = await listen(socket => {
    heard = ''
    socket.on('data', bytes => {
      heard += bytes.toString('latin1')
      const [head = '', ...rest] = heard.split('\r\n\r\n')
      const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
      if (rest.join('\r\n\r\n').length >= length) socket.end(answer.replace('\r\n', '\r\nConnection: close\r\n'))
    })
  })
  return { port, heard: () => heard, transport: openTransport(systemClock) }
}

/** @returns the request as its bytes are. */
async function written(fields: Partial<HttpRequest>, path = '/v25.0/1/messages'): Promise<string> {
  const { port, heard, transport } = await openEar()
  const end = await transport.exchange(post(`http://127.0.0.1:${port}${path}`, fields))
  expect(end).toMatchObject({ kind: 'answered' })
  return heard().replaceAll(`:${port}`, ':PORT')
}

test('a POST with a body, its length counted in bytes', async () => {
  const headers = { authorization: 'Bearer x', 'Content-Type': 'application/json' }
  expect(await written({ headers, body: '"ü€"' })).toBe(
    'POST /v25.0/1/messages HTTP/1.1\r\n' +
      'host: 127.0.0.1:PORT\r\n' +
      'connection: keep-alive\r\n' +
      'authorization: Bearer x\r\n' +
      'Content-Type: application/json\r\n' +
      'content-length: 7\r\n' +
      '\r\n' +
      '"\xc3\xbc\xe2\x82\xac"',
  )
})

test('a GET without a body says nothing of one', async () => {
  const { port, heard, transport } = await openEar()
  await transport.exchange({ method: 'GET', url: `http://127.0.0.1:${port}/`, headers: {}, timeoutMs: 5_000 })
  expect(heard()).toBe(`GET / HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: keep-alive\r\n\r\n`)
})

test('a POST without a body says that it has none', async () => {
  const { port, heard, transport } = await openEar()
  const { body: _body, ...bodiless } = post(`http://127.0.0.1:${port}/`)
  await transport.exchange(bodiless)
  expect(heard()).toContain('\r\ncontent-length: 0\r\n')
  expect(await written({ body: '' })).toContain('\r\ncontent-length: 0\r\n')
})

test('a body in pieces is one body', async () => {
  expect(await written({ body: [Buffer.from('{"a":'), Buffer.from('"ü"}')] })).toBe(
    await written({ body: '{"a":"ü"}' }),
  )
})

test.each([
  ['', '/'],
  ['/x?y=1&z=%20#part', '/x?y=1&z=%20'],
  ['/ü x', '/%C3%BC%20x'],
])('the path %j is asked for as %s', async (path, target) => {
  expect(await written({}, path)).toStartWith(`POST ${target} HTTP/1.1\r\n`)
})

test('nothing in a header or a body ends the request elsewhere than its own lengths say', async () => {
  const { port, heard, transport } = await openEar()
  const latin1 = fc.string({ unit: fc.nat({ max: 255 }).map(code => String.fromCharCode(code)), maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(latin1, latin1, fc.string({ unit: 'binary' }), async (name, value, body) => {
      const headers = { [`x${name}`]: value }
      const end = await transport.exchange(post(`http://127.0.0.1:${port}/`, { headers, body }))
      if (end.kind === 'notSent') return
      const [head = ''] = heard().split('\r\n\r\n', 1)
      expect(head.split(/[\r\n]+/)).toHaveLength(5)
      expect(heard().slice(head.length + 4)).toBe(Buffer.from(body).toString('latin1'))
    }),
    { numRuns: 200 },
  )
})

const invalid: readonly [name: string, fields: Partial<HttpRequest>][] = [
  ['a line break in a value', { headers: { 'x-a': 'a\r\nx-b: c' } }],
  ['a bare CR in a value', { headers: { 'x-a': 'a\rb' } }],
  ['a bare LF in a value', { headers: { 'x-a': 'a\nb' } }],
  ['a NUL in a value', { headers: { 'x-a': 'a\0b' } }],
  ['a DEL in a value', { headers: { 'x-a': 'a\x7fb' } }],
  ['a typographic dash in a value', { headers: { authorization: 'Bearer secret–' } }],
  ['an umlaut in a value', { headers: { authorization: 'Bearer s\xfccret', 'x-a': 'secret' } }],
  ['a line break in a name', { headers: { 'x\r\na': 'b' } }],
  ['a space in a name', { headers: { 'x a': 'b' } }],
  ['a colon in a name', { headers: { 'x:': 'b' } }],
  ['an umlaut in a name', { headers: { 'x-ü': 'b' } }],
  ['no name', { headers: { '': 'b' } }],
  ['a line break in the address', { url: 'http://127.0.0.1:PORT/x\r\nx: y' }],
  ['a tab in the address', { url: 'http://127.0.0.1:PORT/x\t' }],
  ['a NUL in the address', { url: 'http://127.0.0.1:PORT/x\0' }],
  ['no address', { url: '' }],
  ['a path', { url: '/v25.0/1/messages' }],
  ['a port past every port', { url: 'http://127.0.0.1:65536/' }],
  ['another scheme', { url: 'ftp://127.0.0.1/' }],
  ['a password in the address', { url: 'http://user:secret@127.0.0.1:PORT/' }],
]
test.each(invalid)('not sent, because HTTP cannot carry it as it was given: %s', async (_, fields) => {
  const { port, heard, transport } = await openEar()
  const url = (fields.url ?? 'http://127.0.0.1:PORT/').replace('PORT', String(port))
  const end: Exchange = await transport.exchange(post(url, { ...fields, url }))
  expect(end).toEqual({ kind: 'notSent', why: expect.any(String) })
  // A value may be a secret.
  expect(JSON.stringify(end)).not.toContain('secret')
  expect(heard()).toBe('')
})
