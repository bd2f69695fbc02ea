import assert from 'node:assert/strict'
import test from 'node:test'
import { below, FILE_KINDS } from '../../support/file-kinds.ts'
import { sessionCookie } from '../../support/people-service.ts'
import { pngHeader } from '../../support/png-header.ts'
import { servedBrand } from '../../support/service.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>\n'

const { ask, temporary } = await servedBrand({
  ...below('kinds', FILE_KINDS),
  'noted/project.yaml': 'name: Noted\nvisibility: public\n',
  'noted/styles/colors.yaml': '- { name: Ink, hex: "#14212b" }\n',
  'noted/styles/types.yaml': '- { name: Lead, family: IBM Plex Sans }\n',
  'noted/pages/index.md': '![](../files/logo/logo.svg)\n\n[Logo](../files/logo/logo.svg)\n\n[Old](../files/old.svg)\n',
  'noted/pages/kit.md': '# Kit\n\n[All logos](../files/logo/)\n',
  'noted/pages/plain.md': '# Plain\n\n[Hidden](../files/hidden.svg)\n',
  'noted/files/fonts/plex.woff2': FILE_KINDS['files/fonts/plex.woff2'] ?? '',
  'noted/files/logo/logo.svg': SVG,
  'noted/files/logo/logo.png': pngHeader(1200, 400),
  'noted/files/old.svg': SVG,
  'noted/files/hidden.svg': SVG,
  'noted/files/Größe & 100 % (neu)/ä #1.svg': SVG,
  'noted/pages/logo/logo.svg': SVG,
  'noted/pages/logo/only.svg': SVG,
  'noted/files/files.yaml': `logo/logo.svg:
  title: Our <logo>
  description: A ring
  ground: ink
  medium: [screen, print]
  minWidth: 24
  licence: CC BY 4.0
  territory: Europe
  until: 2999-12-31
old.svg: { until: 2020-01-31 }
hidden.svg: { library: false }
`,
})

