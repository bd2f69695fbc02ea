import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kindOf } from '../../src/lint/file-kind.ts'

test('the name of a file says how it is read, without regard to case', () => {
  const cases = [
    ['web/Site.CSS', 'css'],
    ['a.tokens', 'tokens'],
    ['web/Brand.tokens.json', 'tokens'],
    ['web/tokens.json', 'tokens'],
    ['design-tokens.json', 'json'],
    ['Deck.POTX', 'office'],
    ['a.docx', 'office'],
    ['tokens.json/logo.png', undefined],
    ['css', undefined],
  ] as const
  for (const [path, kind] of cases) assert.equal(kindOf(path), kind, path)
})
