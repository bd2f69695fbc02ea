import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { pngHeader } from '../../support/png-header.ts'
import { testService } from '../../support/service.ts'
import { publishedStore } from '../../support/temporary-store.ts'

const PNG = readFileSync('examples/acme/guidelines/files/images/acme-share.png')
const padded = (start: Buffer) => Buffer.concat([start], 6_000_000)
const GIF = padded(Buffer.from('GIF89a\x40\x01\xf0\0\0\0\0', 'latin1'))
const PAGE = `---
cover: ../files/photo.png
---
# Heavy

![Photo](../files/photo.png "A caption")

A small one: <img src="../files/photo.png" width="300"> ![Spin](../files/spin.gif) ![](../files/huge.png)

![Film](../files/film.mp4)

[The original](../files/photo.png)

![Damaged](../files/damaged.png)
`
const temporary = await publishedStore('acme/open', {
  'open/project.yaml':
    'visibility: public\nsocialImage: files/spin.gif\ntheme: { logo: files/huge.png, logoDark: files/photo.png, icon: files/photo.png }\n',
  'open/pages/index.md': '# Home\n\n[Heavy](heavy.md)\n\n[Photo](../files/photo.png)\n\n[Spin](../files/spin.gif)\n',
  'open/pages/heavy.md': PAGE,
  'open/files/photo.png': padded(PNG),
  'open/files/damaged.png': padded(pngHeader(900, 600)),
  'open/files/spin.gif': GIF,
  'open/files/huge.png': pngHeader(9000, 8000),
  'open/files/film.mp4': Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'),
  'open/files/film.png': padded(PNG),
})
const { ask } = await testService(temporary)
const PAGES = ['', '/heavy', '/-/files', '/-/pages', '/-/search?q=heavy']
const { text } = await ask('/acme/open/heavy')

test('pages load no heavy picture in any place: the text, a cover, a card, a logo, an icon, a poster or a link preview', async () => {
  for (const below of PAGES) {
    const { text } = await ask(`/acme/open${below}`, { headers: { accept: 'text/html' } })
    const loaded = [
      ...Array.from(text.matchAll(/\s(?:src|srcset|poster)="([^"]+)"/g), ([, address = '']) => address),
      ...Array.from(
        text.matchAll(/<(?:link rel="icon"[^>]* href|meta property="og:image" content)="([^"]+)"/g),
        ([, to = '']) => to,
      ),
    ]
    const unexpected = loaded.filter(address => /\/-\/files\/[^"]*\.(?:png|gif)/.test(address))
    assert.deepEqual(unexpected, [], below)
  }
})

test('a heavy picture is shown smaller in its own size, and its frame and links point to the whole file', async () => {
  const frame = /<a class="picture enlarge" href="([^"]+)"[^>]*><img([^>]*)>/.exec(text)
  assert.match(frame?.[1] ?? '', /\/-\/files\/[\w-]+\/photo\.png$/)
  assert.match(frame?.[2] ?? '', / src="[^"]+\/1280\/photo\.png".* width="1200" height="630"/)
  const whole = await ask(frame?.[1] ?? '')
  assert.deepEqual([whole.status, whole.bytes.length], [200, 6_000_000])
  const shown = await ask(/src="([^"]+\/1280\/photo\.png)"/.exec(text)?.[1] ?? '')
  assert.deepEqual([shown.status, shown.headers.get('content-type')], [200, 'image/webp'])
  assert.match(
    text,
    /<p><a href="[^"]+\/photo\.png"[^>]*>The original<\/a>|href="[^"]+\/photo\.png"[^>]*>The original</,
  )
  assert.match(text, /<meta property="og:image" content="http[^"]+\/-\/thumbnails\/[^"]+\/1280\/photo\.png">/)
})

test('a heavy picture that cannot be made smaller is a link with its type and size', () => {
  assert.match(text, /<a href="[^"]+\/spin\.gif"[^>]*>Spin \(GIF, 320\s×\s240, 6\.0\sMB\)<\/a>/)
  assert.match(text, /<a href="[^"]+\/huge\.png"[^>]*>Picture \(PNG, 9000\s×\s8000, 45\sbytes\)<\/a>/)
})

test('while a heavy picture cannot be made smaller, its type is shown in its place', async () => {
  const { status, headers, text: sign } = await ask(/src="([^"]+\/1280\/damaged\.png)"/.exec(text)?.[1] ?? '')
  const seen = [status, headers.get('content-type'), headers.get('cache-control')]
  assert.deepEqual(seen, [200, 'image/svg+xml', 'no-store'])
  assert.match(sign, />PNG</)
})

test('the theme limits the size of a logo for dark pages whose other one cannot be shown', async () => {
  assert.match((await ask('/acme/open')).text, /<img class="logo/)
  assert.match((await ask('/acme/open/-/theme.css')).text, /\.logo\{/)
})
