import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHtml } from '#delivery/lint/markup/html.ts'
import { readMarkdown } from '#delivery/lint/markup/markdown.ts'
import { readSvg } from '#delivery/lint/markup/svg.ts'
import { drawingOf } from '#delivery/lint/markup/svg-drawing.ts'
import { NO_SHEETS, sourceOf } from '#delivery/lint/source.ts'
import { golden } from '../../../support/golden.ts'
import { summaryOf } from '../summary.ts'

const read = (svg: string) => [...readSvg(sourceOf(svg), NO_SHEETS)].map(use => summaryOf(use, svg))

golden('lint/svg', ({ svg }: { svg: string }) => read(svg))

test('400,000 elements in each other are unreadable', () => {
  const [use] = read(`<svg>${'<g>'.repeat(400_000)}`)
  assert.equal(use, '1:30005 unreadable message="has more than 10000 elements inside each other: simplify it"')
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
