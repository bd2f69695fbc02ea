import assert from 'node:assert/strict'
import test from 'node:test'
import { audienceOf } from '#serving/access/token/own-issuer.ts'

test('with a public URL, tokens are from it and for the API below it', () => {
  assert.deepEqual(audienceOf('https://brand.example.com', 'urn:uuid:1'), {
    issuer: 'https://brand.example.com',
    audience: 'https://brand.example.com/beta',
  })
})

test('without a public URL, tokens are from and for the store, regardless of host and port', () => {
  assert.deepEqual(audienceOf(undefined, 'urn:uuid:1'), { issuer: 'urn:uuid:1', audience: 'urn:uuid:1' })
})
