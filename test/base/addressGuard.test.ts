import { afterEach, describe, expect, spyOn, test } from 'bun:test'
import os from 'node:os'
import { createAddressGuard, ForbiddenAddress } from '../../src/base/addressGuard.ts'
import { systemClock } from '../../src/base/clock.ts'
import { fetchMedia } from '../../src/media/outgoing/fetch.ts'
import { sharedFixture } from '../fixture.ts'
import { ample, files, guardOf, loopback, startFiles } from '../media/outgoing/files.ts'

const clock = systemClock
const notPublic = { kind: 'failed', why: 'leads to an address that is not public' } as const

/** Listens where the forbidden links lead: a fetch that gets past the guard shows. */
const inside = sharedFixture(() => startFiles(() => new Response(files.png)))
afterEach(() => {
  inside.requests.length = 0
})

const fetchImage = (parts: ReturnType<typeof guardOf>, link: string) =>
  fetchMedia({ guard: parts.guard, clock, hold: ample }, link, 'image')

describe('an address that is not public is refused', () => {
  const hosts: Readonly<Record<string, string>> = {
    'this host and its network': '0.0.0.0 0.1.2.3',
    loopback: '127.0.0.1 127.255.255.254 [::1] [0000:0000:0000:0000:0000:0000:0000:0001] [::]',
    'private networks': '10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.1.1',
    'link-local': '169.254.1.1 [fe80::1] [febf::1]',
    'metadata services': '169.254.169.254 169.254.170.2 100.100.100.200 [fd00:ec2::254]',
    "Azure's own services": '168.63.129.16 [::ffff:168.63.129.16]',
    'carrier-grade NAT': '100.64.0.1 100.127.255.255',
    'protocol assignments, 6to4 relays, benchmarking': '192.0.0.192 192.88.99.1 198.18.0.1 198.19.255.255',
    documentation: '192.0.2.1 198.51.100.1 203.0.113.1 [2001:db8::1] [3fff::1]',
    'multicast, reserved, broadcast': '224.0.0.1 240.0.0.1 255.255.255.255 [ff02::1]',
    'IPv4 in IPv6': '[::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:1] [::ffff:a9fe:a9fe] [::ffff:10.0.0.1]',
    'IPv4-compatible and IPv4-translated IPv6': '[::127.0.0.1] [::7f00:1] [::ffff:0:7f00:1]',
    'unique local and site-local IPv6': '[fc00::1] [fd12:3456:789a::1] [fec0::1]',
    'NAT64, 6to4, Teredo':
      '[64:ff9b::7f00:1] [64:ff9b::127.0.0.1] [64:ff9b:1::7f00:1] [2002:7f00:1::] [2002:a00:1::1] [2001:0:7f00:1::]',
    'discard only, dummy prefix, segment routing': '[100::1] [100:0:0:1::1] [5f00::1]',
    'one number: decimal, hexadecimal, octal': '2130706433 0x7f000001 017700000001 0 2852039166',
    'parts: octal, hexadecimal, mixed, fewer than four':
      '0177.0.0.1 00000177.0.0.01 0x7f.0x0.0x0.0x1 0x7f.0.0.01 127.1 127.0.1',
    'a trailing dot, percent-encoded digits': '127.0.0.1. %31%32%37.0.0.1',
    'digits and stops of other scripts': '１２７.０.０.１ ①②⑦.⓪.⓪.① 127。0。0。1',
  }
  const each = Object.entries(hosts).flatMap(([what, list]) => list.split(' ').map(host => [what, host] as const))

  test.each(each)('%s: %s', async (_, host) => {
    const parts = guardOf()
    expect(() => parts.guard.checkHost(new URL(`http://${host}`).hostname)).toThrow(ForbiddenAddress)
    expect(await fetchImage(parts, `http://${host}:${inside.port}/a.png`)).toEqual(notPublic)
    expect(await fetchImage(parts, `https://${host}/a.png`)).toEqual(notPublic)
    // An address is judged as it stands; a resolver that rewrites it gets no say.
    expect(parts.lookups).toEqual([])
    expect(inside.requests).toEqual([])
  })

  test.each(['localhost', 'LOCALHOST'])('the name %s, by the resolver of this machine', async host => {
    const guard = createAddressGuard([])
    expect(await fetchMedia({ guard, clock, hold: ample }, `http://${host}:${inside.port}/a.png`, 'image')).toEqual(
      notPublic,
    )
    expect(inside.requests).toEqual([])
  })
})

