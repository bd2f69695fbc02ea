import assert from 'node:assert/strict'
import test from 'node:test'
import { withoutBrackets } from '#platform/exchange/ip-address.ts'
import { forbiddenTargets, isTrustworthy } from '#platform/outgoing/public-targets.ts'
import { fc, forAll } from '../../support/random.ts'

const OWN = { allow: [], publicUrl: 'https://brand.example.com/guides', ownAddresses: () => ['8.8.4.4', '2600::9'] }

/** Whether outsiders may not name the host of a URL, whose name resolves to `address`. */
function isForbidden(url: string, address?: string, targets: Parameters<typeof forbiddenTargets>[0] = OWN): boolean {
  const host = withoutBrackets(new URL(url).hostname)
  return forbiddenTargets(targets)(host, address ?? host)
}

for (const [what, ...hosts] of [
  ['unspecified', '0.0.0.0', '[::]', '0', '0.1.2.3'],
  ['loopback', '127.0.0.1', '127.255.255.254', '[::1]'],
  ['loopback in another notation', '127.1', '2130706433', '0x7f000001', '0x7f.0.0.1', '0177.0.0.1', '①②⑦.0.0.1'],
  ['private', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '0xa.0.0.1', '3232235777'],
  ['shared by a provider', '100.64.0.1', '100.127.255.255'],
  ['link-local, as metadata services of clouds', '169.254.169.254', '[fe80::1]', '[febf::1]', '2852039166'],
  ['unique local', '[fc00::1]', '[fd12:3456:789a::1]', '[fd00:ec2::254]'],
  ['site-local', '[fec0::1]'],
  ['multicast', '224.0.0.1', '239.255.255.255', '[ff02::1]', '[ff0e::1]'],
  ['reserved or broadcast', '240.0.0.1', '255.255.255.255', '[4000::1]', '[8000::1]'],
  ['for documentation', '192.0.2.1', '198.51.100.1', '203.0.113.1', '[2001:db8::1]', '[3fff::1]'],
  ['for benchmarks and protocols', '198.18.0.1', '198.19.255.255', '192.0.0.8', '[2001:2::1]', '[100::1]'],
  ['IPv4 in IPv6', '[::ffff:10.0.0.1]', '[::ffff:7f00:1]', '[::ffff:0:127.0.0.1]', '[::127.0.0.1]', '[::a00:1]'],
  ['private through NAT64', '[64:ff9b::10.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b::a9fe:a9fe]', '[64:ff9b::]'],
  ['local NAT64', '[64:ff9b:1::8.8.8.8]', '[64:ff9b::1:0:0:1]'],
  ['6to4 or Teredo', '[2002:a00:1::]', '[2002:7f00:1::1]', '[2002:808:808::1]', '[2001:0:808:808::1]'],
] as const) {
  test(`outsiders may not name an address that is ${what}: ${hosts.join(', ')}`, () => {
    for (const host of hosts) assert.equal(isForbidden(`https://${host}:8443/`), true, host)
  })
}

test('outsiders may not name the address of this machine, also not through NAT64', () => {
  for (const host of ['8.8.4.4', '[::ffff:8.8.4.4]', '[64:ff9b::8.8.4.4]', '[2600::9]', '[2600:0:0::0:9]'])
    assert.equal(isForbidden(`https://${host}/`), true, host)
})

test('outsiders may not name the host of the public URL at any address', () => {
  for (const name of ['brand.example.com', 'BRAND.example.com', 'brand.example.com.'])
    assert.equal(isForbidden(`https://${name}/`, '8.8.8.8'), true, name)
  const publicUrl = 'http://[2600::7]:4080'
  assert.equal(isForbidden('https://[2600::7]/', undefined, { ...OWN, publicUrl }), true)
})

test('outsiders may name public addresses, also through NAT64', () => {
  const hosts = ['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '192.0.1.1', '223.255.255.255', '[2600::1]']
  for (const host of [...hosts, '[2a00:1450::1]', '[2001:4860::8888]', '[64:ff9b::8.8.8.8]', '[::ffff:8.8.8.8]'])
    assert.equal(isForbidden(`https://${host}/`), false, host)
  assert.equal(isForbidden('https://other.example.com/', '8.8.8.8'), false)
})

test('the operator can permit networks, which count for every form of an address and for own ones', () => {
  const allow = [
    { address: '10.1.0.0', prefix: 16, family: 'ipv4' },
    { address: '8.8.4.4', prefix: 32, family: 'ipv4' },
    { address: 'fd00::', prefix: 8, family: 'ipv6' },
  ] as const
  const targets = { ...OWN, allow }
  for (const host of ['10.1.2.3', '[::ffff:10.1.2.3]', '[64:ff9b::10.1.2.3]', '[fd12::1]', '8.8.4.4'])
    assert.equal(isForbidden(`https://${host}/`, undefined, targets), false, host)
  assert.equal(isForbidden('https://brand.example.com/', '10.1.2.3', targets), false)
  for (const host of ['10.2.0.1', '127.0.0.1', '[fc00::1]', '[2600::9]'])
    assert.equal(isForbidden(`https://${host}/`, undefined, targets), true, host)
})

test('by default, every network interface of this machine is forbidden', () => {
  const { allow, publicUrl } = OWN
  assert.equal(forbiddenTargets({ allow, publicUrl })('a.example', '127.0.0.1'), true)
  assert.equal(forbiddenTargets({ allow, publicUrl })('a.example', '8.8.4.4'), false)
})

test('an IPv6 address is public only in 2000::/3, or if it contains a public IPv4 address', async () => {
  await forAll([fc.ipV6()], address => {
    if (isForbidden(`https://[${address}]/`)) return
    assert.match(new URL(`https://[${address}]/`).hostname, /^\[(?:[23][\da-f]{3}:|64:ff9b::|::ffff:)/)
  })
})

test('the operator may name https anywhere, and http on this machine', () => {
  for (const address of `
    https://login.example.com/tenant?x=1 https://10.0.0.1 http://localhost:3000 http://127.0.0.2
    http://login.localhost:3000 http://localhost./ http://[::1]:1/ http://2130706433/
  `
    .trim()
    .split(/\s+/))
    assert.equal(isTrustworthy(address), true, address)
  for (const address of [
    '',
    'login.example.com',
    'http://login.example.com',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
    'http://10.0.0.1',
    'ftp://localhost',
    'file:///etc/passwd',
    'https://user@login.example.com',
    'https://:password@login.example.com',
    'https://login.example.com/#a',
  ])
    assert.equal(isTrustworthy(address), false, address)
})
