import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { parse } from 'yaml'
import type { BrandWord } from '#brand/lint-rules.ts'
import { sizeRange } from '#delivery/export/style-sheets/css-text.ts'
import type { LintBrand } from '#delivery/lint/lint-brand.ts'
import type { ColorUse, Use } from '#delivery/lint/use.ts'
import { golden } from '../../../support/golden.ts'
import { PATIENCE_MS } from '../../../support/patience.ts'
import { fc, forAll } from '../../../support/random.ts'
import { EMPTY, judged, problemsOf } from './judged.ts'

type Options = Parameters<typeof judged>[2]

/** The brands of the golden cases by name; `levels` are those that differ from the usual ones. */
const BRANDS: Record<string, Partial<LintBrand>> = parse(readFileSync('test/fixtures/golden/lint/brands.yaml', 'utf8'))

golden('lint/judge', ({ brand = '', uses, options }: { brand?: string; uses: Use[]; options?: Options }) => {
  const { findings, edits, left } = judged(
    uses,
    { ...BRANDS[brand], levels: { ...EMPTY.levels, ...BRANDS[brand]?.levels } },
    options,
  )
  return {
    ...(findings.length > 0 && { findings: findings.map(({ path, ...finding }) => finding) }),
    ...(edits.length > 0 && { edits }),
    ...(left.length > 0 && { left }),
  }
})

/** The avoided words of a text as written, with their offsets. */
golden('lint/words', ({ text, words }: { text: string; words: BrandWord[] }) => avoided(text, words))

function avoided(text: string, words: readonly BrandWord[]): string[] {
  const { findings } = judged([{ kind: 'words', text, at: column => ({ column }) }], { words })
  return findings.map(({ column, found }) => `${column} ${found}`)
}

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

test('no text of a file makes the judge fail', async () => {
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
  await forAll([fc.array(use)], uses => {
    const { findings } = judged(uses, BRAND, { wantsEdits: true })
    for (const { found = '', text: around = '' } of findings) assert.ok(found.length <= 80 && around.length <= 80)
  })
})

const COLORS = [{ id: 'blue', hex: '#1d70b8', guide: 'colours' }]
const half = { hex: '#1d70b9', alpha: 0.5 }
const span = { start: 0, end: 7 }

/** A colour as `#1d70b8` or `#1d70b880` that is written so. */
function use(hex: string, fields: Partial<ColorUse> = {}): ColorUse {
  const alpha = hex.length === 9 ? Number.parseInt(hex.slice(7), 16) / 255 : 1
  return { kind: 'color', color: { hex: hex.slice(0, 7).toLowerCase(), alpha }, written: hex, role: 'text', ...fields }
}

test('a colour in another notation cannot be a variable, and is edited in its own notation', () => {
  const literal = { colors: COLORS }
  assert.deepEqual(problemsOf(use('#1d70b8', { span, rewrite: hex => hex }), literal), [])
  const near = use('#1d70b9', { span, rewrite: hex => `0x${hex.slice(1)}` })
  const { edits } = judged([near], literal, { wantsEdits: true, variables: 'used' })
  assert.deepEqual(edits, [{ ...span, text: '0x1d70b8' }])
})

test('an edit leaves nothing to edit', () => {
  const colors = [
    use('#1d70b9'),
    use('#1D70B980'),
    use('', { color: half, written: 'rgb(29 112 185 / .5)' }),
    use('#1d70b9', { role: 'definition' }),
  ]
  for (const color of colors)
    for (const brand of [
      { colors: COLORS },
      { colors: COLORS, levels: { ...EMPTY.levels, 'color-literal': 'off' } } as const,
    ])
      for (const usesVariables of [false, true]) {
        const options = { wantsEdits: true, variables: usesVariables ? 'used' : 'possible' } as const
        const [edit] = judged([{ ...color, span }], brand, options).edits
        const written = edit?.text ?? ''
        const again = { ...color, span, written, color: { ...color.color, hex: '#1d70b8' } }
        assert.notEqual(written, '')
        const { edits } = judged([again], brand, options)
        assert.deepEqual(edits, [])
      }
})

test('the smallest size of a responsive style equals the size in the exports', () => {
  for (const size of [12, 16, 18, 20, 24, 40, 64, 100]) {
    const least = Number.parseInt(sizeRange({ size, responsive: true }) ?? '', 10)
    const brand = { types: [{ id: 'hero', families: [], size, responsive: true }] }
    const sizes = [least - 1, least, (least + size) / 2, size]
    const isNear = sizes.map(value => problemsOf({ kind: 'type', size: value }, brand).length)
    const isBelowNear = (size - (least - 1)) / size <= 0.1 ? 1 : 0
    assert.deepEqual(isNear, [isBelowNear, 0, 0, 0], `${size} px`)
  }
})

test('a long family is judged in little time', { timeout: PATIENCE_MS }, () => {
  const family = `Acme Sans ${'semi bold '.repeat(100_000)}${' '.repeat(100_000)}x`
  assert.equal(problemsOf({ kind: 'font', family }, BRAND).length, 1)
})

test('a finding has the place, the text around it, the reason and the page', () => {
  const words = [{ write: 'email', not: ['e-mail'], reason: 'It is shorter.', page: 'voice/words' }]
  const text = `${'Write to us, or call. '.repeat(4)}Send an\n E-Mail to "Åsa" today. ${'More text follows. '.repeat(4)}`
  const at = (offset: number) => ({ line: 2, column: offset - 80 })
  const uses = [{ kind: 'words', text, at, line: 1 } as const, { kind: 'words', text: 'e‑mail', at } as const]
  assert.deepEqual(judged(uses, { words }).findings, [
    {
      severity: 'warning',
      rule: 'word-avoid',
      path: 'a.css',
      line: 2,
      column: 17,
      text: 'rite to us, or call. Send an E-Mail to "Åsa" today. More text follows. More tex',
      found: 'E-Mail',
      write: 'email',
      guide: 'voice/words',
      message: 'the brand avoids "E-Mail": write "email" (It is shorter.)',
      count: 2,
      value: 'e-mail',
    },
  ])
})

test('the text around a finding has at most 80 characters, and no halves of characters', () => {
  const text = `${'😀'.repeat(99)} e-mail ${'😀'.repeat(99)}`
  const uses = [{ kind: 'words', text, at: () => ({}) } as const]
  const { findings } = judged(uses, { words: [{ write: 'email', not: ['e-mail'] }] })
  assert.deepEqual(findings[0]?.text, `${'😀'.repeat(14)} e-mail ${'😀'.repeat(21)}`)
})

test('a thousand words are looked for in a long text', () => {
  const words = Array.from({ length: 1000 }, (_, index) => ({
    write: `w${index}`,
    not: [`word ${index} of many`, `w-${index}`],
  }))
  for (const text of [
    'some word 7 of few, w-8 '.repeat(10_000),
    'word '.repeat(50_000),
    ' '.repeat(250_000),
    'w'.repeat(250_000),
    "'".repeat(250_000),
    'a.'.repeat(125_000),
  ])
    assert.ok(avoided(text, words).length < 2)
})
