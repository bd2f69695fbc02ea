import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { readMarkdown } from '#intake/markdown/markdown.ts'
import { fc, scale } from '../../support/random.ts'

type Found = { line: number; kind: 'link' | 'picture'; written: string; path: string; alt: string }

function found(text: string): Found[] {
  return readMarkdown(text).destinations.map(({ start, end, line, kind, path, alt }) => {
    return { line, kind, written: text.slice(start, end), path, alt }
  })
}

const link = (written: string, path = written, line = 1): Found => ({ line, kind: 'link', written, path, alt: '' })
const picture = (written: string, alt = '', path = written, line = 1): Found => {
  return { line, kind: 'picture', written, path, alt }
}

const READ: Record<string, [text: string, expected: Found[]][]> = {
  'a relative destination is found wherever Markdown has one': [
    ['[a](b.md) ![c](d.png)', [link('b.md'), picture('d.png', 'c')]],
    ['[a](/logo "t") [a]( <b c.md> (t) )', [link('/logo'), link('b c.md')]],
    ['[![a *b*](i.png)](l.md)', [picture('i.png', 'a b'), link('l.md')]],
    ['[a]\n\n[a]: b.md "t"\n[c]:\n<d e.md>', [link('b.md', 'b.md', 3), link('d e.md', 'd e.md', 5)]],
    ['> [a](b.md)\n> - ![c](d.png)', [link('b.md'), picture('d.png', 'c', 'd.png', 2)]],
    ['| [a](b.md) | x |\n|---|---|\n| ~~[c](d.md)~~ | x |', [link('b.md'), link('d.md', 'd.md', 3)]],
    [
      '- [x] [a](b.md)\n\n# [c](d.md)\n\n[e](f.md)\n===',
      [link('b.md'), link('d.md', 'd.md', 3), link('f.md', 'f.md', 5)],
    ],
    ['[^1]: [a](b.md)\n\n    [c](d.md)\n\n[^2]: ./e.md', [link('b.md'), link('d.md', 'd.md', 3)]],
    ['😀 [ä](ö.md)', [link('ö.md')]],
  ],
  'a destination may be written in every way of CommonMark': [
    ['[a](b(c)d.md)', [link('b(c)d.md')]],
    ['[a](b\\)c.md)', [link('b\\)c.md', 'b)c.md')]],
    ['[a](b\\c.md)', [link('b\\c.md')]],
    ['[a](a&amp;b&#40;&ouml;&#x20;.md)', [link('a&amp;b&#40;&ouml;&#x20;.md', 'a&b(ö .md')]],
    ['[a](&nosuch;&copy.md)', [link('&nosuch;&copy.md')]],
    ['[a](a%20b%C3%A4.md)', [link('a%20b%C3%A4.md', 'a bä.md')]],
    ['[a](100%.md)', [link('100%.md')]],
    ['[a](../b/./c.md)', [link('../b/./c.md')]],
  ],
  'the query and the fragment are not part of the path, even where they are escaped': [
    ['[a](b.md#c) [a](b.md?c#d)', [link('b.md'), link('b.md')]],
    [
      '[a](b\\#c) [a](b&num;c) [a](b\\\\?c) [a](b%23c)',
      [link('b'), link('b'), link('b\\\\', 'b\\'), link('b%23c', 'b#c')],
    ],
    ['<a href="b.md&#35;c"> <a href="b.md?x=1&copy=2">', [link('b.md'), link('b.md')]],
  ],
  'empty, same-page and absolute destinations are ignored': [
    ['[a]() [a](<>) [a](#b) [a](?b) ![a](data:image/png;base64,AA==)', []],
    ['[a](https://x.y/z) [a](mailto:a@b.c) [a](//x.y/z) [a](a+b-c.d:e) [a](https&colon;//x)', []],
    ['<https://x.y/z> <a@b.c> https://x.y/z www.x.y/z <img src=""> <a href="#b"> <a href=" tel:1 ">', []],
    ['<a href="ht\ntps://x.y/z"> <a href="java&Tab;script:x">', []],
  ],
  'code is left alone': [
    ['`[a](b.md)` ``` `[a](b.md)``` `<img src="b.png">`', []],
    ['```\n[a](b.md)\n<img src="b.png">\n```\n\n    [a](b.md)\n\n> ~~~\n> [a](b.md)', []],
    ['`a` [b](c.md) `d', [link('c.md')]],
  ],
  'what only looks like a link is none': [
    ['\\[a](b.md) [a] (b.md) [a](b c.md) [a](b.md "t"x) [a](<b.md>c)', []],
    ['[a][b] [c] [a\n\n](b.md)', []],
    ['![a [b](c.md) ![d](e.png) <img src="f.png">](g.png)', [picture('g.png', 'a b d')]],
    ['[a [b](c.md) d](e.md)', [link('c.md')]],
  ],
  'text in brackets within a link undoes it only if it is defined': [
    ['[Logo [SVG]](logo.svg)', [link('logo.svg')]],
    ['[Logo [SVG]](logo.svg)\n\n[SVG]: svg.md', [link('svg.md', 'svg.md', 3)]],
    ['[Logo [^1]](logo.svg)\n\n[^1]: a', [link('logo.svg')]],
    ['[ẞ  a]\n\n[x [ss A]](y.md)\n\n[SS a]: z.md', [link('z.md', 'z.md', 5)]],
  ],
  'src and href of raw HTML are found however they are written': [
    ['<img src="a.png" alt="b &amp; c"> <A HREF = \'d.md\'>', [picture('a.png', 'b & c'), link('d.md')]],
    ['<a\nhref=b.md>', [link('b.md', 'b.md', 2)]],
    ['<source srcset=" b.png "> <source srcset="c.png 2x"> <img srcset="d.png">', [picture('b.png', '')]],
    ['<div><a class=x href=b.md?c/></div>', [link('b.md')]],
    [
      '<img alt="&copy x &copy=1 &notit; &#150; &#x110000;" src=a&amp;b>',
      [picture('a&amp;b', '© x &copy=1 &notit; – \ufffd', 'a&b')],
    ],
    ['<video src=" a.mp4 "></video><script src="b.js"></script>', [link('a.mp4'), link('b.js')]],
    ['> <div\n> data-src="a" href=b.md>\n>\n> [c](d.md)', [link('b.md', 'b.md', 2), link('d.md', 'd.md', 4)]],
    ['> <aside\n> id=a>\n>\n> [c](d.md)', [link('d.md', 'd.md', 4)]],
    ['<div>\n\n<img src="a.png">\n\n</div>', [picture('a.png', '', 'a.png', 3)]],
    ['<details><img src="a.png" href=b href=c>\n**d** [e](f.md)', [picture('a.png'), link('b')]],
  ],
  'of HTML only src and href of tags count': [
    ['<a data-href="b" xlink:href="c" srcset="d" hrefs="e" title=\'href="f"\'>', []],
    ['</a href="b.md"> <div>href="c.md"</div> <a "href=d">', []],
    ['<!-- <img src="a"> --> <!--> <img src="b"> <!-- -->', [picture('b')]],
    ['<div><!-- <img src="a">\n\n<img src="b">\n\n<p>--><img src="c"></p>', [picture('c', '', 'c', 5)]],
    ['<div><!-- <img src="a">\n\n<img src="b">', [picture('b', '', 'b', 3)]],
    ['a <?x <img src="a"> ?> <![CDATA[ <img src="b"> ]]> <!X "<img src=c">', []],
    ['<script>"<img src=a>"</script><img src=b>', [picture('b')]],
    ['a <TITLE><img src=a></titles></title ><img src=b>', [picture('b')]],
    ['a <title> b <img src=c>', [picture('c')]],
    ['<textarea>\n\n<img src=a>\n\n</textarea>\n<style><img src=b></style>', []],
    ['<div><img src="a" alt="b\n\n<img src=c>', [picture('a'), picture('c', '', 'c', 3)]],
  ],
}

