import assert from 'node:assert/strict'
import test from 'node:test'
import { parse } from '#formats/markdown/mdx-syntax.ts'

test('a tag without an end is read as text, also on the second line below an empty one', () => {
  for (const [text, offset] of [
    ['<Card>\n\ntext\n', 0],
    ['\n<Card>\n\ntext\n', 1],
    ['one\n\n<Card>\n\ntext\n', 5],
  ] as const)
    assert.deepEqual(parse(text, true).refused, [offset], text)
})
