import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseLeaves, readLeaves } from '../../../src/intake/markdown/blocks.ts'
import { endOfOtherBlocks, readPlainBlock } from '../../../src/intake/markdown/plain-blocks.ts'
import { fc, scale } from '../../support/random.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const corpus = `${root}../shared/corpus`
const ownPages = ['docs', 'examples', 'test'].flatMap(folder => globSync(`${root}${folder}/**/*.md`))
const pages = [...ownPages, ...(existsSync(corpus) ? globSync(`${corpus}/**/*.md`) : [])]

/** Every character that may begin or continue a block, and text in which it does not. */
const piece = fc.constantFrom(
  ...'a|b c|é|\u00a0|\f|\u2028|\0|&|\\|!|"|. |$|{%|[|[^|]|[^1]: |[x]: y|[x](y)|![x](y)|(t)|- [ ] |[ ] '.split('|'),
  ...'#,# ,## x,###### ,####### ,#x,>,> ,- ,-,+ ,*,* ,**,**b**,_,__,___,=,===,---,|,| a | b |,|---|---|,a | b'.split(
    ',',
  ),
  ...'1,1. ,12) ,1.5,1),1234567890. ,`,``,```,~~~,~,:-,--|--,<,<b>,<div>,</div>,<!--,-->,<pre>,</pre>,<?,?>,<!X'.split(
    ',',
  ),
  ...'\n@\n@\n\n@\n\n@\n \n@ @  @    @\t@<a href="x">@<script @\n\na@\n\n# b'.split('@'),
)
const text = fc.array(piece, { maxLength: 24 }).map(pieces => pieces.join(''))

test('plain blocks in any context are read like the full parser reads them', () => {
  const isSame = (text: string) => assert.deepEqual(readLeaves(text), parseLeaves(text, 0), JSON.stringify(text))
  fc.assert(fc.property(text, isSame), { numRuns: scale(800) })
})

test('plain blocks of real pages are read like the full parser reads them', () => {
  assert.ok(pages.length > 50)
  for (const page of pages) {
    const text = readFileSync(page, 'utf8').replace(/\r\n?/g, '\n')
    assert.deepEqual(readLeaves(text), parseLeaves(text, 0), page)
  }
})

const PLAIN = [
  'A paragraph\nof two lines',
  '## A heading',
  '[A](link.md)',
  '**Bold**',
  '*a*',
  '`code`',
  '2 mm',
  '1.5 mm',
]
for (const block of PLAIN)
  test(`${JSON.stringify(block)} is a plain block, which lezer need not parse`, () => {
    assert.equal(readPlainBlock(`${block}\n\nb`, 0)?.next, block.length + 1)
  })

test('plain blocks may follow a list, a quote or a table, but not fenced code or a comment', () => {
  for (const other of ['- a\n\n  b\n', '> a\nb\n', '| a |\n|---|\n', '1. a\n\n   1. b\n', '<div>\na\n</div>\n'])
    assert.equal(endOfOtherBlocks(`${other}\nText\n`, 0), other.length + 1, other)
  for (const other of ['```\na\n', '- ~~~\n  a\n', '<!-- a\n', '<PRE>\na\n'])
    assert.equal(endOfOtherBlocks(`${other}\nText\n`, 0), other.length + 6, other)
})
