import assert from 'node:assert/strict'
import test from 'node:test'
import { isTrustworthy } from '../../src/outgoing/trusted-address.ts'

test('the operator may name https anywhere, and http on this machine', () => {
  for (const address of [
    'https://login.example.com/tenant?x=1',
    'https://10.0.0.1',
    'http://localhost:3000',
    'http://127.0.0.2',
    'http://[::1]:1/',
    'http://2130706433/',
  ])
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
