import assert from 'node:assert/strict'
import test from 'node:test'
import type { BrandFile } from '#brand/file.ts'
import { formatGroups, scriptOf } from '#brand/library.ts'
import { hashOf } from '#brand/snapshot.ts'

test('fonts of one family and cut that are split by script are one item', () => {
  const files = [
    font('files/acme-arabic-400.woff2'),
    font('files/acme-latin-400.woff2'),
    font('files/acme-latin-700.woff2', { weight: 700 }),
    font('files/acme-latin-ext-400.woff2'),
    font('files/acme-latin-ext-700.woff2', { weight: 700 }),
    font('files/other-latin-400.woff2', { family: 'Other' }),
    font('files/print/acme-latin-400.woff2'),
    font('files/ui.[1].woff2'),
    font('files/ui.[2].woff2'),
  ]
  const groups = formatGroups(new Map(files.map(file => [file.path, file])))
  const seen = groups.map(group => group.map(({ path }) => path.slice('files/'.length, -'.woff2'.length)))
  assert.deepEqual(seen, [
    ['acme-arabic-400', 'acme-latin-400', 'acme-latin-ext-400'],
    ['acme-latin-700', 'acme-latin-ext-700'],
    ['other-latin-400'],
    ['print/acme-latin-400'],
    ['ui.[1]', 'ui.[2]'],
  ])
})

test('the script of a font is the last one in its file name', () => {
  const scripts = {
    'noto-sans-arabic-latin-ext-400': 'latin-ext',
    'IBMPlexSans-Regular-Latin1': 'Latin1',
    'acme-subset-12': 'subset-12',
    platinum: undefined,
    'latin/acme': undefined,
  }
  for (const [name, script] of Object.entries(scripts))
    assert.equal(scriptOf(font(`files/${name}.woff2`)), script, name)
})

test('fonts without a family, and other files, are separate items', () => {
  const files = [
    { ...font('files/a-latin.woff2'), metadata: {} },
    { ...font('files/a-greek.woff2'), metadata: {} },
    { ...font('files/b-latin.pdf'), contentType: 'application/pdf' },
    { ...font('files/b-greek.pdf'), contentType: 'application/pdf' },
  ]
  assert.equal(formatGroups(new Map(files.map(file => [file.path, file]))).length, 4)
})

function font(path: string, metadata: object = {}): BrandFile {
  const facts = { family: 'Acme Sans', weight: 400, ...metadata }
  return { path, size: 1, contentType: 'font/woff2', hash: hashOf(new Uint8Array()), metadata: facts }
}
