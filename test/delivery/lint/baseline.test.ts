import assert from 'node:assert/strict'
import { test } from 'node:test'
import { baselineEntry, baselineText, parseBaseline } from '#delivery/lint/baseline.ts'

const OFF = { path: 'web/a.css', rule: 'color-off', value: '#ff00aa' } as const
const FONT = { path: 'web/a.css', rule: 'font-off', value: 'ärial "x"' } as const

const TEXT = `{
  "version": 1,
  "findings": [
    {"path":"web/a.css","rule":"color-off","value":"#ff00aa"},
    {"path":"web/a.css","rule":"font-off","value":"ärial \\"x\\""}
  ]
}
`

const entries = new Set([FONT, OFF].map(finding => baselineEntry(finding) ?? ''))

test('a baseline has one line for each file, rule and value, in order', () => {
  assert.equal(baselineText(entries), TEXT)
  assert.deepEqual(JSON.parse(baselineText(new Set())), { version: 1, findings: [] })
})

test('a baseline is read with other white space, order of keys, and a byte order mark', () => {
  assert.deepEqual(parseBaseline(TEXT), { ok: true, value: entries })
  const text = '\ufeff{"findings": [{"value": "#ff00aa", "path": "web/a.css", "rule": "color-off"}], "version": 1}'
  assert.deepEqual(parseBaseline(text), { ok: true, value: new Set([baselineEntry(OFF)]) })
})

test('a file that cannot be read has no entry, because nothing is known about it', () => {
  assert.equal(baselineEntry({ path: 'web/b.css', rule: 'unreadable', value: 'no' }), undefined)
})

test('a file that is no baseline is refused', () => {
  const problem = 'is not a baseline of this version of housestyle: write it again with --write-baseline'
  for (const text of ['[]', '{"version":2,"findings":[]}', '{"version":1}'])
    assert.deepEqual(parseBaseline(text), { ok: false, problem })
  assert.deepEqual(parseBaseline(''), { ok: false, problem: 'is not JSON: Unexpected end of JSON input' })
})