for (const [sentence, cases] of Object.entries(READ)) {
  for (const [text, expected] of cases)
    test(`${sentence}: ${JSON.stringify(text)}`, () => assert.deepEqual(found(text), expected))
}

/** Texts that the website's reader understands otherwise than CommonMark and cmark: their heading and their paths. */
const UNLIKE_REMARK: [difference: string, text: string, heading: string | undefined, paths: string[]][] = [
  ['as in cmark, a reference may come right before a bracket', '# [r][a\n\n[r]: b', 'r[a', ['b']],
  ['as in cmark, a tag alone continues the paragraph of a quote', '> a\n<img src="b">\n[r]: c', undefined, ['b']],
  ['a tag alone continues the paragraph of a list item', '- a\n<img src="b">\nc\n---', undefined, ['b']],
  ['a link may touch the bare address before it', '\\<https://x.y/>[a](b)', undefined, ['b']],
  ['an empty bullet interrupts a paragraph in a list', '- a\n  *\n  ---', undefined, []],
  ['an item that starts with an empty line ends at the next one', '- \n  a\n\n    [b](c)', undefined, []],
  ['a line of = below a table starts a paragraph', '| a |\n|---|\n| b |\n===\n    [c](d)', undefined, ['d']],
  ['a table does not leave the list around it', '- a\n| b |\n|---|\n\n    [c](d)', undefined, []],
  ['a lower-case declaration is not a block', '<!a\n===', '<!a', []],
  ['a title in parentheses has no parenthesis without a backslash', '[a]: b\n(c [d](e)\n---', '(c d', ['b', 'e']],
  ['nesting deeper than a hundred levels is not read', `${'> '.repeat(120)}[a](b)`, undefined, []],
]