describe('a name is judged by the addresses that it resolves to', () => {
  const names: Readonly<Record<string, readonly string[]>> = {
    'loopback.example': ['127.0.0.1'],
    'localhost.': ['127.0.0.1'],
    'localhost.localdomain': ['::1'],
    'metadata.google.internal': ['169.254.169.254'],
    'private.example': ['10.1.2.3'],
    'metadata.example': ['169.254.169.254'],
    'six.example': ['fd00::1'],
    'mapped.example': ['::ffff:127.0.0.1'],
    'both.example': ['93.184.216.34', '127.0.0.1'],
    'turned.example': ['127.0.0.1', '93.184.216.34'],
    'families.example': ['2606:2800:220:1::1', '10.0.0.1'],
    'dotted.example.': ['192.168.0.1'],
    'xn--bcher-kva.example': ['172.16.0.9'],
  }

  test.each(Object.keys(names))('%s leads inside and is not dialled', async name => {
    expect(await fetchImage(guardOf([], names), `http://${name}:${inside.port}/a.png`)).toEqual(notPublic)
    expect(inside.requests).toEqual([])
  })

  test('a name in another script is looked up in its wire form', async () => {
    const parts = guardOf([], names)
    expect(await fetchImage(parts, `http://bücher.example:${inside.port}/a.png`)).toEqual(notPublic)
    expect(parts.lookups).toEqual(['xn--bcher-kva.example'])
  })

  test('the address that was checked is the one that is dialled: a name is looked up once', async () => {
    const rebinding: Record<string, readonly string[]> = { 'rebinding.example': ['127.0.0.1'] }
    const parts = guardOf(loopback, rebinding)
    const found = fetchImage(parts, `http://rebinding.example:${inside.port}/a.png`)
    rebinding['rebinding.example'] = ['10.0.0.1']
    expect(await found).toMatchObject({ kind: 'fetched', mime: 'image/png' })
    expect(parts.lookups).toEqual(['rebinding.example'])
  })

  test('a name without an address is said not to exist, not to be inside', async () => {
    expect(await fetchImage(guardOf(), 'http://nowhere.example/a.png')).toEqual({
      kind: 'failed',
      why: 'could not be fetched: its host name does not exist',
    })
  })
})

describe("the machine's own addresses are refused, also where they are public", () => {
  const own = ['93.184.216.34', '2606:2800:220:1::1']
  const names = { 'self.example': ['93.184.216.34'] }

  test.each(['93.184.216.34', '[::ffff:93.184.216.34]', '[2606:2800:220:1:0:0:0:1]', 'self.example'])(
    '%s',
    async host => {
      expect(await fetchImage(guardOf([], names, own), `http://${host}:${inside.port}/a.png`)).toEqual(notPublic)
    },
  )

  test('its neighbours are not, and MEDIA_ALLOWED_NETWORKS opens it', () => {
    expect(() => guardOf([], names, own).guard.checkHost('93.184.216.35')).not.toThrow()
    expect(() => guardOf(['93.184.216.34'], names, own).guard.checkHost('93.184.216.34')).not.toThrow()
  })

  test('they are asked of the system, each time: a machine may get another one', () => {
    const interfaces = spyOn(os, 'networkInterfaces')
    const { checkHost } = createAddressGuard([])
    checkHost('93.184.216.34')
    const address = { address: '93.184.216.34', netmask: '255.255.255.0', mac: '', internal: false, cidr: null }
    interfaces.mockReturnValue({ eth0: [{ ...address, family: 'IPv4' }] })
    try {
      expect(() => checkHost('93.184.216.34')).toThrow(ForbiddenAddress)
    } finally {
      interfaces.mockRestore()
    }
  })
})

