import assert from 'node:assert/strict'
import test from 'node:test'
import { gzipSync } from 'node:zlib'
import { ruleLines } from '../../support/problems.ts'
import { mediaFolder, reading, unreadable } from '../media-files.ts'

const { read } = await mediaFolder()

/** Reads an SVG and ignores display errors, because the sources below are only parts of pictures. */
async function readSvg(name: string, content: Uint8Array | string): ReturnType<typeof read> {
  const { problems, ...rest } = await read(name, content)
  return { ...rest, problems: problems.filter(({ rule }) => rule !== 'picture-damaged') }
}
const SIZE = { width: 10, height: 20 }
const NO_ROOT = 'it does not begin with an <svg> element; export it again as SVG'

const CASES: Readonly<
  Record<string, readonly [string | Buffer, { metadata?: { width?: number; height?: number }; description?: string }]>
> = {
  'a declaration, comments and white space before it': [
    '<?xml version="1.0"?>\n<!-- <svg width="1" height="1"> -->\n<!----><svg width="10" height="20">',
    { metadata: SIZE },
  ],
  'a nested svg says nothing': ['<svg><svg width="1" height="1"/></svg>', {}],
  'a prefixed root': ['<s:svg xmlns:s="http://www.w3.org/2000/svg" width="10" height="20"/>', { metadata: SIZE }],
  'a doctype with Illustrator entities': [
    '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd" [\n<!ENTITY ns_svg "http://www.w3.org/2000/svg">\n]>\n<svg xmlns="&ns_svg;" width="10" height="20">',
    { metadata: SIZE },
  ],
  'a byte order mark': ['\ufeff<svg width="10" height="20"/>', { metadata: SIZE }],
  'UTF-16': [
    Buffer.from('\ufeff<svg width="10" height="20"><title>Löwe</title></svg>', 'utf16le'),
    { metadata: SIZE, description: 'Löwe' },
  ],
  'Latin-1': [
    Buffer.from(
      '<?xml version="1.0" encoding="iso-8859-1"?><svg width="10" height="20"><title>Löwe</title></svg>',
      'latin1',
    ),
    { metadata: SIZE, description: 'Löwe' },
  ],
  'a title': [
    '<svg width="10" height="20"><title>\n  A  lion &amp; a bear\n</title></svg>',
    { metadata: SIZE, description: 'A lion & a bear' },
  ],
  'a title in CDATA': ['<svg><title><![CDATA[A <lion>]]></title></svg>', { description: 'A <lion>' }],
  'a title before a desc': ['<svg><desc>long</desc><title>short</title></svg>', { description: 'short' }],
  'a desc alone': ['<svg><title> </title><desc>A lion, lying</desc></svg>', { description: 'A lion, lying' }],
  'a label before both': ['<svg aria-label="Acme"><title>logo-final</title></svg>', { description: 'Acme' }],
  'a title after definitions': [
    '<svg><defs><g><title>no</title></g></defs><metadata/><title>yes</title></svg>',
    { description: 'yes' },
  ],
  'a title of something drawn': ['<svg><g><title>no</title></g><title>no</title></svg>', {}],
  'a title of more than 1,000 characters is cut': [
    `<svg><title>${'ab '.repeat(1000)}</title></svg>`,
    { description: `${'ab '.repeat(333)}a` },
  ],
  'what comes later is not read': [`<svg width="10" height="20"><rect/>${'<'.repeat(1000)}`, { metadata: SIZE }],
}

for (const [name, [content, expected]] of Object.entries(CASES)) {
  test(`an SVG is read: ${name}`, async () => {
    assert.deepEqual(await readSvg('x.svg', content), reading('image/svg+xml', expected))
  })
}

test('a compressed SVG is read like any other', async () => {
  const packed = gzipSync('<svg width="10" height="20"><title>Acme</title></svg>')
  assert.deepEqual(await readSvg('x.svgz', packed), reading('image/svg+xml', { metadata: SIZE, description: 'Acme' }))
})

const UNREADABLE: [string, string | Buffer][] = [
  ['empty', ''],
  ['another root', '<html><svg width="10" height="20"/></html>'],
  ['only in a comment', '<!-- <svg width="10" height="20"/> -->'],
  ['cut short in the root', '<svg width="10" hei'],
  ['a comment of 5 MiB before the root', `<!--${' '.repeat(5 * 1024 * 1024)}--><svg width="10" height="20"/>`],
  ['a packed comment of 100 MiB', gzipSync(`<!--${' '.repeat(100 * 1024 * 1024)}`)],
]

for (const [name, content] of UNREADABLE) {
  test(`an SVG that cannot be read is a warning: ${name}`, async () => {
    assert.deepEqual(await read('x.svg', content), unreadable('image/svg+xml', NO_ROOT))
  })
}

