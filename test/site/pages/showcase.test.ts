import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { servedBrand } from '../../support/service.ts'

const FONT = readFileSync('examples/acme/guidelines/files/fonts/IBMPlexSans-Italic-Latin1.woff2')
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20"/></svg>'
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const { ask } = await servedBrand({
  'full/styles/colors.yaml': '- { name: Ink, hex: "#14212b" }\n- { name: White, hex: "#fff" }\n',
  'full/styles/types.yaml': '- { name: Body, family: Missing }\n- { name: Lead, family: IBM Plex Sans }\n',
  'full/files/plex.woff2': FONT,
  'full/files/files.yaml': 'icons/a.svg: { ground: ink }\nicons/0.svg: { until: 2020-01-01 }\n',
  ...Object.fromEntries(
    ['icons/0', 'icons/a', 'icons/b', 'icons/c', 'icons/d', 'logo'].map(name => [`full/files/${name}.svg`, SVG]),
  ),
  'shared/styles/colors.yaml':
    '- { name: Paper, hex: "#fff", proportion: 75 }\n- { name: Ink, hex: "#14212b", proportion: 20 }\n- { name: Signal, hex: "#c30", proportion: 5 }\n- { name: Grey, hex: "#888" }\n',
  'shared/pages/palette.md': '# Palette\n\n[All](../styles/colors.yaml)\n\n![A plan](plan.svg)\n',
  'shared/pages/plan.svg': SVG,
  'shared/files/terms.txt': 'Terms\n',
  'many/styles/colors.yaml': Array.from(
    { length: 8 },
    (_, at) => `- { name: Very dark tone ${at}, hex: "#00000${at}" }\n`,
  ).join(''),
  'bare/styles/types.yaml': '- name: Body\n',
  'logos/project.yaml': 'visibility: public\ntheme: { logo: files/logo.svg, logoDark: files/reversed.svg }\n',
  'logos/styles/colors.yaml': '- { name: Ink, hex: "#14212b" }\n',
  'logos/files/files.yaml': 'logo-ink.svg: { ground: ink }\nwide-logo-ink.svg: { ground: ink }\n',
  'logos/files/logo-ink.png': PIXEL,
  ...Object.fromEntries(
    ['logo', 'logo-two', 'reversed', 'logo-ink', 'wide-logo-ink'].map(name => [`logos/files/${name}.svg`, SVG]),
  ),
  'lost/styles/types.yaml': '- { name: Body, family: Acme Sans }\n',
  'none/project.yaml': 'name: Nothing\nvisibility: public\n',
})

test('the home page shows the logo, the palette, letters in the brand font, pictures other than logos and a font, but no expired file', async () => {
  const { text } = await ask('/acme/full')
  const parts = Array.from(showcasesIn(text).matchAll(/<li>.*?<\/li>/gs), ([part]) => part)
  assert.equal(parts.length, 4)
  const [logo = '', colors = '', type = '', files = ''] = parts
  assert.match(
    logo,
    /<div class="main-logo"><span class="plain"><img src="[^"]+\/logo\.svg"[^>]*><\/span><\/div><a href="\/acme\/full\/-\/file\/logo\.svg">Logo</,
  )
  assert.match(
    colors,
    /fill="#14212b".*fill="#ffffff".*<a href="\/acme\/full\/-\/colors">Colours<\/a><p><bdi>2 colours<\/bdi><\/p>/,
  )
  assert.match(
    type,
    /<div class="letter" aria-hidden="true"><svg fill="currentColor"><text y="0.85em">Aa<\/text><\/svg> <div><span>ABC.*<a href="\/acme\/full\/-\/type">Type</,
  )
  assert.ok(
    type.includes(
      '<p><bdi>2 styles</bdi>, <bdi><a href="/acme/full/-/type/missing">Missing</a></bdi>, <bdi><a href="/acme/full/-/type/ibm-plex-sans">IBM Plex Sans</a></bdi></p>',
    ),
  )
  assert.match(text, /<link rel="stylesheet" href="\/acme\/full\/-\/type\.css">/)
  assert.match(files, /<a href="\/acme\/full\/-\/files">Files<\/a><p>6 files<\/p>/)
  assert.match(files, /<span class="tile ground-ink grows icon"><img src="[^"]+\/a\.svg"/)
  assert.deepEqual(picturesIn(files), ['a.svg', 'b.svg', 'c.svg'])
  assert.match(files, /<svg class="tile (f-\w+)".*<\/svg><\/div><a/s)
})

