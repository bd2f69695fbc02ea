import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import type { BrandFile } from '#brand/file.ts'
import { golden } from '#test/support/golden.ts'
import { draftOf, folderFacts, lines, read } from '../reading.ts'

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

golden('intake/files/files', folderFacts)
