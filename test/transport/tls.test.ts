import { afterEach, describe, expect, test } from 'bun:test'
import type net from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { createTransport, type Exchange, type HttpRequest } from '../../src/transport/transport.ts'
import { ManualClock } from '../clock.ts'
import { closeLater, closeOpened } from './farEnd.ts'

/** Made by the script beside them. */
const file = (name: string) => Bun.file(join(import.meta.dir, 'certificates', `${name}.pem`)).text()
const ca = await file('ca')
const key = await file('key')

afterEach(closeOpened)

interface TlsServer {
  readonly port: number
  /** What came through the encryption, of all connections together. */
  readonly received: string[]
  /** The name that the client asked for and the protocol agreed on, by connection. */
  readonly greetings: unknown[]
  /** Resolves when there was a connection and all have ended, so that nothing more can come. */
  readonly ended: Promise<void>
}

/** Answers every request with `ok`. */
async function listen(certificate: string, options: tls.TlsOptions = {}, host = '127.0.0.1'): Promise<TlsServer> {
  const received: string[] = []
  const greetings: unknown[] = []
  const open = new Set<net.Socket>()
  const ended = Promise.withResolvers<void>()
  const server = tls.createServer({ key, cert: await file(certificate), ...options }, socket => {
    greetings.push([socket.servername, socket.alpnProtocol])
    socket.on('error', () => {})
    socket.on('data', bytes => {
      received.push(bytes.toString('latin1'))
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    })
  })
  server.on('connection', (socket: net.Socket) => {
    open.add(socket)
    socket.on('close', () => {
      open.delete(socket)
      if (open.size === 0) ended.resolve()
    })
  })
  await new Promise<void>(resolve => server.listen(0, host, resolve))
  closeLater(() => {
    for (const socket of open) socket.destroy()
    return new Promise(resolve => server.close(resolve))
  })
  return { port: (server.address() as net.AddressInfo).port, received, greetings, ended: ended.promise }
}

const request = (url: string): HttpRequest => ({
  method: 'POST',
  url,
  headers: { authorization: 'Bearer secret' },
  body: '{}',
  timeoutMs: 30_000,
})

async function exchange(url: string, trust: { ca?: string } = { ca }): Promise<Exchange> {
  const clock = new ManualClock()
  const transport = createTransport(clock, trust)
  closeLater(() => transport.close())
  const end = await transport.exchange(request(url))
  expect(clock.pending).toBe(0)
  return end
}

const hasIpv6 = Object.values(networkInterfaces()).some(list => list?.some(({ address }) => address === '::1'))

describe('answered', () => {
  test('a name that the certificate has, by an authority that is believed', async () => {
    const { port, greetings, received } = await listen('localhost', { ALPNProtocols: ['h2', 'http/1.1'] })
    expect(await exchange(`https://localhost:${port}/`)).toMatchObject({ kind: 'answered', status: 200, body: 'ok' })
    expect(greetings).toEqual([['localhost', 'http/1.1']])
    expect(received).toHaveLength(1)
  })

  test.each([
    ['127.0.0.1', '127.0.0.1', false],
    ['[::1]', '::1', !hasIpv6],
  ])('the address %s that the certificate has, which is not asked for as a name', async (host, address, isAbsent) => {
    if (isAbsent) return
    const { port, greetings } = await listen('address', {}, address)
    expect(await exchange(`https://${host}:${port}/`)).toMatchObject({ kind: 'answered', status: 200 })
    expect(greetings).toEqual([[false, false]])
  })

  test.each(['TLSv1.2', 'TLSv1.3'] as const)('%s, several times over one connection', async version => {
    const { port, greetings } = await listen('localhost', { minVersion: version, maxVersion: version })
    const transport = createTransport(new ManualClock(), { ca })
    closeLater(() => transport.close())
    for (let count = 0; count < 3; count += 1) {
      expect(await transport.exchange(request(`https://localhost:${port}/`))).toMatchObject({ kind: 'answered' })
    }
    expect(greetings).toHaveLength(1)
  })

  test('a body that is larger than what the system takes at once', async () => {
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      tls: { key, cert: await file('localhost') },
      fetch: async request => new Response(Bun.SHA256.hash(await request.bytes(), 'hex')),
    })
    closeLater(() => server.stop(true))
    const transport = createTransport(new ManualClock(), { ca })
    closeLater(() => transport.close())
    const body = new Uint8Array(32 * 1_048_576).map((_, index) => index >> 8)
    const end = await transport.exchange({ ...request(`https://localhost:${server.port}/`), body })
    expect(end).toMatchObject({ kind: 'answered', body: Bun.SHA256.hash(body, 'hex') })
  })
})

describe('not sent, and not a byte of the request written', () => {
  const rows: readonly [name: string, certificate: string, host: string, trust: { ca?: string }][] = [
    ['a certificate that signed itself', 'selfSigned', 'localhost', { ca }],
    ['a certificate that signed itself, without an authority of ours', 'selfSigned', 'localhost', {}],
    ['an authority that is not believed', 'localhost', 'localhost', {}],
    ['a certificate for another name', 'elsewhere', 'localhost', { ca }],
    ['a certificate for a name, where an address was asked for', 'localhost', '127.0.0.1', { ca }],
    ['a certificate for an address, where a name was asked for', 'address', 'localhost', { ca }],
    ['a certificate that has expired', 'expired', 'localhost', { ca }],
  ]
  test.each(rows)('%s', async (_, certificate, host, trust) => {
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const server = await listen(certificate, { minVersion: version, maxVersion: version })
      expect(await exchange(`https://${host}:${server.port}/`, trust)).toEqual({
        kind: 'notSent',
        why: expect.stringMatching(/certificate|altnames/),
      })
      await server.ended
      expect(server.received).toEqual([])
    }
  })

  test('a far end that speaks HTTP/2 alone', async () => {
    const server = await listen('localhost', { ALPNProtocols: ['h2'] })
    expect(await exchange(`https://localhost:${server.port}/`)).toMatchObject({ kind: 'notSent' })
    await server.ended
    expect(server.received).toEqual([])
  })
})

describe('the environment', () => {
  async function inProcess(url: string, env: Record<string, string>): Promise<Exchange> {
    const script = `
      import { createTransport } from '${import.meta.dir}/../../src/transport/transport.ts'
      import { systemClock } from '${import.meta.dir}/../../src/clock.ts'
      console.log(JSON.stringify(await createTransport(systemClock).exchange(${JSON.stringify(request(url))})))`
    const child = Bun.spawn([process.execPath, '-e', script], { env, stdout: 'pipe', stderr: 'ignore' })
    closeLater(() => child.kill())
    return child.stdout.json()
  }

  test('names more authorities with NODE_EXTRA_CA_CERTS', async () => {
    const { port } = await listen('localhost')
    const env = { NODE_EXTRA_CA_CERTS: join(import.meta.dir, 'certificates', 'ca.pem') }
    expect(await inProcess(`https://localhost:${port}/`, env)).toMatchObject({ kind: 'answered' })
    expect(await inProcess(`https://localhost:${port}/`, {})).toMatchObject({ kind: 'notSent' })
  })

  test('cannot switch the proof off', async () => {
    const { port, received, ended } = await listen('localhost')
    const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0' }
    expect(await inProcess(`https://localhost:${port}/`, env)).toMatchObject({ kind: 'notSent' })
    await ended
    expect(received).toEqual([])
  })
})
