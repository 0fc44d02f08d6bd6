import { describe, expect, test } from 'bun:test'
import { parseCidr } from '../../src/base/network.ts'
import { createWebhookAddresses, RefusedAddress } from '../../src/webhooks/address.ts'

const names: Readonly<Record<string, readonly string[]>> = {
  'public.example': ['93.184.216.34'],
  'inside.example': ['10.0.0.5'],
  'mixed.example': ['10.0.0.5', '93.184.216.34'],
  'n8n.lan': ['192.168.7.9'],
}

/** A resolver of the names above; all others do not exist. */
const resolve = ((name: string, _: object, callback: (error: Error | null, found: object[]) => void) => {
  const found = names[name]
  if (!found) return callback(new Error('ENOTFOUND'), [])
  callback(
    null,
    found.map(address => ({ address, family: 4 })),
  )
}) as unknown as Parameters<typeof createWebhookAddresses>[1]

const addresses = (...networks: readonly string[]) =>
  createWebhookAddresses(
    networks.flatMap(text => parseCidr(text) ?? []),
    resolve,
    () => ['5.6.7.8'],
  )

describe('an address is refused at once', () => {
  test.each([
    ['', 'is not one of the web'],
    ['ftp://public.example', 'is not one of the web'],
    ['https://', 'is not one of the web'],
    ['https://public.example/a b', 'is not one of the web'],
    ['https://public.example/\nx', 'is not one of the web'],
    [`https://public.example/${'x'.repeat(2_048)}`, 'more than 2,048 characters'],
    ['https://ada:pw@public.example', 'user name or a password'],
    ['https://public.example/#x', 'fragment'],
    ['http://public.example', 'must begin with https://'],
    ['http://unknown.example', 'must begin with https://'],
    ['http://10.0.0.5', 'set WEBHOOK_ALLOWED_NETWORKS=10.0.0.5/32'],
    [
      'https://10.0.0.5/hook',
      '10.0.0.5 is a private address: to deliver there, set WEBHOOK_ALLOWED_NETWORKS=10.0.0.5/32',
    ],
    ['https://[::1]/hook', '::1 is a private address: to deliver there, set WEBHOOK_ALLOWED_NETWORKS=::1/128'],
    ['https://localhost:3000', 'localhost (127.0.0.1) is a private address'],
    ['https://0x7f.1/', '127.0.0.1 is a private address'],
    ['https://169.254.169.254/', '169.254.169.254 is a private address'],
    ['https://[::ffff:10.0.0.5]/', 'WEBHOOK_ALLOWED_NETWORKS'],
    ['https://203.0.113.9/', '203.0.113.9 is not a public address'],
    ['https://5.6.7.8/', '5.6.7.8 is not a public address'],
  ])('%s', (address, why) => expect(addresses().problemOf(address)).toContain(why))
})

test.each(['https://public.example/hook?x=1', 'https://93.184.216.34:8443/', 'https://unknown.example'])(
  'nothing is known against %s',
  address => expect(addresses().problemOf(address)).toBeNull(),
)

describe('WEBHOOK_ALLOWED_NETWORKS', () => {
  test.each(['https://10.0.0.5', 'http://10.0.0.5:5678/hook', 'http://n8n.lan/'])('opens %s', address =>
    expect(addresses('10.0.0.0/8', '192.168.7.0/24').problemOf(address)).toBeNull(),
  )

  test('opens this machine by its name when one of its addresses is open', () =>
    expect(addresses('127.0.0.0/8').problemOf('http://localhost:3000/hook')).toBeNull())

  test('opens nothing else, and no plain http to the world', () => {
    const guarded = addresses('10.0.0.0/8')
    expect(guarded.problemOf('https://192.168.7.9')).toContain('WEBHOOK_ALLOWED_NETWORKS=192.168.7.9/32')
    expect(guarded.problemOf('http://93.184.216.34')).toContain('must begin with https://')
  })
})

describe('a name', () => {
  test.each([
    ['https://public.example', null],
    ['https://unknown.example', null],
    ['https://mixed.example', null],
    ['https://inside.example/x', 'inside.example (10.0.0.5) is a private address: to deliver there, set'],
    ['https://10.0.0.5', '10.0.0.5 is a private address'],
  ])('that leads inside is refused early: %s', async (address, why) => {
    const hint = await addresses().hintOf(address)
    if (why === null) expect(hint).toBeNull()
    else expect(hint).toContain(why)
  })

  const connectTo = (url: string, ...networks: readonly string[]) =>
    new Promise<unknown>(resolved => {
      const { hostname } = new URL(url)
      const found = (error: Error | null, to: unknown) => resolved(error ?? to)
      addresses(...networks).lookupFor(new URL(url))(hostname, { all: true }, found)
    })

  test('is looked up at each connection, which goes only to its allowed addresses', async () => {
    expect(await connectTo('https://mixed.example')).toEqual([{ address: '93.184.216.34', family: 4 }])
    expect(await connectTo('https://mixed.example', '10.0.0.0/8')).toHaveLength(2)
    expect(await connectTo('http://mixed.example', '10.0.0.0/8')).toEqual([{ address: '10.0.0.5', family: 4 }])
    const refused = await connectTo('https://inside.example')
    expect(refused).toBeInstanceOf(RefusedAddress)
    expect(String(refused)).toContain('inside.example (10.0.0.5) is a private address')
    expect(String(await connectTo('http://public.example', '10.0.0.0/8'))).toContain('must begin with https://')
    expect(String(await connectTo('https://unknown.example'))).toContain('ENOTFOUND')
  })
})
