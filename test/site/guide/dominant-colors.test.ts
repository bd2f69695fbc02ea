import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import encodePng, { init } from '@jsquash/png/encode.js'
import { openAssets } from '#site/assets.ts'
import { servedBrand } from '../../support/service.ts'

await init(readFileSync(new URL(import.meta.resolve('@jsquash/png/codec/pkg/squoosh_png_bg.wasm'))))

/** A PNG whose first half has one colour, and whose other half another. */
async function png(one: readonly number[], other: readonly number[]): Promise<Uint8Array> {
  const data = new Uint8ClampedArray(Array.from({ length: 800 }, (_, at) => (at < 400 ? one : other)).flat())
  return new Uint8Array(await encodePng({ data, width: 40, height: 20, colorSpace: 'srgb' }))
}

/** The colour behind documents, which are not measured. */
const PAPER = [255, 255, 255]
/** The colour behind opaque pictures that cannot be measured here. */
const GREY = [136, 136, 136]
/** The mean colour of each opaque picture, also a small one, and of the poster of a film. */
const MEANS = {
  'sea.png': [20, 90, 180],
  'sand.png': [230, 200, 150],
  'night.png': [0, 0, 0],
  'red.gif': [255, 0, 0],
  'poster.svg': [20, 90, 180],
  'photo.avif': GREY,
  'broken.jpg': GREY,
  'sheet.pdf': PAPER,
  'ident.png': [20, 90, 180],
  'icon.svg': [20, 90, 180],
}
/** A GIF of one red pixel. */
const RED = Buffer.from('R0lGODlhAQABAPAAAP8AAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')
const pictures = await Promise.all(
  Object.entries(MEANS).map(async ([name, mean]) => {
    const [darker, lighter] = [-1, 1].map(sign => [...mean.map(channel => channel + sign * Math.min(20, channel)), 255])
    return [`guide/files/${name}`, await png(darker ?? [], lighter ?? [])] as const
  }),
)
const names = [...Object.keys(MEANS).slice(0, 7), 'clear.png', 'clear.avif', 'drawing.svg', 'icon.svg']
/** A drawing that covers its picture. */
const svg = (size: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}"><path d="M0 0h999v999H0z" fill="#145ab4"/></svg>`
const AVIF = `\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf`
const { ask } = await servedBrand({
  'logo/project.yaml': 'visibility: public\ntheme: { logo: files/logo.png }\n',
  'logo/files/logo.png': pictures[0]?.[1] ?? '',
  ...Object.fromEntries(pictures),
  'guide/files/red.gif': RED,
  'guide/files/sheet.pdf': readFileSync('examples/acme/guidelines/files/print/Acme colour sheet.pdf'),
  'guide/files/ident.webm': readFileSync(new URL('../../fixtures/film.webm', import.meta.url)),
  'guide/pages/film.md': '# Film\n\n![Ident](../files/ident.webm)\n',
  'guide/pages/odd.md': '# Odd\n\n<img src="/acme/guide/-/files/key/%zz.png" alt="Odd">\n',
  'guide/files/clear.png': await png([255, 0, 0, 255], [0, 0, 0, 0]),
  'guide/files/poster.svg': svg('400 300'),
  'guide/files/icon.svg': svg('24 24'),
  'guide/files/photo.avif': AVIF,
  'guide/files/clear.avif': `${AVIF}urn:mpeg:mpegB:cicp:systems:auxiliary:alpha`,
  'guide/files/drawing.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><path d="M0 0h4v4z"/></svg>',
  'guide/files/broken.jpg': 'no picture',
  'guide/files/sea-copy.png': pictures[0]?.[1] ?? '',
  'guide/pages/index.md': `---\ntitle: Home\ncover: ../files/night.png\n---\n${names.map(name => `![${name}](../files/${name})\n\n`).join('')}`,
  'guide/pages/many.md': `# Many\n\n${names.map(name => `![${name}](../files/${name}) text\n\n`.repeat(3)).join('')}`,
})

/** The classes of the pictures of a page, by the names of their files. */
async function classes(path: string): Promise<Record<string, string | undefined>> {
  const { status, text } = await ask(path)
  assert.equal(status, 200)
  const tags = text.matchAll(/<(?:img|video) [^>]*(?:src|poster)="[^"]*\/([\w.-]+)"[^>]*>/g)
  return Object.fromEntries(Array.from(tags, ([tag, name]) => [name, /tint( \w\d+){6}( even)?/.exec(tag)?.[0]]))
}

const sheet = new TextDecoder().decode(openAssets('').find(openAssets('').path('site.css'))?.bytes)
const channel = (name = '') => Number(new RegExp(`\\.${name}\\{--${name[0]}:(\\d+)\\}`).exec(sheet)?.[1])

/** The pictures that have another colour behind them than their own. */
function misfits(found: Record<string, string | undefined>): string[] {
  return Object.keys(found).filter(name => {
    const mean = name === 'sea-copy.png' ? MEANS['sea.png'] : Object.entries(MEANS).find(([own]) => own === name)?.[1]
    const digits = found[name]?.match(/\b\w\d+\b/g) ?? []
    const differences = (mean ?? []).map((value, at) =>
      Math.abs(value - 16 * channel(digits[2 * at]) - channel(digits[2 * at + 1])),
    )
    return mean ? !(Math.max(...differences) <= 1) : digits.length > 0
  })
}

for (const path of ['', '/many', '/film', '/-/files', '/-/file/sea.png', '/-/search?q=png'].map(
  path => `/acme/guide${path}`,
))
  test(`on ${path}, opaque pictures have their mean colour behind them, and others none`, async () => {
    const found = await classes(path)
    assert.ok(Object.keys(found).length > 0)
    assert.deepEqual(misfits(found), [])
  })

test('a ground of one colour is exact, and continues around the picture', async () => {
  const found = await classes('/acme/guide/-/files')
  const seen = ['poster.svg', 'night.png', 'sea.png'].map(name => found[name])
  assert.deepEqual(seen, ['tint r1 u4 g5 v10 b11 w4 even', 'tint r0 u0 g0 v0 b0 w0 even', 'tint r1 u4 g5 v10 b11 w4'])
})

test('the first pictures of a page are loaded at once, and later ones as they come near', async () => {
  const { text } = await ask('/acme/guide/many')
  const isLazy = Array.from(text.matchAll(/<img [^>]*>/g), ([tag]) => tag.includes('loading="lazy"'))
  assert.ok(isLazy.length > 12)
  assert.deepEqual([isLazy.indexOf(true), isLazy.lastIndexOf(false)], [10, 9])
})

test('a picture whose address cannot be decoded has no colour, and its page is shown', async () => {
  const { status, text } = await ask('/acme/guide/odd')
  assert.deepEqual([status, /<img src="[^"]*%zz\.png" alt="Odd"[^>]*>/.exec(text)?.[0].includes('tint')], [200, false])
})

test('a logo with its own ground has no plate on dark pages', async () => {
  assert.match((await ask('/acme/logo')).text, /<img class="logo[^"]* only-dark trimmed logo-\w+ tint/)
})
