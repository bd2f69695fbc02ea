import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { readMarkdown } from '../../src/intake/markdown.ts'

const corpus = fileURLToPath(new URL('../../../shared/corpus/', import.meta.url))
const corpusPages = existsSync(corpus) ? globSync('**/*.md', { cwd: corpus }) : []

test('every page of the corpus has the links, pictures and heading that remark reads in it', {
  skip: corpusPages.length === 0 && 'no corpus of real pages stands next to the project',
}, async t => {
  for (const page of corpusPages) {
    await t.test(relative('.', page), () => {
      const text = readFileSync(`${corpus}${page}`, 'utf8')
        .replace(/^\ufeff?(?:---\n.*?\n---\n)?/s, '')
        .replaceAll('\r\n', '\n')
      compare(text)
    })
  }
})

type Node = {
  type: string
  value?: string
  url?: string
  alt?: string | null | undefined
  children?: Node[]
  position?: { start: { offset?: number | undefined }; end: { offset?: number | undefined } } | undefined
}

function compare(text: string): void {
  const tree: Node = unified().use(remarkParse).use(remarkGfm).parse(text)
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

function nodesOf(node: Node): Node[] {
  return [node, ...(node.children ?? []).flatMap(nodesOf)]
}

function plain(node: Node): string {
  if (node.type === 'html') return ''
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

const inline = fc.constantFrom(
  ...[
    'word',
    ' ',
    ' ',
    '\n',
    '*',
    '**',
    '_',
    '~~',
    '[',
    ']',
    '(',
    ')',
    '!',
    '\\',
    '<',
    '>',
    '`',
    '``',
    '|',
    '&amp;',
    '"',
  ],
  ...[
    '[w](#.md)',
    '[w](<# #.md> "t")',
    "[*w*](#%20.md 't')",
    '![w](#.png)',
    '[![w](#.png)](#.md)',
    '`[x](#.md)`',
    '[a](#.md#f)',
  ],
  ...[
    '[r]',
    '[a][r]',
    '[r][]',
    '[undefined]',
    '[a][undefined]',
    '[^1]',
    '[a (b) ](/#/(x).md)',
    '[w](#\\).md)',
    '[w]( #.md )',
  ],
  ...[
    '<b>',
    '<img src="#.png">',
    "<a href='#.md'>",
    '</a>',
    '<!-- [x](#.md) -->',
    '<https://x.y/#>',
    'https://x.y/# ',
    '[w](ftp://x.y)',
  ],
)
const line = fc.array(inline, { minLength: 1, maxLength: 8 }).map(parts => parts.join('').replace(/^[ *]+$/gm, 'w'))
const { block } = fc.letrec<{ block: string; blocks: string }>(tie => ({
  block: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    line,
    line.map(text => `# ${text.replaceAll('\n', ' ')}`),
    line.map(text => `${text}\n===`),
    line.map(text => `${text}\n---`),
    line.map(text => `\`\`\`\n${text}\n\`\`\``),
    line.map(text => `    ${text}`),
    line.map(text => `[r]: #.md "${text}"`),
    fc.constantFrom(
      '[r]: <#.md>',
      '[R]:\n#.md\n(t)',
      '[s]: #.md "t" x',
      '***',
      '<div>',
      '</div>',
      '<div>\n<a href="#.md">\n</div>',
      '<!--\n\n[x](#.md)\n-->',
      '<img src="#.png">',
    ),
    line.map(text => `[^1]: ${text}`),
    fc.array(line, { minLength: 2, maxLength: 2 }).map(([a = '', b = '']) => {
      const row = (text: string): string => `| ${text.replace(/[\n|]/g, '')} | x |`
      return `${row(a)}\n|---|---|\n${row(b)}`
    }),
    tie('blocks').map(text => text.replace(/^/gm, '> ')),
    tie('blocks').map(text => text.replace(/^/gm, '  ').replace(/^ /, '-')),
    tie('blocks').map(text => text.replace(/^/gm, '   ').replace(/^ {2}/, '1.')),
    tie('blocks').map(text => `- [x] ${text.replace(/^/gm, '  ').slice(2)}`),
  ),
  blocks: fc.array(tie('block'), { minLength: 1, maxLength: 4 }).map(blocks => blocks.join('\n\n')),
}))
const page = fc.array(fc.tuple(block, fc.constantFrom('\n\n', '\n\n', '\n')), { maxLength: 6 }).map(blocks => {
  let count = 0
  return blocks
    .flat()
    .join('')
    .replaceAll('#.', () => `f${count++}.`)
})

test('generated pages have the links, pictures and heading that remark reads in them', () => {
  fc.assert(fc.property(page, compare), { numRuns: Number(process.env.RUNS ?? 300) })
})
