import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Nodes, Root } from 'hast'
import { DROPPED_ELEMENTS } from '#brand/markdown/dropped-html.ts'
import { pageSections } from '#delivery/search/page-sections.ts'
import { wordsOf } from '#delivery/search/words.ts'
import { readBlocks } from '#formats/markdown/page-blocks.ts'
import { readMarkdown } from '#intake/markdown/markdown.ts'
import { splitFrontMatter } from '#intake/pages/front-matter.ts'
import { attribute, elementsOf } from '#site/markdown/hast.ts'
import { renderMarkdown } from '#site/markdown/markdown.ts'
import { parsedHtml } from '../../site/markdown/parsed-html.ts'
import { needs } from '../../support/programs.ts'
import { fc, forAllIn } from '../../support/random.ts'
import { generatedPage } from './generated-pages.ts'

/*
 * The import and the search read Markdown with one reader (src/formats/markdown), the website with another (remark). Here
 * both read the same pages. `DIFFERENCES` lists what they read differently on purpose.
 */

/** The links, headings and words that a reader finds on a page. */
type Reading = { links: Set<string>; headings: string[]; words: Set<string> }

function importReading(page: string): Reading {
  const sections = pageSections(page)
  return {
    links: new Set(readMarkdown(page).destinations.map((_, at) => addressOf(at))),
    headings: sections.filter(({ heading }) => heading !== '').map(({ id, heading }) => `${id} ${heading}`),
    words: wordSet(sections.map(({ heading, text }) => `${heading} ${text}`).join(' ')),
  }
}

/** The website shows the page with the address of each link, as the import found it. */
function websiteReading(page: string): Reading {
  let [addressed, end] = ['', 0]
  for (const [at, destination] of readMarkdown(page).destinations.entries()) {
    addressed += page.slice(end, destination.start) + addressOf(at)
    end = destination.end
  }
  const { title, html, headings } = render(addressed + page.slice(end))
  const shown = parsedHtml(`${title?.text ?? ''}${html.text}`)
  const links = elementsOf(shown).flatMap(element => ADDRESSES.flatMap(name => attribute(element, name) ?? []))
  const { html: original, title: originalTitle } = render(page)
  return {
    links: new Set(links.filter(isRelative).map(link => /^\/link-\d+-/.exec(link)?.[0] ?? link)),
    headings: headings
      .filter(({ id, text }) => id !== 'footnote-label' && text !== '')
      .map(({ id, text }) => `${id} ${text}`),
    words: wordSet(textOf(parsedHtml(`${originalTitle?.text ?? ''}${original.text}`))),
  }
}

function render(page: string) {
  return renderMarkdown(page, { name: 'Page', pictures: new Map() })
}

const addressOf = (at: number) => `/link-${at}-`
const ADDRESSES = ['href', 'src', 'srcSet'] as const

function isRelative(address: string): boolean {
  return address !== '' && !/^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(address)
}

/** The generated words and numbers; others, such as labels of the website, occur on many pages. */
function wordSet(text: string): Set<string> {
  return new Set(wordsOf(text).flatMap(({ term }) => (/\p{L}\d/u.test(term) ? [term] : [])))
}

function textOf(node: Nodes | Root): string {
  if (node.type === 'text') return node.value
  if (node.type !== 'element') return 'children' in node ? node.children.map(textOf).join(' ') : ''
  if (node.tagName === 'img') return ` ${node.properties.alt ?? ''} ${node.properties.title ?? ''} `
  if (node.properties.dataFootnoteRef !== undefined) return ''
  const text = node.children.map(textOf).join('')
  return INLINE.test(node.tagName) ? text : ` ${text} `
}

const INLINE = /^(?:a|b|code|del|em|i|kbd|s|small|span|strong|su[bp])$/

