import assert from 'node:assert/strict'
import test from 'node:test'
import type { BrandFile } from '#brand/file.ts'
import { isStyleId } from '#brand/ids.ts'
import { hashOf } from '#brand/snapshot.ts'
import { folderSizes, folderTitle, formatName, libraryItem, lowestFolder } from '#site/library/files/library-item.ts'
import { wordsFor } from '#site/words/words.ts'

const TYPES: Record<string, string> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  pdf: 'application/pdf',
  otf: 'font/otf',
}

test('an item is shown in a format that browsers support, on its background, and lists scalable formats first', () => {
  const [ground] = ['ink'].filter(isStyleId)
  assert.ok(ground)
  const metadata = { width: 40, height: 20, description: 'The logo' }
  const pdf = file('files/logo.pdf', { title: 'Logo, white' })
  const png = file('files/logo@2x.png', { metadata, ground })
  const svg = file('files/logo.svg', { metadata: { width: 40, height: 20 } })
  const { name, kind, first, shown, preview, description, formats, ...rest } = libraryItem([pdf, png, svg])
  assert.deepEqual(
    [name, kind, first, shown, description, rest.ground],
    ['Logo, white', 'pictures', pdf, svg, 'The logo', ground],
  )
  assert.equal(preview?.kind, 'picture')
  assert.deepEqual(formats, [svg, pdf, png])
  assert.deepEqual(
    formats.map(file => formatName(wordsFor('en'), file, { name, formats })),
    ['SVG', 'PDF', 'PNG @2x'],
  )
})

test('the title of a variant names only its format, not the item', () => {
  const [svg, pdf] = [file('files/logo.svg'), file('files/logo.pdf', { title: 'Logo' })]
  const dark = file('files/dark.svg', { title: 'For dark pages', variantOf: svg.path })
  const small = file('files/small@2x.png', { title: 'Logo', variantOf: svg.path })
  const named = libraryItem([svg, pdf, dark, small])
  assert.equal(named.name, 'Logo')
  assert.deepEqual(
    named.formats.map(each => formatName(wordsFor('en'), each, named)),
    ['SVG', 'For dark pages, SVG', 'PDF', 'PNG @2x'],
  )
  assert.equal(libraryItem([svg, dark]).name, 'Logo')
  assert.equal(libraryItem([dark]).name, 'For dark pages')
})

test('an item without a title has the readable name of its file, or of its font', () => {
  const [pdf, otf] = [file('files/v1.2 sheet.pdf'), file('files/v1.2 sheet.otf')]
  assert.deepEqual([libraryItem([pdf]).name, libraryItem([pdf, otf]).name], ['V1.2 sheet', 'V1.2 sheet'])
  assert.equal(libraryItem([file('files/acme-logo_white@2x.png')]).name, 'Acme logo white')
  assert.equal(
    libraryItem([file('files/a.otf', { metadata: { family: 'Acme Sans', subFamily: 'Bold' } })]).name,
    'Acme Sans Bold',
  )
  assert.equal(libraryItem([pdf]).preview?.kind, 'picture')
  assert.equal(libraryItem([file('files/plan.doc')]).preview, undefined)
})

test('an original is shown before its variants, even if a variant has a better format', () => {
  const metadata = { width: 40, height: 20 }
  const [ground] = ['ink'].filter(isStyleId)
  const png = file('files/logo.png', { metadata })
  const svg = file('files/flat.svg', { metadata, variantOf: png.path, ...(ground && { ground }) })
  const { shown, formats } = libraryItem([png, svg])
  assert.deepEqual([shown, formats], [png, [svg, png]])
})

function file(path: string, more: Partial<BrandFile> = {}): BrandFile {
  const contentType = TYPES[path.split('.').at(-1) ?? ''] ?? ''
  return { path, size: 1, contentType, hash: hashOf(new Uint8Array()), ...more }
}

test('a folder has the title in files.yaml, else its own name, readable and without the folders above it', () => {
  const titles = {
    files: 'General',
    'files/logo/print': 'Print',
    'files/colour_sheets--A4': 'colour sheets A4',
    'files/app-icons': 'App icons',
    'files/iOS': 'iOS',
    'files/öl und stein': 'Öl und stein',
    'files/-_': '-_',
    pages: 'Pages',
    'pages/logo': 'Logo',
  }
  for (const [folder, title] of Object.entries(titles)) assert.equal(folderTitle(wordsFor('en'), folder), title)
  const notes = { path: 'files/logo', title: 'Our logos' }
  assert.equal(folderTitle(wordsFor('en'), notes.path, notes), 'Our logos')
})

test('a folder whose files are all in one child has the archive of the child', () => {
  const paths = ['files/a/b/one.svg', 'files/a/b/two.svg', 'files/c/d/three.svg', 'files/c/four.svg']
  const sizes = folderSizes(new Map(paths.map(path => [path, file(path)])))
  assert.equal(lowestFolder(sizes, 'files/a'), 'files/a/b')
  assert.equal(lowestFolder(sizes, 'files/c'), 'files/c')
  assert.equal(lowestFolder(sizes, 'files'), 'files')
})

test('formats of a font that is split by script are named after the scripts', () => {
  const fonts = ['latin', 'latin-ext'].map(script =>
    file(`files/acme-${script}-400.otf`, { metadata: { family: 'Acme' } }),
  )
  assert.deepEqual(
    fonts.map(each => formatName(wordsFor('en'), each, { name: 'Acme', formats: fonts })),
    ['Latin, OTF', 'Latin ext, OTF'],
  )
})
