import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { readMarkdown } from '#intake/markdown/markdown.ts'
import { needs } from '../../support/programs.ts'
import { fc, scale } from '../../support/random.ts'

const corpus = fileURLToPath(new URL('../../../../shared/corpus/', import.meta.url))
const corpusPages = existsSync(corpus) ? globSync('**/*.md', { cwd: corpus }) : []

test(
  'every page of the corpus has the links, pictures and heading that remark reads in it',
  needs('../shared'),
  async t => {
    for (const page of corpusPages) {
      await t.test(page, () => {
        const text = readFileSync(`${corpus}${page}`, 'utf8')
          .replace(/^\ufeff?(?:---\n.*?\n---\n)?/s, '')
          .replaceAll('\r\n', '\n')
        compare(text)
      })
    }
  },
)

type Node = {
  type: string
  value?: string
  url?: string
  alt?: string | null | undefined
  title?: string | null | undefined
  children?: Node[]
  position?: { start: Place; end: Place } | undefined
}

type Place = { line: number; offset?: number | undefined }

function compare(text: string): void {
  const tree = treeOf(text)
  const found = readMarkdown(text)
  const theirs = nodesOf(tree).flatMap(destinationsOf)
  const ours = found.destinations.map(({ path, kind }) => `${kind} ${path}`)
  assert.deepEqual(ours.toSorted(), theirs.map(({ path, kind }) => `${kind} ${path}`).toSorted(), JSON.stringify(text))
  for (const { path, start, end } of found.destinations) {
    const place = theirs.find(node => node.path === path && node.start <= start && node.end >= end)
    assert.ok(place, `${path} at ${start} in ${JSON.stringify(text)}`)
  }
  const heading = nodesOf(tree)
    .filter(({ type }) => type === 'heading')
    .map(node => plain(node).replace(/\s+/g, ' ').trim())
    .find(text => text !== '')
  assert.equal(found.heading, heading, JSON.stringify(text))
}

function treeOf(text: string): Node {
  return unified().use(remarkParse).use(remarkGfm).parse(text)
}

function nodesOf(node: Node): Node[] {
  return [node, ...(node.children ?? []).flatMap(nodesOf)]
}

function plain(node: Node): string {
  if (node.type === 'html') return ''
  if (node.type === 'break') return ' '
  return node.value ?? node.alt ?? (node.children ?? []).map(plain).join('')
}

