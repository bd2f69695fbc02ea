import assert from 'node:assert/strict'
import test from 'node:test'
import { golden } from '#test/support/golden.ts'
import { adopted, type Files } from './adopted.ts'

golden('adopt/adopt', async ({ files }: { files: Files }) => {
  const { report, texts } = await adopted(files)
  const placed = report.placed.map(({ from, to }) => `${from} → ${to.replace('guidelines/', '')}`)
  const { merged, leftOut, guessed } = report
  const taken = guessed
    .filter(({ key }) => /page|lang|name|nav|accent/.test(key))
    .map(({ path, key, value, why }) => `${path}: ${key} ${value}, ${why}`)
  return { placed, merged, leftOut, taken, texts: texts.toSorted() }
})

test('words that arrive as the source of a page are lost, and not placed', async () => {
  const { report } = await adopted({
    'index.html':
      '<h1>Our brand</h1><p>## Keep the logo clear of all other signs</p><p>Use {{ site.color }} for links.</p>',
    'notes.md': 'Write `{{ name }}` and\n\n```\n## Logo\n```\n',
  })
  assert.deepEqual(report.account?.words, { placed: 6, leftOut: 0, lost: 8 })
  const rows = report.lost.map(({ line, what, text }) => `${line} ${what}: ${text}`)
  assert.deepEqual(rows, [
    '1 text that arrives as its source: \\## Keep the logo clear of all other signs',
    '1 text that arrives as its source: Use {{ site.color }} for links.',
  ])
})

test('words in the elements that a script writes are lost, and those of other scripts are not', async () => {
  const page = (script: string) => `<h1>Our brand</h1><script>${script}</script>`
  const files = { 'a.html': page('show(`<p>Keep the logo clear</p>`)'), 'b.html': page('// Loads the next page early') }
  const { report } = await adopted(files)
  assert.deepEqual(report.account?.words, { placed: 2, leftOut: 0, lost: 4 })
})
