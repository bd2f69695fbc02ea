import assert from 'node:assert/strict'
import test from 'node:test'
import type { BrandFile } from '#brand/file.ts'
import { isStyleId } from '#brand/ids.ts'
import { formatGroups, inLibraryOrder, isInLibrary, pathWithoutFormat, scriptOf } from '#brand/library.ts'
import { hashOf } from '#brand/snapshot.ts'

const SHOWN = new Set(['pages/logo/clear', 'files/logo', 'pages/plan'])

test('a picture below pages/ is in the library unless a page shows it', () => {
  const places = [
    ['pages/logo/clear.svg', false],
    ['pages/logo/clear@2x.png', false],
    ['pages/logo/other.svg', true],
    ['files/logo.svg', true],
    ['files/pages/logo/clear.svg', true],
    ['pages/plan.pdf', true],
  ] as const
  for (const [path, isIn] of places) assert.equal(isInLibrary(file(path), SHOWN), isIn, path)
})

test('the library setting of a file overrides its location', () => {
  assert.equal(isInLibrary(file('pages/logo/clear.svg', { library: true }), SHOWN), true)
  assert.equal(isInLibrary(file('files/logo.svg', { library: false }), SHOWN), false)
})

test('files in a folder that differ only in extension or density are one item', async () => {
  assert.deepEqual(await groupsOf('files/a/logo.pdf', 'files/a/logo.svg', 'files/a/logo@2x.png', 'files/b/logo.svg'), [
    ['files/a/logo.pdf', 'files/a/logo.svg', 'files/a/logo@2x.png'],
    ['files/b/logo.svg'],
  ])
  assert.deepEqual(await groupsOf('files/Logo.svg', 'files/logo-s.svg', 'files/logo.png'), [
    ['files/Logo.svg'],
    ['files/logo-s.svg'],
    ['files/logo.png'],
  ])
})

test('files in folders of formats next to each other are one item, with the formats above them', async () => {
  assert.deepEqual(await groupsOf('files/a/PDF/x.pdf', 'files/a/SVG/x.svg', 'files/a/x.png', 'files/b/SVG/x.svg'), [
    ['files/a/PDF/x.pdf', 'files/a/SVG/x.svg', 'files/a/x.png'],
    ['files/b/SVG/x.svg'],
  ])
})

test('a number after a dot is part of the name', () => {
  const names = { 'files/Guide 1.2': 'files/Guide 1.2', 'files/v1.0/a.7z': 'files/v1.0/a', 'files/.keep': 'files/' }
  for (const [path, name] of Object.entries(names)) assert.equal(pathWithoutFormat(path), name)
})

test('a variant follows its original, in one group with the other formats', async () => {
  const files = [
    file('files/print/a.eps', { variantOf: 'files/web/logo.svg' }),
    file('files/print/b.tiff', { variantOf: 'files/print/a.eps' }),
    file('files/web/logo.png'),
    file('files/web/logo.svg'),
  ]
  assert.deepEqual(await groupsOf(...files), [
    ['files/web/logo.png', 'files/web/logo.svg', 'files/print/a.eps', 'files/print/b.tiff'],
  ])
})

test('variants of each other, of themselves and of missing files are separate items', async () => {
  const files = [
    file('files/a.svg', { variantOf: 'files/b.svg' }),
    file('files/b.svg', { variantOf: 'files/a.svg' }),
    file('files/c.svg', { variantOf: 'files/c.svg' }),
    file('files/d.svg', { variantOf: 'files/gone.svg' }),
  ]
  assert.deepEqual(await groupsOf(...files), [['files/a.svg'], ['files/b.svg'], ['files/c.svg'], ['files/d.svg']])
})

