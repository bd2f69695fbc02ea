import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonLine } from '../../../src/cli/output/json.ts'

test('characters that control a terminal or the direction of text are escaped, and no others', () => {
  for (let code = 0x20; code < 0x1_0000; code++) {
    const text = String.fromCharCode(code)
    const isEscaped = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}"\\]/u.test(text)
    const line = jsonLine(text)
    assert.equal(line === `"${text}"`, !isEscaped, line)
    assert.equal(JSON.parse(line), text)
  }
})