function compare(page: string): void {
  const [ours, theirs] = [importReading(page), websiteReading(page)]
  assert.deepEqual([...theirs.links.difference(ours.links)], [], `links without an address: ${JSON.stringify(page)}`)
  if (!mayHaveUnusedLinks(page))
    assert.deepEqual([...ours.links.difference(theirs.links)], [], `addresses without a link: ${JSON.stringify(page)}`)
  assert.deepEqual(ours.headings, theirs.headings, JSON.stringify(page))
  assert.deepEqual([...ours.words].sort(), [...theirs.words].sort(), JSON.stringify(page))
}

/** Whether the website may leave out links: of definitions, footnotes and HTML. */
function mayHaveUnusedLinks(page: string): boolean {
  return /\]:|\[\^|</.test(page)
}

/** The differences of the readers that stay, with the reason. */
const DIFFERENCES: Readonly<Record<string, readonly string[]>> = {
  'the website leaves out footnotes that nothing refers to; a search finds them': ['[^1]: w1'],
  'the website leaves out a script in a sentence; a search finds it': ['a <script>w1</script>'],
  'an HTML heading that a blank line divides is a heading only on the website': [
    '<div>\n<h4>w1<\n\n/h4>',
    '<h4>\n\nw1\n\n</h4>',
  ],
  'the website removes tags of other systems before it reads a list item, which changes its indentation': [
    '1. {{ a }} w1\n   ===',
  ],
  'HTML headings in a table or a sentence are headings only on the website': [
    '| <h2>w1</h2> |\n|---|',
    'a <h2>w1</h2>',
  ],
}

for (const [difference, pages] of Object.entries(DIFFERENCES))
  test(`the readers differ on purpose: ${difference}`, () => {
    for (const page of pages) assert.throws(() => compare(page), assert.AssertionError, page)
  })

/** Whether a page may have one of the differences. */
function mayDiffer(page: string): boolean {
  if (/^[ \t>]*(?:[-*+]|\d+[.)])[^\n{]{0,9}\{\{/m.test(page)) return true
  return readBlocks(page).some(({ kind, text, inlines }) => {
    const isCut = kind === 'html' && /<[^<>]*$|<h[1-6][\s>](?![\s\S]*<\/h)/i.test(text)
    return isCut || inlines.some(inline => inline.kind === 'html' && ODD_TAG.test(text.slice(inline.start)))
  })
}

const ODD_TAG = new RegExp(`^<(?:h[1-6]|${DROPPED_ELEMENTS.join('|')})(?![a-z0-9-])`, 'i')

test('generated pages have the same links, headings and words for import, search and website', async () => {
  const run = (source: string) => {
    const page = splitFrontMatter(source).content
    fc.pre(!mayDiffer(page))
    compare(page)
  }
  await forAllIn(150, [generatedPage], run)
})

const corpus = fileURLToPath(new URL('../../../../shared/corpus/', import.meta.url))
const pages = [
  ...globSync('examples/**/*.md').map(path => readFileSync(path, 'utf8')),
  ...(existsSync(corpus) ? globSync('**/*.md', { cwd: corpus }).map(path => readFileSync(corpus + path, 'utf8')) : []),
]

test('real pages and random changes of them have the same links, headings and words', needs('../shared'), async () => {
  for (const page of pages) compare(splitFrontMatter(page).content)
  const mark = fc.constantFrom(
    ...'*|_|`|[|](|)|![|\n|\n\n|> |- |1. |# |    |\t|| |&amp;|\\|<b>|</b>|<!-- |-->|```\n|***'.split('|'),
  )
  const edit = fc.tuple(fc.nat(), fc.nat({ max: 8 }), mark)
  const edited = fc.tuple(fc.constantFrom(...pages), fc.array(edit, { minLength: 1, maxLength: 6 }))
  await forAllIn(100, [edited], ([source, edits]) => {
    let page = splitFrontMatter(source).content
    for (const [place, length, mark] of edits) {
      const at = place % (page.length + 1)
      page = page.slice(0, at) + mark + page.slice(at + length)
    }
    fc.pre(!mayDiffer(page))
    compare(page)
  })
})