test('the main logo is next to its versions for other grounds, one for each ground and in one format', async () => {
  const logo = /<div class="main-logo">.*?<\/div>/s.exec((await ask('/acme/logos')).text)?.[0] ?? ''
  assert.deepEqual(
    Array.from(logo.matchAll(/<span class="([^"]+)"><img src="[^"]+\/([^"/]+)"/g), ([, look, name]) => [look, name]),
    [
      ['plain', 'logo.svg'],
      ['ground-Dark', 'reversed.svg'],
      ['ground-ink', 'logo-ink.svg'],
    ],
  )
})

test('the palette is one area of its proportions, or of equal parts', async () => {
  const areaOf = async (project: string) => {
    const { text } = await ask(`/acme/${project}`)
    const [, area = ''] = /<svg class="area"(.*)/.exec(text) ?? []
    return Array.from(
      area.matchAll(/width="([^"]+)%" height="([^"]+)%"><rect .*? fill="(.*?)">/g),
      ([, ...part]) => part,
    )
  }
  assert.deepEqual(await areaOf('shared'), [
    ['75', '100', '#ffffff'],
    ['25', '80', '#14212b'],
    ['25', '20', '#cc3300'],
  ])
  assert.deepEqual(await areaOf('full'), [
    ['50', '100', '#14212b'],
    ['50', '100', '#ffffff'],
  ])
  const many = await areaOf('many')
  assert.ok(many.length === 8 && many.every(([width, height]) => Number(width) * Number(height) === 1250))
})

test('a page with all colours is the target of the palette, and pictures below pages are shown', async () => {
  const { text } = await ask('/acme/shared')
  assert.match(text, /<a href="\/acme\/shared\/palette">Colours<\/a>/)
  assert.deepEqual(picturesIn(showcasesIn(text)), ['plan.svg'])
})

test('the letters of the home page load a part of their font', async () => {
  const { text } = await ask('/acme/full/-/type.css')
  const [, address = ''] = /url\("([^"]+-latin\.woff2)"\)/.exec(text) ?? []
  assert.match(text, /\.letter\{font-family:"Frame: IBM Plex Sans",/)
  const { status, headers } = await ask(address)
  assert.deepEqual([status, headers.get('content-type')], [200, 'font/woff2'])
  assert.ok(Number(headers.get('content-length')) < FONT.length)
})

test('a guide without fonts shows letters in the website font, and loads no font', async () => {
  const { text } = await ask('/acme/bare')
  assert.ok(text.includes('<p><bdi>1 style</bdi></p>'))
  assert.ok(text.includes('<div class="letter"') && !text.includes('type.css'))
  const lost = (await ask('/acme/lost')).text
  assert.ok(
    lost.includes(
      '<p><bdi>1 style</bdi>, <bdi><a href="/acme/lost/-/type/acme-sans">Acme Sans</a></bdi></p><p>This guide has no font files.</p>',
    ),
  )
})

test('the home page of a guide whose only files are logos has no row of files', async () => {
  assert.doesNotMatch(showcasesIn((await ask('/acme/logos')).text), /\/-\/files"/)
})

test('the home page of an empty guide says so', async () => {
  const { text } = await ask('/acme/none')
  assert.ok(text.includes('This guide is empty.') && !text.includes('class="cards showcase'))
})

/** The parts of the home page before and after its text. */
function showcasesIn(text: string): string {
  return Array.from(text.matchAll(/<ul class="cards showcase".*?<\/ul>/gs), ([list]) => list).join('')
}

function picturesIn(text: string): (string | undefined)[] {
  const shown = /<div class="thumbs">.*?<\/div>/s.exec(text)?.[0] ?? ''
  return Array.from(shown.matchAll(/<img[^>]* src="[^"]+\/([^"/]+)"/g), ([, name]) => name)
}
