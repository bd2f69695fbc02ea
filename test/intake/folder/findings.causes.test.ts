import assert from 'node:assert/strict'
import test from 'node:test'
import { golden } from '#test/support/golden.ts'
import { folderWith } from '#test/support/temporary.ts'
import { folderFacts, lines, readAt } from '../reading.ts'

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
