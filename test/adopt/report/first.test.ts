import assert from 'node:assert/strict'
import test from 'node:test'
import { firstRows } from '#adopt/report/first.ts'
import { emptyReport, NO_ACCOUNT } from '#adopt/report/report.ts'

test('what the owner would miss comes before what is surely right: lost words and guesses with alternatives first', () => {
  const guide = { project: 'guidelines', name: 'Acme', lang: 'de', pages: [], colors: [], types: [], files: [] }
  const guessed = [{ path: 'index.html', key: 'lang', value: 'de', why: '<html lang>' }]
  const lost = [
    { path: 'a.html', what: '<aside>', words: 100 },
    { path: 'b.html', what: '<aside>', words: 200 },
    { path: 'a.html', what: '<svg>', words: 0 },
  ]
  const account = { ...NO_ACCOUNT, words: { placed: 5000, leftOut: 0, lost: 300 }, lost }
  const rows = firstRows({ ...emptyReport(), guessed, account }, guide, { name: 'acme', sources: ['src'] })
  assert.deepEqual(
    rows.map(({ key, value, path }) => [key, value, path]),
    [
      ['home', '', 'guidelines/pages/index.md'],
      ['logo', '', 'guidelines/project.yaml'],
      ['colors', '', 'guidelines/styles/colors.yaml'],
      ['lost', '<aside> (2, 300 words)', 'b.html'],
      ['lang', 'de', 'index.html'],
      ['name', 'Acme', 'guidelines/project.yaml'],
    ],
  )
})
