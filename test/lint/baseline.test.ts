import assert from 'node:assert/strict'
import { test } from 'node:test'
import { baselineOf, parseBaseline, withoutBaselined } from '../../src/lint/baseline.ts'
import type { LintFinding } from '../../src/lint/finding.ts'

const OFF: LintFinding = {
  severity: 'error',
  rule: 'color-off',
  path: 'web/a.css',
  line: 3,
  found: '#FF00AA',
  message: 'no',
  count: 2,
}
const FONT: LintFinding = { ...OFF, rule: 'font-off', found: 'Ärial "x"', path: '.\\web\\a.css' }
const UNREADABLE: LintFinding = { severity: 'error', rule: 'unreadable', path: 'web/b.css', message: 'no', count: 1 }

const TEXT = `{
  "version": 1,
  "findings": [
    {"path":"web/a.css","rule":"color-off","value":"#ff00aa"},
    {"path":"web/a.css","rule":"font-off","value":"Ärial \\"x\\""}
  ]
}
`

test('a baseline has one line for each file, rule and value, in order', () => {
  assert.equal(baselineOf([FONT, OFF, UNREADABLE, OFF]), TEXT)
  assert.deepEqual(JSON.parse(baselineOf([])), { version: 1, findings: [] })
})

test('a baseline accepts its findings on other lines, in other numbers and in other case of hex', () => {
  const moved = { ...OFF, line: 99, count: 1, found: '#ff00aa' }
  assert.deepEqual(withoutBaselined([moved, FONT], read(TEXT)), [])
})

test('a baseline does not accept other values, rules and files, or a file that cannot be read', () => {
  const others: LintFinding[] = [
    { ...OFF, found: '#ff00ab' },
    { ...OFF, rule: 'color-near' },
    { ...OFF, path: 'web/c.css' },
    { ...FONT, found: 'ärial "x"' },
    UNREADABLE,
  ]
  assert.deepEqual(withoutBaselined(others, read(baselineOf([OFF, FONT, UNREADABLE]))), others)
  const withUnreadable = read('{"version":1,"findings":[{"path":"web/b.css","rule":"unreadable","value":""}]}')
  assert.deepEqual(withoutBaselined([UNREADABLE], withUnreadable), [UNREADABLE])
})

test('a baseline is read with other white space, order of keys, and a byte order mark', () => {
  const text = '\ufeff{"findings": [{"value": "#ff00aa", "path": "web/a.css", "rule": "color-off"}], "version": 1}'
  assert.deepEqual(withoutBaselined([OFF], read(text)), [])
})

test('a file that is no baseline is refused', () => {
  const problem = 'is not a baseline of this version of housestyle: write it again with --write-baseline'
  for (const text of ['[]', '{"version":2,"findings":[]}', '{"version":1}'])
    assert.deepEqual(parseBaseline(text), { ok: false, problem })
  assert.deepEqual(parseBaseline(''), { ok: false, problem: 'is not JSON: Unexpected end of JSON input' })
})

function read(text: string) {
  const baseline = parseBaseline(text)
  assert.ok(baseline.ok)
  return baseline.value
}
