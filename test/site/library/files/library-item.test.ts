import assert from 'node:assert/strict'
import test from 'node:test'
import type { BrandFile } from '#brand/file.ts'
import { isStyleId } from '#brand/ids.ts'
import { hashOf } from '#brand/snapshot.ts'
import { formatName, libraryItem } from '#site/library/files/library-item.ts'
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
  const found = [name, kind, first, shown, description, rest.ground]
  assert.deepEqual(found, ['Logo, white', 'pictures', pdf, svg, 'The logo', ground])
  assert.equal(preview?.kind, 'picture')
  assert.deepEqual(formats, [svg, pdf, png])
  const seen = formats.map(file => formatName(wordsFor('en'), file, { name, formats }))
  assert.deepEqual(seen, ['SVG', 'PDF', 'PNG @2x'])
})

test('the title of a variant names only its format, not the item', () => {
  const [svg, pdf] = [file('files/logo.svg'), file('files/logo.pdf', { title: 'Logo' })]
  const dark = file('files/dark.svg', { title: 'For dark pages', variantOf: svg.path })
  const small = file('files/small@2x.png', { title: 'Logo', variantOf: svg.path })
  const named = libraryItem([svg, pdf, dark, small])
  assert.equal(named.name, 'Logo')
  const seen = named.formats.map(each => formatName(wordsFor('en'), each, named))
  assert.deepEqual(seen, ['SVG', 'For dark pages, SVG', 'PDF', 'PNG @2x'])
  assert.equal(libraryItem([svg, dark]).name, 'Logo')
  assert.equal(libraryItem([dark]).name, 'For dark pages')
})

test('an item without a title has the readable name of its file, or of its font', () => {
  const [pdf, otf] = [file('files/v1.2 sheet.pdf'), file('files/v1.2 sheet.otf')]
  assert.deepEqual([libraryItem([pdf]).name, libraryItem([pdf, otf]).name], ['V1.2 sheet', 'V1.2 sheet'])
  assert.equal(libraryItem([file('files/acme-logo_white@2x.png')]).name, 'Acme logo white')
  const seen = libraryItem([file('files/a.otf', { metadata: { family: 'Acme Sans', subFamily: 'Bold' } })]).name
  assert.equal(seen, 'Acme Sans Bold')
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

test('formats of a font that is split by script are named after the scripts', () => {
  const fonts = ['latin', 'latin-ext'].map(script =>
    file(`files/acme-${script}-400.otf`, { metadata: { family: 'Acme' } }),
  )
  const seen = fonts.map(each => formatName(wordsFor('en'), each, { name: 'Acme', formats: fonts }))
  assert.deepEqual(seen, ['Latin, OTF', 'Latin ext, OTF'])
})
