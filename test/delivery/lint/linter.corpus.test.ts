import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import type { LintFinding } from '#delivery/lint/finding.ts'
import { compareFindings, type ExpectedFinding } from './corpus-comparison.ts'
import { lint } from './lint-folder.ts'

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
