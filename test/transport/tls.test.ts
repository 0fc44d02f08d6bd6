import { afterEach, describe, expect, test } from 'bun:test'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { createTransport, type Exchange, type HttpRequest } from '../../src/transport/transport.ts'
import { ManualClock } from '../clock.ts'
import { closeLater, closeOpened, listen } from './farEnd.ts'
import type { Program } from './program.ts'
import { ca, certificate, certificates, key, listenTls } from './tlsServer.ts'

afterEach(closeOpened)

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
    const { port, greetings, received } = await listenTls('localhost', { ALPNProtocols: ['h2', 'http/1.1'] })
    expect(await exchange(`https://localhost:${port}/`)).toMatchObject({ kind: 'answered', status: 200, body: 'ok' })
    expect(greetings).toEqual([['localhost', 'http/1.1']])
    expect(received).toHaveLength(1)
  })

  test.each([
    ['127.0.0.1', '127.0.0.1', false],
    ['[::1]', '::1', !hasIpv6],
  ])('the address %s that the certificate has, which is not asked for as a name', async (host, address, isAbsent) => {
    if (isAbsent) return
    const { port, greetings } = await listenTls('address', {}, address)
    expect(await exchange(`https://${host}:${port}/`)).toMatchObject({ kind: 'answered', status: 200 })
    expect(greetings).toEqual([[false, false]])
  })

  test.each(['TLSv1.2', 'TLSv1.3'] as const)('%s, several times over one connection', async version => {
    const { port, greetings } = await listenTls('localhost', { minVersion: version, maxVersion: version })
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
      tls: { key, cert: await certificate('localhost') },
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
      const server = await listenTls(certificate, { minVersion: version, maxVersion: version })
      expect(await exchange(`https://${host}:${server.port}/`, trust)).toEqual({
        kind: 'notSent',
        why: expect.stringMatching(/^the certificate of its server is not valid \(.+\)$/),
        cause: 'certificate',
      })
      await server.ended
      expect(server.received).toEqual([])
    }
  })

  test('a far end that speaks HTTP/2 alone', async () => {
    const server = await listenTls('localhost', { ALPNProtocols: ['h2'] })
    expect(await exchange(`https://localhost:${server.port}/`)).toMatchObject({ kind: 'notSent' })
    await server.ended
    expect(server.received).toEqual([])
  })
})

describe('the environment', () => {
  async function inProcess(url: string, env: Record<string, string>): Promise<Exchange | undefined> {
    const program = join(import.meta.dir, 'program.ts')
    const stdin = new Response(JSON.stringify({ batches: [[request(url)]] } satisfies Program))
    const child = Bun.spawn([process.execPath, program], { env, stdin, stdout: 'pipe', stderr: 'ignore' })
    closeLater(() => child.kill())
    const [[end] = []] = (await child.stdout.json()) as Exchange[][]
    return end
  }

  test('names more authorities with NODE_EXTRA_CA_CERTS', async () => {
    const { port } = await listenTls('localhost')
    const env = { NODE_EXTRA_CA_CERTS: join(certificates, 'ca.pem') }
    expect(await inProcess(`https://localhost:${port}/`, env)).toMatchObject({ kind: 'answered' })
    expect(await inProcess(`https://localhost:${port}/`, {})).toMatchObject({ kind: 'notSent' })
  })

  test('cannot switch the proof off', async () => {
    const { port, received, ended } = await listenTls('localhost')
    const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0' }
    expect(await inProcess(`https://localhost:${port}/`, env)).toMatchObject({ kind: 'notSent' })
    await ended
    expect(received).toEqual([])
  })

  test('cannot lead requests over a proxy', async () => {
    let isAsked = false
    const proxy = await listen(() => {
      isAsked = true
    })
    const { port } = await listenTls('localhost')
    const address = `http://127.0.0.1:${proxy}`
    const names = ['http_proxy', 'https_proxy', 'all_proxy'].flatMap(name => [name, name.toUpperCase()])
    const env = {
      ...Object.fromEntries(names.map(name => [name, address])),
      NODE_USE_ENV_PROXY: '1',
      NODE_EXTRA_CA_CERTS: join(certificates, 'ca.pem'),
    }
    expect(await inProcess(`https://localhost:${port}/`, env)).toMatchObject({ kind: 'answered' })
    expect(isAsked).toBe(false)
  })
})
