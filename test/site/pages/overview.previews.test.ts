import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { servedBrand } from '../../support/served-brand.ts'

const FONT = readFileSync('examples/acme/guidelines/files/fonts/IBMPlexSans-Italic-Latin1.woff2')
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20"/></svg>'
const { ask } = await servedBrand({
  'full/styles/colors.yaml': '- { name: Ink, hex: "#14212b" }\n- { name: White, hex: "#fff" }\n',
  'full/styles/types.yaml': '- { name: Body, family: Missing }\n- { name: Lead, family: IBM Plex Sans }\n',
  'full/files/plex.woff2': FONT,
  'full/files/files.yaml': 'icons/a.svg: { ground: ink }\nicons/0.svg: { until: 2020-01-01 }\n',
  ...Object.fromEntries(
    ['icons/0', 'icons/a', 'icons/b', 'icons/c', 'icons/d', 'logo'].map(name => [`full/files/${name}.svg`, SVG]),
  ),
  'bare/styles/types.yaml': '- name: Body\n',
  'lost/styles/types.yaml': '- { name: Body, family: Acme Sans }\n',
  'none/project.yaml': 'name: Nothing\nvisibility: public\n',
})

test('the home page previews each section: colours, a letter in the brand font, pictures from every folder, but no expired file', async () => {
  const { text } = await ask('/acme/full')
  assert.ok(text.includes('<p>2 colours</p>') && text.includes('fill="#14212b"') && text.includes('fill="#ffffff"'))
  assert.ok(text.includes('<p><bdi>2 styles</bdi>, <bdi>Missing</bdi>, <bdi>IBM Plex Sans</bdi></p>'))
  assert.match(text, /<link rel="stylesheet" href="\/acme\/full\/-\/type\.css">[\s\S]*<svg class="letter face-1"/)
  assert.ok(text.includes('<p>6 files</p>'))
  const pictures = Array.from(text.matchAll(/<img[^>]* src="[^"]+\/([^"/]+)"[^>]+ alt=""/g), ([, name]) => name)
  assert.match(text, /<img class="ground-ink" src="[^"]+\/a\.svg"/)
  assert.deepEqual(pictures, ['a.svg', 'logo.svg', 'b.svg', 'c.svg'])
})

test('the letters of the home page are a font of only these letters', async () => {
  const { text } = await ask('/acme/full/-/type.css')
  const [, address = ''] = /font-family:"Guide 1: letters";[^}]*url\("([^"]+)"\)/.exec(text) ?? []
  assert.match(text, /\.letter\.face-1\{font-family:"Guide 1: letters",/)
  const { status, headers } = await ask(address)
  assert.deepEqual([status, headers.get('content-type')], [200, 'font/woff2'])
  assert.ok(Number(headers.get('content-length')) < FONT.length / 5)
})

test('a guide without fonts shows letters in the website font, and loads no font', async () => {
  const { text } = await ask('/acme/bare')
  assert.ok(text.includes('<p><bdi>1 style</bdi></p>'))
  assert.ok(text.includes('<svg class="letter"') && !text.includes('type.css'))
  const lost = (await ask('/acme/lost')).text
  assert.ok(
    lost.includes(
      '<p><bdi>1 style</bdi>, <bdi>Acme Sans</bdi></p><p class="quiet">This guide has no font files.</p><svg class="letter"',
    ),
  )
})

test('the home page of an empty guide says so', async () => {
  const { text } = await ask('/acme/none')
  assert.ok(text.includes('This guide is empty.') && !text.includes('class="cards'))
})
