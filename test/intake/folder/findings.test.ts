import assert from 'node:assert/strict'
import test from 'node:test'
import { golden } from '#test/support/golden.ts'
import { folderWith } from '#test/support/temporary.ts'
import { folderFacts, lines, read, readAt } from '../reading.ts'

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

test('a page or file that cannot be read is one finding, even if others refer to it', async () => {
  const { findings } = await readAt(
    await folderWith({
      'project.yaml': 'theme: { logo: files/logo.svg }\npages: [misuse]\n',
      'pages/index.md': '[Misuse](misuse.md), [again](misuse), [gone](gone.md)\n',
      'pages/misuse.md': Buffer.from([0xff]),
      'files/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>'.padEnd(101),
      'files/files.yaml': 'logo.svg: Our logo\n',
    }),
    { maxFile: 100 },
  )
  assert.deepEqual(lines(findings), [
    'files/logo.svg: error too-large',
    'pages/misuse.md:1 error not-utf8',
    'pages/index.md:1 warning link-broken',
  ])
})

golden('intake/folder/findings.causes', folderFacts)
