import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOKEN_REFUSALS } from '#brand/contract/refusals.ts'

test('a token endpoint description contains only the characters that RFC 6749 §5.2 allows', () => {
  for (const { description } of Object.values(TOKEN_REFUSALS)) {
    assert.match(description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  }
})
