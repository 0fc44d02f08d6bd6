import { afterEach, describe, expect, test } from 'bun:test'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { createAddressGuard, type Resolve } from '../../../src/base/addressGuard.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { exampleFilesOf } from '../../../src/graph/sandbox.ts'
import { type FetchedMedia, fetchMedia } from '../../../src/media/outgoing/fetch.ts'
import type { MediaFormat } from '../../../src/message/media.ts'
import { ManualClock } from '../../clock.ts'
import { eventually } from '../../eventually.ts'
import { listenTls } from '../../transport/tlsServer.ts'
import { ample, files, guardOf, loopback, startFiles } from './files.ts'

const { guard } = guardOf(loopback)
const mib = 1_048_576

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

function serve(answer: Parameters<typeof startFiles>[0]) {
  const server = startFiles(answer)
  cleanups.push(server.stop)
  return server
}

/** A server that answers byte by byte as the test says. */
async function serveRaw(answer: (socket: Socket, path: string) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createSocketServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', head => answer(socket, head.toString('latin1').split(' ')[1] ?? ''))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Writes this again and again, as fast as it is read. */
function flood(socket: Socket, block: string) {
  const more = () => {
    while (!socket.destroyed && socket.write(block)) {}
  }
  socket.on('drain', more)
  more()
}

async function serveHttp(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const fetchFile = (link: string, format: MediaFormat = 'image', clock = systemClock) =>
  fetchMedia({ guard, clock, hold: ample }, link, format)
const failed = (why: string | RegExp): FetchedMedia => ({
  kind: 'failed',
  why: typeof why === 'string' ? why : expect.stringMatching(why),
})

/** Of the bytes of a whole file, one character each. */
const pngHead = Buffer.from(files.png).toString('latin1').slice(0, 16)

const noImage = /^is not a JPEG or PNG image/
const noVideo = /^is not an MP4 or 3GPP video/
const noDocument = /^is not a PDF, Word, Excel, PowerPoint or text document/
const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

describe('the bytes decide the type, not what the server declares', () => {
  const rows: readonly [
    format: MediaFormat,
    file: keyof typeof files,
    declared: string | null,
    expected: { mime: string } | { why: RegExp },
  ][] = [
    ['image', 'png', 'image/png', { mime: 'image/png' }],
    ['image', 'png', 'image/jpeg', { mime: 'image/png' }],
    ['image', 'png', 'text/html', { mime: 'image/png' }],
    ['image', 'jpeg', 'application/octet-stream', { mime: 'image/jpeg' }],
    ['image', 'jpeg', null, { mime: 'image/jpeg' }],
    ['image', 'gif', 'image/png', { why: noImage }],
    ['image', 'webp', 'image/jpeg', { why: noImage }],
    ['image', 'svg', 'image/svg+xml', { why: noImage }],
    ['image', 'html', 'image/png', { why: noImage }],
    ['image', 'mp4', 'image/png', { why: noImage }],
    ['image', 'pdf', 'image/png', { why: noImage }],
    ['image', 'empty', 'image/png', { why: noImage }],
    ['video', 'mp4', 'video/mp4', { mime: 'video/mp4' }],
    ['video', 'mp42', 'video/quicktime', { mime: 'video/mp4' }],
    ['video', 'threeGp', 'video/mp4', { mime: 'video/3gpp' }],
    ['video', 'webm', 'video/mp4', { why: noVideo }],
    ['video', 'png', 'video/mp4', { why: noVideo }],
    ['video', 'empty', 'video/mp4', { why: noVideo }],
    // The same container holds other things: QuickTime films and pictures are none of the upstream's types.
    ['video', 'quickTime', 'video/mp4', { why: noVideo }],
    ['video', 'heic', 'video/mp4', { why: noVideo }],
    ['video', 'avif', 'video/mp4', { why: noVideo }],
    ['document', 'pdf', 'application/octet-stream', { mime: 'application/pdf' }],
    ['document', 'zip', docx, { mime: docx }],
    ['document', 'zip', 'application/zip', { why: noDocument }],
    ['document', 'ole', 'application/msword', { mime: 'application/msword' }],
    ['document', 'ole', 'application/vnd.ms-excel; charset=binary', { mime: 'application/vnd.ms-excel' }],
    ['document', 'ole', 'application/x-msi', { why: noDocument }],
    ['document', 'text', 'text/plain; charset=utf-8', { mime: 'text/plain' }],
    ['document', 'text', 'TEXT/PLAIN', { mime: 'text/plain' }],
    ['document', 'text', docx, { why: noDocument }],
    ['document', 'binary', 'text/plain', { why: noDocument }],
    ['document', 'html', 'text/html', { why: noDocument }],
    ['document', 'png', 'application/pdf', { why: noDocument }],
  ]

  test.each(rows)('%s: %s declared as %p', async (format, file, declared, expected) => {
    const server = serve(() => new Response(files[file], { headers: declared ? { 'content-type': declared } : {} }))
    expect(await fetchFile(`${server.url}/a`, format)).toEqual(
      'mime' in expected
        ? { kind: 'fetched', mime: expected.mime, file: [Buffer.from(files[file])] }
        : failed(expected.why),
    )
  })

  test('a server that refuses whoever does not say who asks is told', async () => {
    const server = serve((_, request) =>
      request.headers.get('user-agent') === 'Waypost' ? new Response(files.png) : new Response(null, { status: 403 }),
    )
    expect(await fetchFile(`${server.url}/a.png`)).toMatchObject({ kind: 'fetched' })
  })

  test('a server that compresses for whoever says nothing is told not to', async () => {
    const server = serve((_, request) =>
      // As a server may that is not told otherwise.
      request.headers.get('accept-encoding') !== 'identity'
        ? new Response(gzipSync(files.png), { headers: { 'content-encoding': 'gzip' } })
        : new Response(files.png),
    )
    const fetched = await fetchFile(`${server.url}/a.png`)
    expect(fetched).toEqual({ kind: 'fetched', mime: 'image/png', file: [Buffer.from(files.png)] })
  })
})

describe('what cannot be used is not read to its end', () => {
  /** Streams a file without an end; tells how much had been taken when the caller hung up. */
  async function endless(head: Uint8Array) {
    const block = Buffer.alloc(65_536, 1)
    const hungUp = Promise.withResolvers<number>()
    const url = await serveHttp((_, response) => {
      let taken = head.length
      response.writeHead(200, { 'content-type': 'application/octet-stream' })
      response.on('close', () => hungUp.resolve(taken))
      response.on('error', () => {})
      response.write(head)
      const more = () => {
        while (!response.destroyed) {
          taken += block.length
          if (!response.write(block)) {
            response.once('drain', more)
            return
          }
        }
      }
      more()
    })
    return { url, hungUp: hungUp.promise }
  }

  const limits: readonly [format: MediaFormat, file: keyof typeof files, mb: number][] = [
    ['image', 'png', 5],
    ['video', 'mp4', 16],
  ]
  test.each(limits)('%s: more than its limit without a length ends the download', async (format, file, mb) => {
    const { url, hungUp } = await endless(files[file])
    expect(await fetchFile(`${url}/a`, format)).toEqual(failed(`is larger than ${mb} MB`))
    // What the two sockets hold between them comes on top.
    expect(await hungUp).toBeLessThan((mb + 16) * mib)
  })

  test.each([
    ['image', 5],
    ['video', 16],
    ['document', 100],
  ] as const)('%s: a declared length over %d MB ends it before the first byte', async (format, mb) => {
    const url = await serveRaw(socket => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: ${mb * mib + 1}\r\n\r\n`)
    })
    expect(await fetchFile(`${url}/a`, format)).toEqual(failed(`is larger than ${mb} MB`))
  })

  test('a file of exactly the limit is taken', async () => {
    const file = new Uint8Array(5 * mib)
    file.set(files.png)
    const server = serve(() => new Response(file))
    expect(await fetchFile(`${server.url}/a.png`)).toMatchObject({ kind: 'fetched', mime: 'image/png' })
  })

  test('a wrong type is seen in the first bytes: a page without an end is no image that is too large', async () => {
    const { url, hungUp } = await endless(files.html)
    expect(await fetchFile(`${url}/a.png`)).toEqual(failed(noImage))
    expect(await hungUp).toBeLessThan(5 * mib)
  })

  test('a wrong type is not waited for: the answer does not need the rest of the file', async () => {
    const clock = new ManualClock()
    const url = await serveRaw(socket => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${mib}\r\n\r\n${'<html>'.repeat(1_000)}`)
    })
    // The clock stands still and the file never ends: only its first bytes can decide.
    expect(await fetchFile(`${url}/a.png`, 'image', clock)).toEqual(failed(noImage))
    expect(clock.pending).toBe(0)
  })
})

