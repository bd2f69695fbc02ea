import assert from 'node:assert/strict'
import test from 'node:test'
import { readFilesFile } from '#intake/files/files-file.ts'
import { golden } from '#test/support/golden.ts'
import { findingLines, messagesOf } from '#test/support/problems.ts'
import { draftOf, read, readFacts } from '../reading.ts'

golden('intake/files/files-file', ({ text }: { text: string }) => readFacts(readFilesFile(text)))

const FILES = { 'files/logo/print/a.txt': 'a', 'files/logo/b.txt': 'b', 'files/folders': 'a' }

test('folders of files.yaml have a title, an order and a description, sorted by path', async () => {
  const { folders, files } = await draftOf({
    ...FILES,
    'files/files.yaml': `folders:
  logo/print/: { order: 2, title: For printers }
  logo: { description: "Our\\nmark" }
files/folders: { title: Notes }
`,
  })
  assert.deepEqual(folders, [
    { path: 'files/logo', description: 'Our\nmark' },
    { path: 'files/logo/print', order: 2, title: 'For printers' },
  ])
  assert.equal(files.find(({ path }) => path === 'files/folders')?.title, 'Notes')
})

test('a project without described folders has no folders', async () => {
  assert.equal('folders' in (await draftOf({ ...FILES, 'files/files.yaml': 'folders: { logo: {} }\n' })), false)
})

test('a folder without files is reported with the nearest one, and a second entry for a folder is an error', async () => {
  const { findings } = await read({
    ...FILES,
    'files/files.yaml':
      'folders:\n  logos: { order: 1 }\n  logo/: {}\n  logo: {}\n  pages: {}\n  b.txt: {}\n  ../logo: {}\n',
  })
  assert.deepEqual(messagesOf(findings), [
    '"logos" in "folders" is not a folder of files under files/; did you mean "logo"?',
    '"logo" in "folders" is the same folder as an earlier one; correct the path, or remove the entry',
    '"pages" in "folders" is not a folder of files under files/; correct the path, or remove the entry',
    '"b.txt" in "folders" is not a folder of files under files/; correct the path, or remove the entry',
    '"../logo" in "folders" is not a folder of files under files/; correct the path, or remove the entry',
  ])
  const seen = findings.map(({ line, severity, rule }) => `${line} ${severity} ${rule}`)
  assert.deepEqual(
    seen,
    [2, 4, 5, 6, 7].map(line => (line === 4 ? '4 error yaml-duplicate-key' : `${line} warning file-described-missing`)),
  )
})

test('folders must be a mapping of mappings with values of the right kinds', async () => {
  for (const folders of ['text', '[logo]', '{ logo: Logos }', '{ logo: { order: first } }', '{ logo: { name: a } }']) {
    const { findings } = await read({ ...FILES, 'files/files.yaml': `folders: ${folders}\n` })
    assert.match(findingLines(findings).join('\n'), /^files\/files\.yaml:1 error \S+: [^\n]+$/, folders)
  }
})
