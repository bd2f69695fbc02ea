import assert from 'node:assert/strict'
import test from 'node:test'
import { isOwnHost, isThisMachine, withoutBrackets } from '../../src/exchange/host-name.ts'

test('a request may name its host by the own name, localhost or an IP address, or not at all', () => {
  for (const host of [
    undefined,
    '',
    'brand.example.com',
    'BRAND.example.com:443',
    'localhost:4080',
    'LOCALHOST',
    'a.LOCALHOST:4080',
    '127.0.0.1:4080',
    '10.0.0.1',
    '192.168.1.7:4080',
    '[::1]:4080',
    '[2001:db8::1]',
  ])
    assert.equal(isOwnHost(host, 'Brand.example.com'), true, `${host}`)
  for (const host of [
    'evil.test',
    'evil.test:4080',
    'localhost.evil.test',
    'notlocalhost',
    '127.0.0.1.evil.test',
    'brand.example.com.evil.test',
    '[evil.test]',
    ':4080:4080',
    '999.0.0.1',
    '127.1',
    '2130706433:4080',
    '0x7f.1',
  ])
    assert.equal(isOwnHost(host, 'Brand.example.com'), false, host)
})

test('names of this machine are localhost, names below it and the usual loopback addresses', () => {
  for (const name of ['localhost', 'a.b.localhost', '127.0.0.1', '[::1]']) assert.equal(isThisMachine(name), true, name)
  for (const name of ['', 'localhost.evil.test', 'xlocalhost', '10.0.0.1', '[::2]', '::1.evil.test'])
    assert.equal(isThisMachine(name), false, name)
})

test('only an IPv6 address loses its brackets', () => {
  assert.deepEqual(['[::1]', '127.0.0.1', 'a.example', ''].map(withoutBrackets), ['::1', '127.0.0.1', 'a.example', ''])
})
