import assert from 'node:assert/strict'
import test from 'node:test'
import { fileAnchor } from '#site/library/files/file-list.ts'
import { below, FILE_KINDS } from '#test/support/file-kinds.ts'
import { servedBrand } from '#test/support/service.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>\n'

const { ask } = await servedBrand({
  'kinds/project.yaml': 'visibility: private\n',
  ...below('kinds', FILE_KINDS),
  'empty/project.yaml': 'visibility: public\n',
  'folders/project.yaml': 'visibility: public\n',
  ...Object.fromEntries(
    ['web/logo', 'print/logo', 'deep/er/est', 'img/src', 'one'].flatMap(folder =>
      ['a', 'b'].map(name => [`folders/files/${folder}/${name}.bin`, `${folder}/${name}`]),
    ),
  ),
  'folders/files/files.yaml': `folders:
  print: { title: "For <printers>", description: In CMYK }
  deep/er: { title: Depths }
  one: { title: One, order: 1, description: "Only\\none" }
`,
  ...Object.fromEntries(
    ['SVG/acme.svg', 'PNG/acme@2x.png', 'EPS/acme.eps', 'SVG/sign.svg', 'acme.pdf'].map(path => [
      `formats/files/logo/${path}`,
      `${path}: one logo`,
    ]),
  ),
  'formats/files/files.yaml': 'logo/SVG/acme.svg: { until: 2999-12-31 }\n',
  'formats/project.yaml': 'visibility: public\n',
  'single/files/deep/er/a.bin': 'a',
  'single/files/deep/er/b.bin': 'b',
  'noted/project.yaml': 'visibility: public\ntheme: none\n',
  'noted/styles/colors.yaml': '- { name: Ink, hex: "#14212b" }\n',
  'noted/pages/index.md': '![](cut.svg) ![](plan.svg)\n',
  ...Object.fromEntries(
    ['pages/cut.svg', 'pages/plan.svg', 'files/a/logo-white.svg', 'files/b/white.eps', 'files/old.svg'].map(path => [
      `noted/${path}`,
      SVG,
    ]),
  ),
  'noted/files/files.yaml': `a/logo-white.svg: { title: "Logo, <b>white</b>", ground: ink }
b/white.eps: { variantOf: a/logo-white.svg, description: Logo }
plan.svg: { library: true, description: Plan, title: plan }
old.svg: { library: false }
`,
})

test('every file appears once under the title of its folder, with its facts', async () => {
  const { status, text } = await ask('/acme/kinds/-/files')
  assert.equal(status, 200)
  const folders = matches(text, /<h2>(.*?)<\/h2>/g)
  assert.deepEqual(folders, ['Images', 'General', 'Fonts', 'Print', 'Sound', 'Logo'])
  const seen = matches(text, /^<li id="[^"]+" data-kind="(.*?)">/gm).map(kind => kind.slice(0, 3))
  assert.deepEqual(seen, 'pic pic pic pic pic pic oth fon fon oth pic doc med med pic'.split(' '))
  assert.deepEqual(matches(text, /aria-label="Download ([^"]*: .*?)"/g).slice(0, 9), [
    'logo.svg: SVG 508 bytes',
    '&#34;&#62;&#60;script&#62;alert(1)&#60;\u2044script&#62;.svg: SVG 96 bytes',
    'app.png: PNG 512 × 512, 1.2 kB',
    'heavy.png: PNG 512 × 512, 5.0 MB',
    'layers.psd: PSD 32 × 16, 26 bytes',
    'sizeless.svg: SVG 42 bytes',
    'LICENSE: File 6 bytes',
    'broken.woff2: WOFF2 21 bytes',
    'plex.woff2: WOFF2 21 kB',
  ])
  assert.deepEqual(matches(text, /<p class="quiet">(.*?)<\/p>/g), ['The layers', 'IBM Plex Sans Regular, weight 400'])
  const places = Object.keys(FILE_KINDS).filter(path => /^(files|pages)\/(?!files.yaml)/.test(path))
  assert.deepEqual(matches(text, /<li id="([^"]+)"/g).sort(), places.map(fileAnchor).sort())
})

test('the list shows pictures with size and description, large ones as thumbnails, and other files by type', async () => {
  const text = (await ask('/acme/kinds/-/files')).text.replace(/<ul class="covers">.*?<\/ul>/s, '')
  assert.deepEqual(
    matches(text, /<img src="[^"]*\/([^"/]+" width="\d+" height="\d+" alt="[^"]*)" decoding="async"[^>]*>/g),
    [
      'logo.svg" width="428" height="100" alt="The logo &#38; its &#34;A&#34;',
      '%22%3E%3Cscript%3Ealert%281%29%3C%E2%81%84script%3E.svg" width="10" height="20" alt="A &#60;b&#62;',
      'app.png" width="512" height="512" alt="',
      'clear.svg" width="24" height="12" alt="',
    ],
  )
  const types = ['PSD', 'SVG', 'File', 'WOFF2', 'ZIP', 'EPS']
  assert.deepEqual(matches(text, /<span class="tile" aria-hidden="true">(.*?)</g), types)
  assert.match(text, /<img src="[^"]+\/320\/heavy\.png" srcset=/)
  assert.doesNotMatch(text, /<script>alert| style=/)
})

