import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import decodeJpeg, { init as initJpeg } from '@jsquash/jpeg/decode.js'
import decodePng, { init } from '@jsquash/png/decode.js'
import { servedBrand } from '../../support/service.ts'

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><rect width="10" height="10" fill="#f00"/></svg>'
const { ask, temporary } = await servedBrand({
  'closed/project.yaml': 'visibility: private\n',
  'open/styles/colors.yaml': '- { name: Ink, hex: "#14212b" }\n',
  'open/files/logo "1".svg': SVG,
  'open/files/tall.svg': SVG.replace('0 0 20 10', '0 0 10 1000'),
  'open/files/text.svg': SVG.replace('<rect', '<text>Acme</text><rect'),
  'open/files/photo.png': 'x',
  'open/files/icon.png': readFileSync(
    new URL('../../../examples/acme/guidelines/files/images/acme-app-icon.png', import.meta.url),
  ),
  'closed/files/logo.svg': SVG,
})
const { token } = await temporary.issue('acme')
const { text } = await ask('/acme/open/-/files')
await init(readFileSync(new URL(import.meta.resolve('@jsquash/png/codec/pkg/squoosh_png_bg.wasm'))))
await initJpeg({ wasmBinary: readFileSync(new URL(import.meta.resolve('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'))) })

test('the card of an SVG offers PNGs in three sizes, as links and on the chosen colour', () => {
  const card = text.slice(text.indexOf('logo%20%221%22.svg'))
  const address = addressOf('logo%20%221%22')
  const expected = [512, 1024, 2048].map(size => [address, `${size}`])
  const seen = Array.from(card.matchAll(/ href="([^"]+)\?width=(\d+)" download>/g), found => found.slice(1)).slice(0, 3)
  assert.deepEqual(seen, expected)
  assert.match(card, /<button form="Png" formaction="[^"]+" name="width" value="512"/)
  assert.match(text, /<form id="Png">[\s\S]*name="ground" value="14212b"/)
  assert.match(card, /<button type="button" class="code" data-copy data-code="[^"]+\.svg"/)
})

test('a PNG has the wanted size, is transparent or on the colour, and may be cached', async () => {
  const address = addressOf('logo%20%221%22')
  const clear = await ask(`${address}?width=512`)
  const seen = ['content-type', 'cache-control', 'content-disposition'].map(name => clear.headers.get(name))
  assert.deepEqual(seen, [
    'image/png',
    'public, max-age=3600, immutable',
    'attachment; filename="logo \\"1\\"-512.png"',
  ])
  assert.deepEqual(await pixels(clear.bytes), { width: 512, height: 256, first: [255, 0, 0, 255], last: [0, 0, 0, 0] })
  const onInk = await ask(`${address}?ground=14212b&width=1024`)
  assert.deepEqual(await pixels(onInk.bytes), {
    width: 1024,
    height: 512,
    first: [255, 0, 0, 255],
    last: [20, 33, 43, 255],
  })
  const etag = onInk.headers.get('etag') ?? ''
  assert.equal((await ask(`${address}?ground=14212b&width=1024`, { headers: { 'if-none-match': etag } })).status, 304)
  assert.notEqual(etag, clear.headers.get('etag'))
})

test('an SVG is a JPEG on a colour, otherwise on white, and a bitmap keeps its size', async () => {
  const address = addressOf('logo%20%221%22').replace('/png/', '/jpg/').replace(/png$/, 'jpg')
  for (const [query, last] of [
    ['width=512', [255, 255, 255]],
    ['width=512&ground=14212b', [20, 33, 43]],
  ] as const) {
    const { status, headers, bytes } = await ask(`${address}?${query}`)
    const seen = [status, headers.get('content-type'), headers.get('content-disposition')]
    assert.deepEqual(seen, [200, 'image/jpeg', 'attachment; filename="logo \\"1\\"-512.jpg"'])
    const { data, width, height } = await decodeJpeg(new Uint8Array(bytes).buffer)
    assert.deepEqual([width, height], [512, 256])
    const ends = [...data.slice(0, 3), ...data.slice(-4, -1)]
    for (const [at, value] of [255, 0, 0, ...last].entries())
      assert.ok(Math.abs((ends[at] ?? 0) - value) < 6, `${ends}`)
  }
  const [bitmap = ''] = /\/acme\/open\/-\/files\/[^"/]+\/icon\.png/.exec(text) ?? []
  const icon = bitmap.replace('/files/', '/jpg/')
  const own = await decodeJpeg(new Uint8Array((await ask(`${icon}.jpg?width=512`)).bytes).buffer)
  assert.deepEqual([own.width, own.height], [512, 512])
  assert.equal((await ask(`${icon}.jpg?width=2048`)).status, 404)
})

test('the longer side has the size, so that no drawing becomes too large', async () => {
  const { width, height } = await pixels((await ask(`${addressOf('tall')}?width=512`)).bytes)
  assert.deepEqual([width, height], [5, 512])
})

test('other sizes, colours and files have no PNG, and an SVG with text has and offers none', async () => {
  const address = addressOf('logo%20%221%22')
  for (const query of ['', '?width=513', '?width=512&ground=123456', '?width=512&ground=red'])
    assert.equal((await ask(address + query)).status, 404, query)
  const file = / data-code="([^"]+\/text\.svg)"/.exec(text)?.[1] ?? ''
  const drawing = file.replace('/-/files/', '/-/png/')
  assert.deepEqual([(await ask(file)).status, (await ask(`${drawing}.png?width=512`)).status], [200, 404])
  assert.doesNotMatch(text, /text\.svg\.png/)
  assert.doesNotMatch(text, /photo\.png\.png/)
})

test('a PNG of a private project needs the same key as its file', async () => {
  const list = await ask('/acme/closed/-/files', { token })
  const address = / href="([^"]+\?width=512)"/.exec(list.text)?.[1] ?? ''
  const { status, headers } = await ask(address)
  assert.deepEqual([status, headers.get('cache-control')], [200, 'private, no-cache'])
  assert.equal((await ask(address.replace(/png\/.{4}/, 'png/AAAA'))).status, 404)
})

function addressOf(name: string): string {
  const found = Array.from(text.matchAll(/ href="([^"]+)\?width=512"/g), ([, address = '']) => address)
  return found.find(address => address.endsWith(`/${name}.svg.png`)) ?? ''
}

async function pixels(bytes: Uint8Array) {
  const { width, height, data } = await decodePng(new Uint8Array(bytes).buffer)
  return { width, height, first: [...data.slice(0, 4)], last: [...data.slice(-4)] }
}