test('entities that would expand to billions of others are not expanded', async () => {
  const entities = Array.from({ length: 20 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join('')
  const bomb = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY e0 "ha">${entities}]><svg width="10" height="20"><title>&e20;</title></svg>`
  assert.deepEqual(await readSvg('x.svg', bomb), reading('image/svg+xml', { metadata: SIZE, description: '&e20;' }))
})

const START = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">'

const wrong: [what: string, svg: string, error: string][] = [
  ['an element that is not closed', `${START}<g>\n<path/></svg>`, 'line 2: unexpected close tag'],
  ['an end that is missing', `${START}<path/>`, 'line 1: unclosed tag: svg'],
  ['an attribute without quotes', `${START}<path d=M0/></svg>`, 'line 1: unquoted attribute value'],
  ['a lone ampersand', `${START}<text>A & B;</text></svg>`, 'line 1: disallowed character in entity name'],
  ['an entity of HTML', `${START}<text>&nbsp;</text></svg>`, 'line 1: undefined entity'],
  [
    'a prefix that is not declared',
    `${START}<use xlink:href="#a"/></svg>`,
    'line 1: unbound namespace prefix: "xlink"',
  ],
  ['no namespace', '<svg width="9" height="9"><path/></svg>', '<svg> has no xmlns="http://www.w3.org/2000/svg"'],
]
for (const [what, svg, error] of wrong)
  test(`an SVG with ${what} keeps its size, and a finding says that browsers cannot show it`, async () => {
    const { metadata, problems } = await read('logo.svg', svg)
    assert.deepEqual(metadata, { width: 9, height: 9 })
    assert.deepEqual(ruleLines(problems), ['picture-damaged'])
    assert.ok(problems[0]?.message.includes(error), `${error}: ${problems[0]?.message}`)
  })

const right: Readonly<Record<string, readonly [svg: string]>> = {
  'entities of its DOCTYPE': [
    `<!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg">]><svg xmlns="&ns;"><text>&ns;</text></svg>`,
  ],
  'a prefix for its own elements': ['<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:path/></s:svg>'],
  'elements of an editor': [
    `${START.replace('>', ' xmlns:sodipodi="http://example.com/"><sodipodi:namedview/>')}</svg>`,
  ],
  'more than 4 MiB': [`${START}${'<path d="M0 0"/>'.repeat(300_000)}</svg>`],
}
for (const [what, [svg]] of Object.entries(right))
  test(`an SVG with ${what} has no finding`, async () => assert.deepEqual((await read('logo.svg', svg)).problems, []))

const DEPENDENCIES: Readonly<Record<string, readonly [content: string, said: string]>> = {
  'text in a font of a style': [
    '<g style="font: 700 20px/1 \'Acme Sans\', serif"><text>A</text></g>',
    'text in "Acme Sans"',
  ],
  'text in a font of a sheet': [
    '<style>.a{font-family:Inter}</style><text class="a"><tspan>A</tspan></text>',
    'text in "Inter"',
  ],
  'a font that it links to': [
    '<style>@font-face{font-family:B;src:url(b.woff2)}text{font-family:B}</style><text>A</text>',
    'text in "B"',
  ],
  'a sheet': [
    '<style>@import url("https://x.example/a.css");</style><path d="M0 0"/>',
    'links to "https://x.example/a.css"',
  ],
  'a sheet before the drawing': ['<?xml-stylesheet href="a.css"?><path d="M0 0"/>', 'links to "a.css"'],
  'a gradient': ['<rect fill="url(defs.svg#g)"/>', 'links to "defs.svg#g"'],
  HTML: [
    '<foreignObject><p xmlns="http://www.w3.org/1999/xhtml" style="font-family:Lato">A</p></foreignObject>',
    'text in "Lato"',
  ],
  'a font after a comment': ['<style>.a{font-family/* ; */:/* B, */"C"}</style><text>A</text>', 'text in "C"'],
  'a font whose name has escapes': ['<text style="font-family:\\49 nter,serif">A</text>', 'text in "Inter"'],
  'a font with a comma in its name': [`<text font-family="'Acme, Sans', serif">A</text>`, 'text in "Acme, Sans"'],
  'a font of a rule in @media': [
    '<style>@media print /**/ {text{font:1em Lato}}</style><text>A</text>',
    'text in "Lato"',
  ],
  'a font after its size': ['<text style="font: italic 12px / normal Acme 2, serif">A</text>', 'text in "Acme 2"'],
  'a sheet that a string names': ['<style>@import "a.css" print;</style><path d="M0 0"/>', 'links to "a.css"'],
  'a picture of several': ['<style>rect{mask:image-set("a.png" 1x)}</style><rect/>', 'links to "a.png"'],
  'a gradient after a value that is cut': [
    '<g style="fill:rgb(0"><rect fill="url(a.svg#g)"/></g>',
    'links to "a.svg#g"',
  ],
  'another drawing': ['<use href="icons.svg#a"/>', 'links to "icons.svg#a"'],
}
for (const [title, [content, said]] of Object.entries(DEPENDENCIES))
  test(`an SVG that needs ${title} outside it is a warning that names it`, async () => {
    const { problems } = await read(
      'x.svg',
      `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1">${content}</svg>`,
    )
    assert.deepEqual(ruleLines(problems), ['picture-external'])
    assert.match(problems[0]?.message ?? '', new RegExp(`${said.replaceAll('.', '\\.')}, which browsers`))
  })

test('an SVG with all that it needs is no warning', async () => {
  for (const content of [
    '<style>@font-face{font-family:B;src:url(data:font/woff2;base64,AA)}text{font-family:"B",serif}</style><text>A</text>',
    '<text font-family="sans-serif">A</text>',
    '<style>@media screen{@font-face /**/ {font-family:/* C */B;src:url("data:font/woff2;base64,AA")}}</style><text style="font:1px B">A</text>',
    '<style>/* @import "a.css"; */ .a::before{content:"url(b.png) font-family:C"} a[href="url(c)"]{fill:red}</style><text>A</text>',
    '<style>@namespace svg url(http://www.w3.org/2000/svg);svg|path{fill:red}</style><path fill="url(#a)" d="M0 0"/>',
    '<g font-family="Montserrat"><text> </text><path d="M0 0"/></g>',
    '<image href="data:image/png;base64,AA"/><use href="#a"/><path fill="url(#a)" style="fill:url(#a)" d="M0 0"/>',
    '<a href="https://x.example"><path d="M0 0"/></a>',
  ]) {
    const { problems } = await read(
      'x.svg',
      `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1">${content}</svg>`,
    )
    assert.deepEqual(problems, [], content)
  }
})
