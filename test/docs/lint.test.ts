import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { LINT_RULES } from '#brand/lint-rules.ts'

test('docs/lint.md has each rule of lint with its level', () => {
  const rows = readFileSync('docs/lint.md', 'utf8').matchAll(
    /^\| (`[a-z-]+`(?:, `[a-z-]+`)*) \| (off|note|warning|error) \|/gm,
  )
  const levels = Array.from(rows).flatMap(([, rules = '', level = '']) =>
    rules
      .replaceAll('`', '')
      .split(', ')
      .map(rule => [rule, level] as const),
  )
  assert.deepEqual(
    Object.fromEntries(levels),
    Object.fromEntries(Object.entries(LINT_RULES).map(([id, { severity }]) => [id, severity])),
  )
})
