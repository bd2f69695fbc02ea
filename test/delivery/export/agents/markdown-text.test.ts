import assert from 'node:assert/strict'
import test from 'node:test'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { parse, parseDocument } from 'yaml'
import { markdownText, oneLine, yamlComment, yamlText } from '#delivery/export/agents/markdown-text.ts'
import { codePoint, fc } from '../../../support/random.ts'

test('a Markdown parser reads any escaped string as one paragraph with that string', () => {
  const parser = unified().use(remarkParse).use(remarkGfm)
  const piece = fc.constantFrom(...'\\`*_[]<>~&|#-+=:1.)!({}" \n\ta😀', '---', '&amp;', '[a](b)', '![', '<b>', '\u202e')
  fc.assert(
    fc.property(fc.array(piece), pieces => {
      const text = `${pieces.join('')}x`
      const { children } = parser.parse(markdownText(text))
      const [paragraph] = children
      assert.equal(children.length, 1)
      assert.ok(paragraph?.type === 'paragraph')
      assert.deepEqual(
        paragraph.children.map(each => (each.type === 'text' ? each.value : each.type)),
        [oneLine(text)],
      )
    }),
  )
})

test('a string on one line has single spaces and no control characters; ASCII words are unchanged', () => {
  for (const text of ['A word.', 'a', '-', '#1 {of} "two"']) assert.equal(oneLine(text), text)
  for (const text of [' a b', 'a  b', 'a\tb', 'a b\n', 'a\u0000b', 'a\u202e b'])
    assert.equal(oneLine(text).trim(), 'a b')
})

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