for (const [difference, text, heading, paths] of UNLIKE_REMARK)
  test(`unlike in remark, ${difference}`, () => {
    const read = readMarkdown(text)
    assert.deepEqual([read.heading, read.destinations.map(({ path }) => path)], [heading, paths])
  })

const HEADINGS: [text: string, heading: string | undefined][] = [
  ['a\n\n## The *big*  __logo__ ##\n\n# b', 'The big logo'],
  ['The `**logo**`\nand ~~more~~\n---', 'The **logo** and more'],
  [
    '# [The *logo*](logo.md) ![and *picture*](a.png) [sic] [x][y] <b>bold</b>',
    'The logo and picture [sic] [x][y] bold',
  ],
  ['# [a][r] [r]\n\n[r]: b', 'a r'],
  ['# A &amp; B \\* C &#42; D &nosuch; \\a', 'A & B * C * D &nosuch; \\a'],
  ['# Colour[^1] <https://x.y/_z_>\n\n[^1]: a', 'Colour https://x.y/_z_'],
  ['# Logo {#the-logo}', 'Logo'],
  ['# C# #', 'C#'],
  ['# 1. Logo', '1. Logo'],
  ['#\n\n# <!-- a -->\n\n# b', 'b'],
  ['[a]: b\n===\n\n> c\n> d\n> ===', 'c d'],
  ['| a |\n|---|\n| b |\n---\n\n# c', 'c'],
  ['    # a\n\n```\n# b\n```\n\n#c\n\n<h1>d</h1>', undefined],
  ['', undefined],
]

for (const [text, heading] of HEADINGS) {
  test(`the heading is the first one with text, as plain text: ${JSON.stringify(text)}`, () =>
    assert.equal(readMarkdown(text).heading, heading))
}

