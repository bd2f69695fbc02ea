import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { NO_BRAND } from '#delivery/lint/brand-of.ts'
import type { LintKind } from '#delivery/lint/file-kind.ts'
import type { LintFinding } from '#delivery/lint/finding.ts'
import type { LintBrand } from '#delivery/lint/lint-brand.ts'
import { openLinter } from '#delivery/lint/linter.ts'
import { compareFindings, type ExpectedFinding } from '#test/delivery/lint/corpus-comparison.ts'
import { lint } from '#test/delivery/lint/lint-folder.ts'
import { PATIENCE_MS } from '#test/support/patience.ts'
import { deflatedStream, pdfFile } from '#test/support/pdf-file.ts'

const BRAND: LintBrand = { ...NO_BRAND, colors: [{ id: 'ink', hex: '#14212b' }] }
const linter = openLinter({ timeoutMs: PATIENCE_MS })
after(linter.close)

async function found(kind: LintKind, content: string | Uint8Array, sheets: Readonly<Record<string, string>> = {}) {
  const bytes = Buffer.from(content)
  const asked: string[] = []
  const sheetOf = async (path: string) => {
    asked.push(path)
    return sheets[path] ?? null
  }
  const answer = await linter.lint({ path: `pages/a.${kind}`, kind, brand: BRAND, bytes, sheetOf })
  assert.ok(answer.ok, answer.ok ? '' : answer.problem)
  const { findings, isRead } = answer.value
  return { findings: findings.map(({ rule, found }) => `${rule} ${found}`), isRead, asked }
}

test('sheets that a page links are asked for by path, level by level, and only below the folder', async () => {
  const links = ['../theme.css', '/root.css', '../../out.css', 'https://a.test/x.css', '//a.example/x.css', 'a%00.css']
  const page = `${links.map(href => `<link rel=stylesheet href="${href}">`).join('')}<p style="color: color-mix(in srgb, var(--a) 100%, white)">x</p>`
  const sheets = {
    'theme.css': '@import "more/colors.css"; @import "theme.css";',
    'more/colors.css': '@import url(../theme.css); :root { --a: #ff0000 }',
  }
  assert.deepEqual(await found('html', page, sheets), {
    findings: ['color-off color-mix(in srgb, var(--a) 100%, white)'],
    isRead: true,
    asked: ['theme.css', 'root.css', 'more/colors.css'],
  })
})

test('links may have letters in percent encoding, and percent signs without it', async () => {
  const page = '<link rel=stylesheet href="stil%C3%A4%20a.css"><link rel=stylesheet href="100%.css">'
  assert.deepEqual((await found('html', page)).asked, ['pages/stilä a.css', 'pages/100%.css'])
})

test('partials of SCSS are tried as Sass does', async () => {
  const scss =
    '@use "colors"; a { color: mix(colors.$red, white); border-color: color-mix(in srgb, colors.$red, #f00) }'
  const { findings, asked } = await found('scss', scss, { 'pages/_colors.scss': '$red: #f00;' })
  assert.deepEqual(findings, ['color-off color-mix(in srgb, colors.$red, #f00)'])
  assert.deepEqual(asked.slice(0, 2), ['pages/colors.scss', 'pages/_colors.scss'])
})

test('SVGs in data: addresses are read, except in masks, and a variable for a mask may be black', async () => {
  const svg = (fill: string) =>
    `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='100%'%3E%3Cpath fill='${fill}'/%3E%3C/svg%3E`
  const base64 = `data:image/svg+xml;base64,${Buffer.from('<svg><path fill="#0f0"/></svg>').toString('base64')}`
  const css = [
    `.a { background: url("${svg('%23f00')}"), url(${base64}) }`,
    `.b { -webkit-mask-image: url("${svg('%23000')}"); mask: no-repeat url("${svg('%23000')}") }`,
    `:root { --check: url("${svg('%23000')}") }`,
    `:root { --m: url("${svg('%23abc')}") } .m { mask: no-repeat var(--m) } .n { -webkit-mask-image: var(--m) }`,
    `.c { background: url("data:image/svg+xml;utf8,<svg><path fill='%2300f'/></svg>"), url("data:image/png;base64,x") }`,
  ]
  assert.deepEqual((await found('css', css.join('\n'))).findings, [
    'color-off #f00',
    'color-off #0f0',
    'color-off #00f',
  ])
  const seen = (await found('html', `<img src="${svg('%23f00')}"><p style="background:url('${base64}')">`)).findings
  assert.deepEqual(seen, ['color-off #f00', 'color-off #0f0'])
})

