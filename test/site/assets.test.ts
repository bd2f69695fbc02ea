import assert from 'node:assert/strict'
import test from 'node:test'
import { brotliCompressSync } from 'node:zlib'
import { openAssets, PAGE_ASSETS } from '#site/assets.ts'
import { servedBrand } from '../support/service.ts'

const { ask } = await servedBrand({ 'open/project.yaml': 'visibility: public\n' })

test('caches may keep style sheets and the script forever, because their addresses contain a content hash', async () => {
  const { text } = await ask('/acme/open')
  const assets = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
  assert.equal(assets.length, 5)
  for (const path of assets) {
    const { status, headers } = await ask(path, { headers: { 'accept-encoding': 'gzip' } })
    assert.deepEqual([status, headers.get('content-encoding')], [200, 'gzip'])
    assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
  }
})

test('the style sheets of each kind of page leave 1.5 of 16 KB for the style of a guide', () => {
  const assets = openAssets('')
  for (const [kind, names] of Object.entries(PAGE_ASSETS)) {
    const sheets = names.filter(name => name.endsWith('.css')).map(name => assets.find(assets.path(name))?.bytes ?? '')
    const sum = sheets.reduce((size, bytes) => size + brotliCompressSync(bytes).length, 0)
    assert.ok(sum <= 14_500, `${kind} has ${sum} bytes`)
  }
})

test('style sheets omit quotes around identifiers, and keep other quotes', () => {
  const assets = openAssets('')
  const sheet = new TextDecoder().decode(assets.find(assets.path('pages.css'))?.bytes)
  assert.match(sheet, /\[rel=next\]/)
  assert.match(sheet, /\[src\$=".svg"\]/)
})

test('pages move only for readers who accept motion', () => {
  const assets = openAssets('')
  const sheet = new TextDecoder().decode(assets.find(assets.path('site.css'))?.bytes)
  const [before = '', accepted = ''] = sheet.split('@media (prefers-reduced-motion:no-preference){')
  assert.match(accepted, /scroll-behavior:smooth/)
  assert.doesNotMatch(before, /transition:|scroll-behavior:smooth/)
})
