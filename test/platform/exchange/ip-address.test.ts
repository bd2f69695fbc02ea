import assert from 'node:assert/strict'
import { BlockList, isIP } from 'node:net'
import test from 'node:test'
import { canonicalAddress, isOwnHost, isWithin, networkOf, withoutBrackets } from '#platform/exchange/ip-address.ts'
import { fc, forAll } from '../../support/random.ts'

const ADDRESS = fc.oneof(fc.ipV4(), fc.ipV6())

test('an address has one canonical form, which is itself an address', () =>
  forAll([ADDRESS], address => {
    const canonical = canonicalAddress(address)
    assert.ok(isIP(canonical))
    assert.equal(canonicalAddress(canonical), canonical)
    assert.equal(canonicalAddress(address.toUpperCase()), canonical)
  }))

for (const [address, network] of [
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::', '0:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['2001:DB8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
  ['2001:db8::5', '2001:db8:0:0::/64'],
  ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
  ['', ''],
] as const)
  test(`the network of ${JSON.stringify(address)} is ${JSON.stringify(network)}`, () => {
    assert.equal(networkOf(address), network)
  })

test('all addresses of a /64 network have the same network', () =>
  forAll([fc.ipV6(), fc.ipV6()], (one, other) => {
    const [address = '', length] = networkOf(one).split('/')
    if (length === undefined) return
    const list = new BlockList()
    list.addSubnet(address, 64, 'ipv6')
    assert.ok(list.check(one, 'ipv6'))
    assert.equal(networkOf(other) === networkOf(one), list.check(other, 'ipv6'))
  }))

test('an address is within a network of its family, also if the network is written as IPv4 in IPv6', () => {
  const isListed = isWithin([
    { address: '10.0.0.0', prefix: 8, family: 'ipv4' },
    { address: 'fd00::', prefix: 8, family: 'ipv6' },
    { address: '::ffff:192.168.0.0', prefix: 112, family: 'ipv6' },
  ])
  for (const address of ['10.255.0.1', 'fd12::1', '192.168.3.4']) assert.equal(isListed(address), true, address)
  for (const address of ['11.0.0.1', 'fe80::1', '192.169.0.1', '', 'localhost', '10.0.0'])
    assert.equal(isListed(address), false, address)
})

test('a request may name its host by the own name, localhost or an IP address, or not at all', () => {
  for (const host of [
    undefined,
    '',
    'brand.example.com',
    'BRAND.example.com:443',
    'localhost:4080',
    'LOCALHOST',
    'a.LOCALHOST:4080',
    'localhost.:4080',
    '127.0.0.1:4080',
    '10.0.0.1',
    '192.168.1.7:4080',
    '[::1]:4080',
    '[2001:db8::1]',
  ])
    assert.equal(isOwnHost(host, 'Brand.example.com'), true, `${host}`)
  for (const host of `
    evil.test evil.test:4080 localhost.evil.test notlocalhost 127.0.0.1.evil.test
    brand.example.com.evil.test [evil.test] :4080:4080 999.0.0.1 127.1 2130706433:4080 0x7f.1
  `
    .trim()
    .split(/\s+/))
    assert.equal(isOwnHost(host, 'Brand.example.com'), false, host)
})

test('only an IPv6 address loses its brackets', () => {
  assert.deepEqual(['[::1]', '127.0.0.1', 'a.example', ''].map(withoutBrackets), ['::1', '127.0.0.1', 'a.example', ''])
})
