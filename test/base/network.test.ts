import { describe, expect, test } from 'bun:test'
import { callerAddress, countedNetworks, networkMatcher, parseCidr, shownNetwork } from '../../src/base/network.ts'

const matcher = (...networks: readonly string[]) => networkMatcher(networks.flatMap(text => parseCidr(text) ?? []))

describe('parseCidr', () => {
  test.each([
    ['10.0.0.0/8', { address: '10.0.0.0', prefix: 8, family: 'ipv4' }],
    ['10.1.2.3', { address: '10.1.2.3', prefix: 32, family: 'ipv4' }],
    ['0.0.0.0/0', { address: '0.0.0.0', prefix: 0, family: 'ipv4' }],
    ['2001:db8::/32', { address: '2001:db8::', prefix: 32, family: 'ipv6' }],
    ['::1', { address: '::1', prefix: 128, family: 'ipv6' }],
    ['::/0', { address: '::', prefix: 0, family: 'ipv6' }],
  ] as const)('%s', (text, cidr) => {
    expect(parseCidr(text)).toEqual(cidr)
  })

  test.each([
    '',
    'localhost',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0/8.0',
    '10.0.0/8',
    '10.0.0.256',
    ' 10.0.0.1',
    '1e1.0.0.0',
    '::1/64x',
    '[::1]',
    '10.0.0.1:80',
  ])('%p is neither an address nor a network', text => {
    expect(parseCidr(text)).toBeNull()
  })
})

describe('networkMatcher', () => {
  test.each([
    ['10.0.0.0/8', '10.255.1.2', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['10.1.2.3', '10.1.2.3', true],
    ['10.1.2.3', '10.1.2.4', false],
    ['10.0.0.0/8', '::ffff:10.1.2.3', true],
    ['10.0.0.0/8', '::ffff:a01:203', true],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['::1', '0:0:0:0:0:0:0:1', true],
    ['10.0.0.0/8', 'local', false],
    ['10.0.0.0/8', '', false],
    ['10.0.0.0/8', '10.0.0.1 ', false],
  ])('%s holds %p: %p', (network, address, isInside) => {
    expect(matcher(network)(address)).toBe(isInside)
  })

  test('no network holds nobody', () => {
    expect(matcher()('127.0.0.1')).toBe(false)
  })
})

describe('callerAddress', () => {
  const proxy = '10.0.0.1'
  const isTrusted = matcher('10.0.0.0/8', 'fd00::/8')

  test.each([
    ['no header', proxy, null, proxy],
    ['a header from a peer that is not trusted', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['one address', proxy, '203.0.113.9', '203.0.113.9'],
    ['the caller wrote the left part', proxy, '198.51.100.1, 203.0.113.9', '203.0.113.9'],
    ['two proxies', proxy, '203.0.113.9, 10.0.0.2', '203.0.113.9'],
    ['a proxy of IPv6', 'fd00::1', '2001:db8::1', '2001:db8::1'],
    ['a proxy written as IPv4 inside IPv6', '::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['nobody but proxies', proxy, '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['white space', proxy, '  203.0.113.9  ,10.0.0.2 ', '203.0.113.9'],
    ['an empty header', proxy, '', proxy],
    ['no address', proxy, 'unknown', proxy],
    ['no address behind a proxy', proxy, '203.0.113.9, unknown, 10.0.0.2', '10.0.0.2'],
    ['a port', proxy, '203.0.113.9:51234', '203.0.113.9'],
    ['a port of a proxy', proxy, '203.0.113.9:51234, 10.0.0.2:8080', '203.0.113.9'],
    ['IPv6 with a port', proxy, '[2001:db8::1]:51234', '2001:db8::1'],
    ['IPv6 in brackets', proxy, '[2001:db8::1]', '2001:db8::1'],
    ['IPv6 that ends like a port', proxy, '2001:db8::1:8080', '2001:db8::1:8080'],
    ['a port of no address', proxy, 'unknown:80', proxy],
    ['a port that is none', proxy, '203.0.113.9:http', proxy],
    ['an empty element', proxy, '203.0.113.9,', proxy],
  ] as const)('%s', (_, peer, header, caller) => {
    expect(callerAddress(peer, header, isTrusted)).toBe(caller)
  })

  test('a header of many thousand addresses ends', () => {
    const header = Array.from({ length: 50_000 }, () => '10.0.0.2').join(',')
    expect(callerAddress(proxy, header, isTrusted)).toBe('10.0.0.2')
  })
})

describe('countedNetworks', () => {
  test.each([
    ['203.0.113.9', ['203.0.113.9']],
    ['local', ['local']],
    ['::ffff:203.0.113.9', ['203.0.113.9']],
    ['::FFFF:203.0.113.9', ['203.0.113.9']],
    ['::ffff:cb00:7109', ['203.0.113.9']],
    ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1:0::/56', '2001:db8:1::/48']],
    ['2001:db8:1:2ff::', ['2001:db8:1:2ff::/64', '2001:db8:1:200::/56', '2001:db8:1::/48']],
    ['2001:0DB8:0001:ABCD::ffff', ['2001:db8:1:abcd::/64', '2001:db8:1:ab00::/56', '2001:db8:1::/48']],
    ['2001:db8::1', ['2001:db8:0:0::/64', '2001:db8:0:0::/56', '2001:db8:0::/48']],
    ['::1', ['0:0:0:0::/64', '0:0:0:0::/56', '0:0:0::/48']],
    ['fe80::1%eth0', ['fe80:0:0:0::/64', 'fe80:0:0:0::/56', 'fe80:0:0::/48']],
  ])('%s is counted in %p', (address, networks) => {
    expect(countedNetworks(address)).toEqual(networks)
  })
})

test.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:7:8:9::1', '2001:db8:7::/48'],
  ['local', null],
])('the network of %p is %p', (address, network) => {
  expect(shownNetwork(countedNetworks(address))).toBe(network)
})
