import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHtml } from '#delivery/lint/markup/html.ts'
import { readMarkdown } from '#delivery/lint/markup/markdown.ts'
import { readSvg } from '#delivery/lint/markup/svg.ts'
import { drawingOf } from '#delivery/lint/markup/svg-drawing.ts'
import { NO_SHEETS, sourceOf } from '#delivery/lint/source.ts'
import { summaryOf } from './summary.ts'

const read = (svg: string) => [...readSvg(sourceOf(svg), NO_SHEETS)].map(use => summaryOf(use, svg))

const CASES: Readonly<Record<string, readonly [svg: string, uses: string[]]>> = {
  'data of editors in other namespaces and in metadata has no colours': [
    '<s:svg xmlns:s="http://www.w3.org/2000/svg"><inkscape:grid color="red"/><metadata><x fill="red"/></metadata><x xmlns="urn:x" fill="red"><y style="fill:red"/></x><s:path fill="#010203" x:fill="red"/></s:svg>',
    ['1:176 ground #010203 = #010203'],
  ],
  'a shape with a filter is a shadow': [
    '<svg><use fill="#010203" filter="url(#a)"/><use fill="#040506"/></svg>',
    ['1:17 shadow #010203 = #010203', '1:55 ground #040506 = #040506'],
  ],
  'HTML in an SVG has colours': [
    '<svg xmlns:h="http://www.w3.org/1999/xhtml"><foreignObject requiredExtensions="http://www.w3.org/1999/xhtml"><h:p style="color:#010203"/><p xmlns="http://www.w3.org/1999/xhtml" style="color:#040506"/></foreignObject></svg>',
    ['1:128 text #010203 = #010203', '1:191 text #040506 = #040506'],
  ],
  'alternatives of a switch that are never shown have no uses': [
    '<svg><switch><title>a</title><g requiredExtensions="urn:ai" fill="red"/><text systemLanguage="de, fr" fill="#010203">b</text><g requiredFeatures="x"/><text fill="red">c</text></switch><text fill="#040506">d</text></svg>',
    ['words "a"', '1:109 text #010203 = #010203', 'words "b" de', '1:197 text #040506 = #040506', 'words "d"'],
  ],
  'text has the language of the element around it': [
    '<svg xml:lang="en"><text>a <tspan lang="de">b</tspan> c</text><text xml:lang="fr">d</text></svg>',
    ['words "a" en', 'words "b" de', 'words "c" en', 'words "d" fr'],
  ],
  'colours have the roles of their attributes': [
    '<svg color="#010101" fill="#020202">\r\n<stop stop-color="#030303"/><feFlood flood-color=\'#040404\'/>\r\n<text fill="#050505" stroke = "#060606"/><tspan style="fill:#070707"/></svg>',
    [
      '1:13 text #010101 = #010101',
      '1:28 ground #020202 = #020202',
      '2:19 ground #030303 = #030303',
      '2:51 shadow #040404 = #040404',
      '3:13 text #050505 = #050505',
      '3:32 border #060606 = #060606',
      '3:61 text #070707 = #070707',
    ],
  ],
  'colours in masks and clipping paths are not seen': [
    '<svg><mask id="a"><g fill="#D9D9D9"/></mask><clipPath><path style="fill:#010203"/></clipPath><g fill="#040506"/></svg>',
    ['1:103 ground #040506 = #040506'],
  ],
  'hidden layers are not seen, nor gradients that nothing uses, nor colours that only other elements paint': [
    '<svg><g style="fill:red; display: none"><text fill="red">a</text></g><g display="none" fill="red"><g/></g><linearGradient id="a"><stop stop-color="red"/></linearGradient><radialGradient id="b"><stop stop-color="#010203"/></radialGradient><linearGradient id="c" xlink:href="#b"/><pattern fill="red"/><path style="stop-color:red;flood-color:red;fill:url(#c)" stop-color="red" stroke="#040506"/><stop style="stop-color:#070809"/></svg>',
    ['1:212 ground #010203 = #010203', '1:383 border #040506 = #040506', '1:417 ground #070809 = #070809'],
  ],
  'layers that a class, visibility or opacity hides, unused filters and strokes without a width are not seen': [
    '<svg><style>.a,.b{display:none;}.c{display:inline;}</style><g class="x b" fill="red"/><g visibility="hidden" fill="red"/><g style="opacity:0" fill="red"/><filter><feFlood flood-color="red"/></filter><g stroke="red" stroke-width="0"/><g class="c" fill="#010203" opacity="0.5" fill-opacity="1"/></svg>',
    ['1:253 ground #010203 = #010203'],
  ],
  'style elements are read, also as CDATA, with their variables': [
    '<svg><path style="fill:color-mix(in srgb, var(--a), var(--a))"/><style>\n<![CDATA[ .a{--a:#010203} ]]>\n</style></svg>',
    ['1:24 ground color-mix(in srgb, var(--a), var(--a)) → #010203', '2:18 definition #010203 = #010203'],
  ],
  'a style over several lines has spans, and one with references has none': [
    '<svg style="fill:#010203;\n  stroke:#040506"><g fill="&#35;fff"/></svg>',
    ['1:18 ground #010203 = #010203', '2:10 border #040506 = #040506', '2:28 ground #fff'],
  ],
  'attributes with a prefix are left out, and elements of svg: are read': [
    '<svg:svg xmlns:svg="a" x:fill="#fff"><svg:text svg:fill="red" fill="#000">a</svg:text></svg:svg>',
    ['1:69 text #000 = #000', 'words "a"'],
  ],
  'fonts are read, with sizes in px': [
    '<svg><text font-family="Arial, sans-serif" font-size="12" font-weight="bold"/></svg>',
    ['1:25 font Arial', '1:25 type 12 700'],
  ],
  'texts, titles and descriptions have words, and rows separate them': [
    '<svg><title>a</title><desc>b</desc>c<text>d<tspan>e</tspan><tspan x="1" y="2">f</tspan><tspan dy="1">g</tspan></text><g>h</g></svg>',
    ['a', 'b', 'de', 'f', 'g'].map(text => `words "${text}"`),
  ],
  'short entities of the file are replaced in attributes': [
    '<!DOCTYPE svg [<!ENTITY ns_svg "http://www.w3.org/2000/svg"><!ENTITY c "red">]>\n<svg xmlns="&ns_svg;" fill="&c;" stroke="#fff"/>',
    ['2:29 ground red', '2:42 border #fff = #fff'],
  ],
  'the fill of a class of text is the colour of text': [
    '<svg><style>.t{fill:#000}.u{fill:#111}</style><text class="s t">A</text><path class="u"/></svg>',
    ['1:21 text #000 = #000', '1:34 ground #111 = #111', 'words "A"'],
  ],
  'a style counts together with the attributes of its element': [
    '<svg color="#777" style="background: #fff"/>',
    ['1:13 text #777 = #777', '1:38 ground #fff = #fff', '1:13 contrast #777777 #ffffff'],
  ],
  'a colour with an opacity of zero is not seen': [
    '<svg><stop stop-opacity="0" stop-color="red"/><path fill="red" style="fill-opacity:0" stroke="#fff"/></svg>',
    ['1:95 border #fff = #fff'],
  ],
  'XML that is not well-formed is unreadable': [
    '<svg fill="#fff">\n<g></svg>',
    ['2:9 unreadable: is not well-formed XML: unexpected close tag'],
  ],
  'an unknown entity is unreadable': [
    '<svg>&nbsp;</svg>',
    ['1:11 unreadable: is not well-formed XML: undefined entity'],
  ],
  'an unclosed element is unreadable': ['<svg>', ['1:5 unreadable: is not well-formed XML: unclosed tag: svg']],
  'another root is unreadable': ['<html/>', ['unreadable: does not begin with <svg>: export it again']],
  'an empty file is unreadable': ['', ['1:1 unreadable: is not well-formed XML: document must contain a root element']],
}

