import assert from 'node:assert/strict'
import test from 'node:test'
import { canonicalAddress } from '../../../src/exchange/ip-address.ts'
import { addressIn, type Hop, hopsOf } from '../../../src/http/proxies/forwarded.ts'
import { fc, scale } from '../../support/random.ts'

const hop = (from: string | undefined, isHttps = false) => ({ from, isHttps })

const FORWARDED: readonly [field: string, hops: Hop[]][] = [
  ['for=192.0.2.1', [hop('192.0.2.1')]],
  ['For="[2001:db8::1]:4711";Proto=HTTPS', [hop('[2001:db8::1]:4711', true)]],
  ['for=192.0.2.1;proto=http;by=203.0.113.43;host=evil.test', [hop('192.0.2.1')]],
  ['for=a, for=b;proto=https ,\tfor=c', [hop('c'), hop('b', true), hop('a')]],
  ['for=unknown, for=_hidden, for="_SEVKISEK"', [hop('_SEVKISEK'), hop('_hidden'), hop('unknown')]],
  [',, for=a ,,', [hop('a')]],
  ['for=a ; proto=https', [hop('a', true)]],
  ['for=[2001:db8::1]:80', [hop('[2001:db8::1]:80')]],
  ['for="a\\"b,c;for=d"', [hop('a"b,c;for=d')]],
  ['proto=https', [hop(undefined, true)]],
  ['for=a;for=b;proto=http;proto=https', [hop(undefined)]],
  ['for=;', [hop('')]],
  ['for', []],
  ['for="a', []],
  ['for="a"b', []],
  ['for="a, for=b', []],
  ['=a', []],
  ['for=a b', []],
  ['for = a', []],
]

for (const [field, hops] of FORWARDED)
  test(`Forwarded: ${field} means ${JSON.stringify(hops)}`, () => {
    const [from, scheme] = ['198.51.100.1', 'https']
    assert.deepEqual(hopsOf({ forwarded: field }), [hops])
    assert.deepEqual(hopsOf({ forwarded: field, 'x-forwarded-proto': scheme }), [hops])
    const both = { forwarded: field, 'x-forwarded-for': from, 'x-forwarded-proto': scheme }
    assert.deepEqual(hopsOf(both), [hops, [hop(from, true)]])
  })

for (const [froms, schemes, hops] of [
  ['192.0.2.1', 'https', [hop('192.0.2.1', true)]],
  ['a, b', 'https, http', [hop('b'), hop('a', true)]],
  ['a,b,c', 'https', [hop('c', true), hop('b', true), hop('a', true)]],
  ['a,b,c', 'https, http', [hop('c'), hop('b', true), hop('a', true)]],
  ['a', 'https, http', [hop('a')]],
  [' a ,, b,', 'HTTPS', [hop('b', true), hop('a', true)]],
  ['a', '', [hop('a')]],
  ['', 'https', [hop(undefined, true)]],
  ['', '', [hop(undefined)]],
] as const)
  test(`X-Forwarded-For: ${froms} and X-Forwarded-Proto: ${schemes} mean ${JSON.stringify(hops)}`, () => {
    const headers = { 'x-forwarded-for': froms, 'x-forwarded-proto': schemes }
    assert.deepEqual(hopsOf(headers), [hops])
    assert.deepEqual(hopsOf({ ...headers, forwarded: '' }), [hops])
  })

for (const [text, address] of [
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:4711', '192.0.2.1'],
  ['192.0.2.1:_port', '192.0.2.1'],
  ['2001:DB8:0::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['[::FFFF:a00:1]:80', '10.0.0.1'],
  ['0:0:0:0:0:ffff:10.0.0.1', '10.0.0.1'],
  ['::', '::'],
  ...['', 'unknown', '_hidden', 'proxy.test', 'localhost', '10.0.0', '010.0.0.1', '10.0.0.256', '0x7f.1'].map(
    text => [text, undefined] as const,
  ),
  ...['[192.0.2.1]', '192.0.2.1:', '192.0.2.1:123456', '2001:db8::1:x', 'fe80::1%eth0', '[fe80::1%25eth0]'].map(
    text => [text, undefined] as const,
  ),
  ...['[::1', '::1]', '[[::1]]', '1.2.3.4 ', ' 1.2.3.4', '1.2.3.4\n', '[::1]x', '１.2.3.4'].map(
    text => [text, undefined] as const,
  ),
] as const)
  test(`${JSON.stringify(text)} is the address ${address}`, () => assert.equal(addressIn(text), address))

const ADDRESS = fc.oneof(fc.ipV4(), fc.ipV6())
const PORT = fc.option(fc.integer({ min: 0, max: 65_535 }), { nil: undefined })

test('any address that a proxy writes, in any header and with any port, is read as that address', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(ADDRESS, PORT, fc.boolean()), { minLength: 1, maxLength: 8 }), written => {
      const nodes = written.map(([address, port]) => {
        const node = address.includes(':') ? `[${address}]` : address
        return port === undefined ? node : `${node}:${port}`
      })
      const elements = written.map(([, , isHttps], at) => `for="${nodes[at]}";proto=${isHttps ? 'https' : 'http'}`)
      const schemes = written.map(([, , isHttps]) => (isHttps ? 'https' : 'http'))
      const expected = written.map(([address, , isHttps]) => [canonicalAddress(address), isHttps]).reverse()
      const unstandard = { 'x-forwarded-for': nodes.join(', '), 'x-forwarded-proto': schemes.join(', ') }
      for (const headers of [{ forwarded: elements.join(', ') }, unstandard])
        assert.deepEqual(
          hopsOf(headers).map(hops => hops.map(({ from, isHttps }) => [addressIn(from ?? ''), isHttps])),
          [expected],
        )
    }),
  )
})

/** Input that may break parsers: special characters, and some ordinary ones. */
const HOSTILE = fc.string({ unit: fc.constantFrom(...'for=192.0.2.1";,\\ \t[]:_unknown%\0é'), maxLength: 60 })

test('input that a client puts before a proxy’s part does not change the meaning of that part, or makes the whole field invalid', () => {
  const added = ['for=192.0.2.7', 'for="[2001:db8::7]:80"', 'for=192.0.2.7;proto=https;by="[::1]"']
  fc.assert(
    fc.property(HOSTILE, fc.constantFrom(...added), (before, own) => {
      const nearest = (headers: Parameters<typeof hopsOf>[0]) => hopsOf(headers)[0][0]
      const first = nearest({ forwarded: `${before}, ${own}` })
      if (first) assert.deepEqual(first, nearest({ forwarded: own }))
      assert.equal(nearest({ 'x-forwarded-for': `${before}, 192.0.2.7` })?.from, '192.0.2.7')
    }),
    { numRuns: scale(500) },
  )
})

test('any 16 KiB are read quickly', () => {
  for (const piece of [' ', ';', ',', '"', 'a=', 'a="\\', 'for=a;', 'for="a",', ' ;\t', '\\"'])
    assert.ok(hopsOf({ forwarded: piece.repeat(Math.ceil(16_384 / piece.length)) })[0].length <= 16_384)
})