test('a variant for another background than its original is another item, with its own formats', async () => {
  const [ink, paper] = ['ink', 'paper'].filter(isStyleId)
  assert.ok(ink && paper)
  const files = [
    file('files/logo.pdf', { variantOf: 'files/logo.svg', ground: paper }),
    file('files/logo.svg', { ground: paper }),
    file('files/white.png'),
    file('files/white.svg', { variantOf: 'files/logo.svg', ground: ink }),
  ]
  assert.deepEqual(await groupsOf(...files), [
    ['files/logo.svg', 'files/logo.pdf'],
    ['files/white.png', 'files/white.svg'],
  ])
})

test('items are in the order of order, then the main logo, then other logos, then paths, and folders follow their first items', async () => {
  const files = [
    file('files/fonts/a.pdf'),
    file('files/icons/b.svg', { order: 2 }),
    file('files/icons/c.svg', { order: 1 }),
    file('files/icons/a.svg'),
    file('files/img/a.svg'),
    file('files/img/big-logo-black.svg'),
    file('files/img/big-logo.svg'),
    file('files/img/logo-black.svg'),
    file('files/img/logo.svg'),
    file('files/mark/mark.svg'),
    file('pages/logo/b.svg'),
  ]
  const groups = inLibraryOrder(
    formatGroups(new Map(files.map(each => [each.path, each]))),
    new Set(['files/mark/mark.svg']),
  )
  const paths = groups.map(([{ path }]) => path)
  assert.deepEqual(
    paths,
    `
    files/icons/c.svg files/icons/b.svg files/icons/a.svg files/mark/mark.svg files/img/logo.svg
    files/img/logo-black.svg files/img/big-logo.svg files/img/big-logo-black.svg files/img/a.svg
    files/fonts/a.pdf pages/logo/b.svg
  `
      .trim()
      .split(/\s+/),
  )
})

test('folders come in their own order or that of the closest folder above them, then as without one', () => {
  const paths = ['a/x.svg', 'b/c/x.svg', 'b/d/x.svg', 'b/x.svg', 'e/logo.svg', 'f/x.svg'].map(path => `files/${path}`)
  const described = [
    { path: 'files/b', order: 1 },
    { path: 'files/b/d', order: 9 },
    { path: 'files/f', order: 0.5 },
  ]
  const groups = inLibraryOrder(formatGroups(new Map(paths.map(path => [path, file(path)]))), new Set(), described)
  assert.equal(groups.map(([{ path }]) => path.slice(6, -4)).join(' '), 'f/x b/x b/c/x b/d/x e/logo a/x')
})

async function groupsOf(...given: (BrandFile | string)[]): Promise<string[][]> {
  const files = given.map(each => (typeof each === 'string' ? file(each) : each))
  const groups = formatGroups(new Map(files.map(each => [each.path, each])))
  return groups.map(group => group.map(({ path }) => path))
}

function file(path: string, notes: Partial<BrandFile> = {}): BrandFile {
  const contentType = /\.(svg|png|eps|tiff)$/.test(path) ? 'image/svg+xml' : 'application/pdf'
  return { path, size: 1, contentType, hash: hashOf(new Uint8Array()), ...notes }
}

test('fonts of one family and cut that are split by script are one item', async () => {
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
  const groups = await groupsOf(...files)
  const seen = groups.map(group => group.map(path => path.slice('files/'.length, -'.woff2'.length)))
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

test('fonts without a family, and other files, are separate items', async () => {
  const files = [
    { ...font('files/a-latin.woff2'), metadata: {} },
    { ...font('files/a-greek.woff2'), metadata: {} },
    { ...font('files/b-latin.pdf'), contentType: 'application/pdf' },
    { ...font('files/b-greek.pdf'), contentType: 'application/pdf' },
  ]
  assert.equal((await groupsOf(...files)).length, 4)
})

function font(path: string, metadata: object = {}): BrandFile {
  const facts = { family: 'Acme Sans', weight: 400, ...metadata }
  return { path, size: 1, contentType: 'font/woff2', hash: hashOf(new Uint8Array()), metadata: facts }
}