test('the page of a file has its title, description, formats with sizes, rights, uses and address', async () => {
  const { status, text, headers } = await ask('/acme/noted/-/file/logo/logo.svg')
  assert.equal(status, 200)
  assert.equal(headers.get('cache-control'), 'public, no-cache')
  assert.match(text, /<title>Our &#60;logo&#62; – /)
  assert.match(text, /<h1>Our &#60;logo&#62;<\/h1>\n<p class="lead">A ring<\/p>/)
  assert.match(text, /<meta name="description" content="A ring">/)
  assert.match(text, /<meta property="og:title" content="Our &#60;logo&#62;">/)
  assert.match(text, /<link rel="canonical" href="http:\/\/brand\.test\/acme\/noted\/-\/file\/logo\/logo\.svg">/)
  assert.match(text, /download="logo\.svg">Download SVG<\/a>/)
  const formats = matches(text, /aria-label="Download (logo\.[^"]+)"/g)
  const seen = formats.map(format => format.replaceAll('\u00a0', ' '))
  assert.deepEqual(seen, [
    'logo.svg: SVG 63 bytes',
    'logo.png: PNG 1200 × 400, 45 bytes',
    ...['PNG', 'JPG'].flatMap(type => [512, 1024, 2048].map(size => `logo.svg: ${type}, ${size} px`)),
  ])
  assert.match(text, /href="\/acme\/noted\/-\/jpg\/[^"]+\/logo\.svg\.jpg\?width=512&#38;ground=14212b" download/)
  assert.deepEqual(factsIn(text).slice(0, 7), [
    ['File', 'logo.svg'],
    ['Medium', 'Screen, Print'],
    ['Background', 'Ink'],
    ['Width in px', '≥ 24'],
    ['Licence', 'CC BY 4.0'],
    ['Territory', 'Europe'],
    ['Used in', 'index Kit'],
  ])
  assert.match(text, /<p class="rights"><span>Until 31 December 2999<\/span>/)
  const addresses = matches(text, /<code class="address">(.*?)<\/code>/g)
  assert.deepEqual(
    addresses,
    matches(text, /class="copy" data-copy="(.*?)" aria-label="Copy the (?:lasting )?address of logo.svg"/g).slice(-2),
  )
  assert.equal(addresses[1], 'http://brand.test/acme/noted/-/current/files/logo/logo.svg')
  assert.match(text, /<dt>Lasting address<\/dt>.*<dd class="quiet">Take the lasting address where others /)
  for (const address of addresses) assert.equal((await ask(new URL(address).pathname)).text, SVG, address)
})

test('a draft, and an expired file, have no lasting address', async () => {
  const cookie = await sessionCookie(temporary, 'acme', { drafts: true })
  const draft = await ask('/acme/noted/-/draft/-/file/logo/logo.svg', { headers: { cookie } })
  assert.equal(draft.status, 200)
  for (const { text } of [draft, await ask('/acme/noted/-/file/old.svg')])
    assert.doesNotMatch(text, /-\/current\/|Lasting address/)
})

test('each format has a page of the whole item, with its own preview and download', async () => {
  const { text } = await ask('/acme/noted/-/file/logo/logo.png')
  assert.match(text, /<h1>Our &#60;logo&#62;<\/h1>/)
  assert.match(text, /download="logo\.png">Download PNG<\/a>/)
  assert.match(text, /<a class="stage-plate hero \w+" href="[^"]+logo\.png">/)
})

test('the address has the path in files.yaml, with any characters, and unknown and unlisted files have no page', async () => {
  const strange = '/acme/noted/-/file/Gr%C3%B6%C3%9Fe%20%26%20100%20%25%20%28neu%29/%C3%A4%20%231.svg'
  for (const [path, name] of [
    [strange, 'Ä #1'],
    ['/acme/noted/-/file/logo/only.svg', 'Only'],
    ['/acme/noted/-/file/pages/logo/logo.svg', 'Logo'],
    ['/acme/noted/-/file/files/logo/logo.svg', 'Our &#60;logo&#62;'],
  ] as const) {
    const { status, text } = await ask(path)
    assert.deepEqual([status, matches(text, /<h1>(.*?)<\/h1>/g)], [200, [name]], path)
  }
  const { text: list } = await ask('/acme/noted/-/files')
  assert.ok(list.includes(`<a href="${strange}">`))
  assert.ok(list.includes('<a href="/acme/noted/-/file/pages/logo/logo.svg">'))
  for (const path of ['none.svg', 'hidden.svg', 'logo', 'files.yaml', '../project.yaml', 'logo/logo.svg/']) {
    const seen = (await ask(`/acme/noted/-/file/${path}`, { headers: HTML })).status
    assert.equal(seen, path.endsWith('/') ? 308 : 404, path)
  }
})

test('an expired file says so, and nothing downloads or opens it', async () => {
  const { status, text } = await ask('/acme/noted/-/file/old.svg')
  assert.equal(status, 200)
  assert.match(text, /<p class="rights expired"><span>Expired on 31 January 2020<\/span> It may no longer be used/)
  assert.doesNotMatch(text, / download[ =>]|(?:href|data-copy)="[^"]*\/-\/files\/[^"]*old\.svg/)
})

test('a page links to the page of a listed file on a card, and keeps its download', async () => {
  const { text } = await ask('/acme/noted')
  assert.match(
    text,
    /<a href="\/acme\/noted\/-\/file\/logo\/logo\.svg">Logo<\/a><a href="\/acme\/noted\/-\/files\/[^"]+\/logo\.svg" class="save" download aria-label="Download Logo: SVG, 63\u00a0bytes"/,
  )
  assert.match(text, /<a href="\/acme\/noted\/-\/file\/old\.svg">Old<\/a><p>/)
  const { text: plain } = await ask('/acme/noted/plain')
  assert.match(plain, /<a href="\/acme\/noted\/-\/files\/[^"]+\/hidden\.svg" download>Hidden<\/a>/)
})

test('pages link to the list and to the folder of their file', async () => {
  const { text } = await ask('/acme/kinds/-/file/print/drawing.eps')
  assert.match(
    text,
    /<nav class="trail" .*<a href="\/acme\/kinds\/-\/files#file-[0-9a-f]{12}">Files<\/a><\/li><li>Print</,
  )
})

test('every kind of file has a preview: a picture, letters, a player or its type', async () => {
  const preview = async (path: string) =>
    matches((await ask(`/acme/kinds/-/file/${path}`)).text, /<\/header>\n<(\w+ class="[^"]*")/g)
      .at(-1)
      ?.replace(/f-\w+/, 'f-FACE')
  assert.deepEqual(
    await Promise.all(
      ['images/logo.svg', 'fonts/plex.woff2', 'sound/film.mp4', 'sound/jingle.mp3', 'print/all.zip'].map(preview),
    ),
    [
      'a class="stage-plate hero transparent"',
      'p class="hero letter-pair f-FACE"',
      'figure class="film"',
      'figure class="film sound"',
      'p class="hero letter-pair"',
    ],
  )
  const { text } = await ask('/acme/noted/-/file/fonts/plex.woff2')
  const facts = new Map(factsIn(text))
  assert.deepEqual([facts.get('Family'), facts.get('Used in')], ['IBM Plex Sans', 'Lead'])
  assert.match(text, /<link rel="stylesheet" href="\/acme\/noted\/-\/files\/fonts\.css">/)
})

const HTML = { accept: 'text/html' }

/** The facts of a file, without markup. */
function factsIn(text: string): (readonly [string, string])[] {
  return Array.from(text.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs), ([, label = '', value = '']) => [
    label,
    value
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  ])
}

function matches(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), ([, first = '']) => first)
}