for (const [title, [svg, uses]] of Object.entries(CASES)) test(title, () => assert.deepEqual(read(svg), uses))

test('400,000 elements in each other are unreadable', () => {
  const [use] = read(`<svg>${'<g>'.repeat(400_000)}`)
  assert.equal(use, '1:30005 unreadable: has more than 10000 elements inside each other: simplify it')
})

const LARGE = {
  references: `<svg><style>${'&amp;'.repeat(100_000)}</style></svg>`,
  attributes: `<svg ${Array.from({ length: 25_000 }, (_, index) => `a${index}=""`).join(' ')}/>`,
  'entities in entities': `<!DOCTYPE svg [<!ENTITY a "${'&b;'.repeat(1000)}"><!ENTITY b "${'&c;'.repeat(1000)}">]><svg>${'&a;'.repeat(25_000)}</svg>`,
  'elements with styles': `<svg>${'<g style="fill:#fff"/>'.repeat(12_000)}</svg>`,
  'unclosed quotes': `<svg a="${"'".repeat(100_000)}"/>`,
}

for (const [title, svg] of Object.entries(LARGE))
  test(`a large SVG of ${title} is read`, () => {
    for (const use of readSvg(sourceOf(svg), NO_SHEETS)) assert.notEqual(use.kind, 'unreadable')
  })

test('readers accept any text, and the places of words are in the file', () => {
  const seeds = [
    '<svg><!DOCTYPE a [<!ENTITY b "c">]><text fill="#fff">a&amp;<tspan y="1">b</tspan></text><style><![CDATA[a{}]]></style></svg>',
    '<table><b style="color:red">a<td>&lt;<svg><style>a{--b:c}</style><title>x</title></svg></b></table>',
    '---\ntitle: a\n---\n# b [c](d) `e` **f** \\* &amp; <i>g</i>\n> - | h |\n<div><br>\r\n{{ a }} {% b %}',
  ]
  const random = (size: number) => Math.floor(Math.random() * size)
  for (let round = 0; round < 600; round++) {
    let text = seeds[round % 3] ?? ''
    for (let count = 0; count < 5; count++) {
      const [at, from] = [random(text.length), random(text.length)]
      text = text.slice(0, at) + text.slice(from, from + random(8)) + text.slice(at + random(4))
    }
    const source = sourceOf(text)
    const uses = [...readHtml(source, NO_SHEETS), ...readSvg(source, NO_SHEETS), ...readMarkdown(source)]
    for (const use of uses)
      if (use.kind === 'words')
        assert.ok((use.at?.(use.text.length - 1).line ?? 0) <= text.split(/\r\n|[\n\r\f]/).length, text)
    drawingOf(text)
  }
})
