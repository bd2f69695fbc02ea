import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawingOf, fileHashes } from '#delivery/lint/markup/svg-drawing.ts'

const LOGO = `<?xml version="1.0"?>
<!-- Inkscape -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd" [<!ENTITY ns_svg "http://www.w3.org/2000/svg">]>
<svg xmlns="&ns_svg;" xmlns:xlink="x" version="1.1" viewBox="0, 0 10.0 .50" id="root" inkscape:version="1">
  <title>Logo</title><metadata><rdf:RDF/></metadata><sodipodi:namedview pagecolor="#fff"/>
  <style>.a { fill : #FFF; } /* x */
    .b .c, .d{stroke:url( "#g1" )}</style>
  <linearGradient id="g1"><stop offset="50%" stop-color="#ABCDEF" style="a:b;-inkscape-stroke:none"/></linearGradient>
  <g fill="url(#g1)"  transform="translate(1,2)"><path d="M.5.5l-1-2e1,3 a1 1 0 01.5.5z"/><use xlink:href="#g1"/></g>
  <text>A  b</text>
</svg>`

const SAME = `<svg viewBox='0 0 10 0.5' xmlns='http://www.w3.org/2000/svg'><style>.a{fill :#ffffff;}.b .c,.d{stroke:url(#x)}</style><linearGradient
id='x'><stop style='a: b;' stop-color='#abcdef' offset='50.0%'/></linearGradient><g id='y' transform='translate( 1 2 )' fill='url(#x)'><path
d='M 0.5 0.5 l -1 -20 3 a 1 1 0 0 1 .5,.5 z'></path><use href='#x'/></g><defs id='z'/><!-- c --><text> A<!-- d --> b </text></svg>`

test('two files with the same drawing have the same text', () => {
  assert.equal(drawingOf(LOGO), drawingOf(SAME))
  assert.match(fileHashes(Buffer.from(LOGO), true).drawing ?? '', /^[0-9a-f]{64}$/)
})

const CHANGES = [
  ['.5.5l', '.5.6l'],
  ['2e1', '2e2'],
  ['01.5.5z', '00.5.5z'],
  ['M.5', 'm.5'],
  ['#ABCDEF', '#ABCDEE'],
  ['#FFF', '#FFE'],
  ['fill="url(#g1)"', 'fill="url(#g2)"'],
  ['href="#g1"', 'href="#root"'],
  ['translate(1,2)', 'translate(12)'],
  ['.b .c', '.b.c'],
  ['.b .c, .d', '.b .c .d'],
  ['A  b', 'Ab'],
  ['A  b', 'a b'],
  ['50%', '50'],
  ['<text>', '<text class="a">'],
  ['<text>A  b</text>\n</svg>', '</svg>'],
  [
    '<path d="M.5.5l-1-2e1,3 a1 1 0 01.5.5z"/><use xlink:href="#g1"/>',
    '<use xlink:href="#g1"/><path d="M.5.5l-1-2e1,3 a1 1 0 01.5.5z"/>',
  ],
] as const

for (const [before, after] of CHANGES)
  test(`${JSON.stringify(after)} instead of ${JSON.stringify(before)} is another drawing`, () => {
    assert.ok(LOGO.includes(before))
    assert.notEqual(drawingOf(LOGO.replace(before, after)), drawingOf(LOGO))
  })

test('every changed digit of an outline is another drawing', () => {
  const svg = '<svg><path d="M10 20.75C.5-3 1e2 7 8 9A1 2 3 104 5"/></svg>'
  const drawings = Array.from(svg.matchAll(/\d/g), ({ 0: digit, index }) =>
    drawingOf(`${svg.slice(0, index)}${digit === '1' ? 0 : 1}${svg.slice(index + 1)}`),
  )
  assert.equal(new Set([drawingOf(svg), ...drawings]).size, drawings.length + 1)
})

test('ids in style sheets are no part of a drawing, unless they may be colours', () => {
  const svg = (id: string, other: string) =>
    `<svg><style>#${id}{fill:#abc}</style><g id="${id}"/><g id="${other}"/></svg>`
  assert.equal(drawingOf(svg('a', 'b')), drawingOf(svg('c', 'd')))
  assert.notEqual(drawingOf(svg('a', 'b')), drawingOf(svg('a', 'b').replace('#a{', '#b{')))
  assert.notEqual(drawingOf(svg('abc', 'b')), drawingOf(svg('def', 'b')))
})

for (const text of ['', 'a', '<html/>', '<svg>', '<svg><g></svg>', '<svg/><svg/>', '<svg fill="&c;"/>'])
  test(`${JSON.stringify(text)} is no drawing`, () => assert.equal(drawingOf(text), undefined))

test('the entities of an SVG are replaced in its drawing', () => {
  assert.equal(drawingOf('<!DOCTYPE svg [<!ENTITY c "red">]><svg fill="&c;"/>'), drawingOf('<svg fill="red"/>'))
  assert.notEqual(drawingOf('<!DOCTYPE svg [<!ENTITY c "tan">]><svg fill="&c;"/>'), drawingOf('<svg fill="red"/>'))
})

const LARGE = [
  ['<svg>', '<g>', '</svg>'],
  ['<svg><path d="M', '1.5,-2', '"/></svg>'],
  ['<svg><path d="a', '0', '"/></svg>'],
  ['<svg><path d="M', ' ', '"/></svg>'],
  ['<svg><path d="a 1 1 0 ', ' ', '"/></svg>'],
  ['<svg><style>', '/*', '</style></svg>'],
  ['<svg><style>', 'url(', '</style></svg>'],
  ['<svg><style>', '#', '</style></svg>'],
  ['<svg><style>', '-', '</style></svg>'],
  ['<svg><style>', "'", '</style></svg>'],
  ['<svg><style>', '( ', '</style></svg>'],
  ['<svg style="', ';', '"/>'],
  ['<svg style="', '-inkscape-', '"/>'],
  ['<svg>', '<!---->', '</svg>'],
  ['<svg>', '<g/>', '</svg>'],
  ['<svg>', 'a<!-- -->', '</svg>'],
  ['<svg a="', '&c;', '"/>'],
  ['<svg>', '&amp;', '</svg>'],
  ['<svg ', 'a="" ', '/>'],
] as const

for (const [start, part, end] of LARGE)
  test(`256 KiB of ${JSON.stringify(part)} ends with or without a drawing`, () => {
    const drawing = drawingOf(start + part.repeat((1 << 18) / part.length) + end)
    assert.ok(drawing === undefined || drawing.startsWith('<svg'))
  })
