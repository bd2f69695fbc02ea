import assert from 'node:assert/strict'
import test from 'node:test'
import { adoptedMarkdown, summaryLines } from '#adopt/report/adopted-markdown.ts'
import type { First } from '#adopt/report/first.ts'
import { emptyReport } from '#adopt/report/report.ts'

const lost = (path: string, line: number, what: string, text: string) => ({ path, line, what, text })

const FIRST: readonly First[] = [{ key: 'logo', value: 'files/a.svg', path: 'a.svg', next: 'correct it' }]

const REPORT = {
  ...emptyReport(),
  placed: [{ from: 'docs/a.md', to: 'guidelines/pages/a.md' }],
  merged: [{ from: 'tokens.json', into: 'guidelines/styles/colors.yaml' }],
  leftOut: [{ path: 'LICENSE', reason: 'a licence' }],
  converted: [{ path: 'docs/a.md', line: 9, what: 'admonition', became: 'alert' }],
  lost: [lost('docs/a.md', 3, 'comment', '%% hub %%'), lost('docs/a.md', 7, 'comment', '%% hub %%')],
  guessed: [{ path: 'a.svg', key: 'title', value: 'A', why: 'from the name' }],
}

test('_adopted.md lists tasks from what is lost to where each file is, and equal rows once', () => {
  const [head = '', list] = adoptedMarkdown(REPORT, FIRST).split(/(?=## 2 lost)/)
  assert.equal(
    list?.replace(/\n[A-Z].*\n\n/g, ''),
    `## 2 lost
### comment (2)
- [ ] \`%% hub %%\`: \`docs/a.md:3, 7\` → \`guidelines/pages/a.md\`

## 1 guessed
### from the name (1)
- [ ] \`a.svg\` → \`title: A\`

## 1 left out
### a licence (1)
- [ ] \`LICENSE\`

## 1 converted
### admonition (1)
- [ ] \`alert\`: \`docs/a.md:9\` → \`guidelines/pages/a.md\`

## 1 placed
### page (1)
- \`docs/a.md\` → \`guidelines/pages/a.md\`

## 1 merged
### in guidelines/styles/colors.yaml (1)
- \`tokens.json\`
`,
  )
  assert.match(head, /\n## Look at these first\n\n- \[ \] logo: `files\/a\.svg` \(`a\.svg`\): correct it\n/)
})

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

test('the summary has what to look at first, the size of each list, and the first row of each kind', () => {
  assert.deepEqual(summaryLines(REPORT, FIRST, 80), [
    'look at these first',
    '  logo: files/a.svg (a.svg): correct it',
    '2 lost',
    '  2 comment: docs/a.md:3 → %% hub %%',
    '1 guessed',
    '  1 from the name: a.svg → title: A',
    '1 left out',
    '  1 a licence: LICENSE',
    '1 converted',
    '  1 admonition: docs/a.md:9 → alert',
    '1 placed',
    '  1 page: docs/a.md → guidelines/pages/a.md',
    '1 merged',
    '  1 in guidelines/styles/colors.yaml: tokens.json',
  ])
})