function destinationsOf(node: Node): { path: string; kind: string; start: number; end: number }[] {
  const place = { start: node.position?.start.offset ?? 0, end: node.position?.end.offset ?? 0 }
  const urls =
    node.type === 'html'
      ? [...(node.value ?? '').replace(/<!--.*?-->/gs, '').matchAll(/<(\w+)\s(?:src|href)=["']?([^"'>]+)/g)].map(
          found => ({
            kind: found[1] === 'img' ? 'picture' : 'link',
            url: found[2] ?? '',
          }),
        )
      : [{ kind: node.type === 'image' ? 'picture' : 'link', url: node.url ?? '' }]
  return urls
    .map(({ kind, url }) => ({ kind, path: url.replace(/[?#].*/s, ''), ...place }))
    .filter(({ path }) => path !== '' && !/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(path))
    .map(({ path, ...rest }) => ({ ...rest, path: decodeURIComponent(path) }))
}

// Every `#.` becomes a unique name. Spaces and lines keep fragments from forming the `DIFFERENCES`.
const inline = fc.constantFrom(
  ...'word| | |\n|*|**|_|[|]|(|)|!|\\|<5|>|`|``|&amp;|"| ~~s~~ |[w](#.md)|[*w*](#%20.md "t")|![w](#.png)'.split('|'),
  ...'[w](<# #.md> (t))|[![w](#.png)](#.md)|`[x](#.md)`|[a](#.md#f)|[a (b) ](/#/(x).md)|[w](#\\).md)|[w]( #.md )'.split(
    '|',
  ),
  ...'[r] |[a][r] |[r][] |[undefined]|[a][undefined]|[^1]|<b>|<img src="#.png">|<a href=\'#.md\'>|</a>'.split('|'),
  ...'<!-- [x](#.md) -->|<https://x.y/#> |https://x.y/# |[w](ftp://x.y)'.split('|'),
  '|',
)
const line = fc.array(inline, { minLength: 1, maxLength: 8 }).map(parts => parts.join('').replace(/^[ *]+$/gm, 'w'))
const row = line.map(text => `| ${text.replace(/[\n|]/g, '')} | x |\n`)
const { block } = fc.letrec<{ block: string; blocks: string }>(tie => ({
  block: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    line,
    fc.constantFrom(
      '[r]: <#.md>',
      '[R]:\n#.md\n(t)',
      '[s]: #.md "t" x',
      '***',
      '<div>\n',
      '</div>\n',
      '<img src="#.png">\n',
    ),
    fc.constantFrom('<div>\n<a href="#.md">\n</div>\n', '\n<!--\n\n[x](#.md)\n-->'),
    line.map(text => `# ${text.replaceAll('\n', ' ')}`),
    line.map(text => `${text}\n===`),
    line.map(text => `${text}\n---`),
    line.map(text => `\`\`\`\n${text}\n\`\`\``),
    line.map(text => `    ${text}`),
    line.map(text => `[r]: #.md "${text}"`),
    line.map(text => `[^1]: ${text}\n`),
    fc.tuple(row, row).map(([head, body]) => `\n${head}|---|---|\n${body}`),
    tie('blocks').map(text => within('> ', '> ', text)),
    tie('blocks').map(text => within('- ', '  ', text)),
    tie('blocks').map(text => within('1. ', '   ', text)),
    tie('blocks').map(text => within('- [x] ', '  ', text)),
  ),
  blocks: fc.array(tie('block'), { minLength: 1, maxLength: 4 }).map(blocks => blocks.join('\n\n')),
}))
const page = fc.array(fc.tuple(block, fc.constantFrom('\n\n', '\n')), { maxLength: 6 }).map(blocks => {
  let count = 0
  const text = blocks.flat().join('')
  return text.replaceAll('#.', () => `f${count++}.`)
})

function within(first: string, rest: string, blocks: string): string {
  const text = blocks.replace(/^\s*\n/, '')
  return `${first}${text.replaceAll('\n', `\n${rest}`)}\n`
}

/** Inputs that remark reads differently, and our result. */
const DIFFERENCES: [difference: string, text: string, heading: string | undefined, paths: string[]][] = [
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

for (const [difference, text, heading, paths] of DIFFERENCES) {
  test(`unlike in remark, ${difference}`, () => {
    const found = readMarkdown(text)
    assert.deepEqual([found.heading, found.destinations.map(({ path }) => path)], [heading, paths])
    assert.throws(() => compare(text), assert.AssertionError)
  })
}

test('generated pages have the links, pictures and heading that remark reads in them', () => {
  const run = (text: string) => {
    const nodes = nodesOf(treeOf(text))
    fc.pre(!nodes.some(node => hasMisreadTitle(node, text) || hasMisreadTag(node)))
    compare(text)
  }
  fc.assert(fc.property(page, run), { numRuns: scale(120) })
})

/** Whether remark reads a title in parentheses with a `(` in it that has no backslash, which CommonMark 0.31 §6.3 forbids. */
function hasMisreadTitle({ title, position }: Node, text: string): boolean {
  if (!title?.includes('(')) return false
  const source = text.slice(position?.start.offset, position?.end.offset)
  return /\([^()\\]*(?:\\.[^()\\]*)*\((?:\\.|[^)\\])*\)[ \t]*\)?$/s.test(source)
}

/**
 * Whether remark reads a tag on a line below a paragraph as an HTML block. By CommonMark 0.31 §4.6 only some tags, such
 * as `<div>`, interrupt a paragraph, and by §5.2 its next line need not be indented.
 */
function hasMisreadTag({ children = [] }: Node): boolean {
  return children.some(({ type, value = '', position }, at) => {
    const before = children[at - 1]
    const isBelow = before?.type === 'paragraph' && position?.start.line === (before.position?.end.line ?? 0) + 1
    return isBelow && type === 'html' && /^<\/?(?:a|b|img)\b/.test(value)
  })
}
