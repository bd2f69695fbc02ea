import assert from 'node:assert/strict'
import test from 'node:test'
import { parse, parseDocument } from 'yaml'
import { yamlComment, yamlText } from '../../../src/export/agents/front-matter.ts'
import { codePoint, fc } from '../../support/random.ts'

test('a YAML parser reads a scalar as the original string, on one line without three hyphens', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), text => {
      const scalar = yamlText(text)
      assert.equal(parse(scalar), text.toWellFormed())
      assert.doesNotMatch(scalar, /---|[\r\n\u2028\u2029\u202e]/)
    }),
  )
})

test('no line can end a YAML comment', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: codePoint })), lines => {
      const { contents, errors } = parseDocument(yamlComment(lines))
      assert.deepEqual([contents, errors], [null, []])
      assert.doesNotMatch(yamlComment(lines), /^---/m)
    }),
  )
})