test('JSON without design tokens is not read, and text that is not UTF-8 is unreadable', async () => {
  assert.equal((await found('json', '{ "color": "#f00" }')).isRead, false)
  assert.equal((await found('json', '{ "a": { "type": "color", "value": "#f00" } }')).isRead, true)
  assert.deepEqual((await found('json', '{ "a": { "$type": "color", "$value": "#ff0000" } }')).findings, [
    'color-off #ff0000',
  ])
  assert.deepEqual((await found('css', Uint8Array.of(0x61, 0xff, 0xfe))).findings, ['unreadable undefined'])
  assert.deepEqual((await found('css', Buffer.from('\ufeffa { color: #f00 }', 'utf16le'))).findings, ['color-off #f00'])
})

const DEEP = 400_000
/** 400 MB in 1 kB. */
const BOMB = deflatedStream(Buffer.alloc(400_000_000), 2, '/Subtype/Form')
for (const [kind, content] of [
  ['html', '<div>'.repeat(DEEP)],
  ['svg', `<svg>${'<g>'.repeat(DEEP)}`],
  ['css', 'a{'.repeat(DEEP)],
  ['scss', '('.repeat(DEEP)],
  ['markdown', '['.repeat(DEEP)],
  ['tokens', '['.repeat(DEEP)],
  ['text', 'a '.repeat(DEEP)],
  ['office', 'PK'],
  ['pdf', pdfFile({ pages: ['['.repeat(DEEP)] })],
  ['pdf', pdfFile({ pages: ['/X Do'], resources: '/XObject<</X 10 0 R>>', objects: [BOMB] })],
] as const)
  test(`${kind} of hostile depth ends with findings or is unreadable`, async () => {
    const { findings, isRead } = await found(kind, content)
    assert.equal(isRead, true)
    assert.ok(findings.every(text => text.startsWith('unreadable')))
  })

test('a PDF is read in its confined process, for the purpose of its task', async () => {
  const file = pdfFile({ pages: ['1 0 0 rg 0 0 50 50 re f'] })
  assert.deepEqual((await found('pdf', file)).findings, ['color-off #ff0000'])
  const task = { path: 'a.pdf', kind: 'pdf', brand: BRAND, bytes: file, purpose: 'print' } as const
  const answer = await linter.lint(task)
  assert.deepEqual(answer.ok && answer.value.findings.map(({ rule, page }) => [rule, page]), [['rgb-in-print', 1]])
})

test('a file that takes too long is a problem and harms no other', async () => {
  const impatient = openLinter({ timeoutMs: 1 })
  const file = { path: 'a.css', kind: 'css', brand: BRAND, bytes: Buffer.from('a {}\n'.repeat(1_000_000)) } as const
  assert.deepEqual(await impatient.lint(file), { ok: false, problem: 'takes longer than 0.001 s to read' })
  await impatient.close()
  assert.equal((await found('css', 'a { color: #f00 }')).findings.length, 1)
})

const CORPUS = join(import.meta.dirname, 'corpus')
const KINDS = ['css', 'scss', 'html', 'svg', 'markdown', 'pptx', 'docx', 'pdf', 'tokens']

test('at least 95 % of the findings of the corpus are reported, and at most 5 % of the reported ones are wrong', async () => {
  const reported = await lint(CORPUS, [...KINDS, '--brand', 'brand/guidelines', '--folder', 'brand', '--all'])
  const expected = KINDS.flatMap(expectedIn)
  const { missing, wrong } = compareFindings(expected, reported)
  const numbers = KINDS.map(kind => {
    const [all, lost, alarms] = [expected, missing, wrong].map(
      list => list.filter(({ path }) => path.startsWith(`${kind}/`)).length,
    )
    return `${kind}: ${all} expected, ${lost} missing, ${alarms} wrong`
  })
  const lines = [
    ...numbers,
    ...missing.map(entry => `missing ${inOneLine(entry)}`),
    ...wrong.map(entry => `wrong ${inOneLine(entry)}`),
  ]
  assert.ok(missing.length <= expected.length * 0.05 && wrong.length <= reported.length * 0.05, lines.join('\n'))
})

/** The expected findings of a folder of the corpus, whose `expected.json` has them by file. */
function expectedIn(kind: string): ExpectedFinding[] {
  const files: Record<string, Omit<ExpectedFinding, 'path'>[]> = JSON.parse(
    readFileSync(join(CORPUS, kind, 'expected.json'), 'utf8'),
  )
  return Object.entries(files).flatMap(([name, findings]) =>
    findings.map(entry => ({ path: `${kind}/${name}`, ...entry })),
  )
}

function inOneLine({ path, rule, found, line, slide, page, count }: Partial<LintFinding> | ExpectedFinding): string {
  return JSON.stringify({ path, rule, found, line, slide, page, count })
}
