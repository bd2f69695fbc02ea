import assert from 'node:assert/strict'
import test from 'node:test'
import { adoptedMarkdown, summaryLines } from '#adopt/report/adopted-markdown.ts'
import type { First } from '#adopt/report/first.ts'
import { emptyReport, type Report } from '#adopt/report/report.ts'
import { golden } from '#test/support/golden.ts'

const lost = (path: string, line: number, what: string, text: string) => ({ path, line, what, text })

const FIRST: readonly First[] = [{ key: 'logo', value: 'files/a.svg', path: 'a.svg', next: 'correct it' }]

test('_adopted.md has at most 500 lines: the first tasks of each kind, and the first places of a task', () => {
  const rows = Array.from({ length: 300 }, (_, at) => lost(`${at}.md`, 1, 'comment', '%% hub %%'))
  rows.push(...Array.from({ length: 300 }, (_, at) => lost('a.md', at, 'tag', `{% ${at} %}`)))
  const placed = Array.from({ length: 150 }, (_, at) => ({ from: `${at}.md`, to: `guidelines/pages/${at}.md` }))
  const markdown = adoptedMarkdown({ ...emptyReport(), lost: rows, placed }, [])
  assert.match(markdown, /`%% hub %%`: `0\.md:1` → `guidelines\/pages\/0\.md`, .*, 297 more files$/m)
  assert.match(markdown, /^- and 100 more, which `init --dry-run --json` lists$/m)
  const kinds = Array.from({ length: 3000 }, (_, at) => lost(`${at}.md`, 1, `<${at}>`, 'text'))
  assert.ok(adoptedMarkdown({ ...emptyReport(), lost: kinds, converted: [], placed }, FIRST).split('\n').length <= 500)
})

test('no text of a source can break out of _adopted.md, and no character of it is lost', () => {
  const text = '`` ` ```\n# Heading\r\n- [x] done <script> \u202e \u2028 [a](b) | \\ `'
  const report = { ...emptyReport(), lost: [lost('a`b\n## c.md', 1, '**x** `y`\n# z <b>', text)] }
  const markdown = adoptedMarkdown(report, [])
  assert.equal(markdown.match(/^#/gm)?.length, 3)
  assert.equal(markdown.match(/^ *- /gm)?.length, 1)
  assert.ok(markdown.includes('```` `` ` ```⏎# Heading⏎- [x] done <script> \\u202e \\u2028 [a](b) | \\ ` ````'))
})

golden('adopt/report/adopted-markdown', ({ report, first }: { report: Partial<Report>; first: readonly First[] }) => {
  const whole = { ...emptyReport(), ...report }
  return { markdown: adoptedMarkdown(whole, first), summary: summaryLines(whole, first, 80) }
})
