import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LINT_RULES } from '#brand/lint-rules.ts'
import { createPathFilter, ignoredLines } from '#delivery/lint/ignore.ts'
import { PATIENCE_MS } from '../../support/patience.ts'

const GLOBS: readonly [glob: string, covered: string[], others: string[]][] = [
  ['vendor', ['vendor', 'vendor/a.css', 'vendor/b/c.css'], ['vendors/a.css', 'web/vendor/a.css']],
  ['./vendor/', ['vendor/a.css', './vendor/b/c.css', 'vendor\\a.css'], ['vendor.css']],
  ['vendor/**', ['vendor/a.css', 'vendor/b/c.css'], ['vendor', 'a.css']],
  ['**/vendor', ['vendor/a.css', 'web/vendor/a.css'], ['web/my-vendor/a.css', 'vendor-a.css']],
  ['web/**/a.css', ['web/a.css', 'web/x/y/a.css'], ['web/aa.css', 'a.css', 'web/xa.css']],
  ['*.min.css', ['a.min.css', '.min.css'], ['web/a.min.css', 'a.css']],
  ['**/*.min.css', ['a.min.css', 'web/.x/a.min.css'], ['web/a.min.cssx']],
  ['a?c', ['abc', 'abc/d'], ['ac', 'a/c']],
  ['a.(b)+[c]', ['a.(b)+[c]'], ['aXbbc']],
  ['**', ['a', 'a/b/c'], []],
]

for (const [glob, covered, others] of GLOBS)
  test(`the glob ${glob} covers ${covered.join(', ')}`, () => {
    const isCovered = createPathFilter(['no', glob])
    assert.deepEqual([...covered, ...others].filter(isCovered), covered)
  })

test('no globs cover no path, and many stars take no longer', { timeout: PATIENCE_MS }, () => {
  assert.equal(createPathFilter([])('a'), false)
  assert.equal(createPathFilter([`${'**/*a'.repeat(50)}b`, `${'*a'.repeat(50)}b`])('a'.repeat(4000)), false)
})

const LINES: Readonly<Record<string, readonly [text: string, ignored: Record<number, string>]>> = {
  'its own line': ['a\nb /* housestyle-ignore */\nc', { 2: ALL() }],
  'its own lines': ['\n/* housestyle-ignore\n\n*/ b\n', { 2: ALL(), 3: ALL(), 4: ALL() }],
  'the next line': ['/*housestyle-ignore-next-line -- old\n logo */\r\na\r\nb', { 3: ALL() }],
  'a line in SCSS': ['a\n$a: red; // housestyle-ignore: because\nb', { 2: ALL() }],
  'the line after one in SCSS': ['//housestyle-ignore-next-line\nb', { 2: ALL() }],
  'a line in HTML': ['<!--\nhousestyle-ignore-next-line word-avoid --><p>\n<p>', { 3: 'word-avoid' }],
  'a line for some rules': [
    '/* housestyle-ignore color-off, font-off contrast-low -- type-near */',
    { 1: 'color-off contrast-low font-off' },
  ],
  'all for a reason that looks like a rule': ['/* housestyle-ignore third-party color-offset */', { 1: ALL() }],
  'all for a word that is no rule': ['/* housestyle-ignore color */', { 1: ALL() }],
  'the rules of several comments': [
    '/* housestyle-ignore color-off */ /* housestyle-ignore font-off */',
    { 1: 'color-off font-off' },
  ],
  'nothing with another word': ['/* housestyle-ignored */ /* see housestyle-ignore */ housestyle-ignore', {}],
  'nothing for another directive': ['/* housestyle-ignore-file */', {}],
  'the rest of a text that is not closed': ['a\n/* housestyle-ignore\n/* housestyle-ignore', { 2: ALL(), 3: ALL() }],
}

for (const [title, [text, ignored]] of Object.entries(LINES))
  test(`a comment ignores ${title}`, () => {
    const lines = Object.entries(ignored).map(([line, rules]) => [Number(line), rules])
    const found = ignoredLines(text)
      .entries()
      .map(([line, rules]) => [line, [...rules].sort().join(' ')])
    assert.deepEqual([...found], lines)
  })

test('many comments are read', () => {
  const parts = [
    '/*',
    '<!--',
    '//',
    ' ',
    '/* housestyle-ignore',
    '// housestyle-ignore\n',
    '<!-- housestyle-ignore a-b -->\n',
  ]
  for (const part of parts) ignoredLines(part.repeat(100_000))
  ignoredLines(`/* housestyle-ignore ${'color-off '.repeat(100_000)}\n${'\n'.repeat(100_000)}*/`)
})

function ALL() {
  return Object.keys(LINT_RULES)
    .filter(rule => rule !== 'unreadable')
    .toSorted()
    .join(' ')
}