describe('pieces of a byte', () => {
  const head = 'HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n5\r\n%PDF-\r\n'

  test('a file in pieces of a byte is not read to its end', async () => {
    const clock = new ManualClock()
    const url = await serveRaw(socket => {
      socket.write(head)
      flood(socket, '1\r\nx\r\n'.repeat(1_000))
    })
    const why = 'could not be fetched: its server sends it in pieces that are too small'
    expect(await fetchFile(`${url}/a.pdf`, 'document', clock)).toEqual(failed(why))
    expect(clock.pending).toBe(0)
  })

  test('a small file may come in them', async () => {
    const url = await serveRaw(socket => socket.end(`${head}${'1\r\nx\r\n'.repeat(4_000)}0\r\n\r\n`))
    const fetched = await fetchFile(`${url}/a.pdf`, 'document')
    const file = fetched.kind === 'fetched' ? fetched.file : []
    expect(Buffer.concat(file).toString()).toBe(`%PDF-${'x'.repeat(4_000)}`)
    // Copied together: each on its own would cost much more than its byte.
    expect(file.length).toBeLessThan(10)
  })
})

describe('what is not there', () => {
  test.each([
    ...[204, 206, 400, 429, 500, 503].map(status => [status, ''] as const),
    ...[401, 403].map(status => [status, ', access denied'] as const),
    ...[404, 410].map(status => [status, ', not found'] as const),
  ])('HTTP %d is named', async (status, hint) => {
    const server = serve(() => new Response(status === 204 ? null : files.png, { status }))
    const why = `could not be fetched: its server answered HTTP ${status}${hint}`
    expect(await fetchFile(`${server.url}/a.png`)).toEqual(failed(why))
  })

  const cuts: readonly [what: string, answer: string][] = [
    ['short of its length', `HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n\x89PNG\r\n\x1a\n`],
    ['within its chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n8\r\n\x89PNG\r\n\x1a\n\r\n'],
    ['within its head', 'HTTP/1.1 200 OK\r\ncontent-le'],
    ['before its first byte', ''],
  ]
  test.each(cuts)('a file that breaks off %s is not half a file', async (_, answer) => {
    const url = await serveRaw(socket => socket.end(Buffer.from(answer, 'latin1')))
    expect(await fetchFile(`${url}/a.png`)).toEqual(failed(/^could not be fetched/))
  })

  test('no HTTP at all', async () => {
    const url = await serveRaw(socket => socket.end('SSH-2.0-OpenSSH_9.9\r\n'))
    expect(await fetchFile(`${url}/a.png`)).toEqual(failed('could not be fetched: its server does not answer in HTTP'))
  })

  const floods: readonly [what: string, start: string, repeated: string][] = [
    ['interim answers', '', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'],
    ['headers', 'HTTP/1.1 200 OK\r\n', 'X-A: b\r\n'],
    ['headers of a redirect', 'HTTP/1.1 302 Found\r\nLocation: /', 'a'],
  ]
  test.each(floods)(
    '%s without an end are given up, without waiting for the time limit',
    async (_, start, repeated) => {
      const clock = new ManualClock()
      const url = await serveRaw(socket => {
        socket.write(start)
        flood(socket, repeated.repeat(2_000))
      })
      expect(await fetchFile(`${url}/a.png`, 'image', clock)).toEqual(failed(/^could not be fetched/))
      expect(clock.pending).toBe(0)
    },
  )

  test.each([
    ['a length', 'content-length: 1000\r\n'],
    ['no length', ''],
  ])('a file with %s whose connection is reset while its memory is awaited', async (_, length) => {
    const reset = Promise.withResolvers<void>()
    const url = await serveRaw(socket => {
      socket.once('close', () => reset.resolve())
      socket.write(`HTTP/1.1 200 OK\r\nconnection: close\r\n${length}\r\n${pngHead}`, () => socket.resetAndDestroy())
    })
    const held = Promise.withResolvers<boolean>()
    const end = fetchMedia({ guard, clock: systemClock, hold: () => held.promise }, `${url}/a.png`, 'image')
    await reset.promise
    // The reset arrives in a later turn than it is made.
    for (let turn = 0; turn < 10; turn += 1) await new Promise(resolve => setImmediate(resolve))
    held.resolve(true)
    expect(await end).toEqual(failed('could not be fetched whole'))
  })

  test('nobody listens', async () => {
    const server = startFiles(() => new Response())
    await server.stop()
    const why = 'could not be fetched: its server refused the connection'
    expect(await fetchFile(`${server.url}/a.png`)).toEqual(failed(why))
  })

  test('no TLS where the link says https', async () => {
    const server = serve(() => new Response(files.png))
    const why = 'could not be fetched: its server does not speak TLS'
    expect(await fetchFile(`https://127.0.0.1:${server.port}/a.png`)).toEqual(failed(why))
  })

  test('a certificate that nobody vouches for', async () => {
    const server = await listenTls('selfSigned')
    const why = 'could not be fetched: the certificate of its server is not valid'
    expect(await fetchFile(`https://127.0.0.1:${server.port}/a.png`)).toEqual(failed(why))
  })

  const lookups: readonly [code: string, why: string][] = [
    ['ENOTFOUND', 'could not be fetched: its host name does not exist'],
    ['EAI_AGAIN', 'could not be fetched: its host name could not be looked up; try again later'],
    ['EHOSTUNREACH', 'could not be fetched: its server cannot be reached'],
    ['ESOMETHING', 'could not be fetched'],
  ]
  test.each(lookups)('%s', async (code, why) => {
    const resolve = (_name: string, _options: unknown, callback: (error: Error) => void) =>
      callback(Object.assign(new Error('private words'), { code }))
    const failing = createAddressGuard([], resolve as unknown as Resolve)
    const parts = { guard: failing, clock: systemClock, hold: ample }
    expect(await fetchMedia(parts, 'https://files.example/a.png', 'image')).toEqual(failed(why))
  })
})

describe('redirects', () => {
  const redirect = (location: string | null, status = 302) =>
    new Response(null, { status, headers: location === null ? {} : { location } })

  test.each([301, 302, 303, 307, 308])('HTTP %d is followed', async status => {
    const server = serve(path => (path === '/start' ? redirect('/file', status) : new Response(files.png)))
    expect(await fetchFile(`${server.url}/start`)).toMatchObject({ kind: 'fetched', mime: 'image/png' })
  })

  test('four of them, relative and absolute, to another host and back', async () => {
    const server = serve(path => {
      const locations: Record<string, string> = {
        '/a/1': '2',
        '/a/2': '/3?x=y#z',
        '/3': `//other.example:${server.port}/4`,
        '/4': `${server.url}/file`,
      }
      const location = locations[path]
      return location ? redirect(location) : new Response(files.png)
    })
    const other = guardOf(loopback, { 'other.example': ['127.0.0.1'] })
    const fetched = await fetchMedia(
      { guard: other.guard, clock: systemClock, hold: ample },
      `${server.url}/a/1`,
      'image',
    )
    expect(fetched).toMatchObject({ kind: 'fetched', mime: 'image/png' })
    expect(server.requests).toEqual(['/a/1', '/a/2', '/3', '/4', '/file'])
    expect(other.lookups).toEqual(['other.example'])
  })

  test('a fifth is one too many', async () => {
    const server = serve(path => redirect(`/${Number(path.slice(1)) + 1}`))
    expect(await fetchFile(`${server.url}/1`)).toEqual(failed('redirects more than 4 times'))
    expect(server.requests).toEqual(['/1', '/2', '/3', '/4', '/5'])
  })

  test('a circle ends', async () => {
    const server = serve(() => redirect('/again'))
    expect(await fetchFile(`${server.url}/again`)).toEqual(failed('redirects more than 4 times'))
  })

  test('one without an address is an answer like any other', async () => {
    const server = serve(() => redirect(null))
    expect(await fetchFile(`${server.url}/a.png`)).toEqual(failed('could not be fetched: its server answered HTTP 302'))
  })

  test.each([201, 503])('HTTP %d is none, although it names an address', async status => {
    const server = serve(path => (path === '/file' ? new Response(files.png) : redirect('/file', status)))
    expect(await fetchFile(`${server.url}/a.png`)).toEqual(
      failed(`could not be fetched: its server answered HTTP ${status}`),
    )
    expect(server.requests).toEqual(['/a.png'])
  })

  test.each(['http://[', 'http://', 'http://256.256.256.256/', 'https://exa mple/', 'http://a:99999/'])(
    'one to something that cannot be read is a failure of the link: %p',
    async location => {
      const server = serve(() => redirect(location))
      expect(await fetchFile(`${server.url}/a.png`)).toEqual(failed('leads to something that is not a web address'))
    },
  )
})

describe('a link may take 20 seconds, redirects and all', () => {
  test('one that never answers is given up', async () => {
    const clock = new ManualClock()
    const arrived = Promise.withResolvers<void>()
    const url = await serveRaw(() => arrived.resolve())
    const fetched = fetchFile(`${url}/a.png`, 'image', clock)
    await arrived.promise
    clock.advance(19_999)
    expect(clock.pending).toBe(1)
    clock.advance(1)
    expect(await fetched).toEqual(failed('did not arrive within 20 seconds'))
    expect(clock.pending).toBe(0)
  })

  test('one that sends a byte now and then is given up as well', async () => {
    const clock = new ManualClock()
    const arrived = Promise.withResolvers<void>()
    const url = await serveRaw(socket => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n\x89PNG', 'latin1', () => arrived.resolve())
    })
    const fetched = fetchFile(`${url}/a.png`, 'image', clock)
    await arrived.promise
    clock.advance(20_000)
    expect(await fetched).toEqual(failed('did not arrive within 20 seconds'))
  })

  test('the time of a redirect counts', async () => {
    const clock = new ManualClock()
    const arrived = Promise.withResolvers<void>()
    const url = await serveRaw((socket, path) => {
      if (path !== '/start') return arrived.resolve()
      clock.advance(15_000)
      socket.end('HTTP/1.1 302 Found\r\nlocation: /file\r\ncontent-length: 0\r\n\r\n')
    })
    const fetched = fetchFile(`${url}/start`, 'image', clock)
    await arrived.promise
    clock.advance(4_999)
    expect(clock.pending).toBe(1)
    clock.advance(1)
    expect(await fetched).toEqual(failed('did not arrive within 20 seconds'))
  })

  test('one that answered leaves no timer behind', async () => {
    const clock = new ManualClock()
    const server = serve(() => new Response(files.png))
    expect(await fetchFile(`${server.url}/a.png`, 'image', clock)).toMatchObject({ kind: 'fetched' })
    await eventually(() => expect(clock.pending).toBe(0))
  })
})

describe('the example files of the sandbox', () => {
  test('are fetched from this machine, and nothing beside them', async () => {
    const server = serve(path => (path.endsWith('/away') ? Response.redirect('/inside.png') : new Response(files.png)))
    const closed = guardOf().guard
    const exampleFiles = exampleFilesOf(server.url)
    const get = (path: string) =>
      fetchMedia({ guard: closed, exampleFiles, clock: systemClock, hold: ample }, server.url + path, 'image')
    expect(await get('/sandbox/files/image/a.png')).toMatchObject({ kind: 'fetched', mime: 'image/png' })
    const notPublic = failed('leads to an address that is not public')
    for (const path of [
      '/sandbox',
      '/sandbox/files/../token',
      '/sandbox/files/%2e%2e/token',
      '/sandbox/files/image/..%2f..%2ftoken',
      '/sandbox/files/image/away',
    ])
      expect(await get(path)).toEqual(notPublic)
    expect(server.requests).toEqual(['/sandbox/files/image/a.png', '/sandbox/files/image/away'])
  })

  test('the real platform has none', () => {
    expect(exampleFilesOf('https://graph.facebook.com')).toBeUndefined()
  })
})
