import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseReturnPath } from '../../../src/signin/people/return-path.ts'
import { fc, scale } from '../../support/random.ts'

const URL_OF_SERVICE = 'https://brand.example/guides'

const accepted = {
  '/guides': '/guides',
  '/guides/acme/guide/logo?page=2': '/guides/acme/guide/logo?page=2',
  '/guides/acme/../acme/guide': '/guides/acme/guide',
  '/guides/acme/guide#logo': '/guides/acme/guide',
  '/guides/acme/%2F%2Fevil.example': '/guides/acme/%2F%2Fevil.example',
  '/guides/acme?to=https://evil.example': '/guides/acme?to=https://evil.example',
  '/guides/日本': '/guides/%E6%97%A5%E6%9C%AC',
}
for (const [given, path] of Object.entries(accepted))
  test(`after signing in, people return to ${given}`, () => assert.equal(parseReturnPath(given, URL_OF_SERVICE), path))

const refused = [
  '',
  'guides',
  'https://brand.example/guides',
  'https://evil.example/guides',
  '//evil.example/guides',
  '/\\evil.example/guides',
  '/\t/evil.example/guides',
  '/\n/evil.example/guides',
  '\t//evil.example',
  ' //evil.example',
  '/.//evil.example',
  '/guides/..//evil.example',
  '/guides/../..//evil.example/guides',
  '/./\\evil.example',
  '/other',
  '/guidesmore',
  '/guides/../acme',
  '/guides/%2e%2e/acme',
  'javascript:alert(1)',
  '/guides/-/signout',
  '/guides/-/signin?workspace=acme',
  `/guides/${'x'.repeat(9000)}`,
]
for (const given of refused)
  test(`${JSON.stringify(given.slice(0, 40))} is not an address to return to`, () =>
    assert.equal(parseReturnPath(given, URL_OF_SERVICE), undefined))

test('at the root of a host, people return to any address of the service, and to no other host', () => {
  assert.equal(parseReturnPath('/acme/guide', 'https://brand.example'), '/acme/guide')
  for (const given of ['//evil.example', '/.//evil.example', '/x/..//evil.example', '/-/signin'])
    assert.equal(parseReturnPath(given, 'https://brand.example'), undefined)
})

test('a browser resolves each address to return to within the service', () => {
  const part = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '\t',
    '@',
    ':',
    'evil.example',
    'guides',
    '%2f',
    '%5c',
    '?',
    '#',
    '-',
  )
  const text = fc.array(part, { maxLength: 8 }).map(parts => parts.join(''))
  fc.assert(
    fc.property(text, given => {
      const path = parseReturnPath(given, URL_OF_SERVICE)
      if (path !== undefined)
        assert.match(new URL(path, URL_OF_SERVICE).href, /^https:\/\/brand\.example\/guides(?:\/|\?|$)/)
    }),
    { numRuns: scale(2000) },
  )
})
