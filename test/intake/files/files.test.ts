import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import type { BrandFile } from '#brand/file.ts'
import { findingLines, messagesOf } from '../../support/problems.ts'
import { draftOf, lines, read } from '../reading.ts'

const svg = (title = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="20"><title>${title}</title></svg>`
const woff2 = await readFile(
  new URL('../../../examples/acme/guidelines/files/fonts/IBMPlexSans-Italic-Latin1.woff2', import.meta.url),
)

function metadata(files: readonly BrandFile[]): unknown {
  return Object.fromEntries(files.map(({ path, metadata }) => [path.replace('files/', ''), metadata]))
}

test('a picture has the description in files.yaml, else the first alt text of a page, else the embedded one', async () => {
  const { files } = await draftOf({
    'files/a.svg': svg('embedded a'),
    'files/b.svg': svg('embedded b'),
    'files/c.svg': svg('embedded c'),
    'files/d.svg': svg(),
    'files/e.svg': svg('embedded e'),
    'files/f.svg': svg('embedded f'),
    'files/g.svg': svg('embedded g'),
    'files/files.yaml': 'a.svg: from files.yaml\nfiles/f.svg: ""\n',
    'pages/1.md':
      '![](../files/b.svg) ![*from* the `page`](../files/b.svg) ![alt a](../files/a.svg) [link text](../files/c.svg)',
    'pages/2.md': `![second](../files/b.svg) <img src="../files/e.svg" alt="from &lt;html&gt;"> ![f](../files/f.svg) ![${'x'.repeat(1500)}][g]\n\n[g]: ../files/g.svg`,
  })
  const size = { width: 10, height: 20 }
  assert.deepEqual(metadata(files), {
    'a.svg': { ...size, description: 'from files.yaml' },
    'b.svg': { ...size, description: 'from the page' },
    'c.svg': { ...size, description: 'embedded c' },
    'd.svg': size,
    'e.svg': { ...size, description: 'from <html>' },
    'f.svg': { ...size, description: '' },
    'g.svg': { ...size, description: 'x'.repeat(1000) },
  })
})

test('the name of a file that a drawing program wrote as its title does not describe the picture', async () => {
  const { files } = await draftOf({
    'files/mark_v2.svg': svg('mark_v2'),
    'files/tall@2x.svg': svg('tall'),
    'files/ring.svg': svg('Our ring'),
  })
  const size = { width: 10, height: 20 }
  assert.deepEqual(metadata(files), {
    'mark_v2.svg': size,
    'tall@2x.svg': size,
    'ring.svg': { ...size, description: 'Our ring' },
  })
})

test('files.yaml overrides the metadata of a file, and type styles may use a family from files.yaml', async () => {
  const { drafts, findings } = await read({
    'files/font.woff2': woff2,
    'files/cafe\u0301.svg': svg(),
    'pages/note.pdf': '%PDF-1.4',
    'files/data.bin': 'x',
    'files/files.yaml': [
      'font.woff2: { family: Acme Sans, weight: 450, style: oblique }',
      'caf\u00e9.svg: { width: 100, height: 50, contentType: image/svg+xml }',
      'note.pdf: { contentType: application/x-note }',
      'data.bin: { contentType: image/x-own, width: 5, family: No }',
    ].join('\n'),
    'styles/types.yaml':
      '[{name: a, family: Acme Sans}, {name: b, family: IBM Plex Sans}, {name: c, family: IBM Plex Sans}]',
  })
  assert.deepEqual(lines(findings), [
    'files/files.yaml:4 warning description-unused',
    'styles/types.yaml:1 warning font-family-missing',
  ])
  assert.deepEqual(
    drafts[0]?.files.map(({ path, contentType, metadata }) => [path, contentType, metadata]),
    [
      ['files/cafe\u0301.svg', 'image/svg+xml', { width: 100, height: 50 }],
      ['files/data.bin', 'image/x-own', { width: 5 }],
      ['files/font.woff2', 'font/woff2', { family: 'Acme Sans', subFamily: 'Italic', weight: 450, style: 'oblique' }],
      ['pages/note.pdf', 'application/x-note', undefined],
    ],
  )
})

test('an entry of files.yaml is reported if its file is missing or already has an entry', async () => {
  const { findings } = await read({
    'files/a.svg': svg(),
    'files/files.yaml': 'a.svg: one\nfiles/a.svg: two\nb.svg: none\n../a.svg: out\n',
  })
  assert.deepEqual(lines(findings), [
    'files/files.yaml:2 error yaml-duplicate-key',
    'files/files.yaml:3 warning file-described-missing',
    'files/files.yaml:4 warning file-described-missing',
  ])
})

test('an entry of files.yaml for a missing file suggests the nearest path', async () => {
  const { findings } = await read({ 'files/logo/mark.svg': svg(), 'files/files.yaml': 'logo/Mark.svg: one\n' })
  assert.deepEqual(messagesOf(findings), [
    '"logo/Mark.svg" is not a file under files/ or pages/; did you mean "logo/mark.svg"?',
  ])
})

test('a family without a font is reported once, at its first use', async () => {
  const { findings } = await read({
    'styles/types.yaml': '- name: a\n  family: Gone\n- name: b\n  family: Gone\n- name: c\n  family: Lost\n',
  })
  assert.deepEqual(lines(findings), [
    'styles/types.yaml:2 warning font-family-missing',
    'styles/types.yaml:6 warning font-family-missing',
  ])
})

test('two files whose names differ only in the encoding of accents are two files, and each is found by its own name', async () => {
  const { files } = await draftOf({
    'files/caf\u00e9.svg': svg(),
    'files/cafe\u0301.svg': svg(),
    'files/files.yaml': 'cafe\u0301.svg: apart\n',
    'pages/a.md': '![as one](../files/caf\u00e9.svg)',
  })
  const seen = files.map(({ path, metadata }) => [path, metadata])
  assert.deepEqual(seen, [
    ['files/cafe\u0301.svg', { width: 10, height: 20, description: 'apart' }],
    ['files/caf\u00e9.svg', { width: 10, height: 20, description: 'as one' }],
  ])
})

for (const path of ['files/files.yml', 'files/File.yaml', 'pages/files.yaml', 'files/files.yaml.txt'])
  test(`${path} is reported with its right path, unless files.yaml exists`, async () => {
    const { findings } = await read({ [path]: 'a.txt: { title: A }\n', 'files/a.txt': 'a' })
    const message = 'is not read, so it describes no file: rename it to files/files.yaml'
    assert.deepEqual(findingLines(findings), [`${path}: warning not-read: ${message}`])
    assert.deepEqual((await read({ [path]: '', 'files/files.yaml': '' })).findings, [])
  })
