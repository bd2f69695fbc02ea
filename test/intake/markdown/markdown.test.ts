import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { readMarkdown } from '#intake/markdown/markdown.ts'
import { golden } from '#test/support/golden.ts'
import { PATIENCE_MS } from '#test/support/patience.ts'
import { fc, forAllIn } from '#test/support/random.ts'
import { draftOf, lines, read, readFacts } from '../reading.ts'

type Found = { line: number; kind: 'link' | 'picture'; written: string; path: string; alt: string | undefined }

function found(text: string): Found[] {
  return readMarkdown(text).destinations.map(({ start, end, line, kind, path, alt }) => {
    return { line, kind, written: text.slice(start, end), path, alt }
  })
}

test('a replaced destination is read at the same position', async () => {
  const part = fc.constantFrom(
    ...'[a](@)@<@>@![@]@[a]: @\n@\n\n@> @- @`@    @[^1]: @b.md@#c@%20@&amp;@<img src="@" alt="x">'.split('@'),
    ...'<a href=@ @<!--@-->@<script>@</script>@| a |\n|---|\n@\\@(@ä@[a](b.md)@![a](<b c.png>)'.split('@'),
    ...'[a]: b.md "t"\n@<a href=\'b.md?c\'>'.split('@'),
  )
  const page = fc.array(part, { maxLength: 20 }).map(parts => parts.join(''))
  await forAllIn(500, [page], text => {
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
  })
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

golden('intake/markdown/markdown', ({ text }: { text: string }) => readFacts(readMarkdown(text)))

const pages: [what: string, page: string, lines: number[]][] = [
  ['an embedded video', 'Text\n\n<iframe src="https://example.com/v"></iframe>\n', [3]],
  ['HTML within a paragraph', 'See <embed src="a.swf"> here\nand <OBJECT data="b.pdf"></OBJECT>\n', [1, 2]],
  ['an inline SVG and its content', '<svg viewBox="0 0 1 1">\n<title>Logo</title>\n<style>a{}</style>\n</svg>\n', [1]],
  ['a script after a comment', '<!-- <iframe> -->\n<script>\nlet a\n</script>\n', [2]],
  ['elements in code', '`<iframe>`\n\n```html\n<iframe></iframe>\n```\n', []],
  ['HTML that is kept', '<details><summary>More</summary>Text</details>\n<video src="a.mp4"></video>\n', []],
  ['longer names', '<select-one></select-one>\n', [1]],
]
for (const [what, page, lines] of pages)
  test(`a page with ${what} has dropped HTML on ${lines.length} lines`, () => {
    const { problems } = readMarkdown(page)
    const seen = problems.map(({ rule, line }) => [rule, line])
    const expected = lines.map(line => ['html-dropped', line])
    assert.deepEqual(seen, expected)
  })

test('the finding about an iframe says what to write instead', () =>
  assert.equal(
    readMarkdown('<iframe></iframe>').problems[0]?.message,
    'the website omits <iframe> and its content: link to it in a separate paragraph',
  ))

test('a page with only dropped HTML is read quickly', { timeout: PATIENCE_MS }, () =>
  assert.equal(readMarkdown('<iframe>'.repeat(100_000)).problems.length, 1),
)

test('a tag of another system on a page is a warning with the line in the file, and the text is unchanged', async () => {
  const contents = { 'pages/a.md': '---\ntitle: A\n---\n\n{% include a.html %}\n' }
  assert.deepEqual(lines((await read(contents)).findings), ['pages/a.md:5 warning template-tag'])
  const [page] = (await draftOf(contents)).pages
  const [same] = (await draftOf({ 'pages/a.md': '---\ntitle: B\n---\n\n{% include a.html %}\n' })).pages
  assert.equal(page?.content, same?.content)
})

golden('intake/markdown/markdown.template-tag-problems', ({ text }: { text: string }) => readFacts(readMarkdown(text)))