test('every file has a link to its page, one that downloads it, and a button that copies its full address', async () => {
  const { text } = await ask('/acme/kinds/-/files')
  const opened = matches(text, /^(?:<span class="tile">.*)?<a href="([^"]+)">/gm)
  assert.equal(opened.length, 15)
  const downloads = matches(text, /<a href="([^"]+)" download="[^"]*" aria/g)
  const seen = opened.map(path => path.slice(path.lastIndexOf('/')))
  const expected = downloads.map(path => path.slice(path.lastIndexOf('/')))
  assert.deepEqual(seen, expected)
  const wanted = downloads.map(address => `http://brand.test${address}`)
  assert.deepEqual(matches(text, /data-copy="([^"]+)"/g), wanted)
  for (const address of [...opened, ...downloads]) assert.equal((await ask(address)).status, 200, address)
  assert.match(text, /<a href="\/acme\/kinds\/-\/files\.zip" download>Download all as ZIP, 5\.0\u00a0MB<\/a>/)
})

test('every folder can be downloaded as an archive, and selected items include all their formats', async () => {
  const { text } = await ask('/acme/kinds/-/files')
  const kits = matches(text, /<a href="([^"]+)" download aria-label="Download [^"]+ as ZIP, [^"]+">ZIP, /g)
  const expected = ['images', 'fonts', 'print', 'sound'].map(folder => `/acme/kinds/-/kits/${folder}.zip`)
  assert.deepEqual(kits, expected)
  for (const address of kits) assert.equal((await ask(address)).status, 200, address)
  assert.match(
    text,
    /<form class="choice" action="([^"]+)" data-whole>\n<input type="hidden" name="formats" value="all">/,
  )
  const ticked = matches(text, /<input type="checkbox" name="path" value="([^"]+)"/g)
  const places = Object.keys(FILE_KINDS).filter(path => /^(files|pages)\/(?!files.yaml)/.test(path))
  assert.deepEqual(ticked.map(unescapeHtml).sort(), places.toSorted())
})

test('folders and files have names, never paths, of which none repeats or only says how sites are built', async () => {
  const { text } = await ask('/acme/folders/-/files')
  const titles = ['One', 'Est', 'General', 'For &#60;printers&#62; · logo', 'Web · logo']
  assert.deepEqual(matches(text, /<h2[^>]*>(?:<span>)?(.*?)</g).slice(0, -1), titles)
  assert.deepEqual(matches(text, /<p class="above">(.*?)<\/p>/g), ['Depths'])
  const names = matches(text, /<span class="file-name">(.*?)<\/span>/g)
  const twice = (name: string) => [`${name} · a`, `${name} · b`]
  assert.deepEqual(names.slice(2), [...twice('Est'), 'A', 'B', ...twice(`${titles[3]}`), ...twice('Web · logo')])
  assert.deepEqual(matches(text, /<p>((?:Only|In)\s[^<]*)<\/p>/g), ['Only\none', 'In CMYK'])
  const copy = await ask('/acme/folders/-/files/other')
  assert.deepEqual(matches(copy.text, /<h2[^>]*>(?:<span>)?(.*?)</g).slice(0, -1), titles)
})

test('folders of formats next to each other are one item for the list, its page, search and rights', async () => {
  const { text } = await ask('/acme/formats/-/files')
  assert.deepEqual(matches(text, /<h2>(.*?)<\/h2>/g), ['Logo'])
  assert.deepEqual(matches(text, /<span class="file-name">(.*?)<\/span>/g), ['Acme', 'Sign'])
  const files = ['acme.svg', 'acme.pdf', 'acme.eps', 'acme@2x.png', 'sign.svg']
  assert.deepEqual(matches(text, /download="([^"]+)"/g), files)
  assert.match(text, /role="status"[^>]*>2 files</)
  const page = await ask('/acme/formats/-/file/logo/PNG/acme@2x.png')
  assert.match(page.text, /<a href="\/acme\/formats\/-\/files#file-[0-9a-f]+">Files<\/a><\/li><li>Logo</)
  assert.equal(matches(page.text, /download="([^"]+)" aria/g).length, 4)
  assert.match(page.text, /Until 31 December 2999/)
  const search = await ask('/acme/formats/-/search?q=acme', { headers: { accept: 'application/json' } })
  assert.equal(JSON.parse(search.text).count, 1)
})

