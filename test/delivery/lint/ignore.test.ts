import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LINT_RULES } from '#brand/lint-rules.ts'
import { createPathFilter, ignoredLines } from '#delivery/lint/ignore.ts'
import { golden } from '../../support/golden.ts'
import { PATIENCE_MS } from '../../support/patience.ts'

test('no globs cover no path, and many stars take no longer', { timeout: PATIENCE_MS }, () => {
  assert.equal(createPathFilter([])('a'), false)
  assert.equal(createPathFilter([`${'**/*a'.repeat(50)}b`, `${'*a'.repeat(50)}b`])('a'.repeat(4000)), false)
})

/** The paths that a glob covers, or the rules that the comments of a text ignore, by line. */
golden('lint/ignore', ({ glob = '', paths, text = '' }: { glob?: string; paths?: string[]; text?: string }) => {
  if (paths) return paths.filter(createPathFilter(['no', glob]))
  const lines = Array.from(ignoredLines(text), ([line, rules]) => [line, [...rules].sort().join(' ')])
  return Object.fromEntries(lines.map(([line, rules]) => [line, rules === ALL ? 'all' : rules]))
})

const ALL = Object.keys(LINT_RULES)
  .filter(rule => rule !== 'unreadable')
  .sort()
  .join(' ')

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