test('a replaced destination is read at the same position', () => {
  const part = fc.constantFrom(
    ...'[a](@)@<@>@![@]@[a]: @\n@\n\n@> @- @`@    @[^1]: @b.md@#c@%20@&amp;@<img src="@" alt="x">'.split('@'),
    ...'<a href=@ @<!--@-->@<script>@</script>@| a |\n|---|\n@\\@(@ä@[a](b.md)@![a](<b c.png>)'.split('@'),
    ...'[a]: b.md "t"\n@<a href=\'b.md?c\'>'.split('@'),
  )
  const page = fc.array(part, { maxLength: 20 }).map(parts => parts.join(''))
  fc.assert(
    fc.property(page, text => {
      const { destinations } = readMarkdown(text)
      // Removing a character in a destination may change its context: `[a]: ![b](<c d>)` defines `a` once the space is gone.
      fc.pre(destinations.every(({ start, end }) => !/[\s<>[\]`\\(]/.test(text.slice(start, end))))
      let replaced = ''
      let at = 0
      for (const [index, { start, end }] of destinations.entries()) {
        assert.ok(start >= at && end > start, 'in order, not empty, not overlapping')
        replaced += `${text.slice(at, start)}/x${index}.md`
        at = end
      }
      replaced += text.slice(at)
      const seen = found(replaced).map(({ written, path, kind }) => ({ written, path, kind }))
      assert.deepEqual(
        seen,
        destinations.map(({ kind }, index) => ({ written: `/x${index}.md`, path: `/x${index}.md`, kind })),
      )
    }),
    { numRuns: scale(500) },
  )
})

const SIZE = 2 ** 16
const repeat = (text: string, size = SIZE): string => text.repeat(size / text.length)
const growing = (make: (size: number) => string): string =>
  Array.from({ length: 1000 }, (_, size) => make(size)).join('')

const HOSTILE = [
  ...'[·![·[]·[a](·[a](b "·[a][b]·[a](<b·[^a]:·\\[·`` ` ·<·<a ·<!--·a <!-- ·a <?·a <![CDATA['.split('·'),
  ...'a <!A ·<a href="·a <script>·<title>·<a@·<ab:·>·> ·+ ·1. ·> - 1. ·- a\n·#\n·[a\n·[a]: b\n·|'.split('·'),
  ...'a\n· \n·#·# \n·1·1\n\n·*·**·-\n\na\n\n·\n ·`·[^·> \n'.split('·'),
  ...'|-|\n·a|b\n·<div>\n\n·> <p>\n·&ouml;·![a](b)·* * ·*a_ ·\t·\n'.split('·'),
].map(text => repeat(text))

test('any page of 64 KiB is read quickly', { timeout: 300_000 }, async () => {
  const more = [
    repeat('[', SIZE / 2) + repeat(']', SIZE / 2),
    repeat('![', SIZE / 2) + repeat('[a](b)', SIZE / 2),
    repeat('![', SIZE / 4) + repeat('](a)', SIZE / 2),
    growing(size => `${'`'.repeat(size)} `),
    growing(size => `${'> '.repeat(size)}a\n`),
    growing(size => `${' '.repeat(size)}- a\n`),
    repeat(`${'>'.repeat(1023)}\n`),
    `a|b\n${repeat(' ')}`,
    repeat(`a|b\n${' '.repeat(1020)}`),
    `[${repeat('a\n')}`,
    `[a]: b "${repeat('c\n')}`,
    `# ${repeat('*a **b _c ')}`,
    `# ${repeat('*a **b _c ', 9990)}`,
    `# ${repeat('\\')}`,
    `a <a ${repeat(' b="<a "')}`,
    `<a ${repeat(' b="<a "')}`,
    `<div ${repeat(' ')}x`,
    `![a](data:${repeat('A')})`,
    `[a](<${repeat('&amp;')}>)`,
    `[a](${repeat('%')})`,
  ]
  for (const text of [...HOSTILE, ...more]) {
    readMarkdown(text)
    await setTimeout(0) // The time limit can only end the test here.
  }
})

test('blocks nested more than a hundred deep are not read', () => {
  assert.deepEqual(found(`${'> '.repeat(99)}[a](b.md)`), [link('b.md')])
  assert.deepEqual(found(`${'> '.repeat(200)}[a](b.md)\n\n[c](d.md)`), [link('d.md', 'd.md', 3)])
})

const addresses: [page: string, isLocal: boolean][] = [
  ['![Logo](C:\\Brand\\logo.png)', true],
  ['![Logo](<C:\\Our Brand\\logo.png>)', true],
  ['![Logo](/Users/ada/logo.png)', true],
  ['![Logo](/home/a-b/logo.png)', true],
  ['![Logo](d:/brand/logo.png)', true],
  ['[Logo](file:///home/a-b/logo.png)', true],
  ['<img src="FILE:///logo.png">', true],
  ['![Logo](<\\\\server\\brand\\logo.png>)', true],
  ['![Logo](https://example.com/logo.png)', false],
  ['[Mail](mailto:brand@example.com)', false],
  ['`![Logo](C:\\logo.png)`', false],
]
for (const [page, isLocal] of addresses)
  test(`the address in ${page} is ${isLocal ? 'reported as local' : 'not reported'}`, () => {
    const { problems, destinations } = readMarkdown(`\n${page}\n`)
    const seen = problems.map(({ rule, line }) => [rule, line])
    assert.deepEqual(seen, isLocal ? [['link-local', 2]] : [])
    assert.deepEqual(destinations, [])
  })