test('the archive of all files in one folder is offered once, and folders above it keep the addresses of theirs', async () => {
  const { text } = await ask('/acme/single/-/files')
  assert.deepEqual(matches(text, /<a href="([^"]+\.zip)"/g), ['/acme/single/-/kits/deep/er.zip'])
  for (const address of ['kits/deep/er.zip', 'kits/deep.zip', 'files.zip'])
    assert.equal((await ask(`/acme/single/-/${address}`)).status, 200, address)
})

test('only transparent pictures have a ground', async () => {
  const { text } = await ask('/acme/kinds/-/files')
  const tiles = matches(text, /<span class="(tile[^"]*)"><img/g)
  assert.deepEqual([...new Set(tiles)].sort(), ['tile', 'tile ground grows', 'tile ground grows icon'])
})

test('each kind of file in the guide has its own list, without scripts', async () => {
  const { text } = await ask('/acme/kinds/-/files')
  const kinds = matches(text, /<a href="([^"]+)" data-kind="[^"]+"(?: aria-current="page")?>(?:.*?)<span>\d+/g)
  assert.deepEqual(matches(text, /<a href="[^"]+" data-kind="[^"]+"(?: aria-current="page")?>(.*?)<\/span>/g), [
    'All <span>15',
    'Pictures <span>8',
    'Fonts <span>2',
    'Documents <span>1',
    'Audio and video <span>2',
    'Other <span>2',
  ])
  const listed = await Promise.all(kinds.map(async path => matches((await ask(path)).text, /<li id="([^"]+)"/g)))
  const lengths = listed.map(({ length }) => length)
  assert.deepEqual(lengths, [15, 8, 2, 1, 2, 2])
  assert.deepEqual(listed.slice(1).flat().sort(), listed[0]?.toSorted())
  const { text: fonts } = await ask('/acme/kinds/-/files/fonts')
  assert.match(fonts, /<title>Fonts – /)
  assert.match(fonts, /data-kind="fonts" aria-current="page"/)
  assert.equal((await ask('/acme/kinds/-/files/sounds')).status, 404)
})

test('a readable font is shown in its own letters, by a style sheet without any of its names', async () => {
  const { text } = await ask('/acme/kinds/-/files')
  const { status, headers, text: css } = await ask('/acme/kinds/-/files.css')
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/css; charset=utf-8')
  assert.equal(headers.get('cache-control'), 'public, no-cache')
  const [face = ''] = matches(text, /<svg class="tile (f-[0-9a-f]{12})"/g)
  const [address = ''] = matches(text, /<a href="([^"]+plex\.woff2)" download/g)
  const rule = `@font-face{font-family:${face};src:url("${address}") format("woff2");font-display:block}`
  const white = '.grounds [value="ffffff"]'
  assert.equal(css.split('\n')[0], `${rule}.${face}{font-family:${face},system-ui}`)
  assert.match(text, /<input type="radio" name="ground" value="ffffff" aria-label="#FFFFFF"/)
  assert.ok(css.includes(`\n${white}{background:#ffffff}main:has(${white}:checked) .tile{--on:#ffffff}\n`))
  assert.match(text, /<link rel="stylesheet" href="\/acme\/kinds\/-\/files\.css">/)
  assert.equal((await ask('/acme/kinds/-/files/fonts.css')).text, `${css.split('\n')[0]}\n`)
  assert.equal((await ask('/acme/kinds/-/files/documents.css')).status, 404)
  assert.doesNotMatch((await ask('/acme/kinds/-/files/documents')).text, /documents\.css/)
})

test('the list of a guide without files, or without files of a kind, says so', async () => {
  const { status, text } = await ask('/acme/empty/-/files')
  assert.equal(status, 200)
  assert.match(text, /<p class="lead">This guide has no files yet\.<\/p>/)
  assert.doesNotMatch(text, /files\.zip|class="narrow"|class="kinds"/)
  const fonts = await ask('/acme/folders/-/files/fonts')
  assert.match(fonts.text, /<p class="lead">This guide has no files of this type\.<\/p>/)
  assert.match(fonts.text, /class="kinds"/)
})

test('files.yaml sets which files are listed, their titles, background colours and formats', async () => {
  const { text } = await ask('/acme/noted/-/files')
  assert.deepEqual(matches(text, /<h2>(.*?)<\/h2>/g), ['A', 'Pages'])
  assert.deepEqual(matches(text.replaceAll('<wbr>', ''), /<span class="file-name[^"]*">(?:<span>)?(.*?)<\/span>/g), [
    'Logo, &#60;b&#62;white&#60;/b&#62;',
    'plan',
  ])
  assert.deepEqual(matches(text.replace(/<header.*?<\/header>/s, ''), /<img [^>]*alt="(.*?)"/g), ['', ''])
  assert.deepEqual(matches(text, /aria-label="Download ([^"]*): /g), ['logo-white.svg', 'white.eps', 'plan.svg'])
  assert.deepEqual(matches(text, /<span class="tile ground-([\w-]+)/g), ['ink'])
})

function unescapeHtml(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(code))
}

function matches(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), ([, found = '']) => found.replaceAll('\u00a0', ' '))
}
