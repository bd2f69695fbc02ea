import assert from 'node:assert/strict'
import test from 'node:test'
import { golden } from '#test/support/golden.ts'
import { folderFacts, read } from '../reading.ts'

test('a file has at most 100 findings, errors first, and one that counts the rest', async () => {
  const colors = Array.from({ length: 150 }, (_, at) => `- { name: Colour ${at}, hex: blue }\n`)
  const page = Array.from({ length: 120 }, (_, at) => `[${at}](gone-${at}.md)\n`)
  const { findings } = await read({ 'styles/colors.yaml': colors.join(''), 'pages/a.md': page.join('') })
  const inColors = findings.filter(({ path }) => path === 'styles/colors.yaml')
  const inPage = findings.filter(({ path }) => path === 'pages/a.md')
  assert.deepEqual([inColors.length, inPage.length], [101, 101])
  const seen = [inColors.at(-1), inPage.at(-1)].map(last => [last?.severity, last?.line, last?.message])
  assert.deepEqual(seen, [
    ['error', null, 'and 50 more findings in this file; fix those above, then check again'],
    ['warning', null, 'and 20 more findings in this file; fix those above, then check again'],
  ])
})

golden('intake/folder/findings', folderFacts)