describe('a redirect is judged like the link itself', () => {
  const outside = sharedFixture(() =>
    startFiles(path =>
      path === '/file' ? new Response(files.png) : new Response(null, { status: 302, headers: { location: target } }),
    ),
  )
  let target = ''

  const targets: readonly [what: string, location: () => string][] = [
    ['a private address', () => `http://10.0.0.1:${inside.port}/a.png`],
    ['the metadata service', () => 'http://169.254.169.254/latest/meta-data/'],
    ['IPv6 loopback', () => `http://[::1]:${inside.port}/a.png`],
    ['IPv4 in IPv6', () => 'http://[::ffff:10.0.0.1]/a.png'],
    ['another protocol version of the same', () => `//192.168.0.1:${inside.port}/a.png`],
    ['a decimal spelling', () => `http://167772161:${inside.port}/a.png`],
    ['a name that resolves to a private address', () => 'http://private.example/a.png'],
    ['a name that resolves to a public and a private one', () => 'http://both.example/a.png'],
  ]
  test.each(targets)('%s', async (_, location) => {
    target = location()
    const parts = guardOf(loopback, { 'private.example': ['10.0.0.1'], 'both.example': ['93.184.216.34', '10.0.0.1'] })
    expect(await fetchImage(parts, `${outside.url}/start`)).toEqual(notPublic)
    expect(inside.requests).toEqual([])
  })

  test.each([
    'file:///etc/passwd',
    'ftp://127.0.0.1/a.png',
    'data:image/png;base64,iVBORw0KGgo=',
    'gopher://127.0.0.1/',
    'javascript:1',
  ])('another scheme: %s', async location => {
    target = location
    expect(await fetchImage(guardOf(loopback), `${outside.url}/start`)).toEqual({
      kind: 'failed',
      why: 'leads to something that is not a web address',
    })
  })

  test('credentials in the address', async () => {
    target = `http://user:secret@127.0.0.1:${outside.port}/file`
    outside.requests.length = 0
    expect(await fetchImage(guardOf(loopback), `${outside.url}/start`)).toEqual({
      kind: 'failed',
      why: 'must not carry a user name or password',
    })
    expect(outside.requests).not.toContain('/file')
  })

  test('an open address is followed', async () => {
    target = '/file'
    expect(await fetchImage(guardOf(loopback), `${outside.url}/start`)).toMatchObject({ kind: 'fetched' })
  })
})

describe('a link is a plain web address', () => {
  test.each([
    'file:///etc/passwd',
    'ftp://files.example/a.png',
    'data:image/png;base64,iVBORw0KGgo=',
    'gopher://files.example/',
    'javascript:alert(1)',
    'ws://files.example/a.png',
    'blob:http://files.example/1',
    'unix:/run/docker.sock',
    'http://',
    'http://[::1%25eth0]/a.png',
    'http://256.256.256.256/a.png',
    'no link at all',
    '',
  ])('not %p', async link => {
    const parts = guardOf()
    expect(await fetchImage(parts, link)).toEqual({
      kind: 'failed',
      why: 'leads to something that is not a web address',
    })
    expect(parts.lookups).toEqual([])
  })

  test.each(['http://user@127.0.0.1', 'http://user:secret@127.0.0.1', 'http://:secret@127.0.0.1'])(
    'not with credentials: %s',
    async origin => {
      expect(await fetchImage(guardOf(loopback), `${origin}:${inside.port}/a.png`)).toEqual({
        kind: 'failed',
        why: 'must not carry a user name or password',
      })
      expect(inside.requests).toEqual([])
    },
  )
})

describe('MEDIA_ALLOWED_NETWORKS opens what it names and nothing else', () => {
  test('a network opens its addresses, in every spelling', async () => {
    for (const host of ['127.0.0.1', '127.1', '2130706433', '0x7f000001', 'files.example']) {
      const parts = guardOf(loopback, { 'files.example': ['127.0.0.1'] })
      expect(await fetchImage(parts, `http://${host}:${inside.port}/a.png`)).toMatchObject({
        kind: 'fetched',
        mime: 'image/png',
        file: [Buffer.from(files.png)],
      })
    }
    expect(inside.requests).toHaveLength(5)
  })

  const refused = (allowed: readonly string[], host: string) => () => guardOf(allowed).guard.checkHost(host)

  test.each([
    ['127.0.0.0/8', '127.9.9.9', '10.0.0.1'],
    ['10.1.0.0/16', '10.1.255.255', '10.2.0.0'],
    ['192.168.7.7', '192.168.7.7', '192.168.7.8'],
    ['fd00:1::/32', '[fd00:1::5]', '[fd00:2::5]'],
    ['::1/128', '[::1]', '[::2]'],
  ])('%s opens %s and leaves %s closed', (network, open, closed) => {
    expect(refused([network], open)).not.toThrow()
    expect(refused([network], closed)).toThrow(ForbiddenAddress)
    expect(refused([], open)).toThrow(ForbiddenAddress)
  })

  test('a name with one open and one closed address stays closed', async () => {
    const parts = guardOf(loopback, { 'half.example': ['127.0.0.1', '10.0.0.1'] })
    expect(await fetchImage(parts, `http://half.example:${inside.port}/a.png`)).toEqual(notPublic)
    expect(inside.requests).toEqual([])
  })
})

/** The last or the first address beside a forbidden network, and some of well-known hosts. */
const besides = `8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255
  169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.167.255.255 192.169.0.0 198.17.255.255
  198.20.0.0 223.255.255.255 [2606:4700:4700::1111] [2a00:1450:4001:80e::200e] [::ffff:8.8.8.8]`

test.each(besides.split(/\s+/))('the public address %s beside a forbidden network is not refused', host => {
  expect(() => guardOf().guard.checkHost(host)).not.toThrow()
})
