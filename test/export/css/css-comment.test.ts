import assert from 'node:assert/strict'
import test from 'node:test'
import { cssComment } from '../../../src/export/css/css-comment.ts'
import { fc } from '../../support/random.ts'

test('no line can end a CSS comment or the HTML element that contains it', () => {
  const hostile = fc.constantFrom('*', '/', '*/', '**/', '</style>', '<!--', '\n', '\u2028', '\u202e', '\0', 'a', ' ')
  const line = fc.array(hostile).map(parts => parts.join(''))
  fc.assert(
    fc.property(fc.array(line), lines => {
      const comment = cssComment(lines)
      assert.equal(comment.indexOf('*/'), comment.length - 3)
      assert.doesNotMatch(comment, /<[/!]/)
      assert.equal(comment.split('\n').length, lines.length + 3)
      assert.doesNotMatch(comment, /[\u202a-\u202e\u2066-\u2069]/)
    }),
  )
})

test('a comment contains its lines in order', () => {
  assert.equal(
    cssComment(['Acme, revision 3', 'left out: a */ b']),
    '/*\n * Acme, revision 3\n * left out: a * / b\n */\n',
  )
})
