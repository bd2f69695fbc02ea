import assert from 'node:assert/strict'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import type { LintFinding } from '#delivery/lint/finding.ts'
import { runCommand } from '../../support/run-command.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { compareFindings, type ExpectedFinding } from './corpus-comparison.ts'

const CORPUS = join(import.meta.dirname, 'corpus')
const EXAMPLE = join(import.meta.dirname, '../../../examples/acme')
const KINDS = ['css', 'scss', 'html', 'svg', 'markdown', 'pptx', 'docx', 'tokens']

test('at least 95 % of the findings of the corpus are reported, and at most 5 % of the reported ones are wrong', async () => {
  const reported = await lint(CORPUS, [...KINDS, '--brand', 'brand/guidelines', '--folder', 'brand'])
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

test('the exports of the example give no finding', async () => {
  const folder = await temporaryFolder()
  const names = {
    css: 'tokens.css',
    scss: '_tokens.scss',
    tailwind: 'theme.css',
    fonts: 'fonts.css',
    dtcg: 'tokens.json',
    editor: 'editor',
  }
  for (const [format, name] of [...Object.entries(names), ['dtcg-legacy', 'tokens.legacy.json']]) {
    const out = join(folder, name ?? '')
    const { exitCode, err } = await runCommand(folder, [
      'export',
      'acme/guidelines',
      '--folder',
      EXAMPLE,
      '--to',
      format ?? '',
      '--out',
      out,
    ])
    assert.equal(exitCode, 0, err)
  }
  assert.deepEqual(await lint(folder, ['.', '--brand', 'acme/guidelines', '--folder', EXAMPLE]), [])
})

test('the pages of the static copy of the example give no error in HTML', async () => {
  const folder = await temporaryFolder()
  cpSync(EXAMPLE, join(folder, 'acme'), { recursive: true, filter: path => !LARGE.test(path) })
  const { exitCode, err } = await runCommand(folder, [
    'export',
    'acme/guidelines',
    '--folder',
    'acme',
    '--to',
    'site',
    '--out',
    'site',
  ])
  assert.equal(exitCode, 0, err)
  const findings = await lint(folder, ['site', '--brand', 'acme/guidelines', '--folder', EXAMPLE])
  const unexpected = findings.filter(({ severity, path }) => severity === 'error' && path.endsWith('.html'))
  assert.deepEqual(unexpected, [])
})

/** Files that take long to draw. */
const LARGE = /\/files\/(?:film|pictures|print|sound)$/

/** The expected findings of a folder of the corpus, whose `expected.json` has them by file. */
function expectedIn(kind: string): ExpectedFinding[] {
  const files: Record<string, Omit<ExpectedFinding, 'path'>[]> = JSON.parse(
    readFileSync(join(CORPUS, kind, 'expected.json'), 'utf8'),
  )
  return Object.entries(files).flatMap(([name, findings]) =>
    findings.map(entry => ({ path: `${kind}/${name}`, ...entry })),
  )
}

/** Runs `housestyle lint` in a folder. */
async function lint(folder: string, args: readonly string[]): Promise<LintFinding[]> {
  const { exitCode, out, err } = await runCommand(folder, ['lint', ...args, '--json'])
  assert.ok(exitCode === 0 || exitCode === 1, err)
  return JSON.parse(out)
}

function inOneLine({ path, rule, found, line, slide, count }: Partial<LintFinding> | ExpectedFinding): string {
  return JSON.stringify({ path, rule, found, line, slide, count })
}
