import assert from 'node:assert/strict'
import test from 'node:test'
import type { Use } from '#delivery/lint/use.ts'
import { fc } from '../../../support/random.ts'
import { EMPTY, judged } from './judged.ts'

const BRAND = {
  colors: [{ id: 'blue', hex: '#1d70b8' }],
  families: ['Acme Sans'],
  types: [{ id: 'body', families: ['Acme Sans'], size: 16, responsive: false }],
  words: [{ write: 'email', not: ['e-mail'] }],
}

const off = (hex: string, place: object): Use => ({
  kind: 'color',
  color: { hex, alpha: 1 },
  written: hex,
  role: 'text',
  ...place,
})
const font: Use = { kind: 'font', family: 'Arial', slide: 2, shape: 'Title 1' }

const OFF = {
  severity: 'error',
  rule: 'color-off',
  path: 'a.css',
  found: '#ff0000',
  value: '#ff0000',
  message: '#ff0000 is not a colour of the brand: use one',
}
const FONT = {
  severity: 'error',
  rule: 'font-off',
  path: 'a.css',
  slide: 2,
  shape: 'Title 1',
  found: 'Arial',
  write: 'Acme Sans',
  value: 'arial',
  message: '"Arial" is not a family of the brand: write "Acme Sans"',
  count: 1,
}

test('a rule and value have one finding, at the first place, with the count of places', () => {
  const uses = [off('#ff0000', { line: 3, column: 7 }), font, off('#ff0000', { line: 9, column: 1 })]
  assert.deepEqual(judged(uses, BRAND), {
    findings: [{ ...OFF, line: 3, column: 7, count: 2 }, FONT],
    edits: [],
    left: [],
    files: [],
    pictures: [],
  })
})

test('a file has at most 10,000 findings, and one more says that others are left out', () => {
  const hexes = Array.from({ length: 10_005 }, (_, at) => `#ff${at.toString(16).padStart(4, '0')}`)
  const { findings } = judged(
    hexes.map(hex => off(hex, { line: 1 })),
    BRAND,
  )
  assert.equal(findings.length, 10_001)
  const { rule, severity, count, message } = findings.at(-1) ?? {}
  assert.deepEqual([rule, severity, count], ['unreadable', 'error', 5])
  assert.match(message ?? '', /more than 10000 findings; the others are left out/)
})

test('an unreadable part has the level of its rule', () => {
  const use: Use = { kind: 'unreadable', message: 'is not a zip file: save it again', line: 4 }
  const levels = { ...EMPTY.levels, unreadable: 'warning' } as const
  assert.deepEqual(judged([use, use], { levels }).findings, [
    {
      severity: 'warning',
      rule: 'unreadable',
      path: 'a.css',
      line: 4,
      message: 'is not a zip file: save it again',
      count: 2,
      value: 'is not a zip file: save it again',
    },
  ])
})

test('a rule that a comment ignores on a line has no finding and no edit there', () => {
  const near = (line: number) => ({ ...off('#1d70b9', { span: { start: line, end: line + 7 } }), line })
  const words: Use = { kind: 'words', text: 'utilise', at: () => ({ line: 2 }) }
  const unreadable: Use = { kind: 'unreadable', message: 'no', line: 2 }
  const ignored = new Map([[2, new Set(['color-near', 'word-avoid'])]])
  const brand = { ...BRAND, words: [{ write: 'use', not: ['utilise'] }] }
  const { findings, edits } = judged([near(1), near(2), words, unreadable], brand, { wantsEdits: true, ignored })
  const seen = findings.map(({ rule, line, count }) => `${rule} ${line} ${count}`)
  assert.deepEqual(seen, ['color-near 1 1', 'unreadable 2 1'])
  const starts = edits.map(({ start }) => start)
  assert.deepEqual(starts, [1])
})

test('a rule that is off has no findings and no edits, and other levels are severities', () => {
  const near = off('#1d70b9', { span: { start: 0, end: 7 } })
  const levels = { ...EMPTY.levels, 'color-near': 'off', 'color-off': 'warning' } as const
  assert.deepEqual(judged([near, off('#ff0000', {})], { ...BRAND, levels }, { wantsEdits: true }), {
    findings: [{ ...OFF, severity: 'warning', count: 1 }],
    edits: [],
    left: [],
    files: [],
    pictures: [],
  })
})

test('a brand without colours, families, types and words judges only contrast', () => {
  const uses: Use[] = [
    off('#ff0000', {}),
    font,
    { kind: 'type', size: 17 },
    { kind: 'words', text: 'e-mail', at: () => ({}) },
    { kind: 'contrast', text: '#ffffff', ground: '#fffffe' },
  ]
  const { findings } = judged(uses)
  const rules = findings.map(({ rule }) => rule)
  assert.deepEqual(rules, ['contrast-low'])
})

test('no text of a file makes the judge fail', () => {
  const text = fc.string({ unit: 'binary', maxLength: 60 })
  const number = fc.double({ noNaN: true })
  const place = { line: 1, column: 1 }
  const use: fc.Arbitrary<Use> = fc.oneof(
    fc.record({ kind: fc.constant('font'), family: text }),
    fc.record({ kind: fc.constant('type'), family: text, size: number, weight: number, leading: number }),
    fc.record({ kind: fc.constant('words'), text, at: fc.constant(() => place) }),
    fc.record({
      kind: fc.constant('color'),
      color: fc.record({ hex: fc.constantFrom('#1d70b9', '#1d70b8', '#ff0000'), alpha: fc.double({ min: 0, max: 1 }) }),
      written: text,
      role: fc.constantFrom('text', 'definition'),
    }),
  )
  fc.assert(
    fc.property(fc.array(use), uses => {
      const { findings } = judged(uses, BRAND, { wantsEdits: true })
      for (const { found = '', text: around = '' } of findings) assert.ok(found.length <= 80 && around.length <= 80)
    }),
  )
})
