import assert from 'node:assert/strict'
import test from 'node:test'
import { withDifference } from '#intake/folder/look-alikes.ts'
import { read } from '../reading.ts'

test('a message with two names that look the same says how they differ', () => {
  for (const [message, difference] of [
    ['"o\u0308l" is unknown: did you mean "öl"?', 'the first has U+006F U+0308 where the other has U+00F6'],
    ['pages/a\u0308.md and pages/ä.md have one id', 'the first has U+0061 U+0308 where the other has U+00E4'],
    ['"Clear space" and "Clear\u00a0space"', 'the first has U+0020 where the other has U+00A0'],
    ['"logo" is not "l\u043ego"', 'the first has U+006F where the other has U+043E'],
    ['"a" or "a\u3000"', 'the first has nothing where the other has U+3000'],
    ['"\ud55c" or "\u1112\u1161\u11ab"', 'the first has U+D55C where the other has U+1112 U+1161 U+11AB'],
  ])
    assert.equal(withDifference(`${message}`), `${message} (they look the same, but ${difference})`)
})

test('other messages stay the same', () => {
  for (const message of ['"a" is not "a"', '"größe": did you mean "größen"?', '"…" — “a” and “b”', '"Größe", "größe"'])
    assert.equal(withDifference(message), message)
})

test('a link whose suggestion looks the same says so', async () => {
  const { findings } = await read({ 'pages/a.md': '[x](#l\u043ego)\n\n# Logo\n' })
  assert.match(findings[0]?.message ?? '', /did you mean "#logo"\? \(they look the same, but the first has U\+043E/)
})
