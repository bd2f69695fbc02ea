import assert from 'node:assert/strict'
import test from 'node:test'
import { pageProblems, readFrontMatter, splitFrontMatter } from '#intake/pages/front-matter.ts'
import { findingLines, problemLines, ruleIn, ruleLines } from '../../support/problems.ts'
import { fc, forAll } from '../../support/random.ts'
import { draftOf, read } from '../reading.ts'

const pages: [page: string, parts: ReturnType<typeof splitFrontMatter>][] = [
  ['# Logo\n', { content: '# Logo\n', contentLine: 1 }],
  ['', { content: '', contentLine: 1 }],
  ['---\ntitle: Logo\n---\n\n# Logo\n', { yaml: 'title: Logo\n', content: '\n# Logo\n', contentLine: 4 }],
  ['---\ntitle: Logo\n---', { yaml: 'title: Logo\n', content: '', contentLine: 4 }],
  ['--- \t\na: 1\n--- \t\n  text  ', { yaml: 'a: 1\n', content: '  text  ', contentLine: 4 }],
  ['---\n---\ntext', { yaml: '', content: 'text', contentLine: 3 }],
  ['\uFEFF---\r\na: 1\r\n---\r\ntext\r\n', { yaml: 'a: 1\n', content: 'text\n', contentLine: 4 }],
  ['---\ra: 1\r---\rtext\r', { yaml: 'a: 1\n', content: 'text\n', contentLine: 4 }],
  ['---\na: 1\n', { content: '---\na: 1\n', contentLine: 1 }],
  ['---\n----\n--- a\n ---\n', { content: '---\n----\n--- a\n ---\n', contentLine: 1 }],
  ['\n---\na: 1\n---\n', { content: '\n---\na: 1\n---\n', contentLine: 1 }],
  [' ---\na: 1\n---\n', { content: ' ---\na: 1\n---\n', contentLine: 1 }],
  ['---\na: \u2028---\n---\nb', { yaml: 'a: \u2028---\n', content: 'b', contentLine: 4 }],
]
for (const [page, parts] of pages)
  test(`a page ${JSON.stringify(page)} has ${'yaml' in parts ? '' : 'no '}front matter`, () =>
    assert.deepEqual(splitFrontMatter(page), parts))

test('the content of a page is everything from its line on', async () => {
  const piece = fc.constantFrom('---', '---\n', '\n', 'a: 1\n', ' ', '\r\n', '\r', 'text', '\uFEFF')
  await forAll([fc.array(piece, { maxLength: 20 })], pieces => {
    const page = pieces.join('')
    const { content, contentLine } = splitFrontMatter(page)
    const text = page.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
    const lines = text.split('\n').slice(contentLine - 1)
    assert.equal(lines.join('\n'), content)
  })
})

for (const [page, line] of [
  ['---\ntitle: A\n\n# A\n', 1],
  ['---\ntitle:\n', 1],
  ['\n\n---\ntitle: A\n---\n# A\n', 3],
  [' ---\ntitle: A\n---\n# A\n', 1],
  ['title: A\norder: 2\n---\n# A\n', 1],
  ['\n# Ours\ntitle: A # of B\naliases:\n  - old\n- older\n\n---\n# A\n', 2],
  ['title: A\r\n---\r\n# A\r\n', 1],
  ['—\ntitle: A\n—\n# A\n', 1],
  ['----\ntitle: A\n---\n# A\n', 1],
] as const)
  test(`${JSON.stringify(page)} has front matter that is only text, on line ${line}`, () => {
    const [found, ...others] = pageProblems(splitFrontMatter(page))
    assert.deepEqual([found?.rule, found?.line, others], ['front-matter-open', line, []])
  })

for (const page of [
  '---\ntitle: A\n---\n---\nb: c\n',
  '---\n\nnote: b\n',
  '# A\n\n---\nb: c\n',
  'a: b\n',
  'title: b\n\nText\n\n---\n',
])
  test(`${JSON.stringify(page)} has no front matter that is text`, () => {
    assert.deepEqual(pageProblems(splitFrontMatter(page)), [])
  })

for (const page of ['', '\n \n', '---\ntitle: A\n---\n', '---\r\ntitle: A\r\n---\r\n\r\n'])
  test(`${JSON.stringify(page)} is an empty page`, () => {
    const found = pageProblems(splitFrontMatter(page))
    assert.deepEqual(ruleLines(found), ['page-empty 1'])
  })

test('front matter has a title, an id, a description and an order', () => {
  assert.deepEqual(
    readFrontMatter('title: Misuse\nid: logo/misuse\ndescription: |\n  What not\n  to do.\norder: -1.5\n'),
    {
      frontMatter: { title: 'Misuse', id: 'logo/misuse', description: 'What not\nto do.', order: -1.5 },
      problems: [],
    },
  )
})

test('front matter has website-only details of a page', () => {
  assert.deepEqual(readFrontMatter('cover: ../files/a.svg\nground: ink\nwide: true\nnav: Misuse\n'), {
    frontMatter: {
      cover: { text: '../files/a.svg', line: 2 },
      ground: { text: 'ink', line: 3 },
      wide: true,
      nav: 'Misuse',
    },
    problems: [],
  })
  assert.deepEqual(readFrontMatter('nav: false\n'), { frontMatter: { nav: false }, problems: [] })
})

const others: Readonly<Record<string, string>> = {
  'cover: [a.jpg]': 'cover-unknown 2: "cover" is a list; write text',
  'cover:': 'cover-unknown 2: "cover" has no value; write one, or remove it',
  'ground: [a]': 'front-matter-value-unknown 2: "ground" is a list; write text',
  'wide: 800px': 'front-matter-value-unknown 2: "wide" is "800px"; write true or false',
  'nav: true':
    'front-matter-value-unknown 2: "nav" is "true"; write a short name, or false to leave the page out of menus',
  'nav: { order: 1 }': 'front-matter-value-unknown 2: "nav" is a mapping; write text',
  [`nav: ${'x'.repeat(201)}`]: 'front-matter-value-unknown 2: "nav" has more than 200 characters; shorten it',
}
for (const [yaml, problem] of Object.entries(others))
  test(`${JSON.stringify(yaml.slice(0, 40))} in the front matter of another tool is a warning`, () => {
    const { frontMatter, problems } = readFrontMatter(yaml)
    assert.deepEqual([frontMatter, problemLines(problems)], [{}, [problem]])
  })

for (const yaml of ['', '\n', '# nothing\n', '{}'])
  test(`front matter ${JSON.stringify(yaml)} has no fields`, () =>
    assert.deepEqual(readFrontMatter(yaml), { frontMatter: {}, problems: [] }))

test('keys of other tools in front matter are warnings', () => {
  const { frontMatter, problems } = readFrontMatter('layout: page\ntitel: Logo\n__proto__: {title: x}\ntitle: Logo')
  assert.deepEqual(frontMatter, { title: 'Logo' })
  const keys = 'the keys are title, id, description, order, cover, ground, wide, nav, aliases, translated'
  assert.deepEqual(problemLines(problems), [
    `front-matter-key-unknown 2: "layout" is not a key of front matter; ${keys}`,
    'front-matter-key-unknown 3: "titel" is not a key of front matter; did you mean "title"?',
    `front-matter-key-unknown 4: "__proto__" is not a key of front matter; ${keys}`,
  ])
})

const rest = 'write lines such as "title: …", or *** for a horizontal rule'
const refused: Readonly<Record<string, string>> = {
  '\nSome prose\n': `yaml-syntax 3: the front matter of the page is a text; ${rest}`,
  '- a\n': `yaml-syntax 2: the front matter of the page is a list; ${rest}`,
  'title: Logo: misuse':
    'yaml-syntax 2: a second key or list begins on this line; put a value that contains ": " in quotes',
  'title:\n': 'value-invalid 2: "title" has no value; write one, or remove it',
  'title: #1\n': 'value-unquoted 2: "title" is followed by # without quotes, which YAML reads as a comment; write "#1"',
  'title: [a]\n': 'value-invalid 2: "title" is a list; write text',
  'title: "a\\nb"': 'value-invalid 2: "title" has a line break or another control character; remove it',
  'title: "\\ud83d"': 'value-invalid 2: "title" has half a character (a lone surrogate); write the whole character',
  [`title: ${'x'.repeat(1001)}`]: 'value-too-long 2: "title" has more than 1,000 characters; shorten it',
  'a: 1\nid: /Logo/Mis use/': 'id-invalid 3: "id" is "/Logo/Mis use/"; write "logo/mis-use"',
  'id: ★':
    'id-invalid 2: "id" is "★"; write lower-case letters, digits and single hyphens, with "/" between parts, at most 255 characters',
  'order: first': 'value-invalid 2: "order" is "first"; write a number, as in 10',
  'order: 1e3': 'value-invalid 2: "order" is "1e3"; write a number, as in 10',
  'order: 1000001': 'value-invalid 2: "order" is "1000001"; write a number, as in 10',
}
for (const [yaml, problem] of Object.entries(refused))
  test(`front matter ${JSON.stringify(yaml.slice(0, 40))} breaks ${ruleIn(problem)}`, () => {
    const { frontMatter, problems } = readFrontMatter(yaml)
    const own = problems.filter(({ rule }) => rule !== 'front-matter-key-unknown')
    assert.deepEqual([frontMatter, problemLines(own)], [{}, [problem]])
  })

test('front matter may have a title of 1,000 characters', () => {
  const title = '🎨'.repeat(1000)
  assert.deepEqual(readFrontMatter(`title: ${title}`), { frontMatter: { title }, problems: [] })
})

/** The page `a` with this front matter. */
const page = (aliases: string) => ({ 'pages/a.md': `---\ntitle: A\naliases: ${aliases}\n---\n# A\n` })

const READ: [what: string, written: string, aliases: string[] | undefined][] = [
  ['a list', '[archive/2019/cover, old]', ['archive/2019/cover', 'old']],
  ['a list in lines', '\n- archive/2019/cover\n- old', ['archive/2019/cover', 'old']],
  ['one alone', 'archive/2019/cover', ['archive/2019/cover']],
  [
    'with .md, /index.md or a slash around it',
    '[/a1.md, a2.md, /a3, a4/, a5/index.md]',
    ['a1', 'a2', 'a3', 'a4', 'a5'],
  ],
  ['none', '[]', undefined],
  ['a key without a value', '', undefined],
  ['the same one twice', '\n- b\n- b.md', ['b']],
]

for (const [what, written, aliases] of READ)
  test(`the aliases of a page are its former ids: ${what}`, async () => {
    assert.deepEqual((await draftOf(page(written))).pages[0]?.aliases, aliases)
  })

const WRONG: Readonly<Record<string, string>> = {
  'index.md': '3 error value-invalid: an entry of "aliases" is "index", the home page of the guide; remove it',
  '{ a: b }':
    '3 error value-invalid: "aliases" is a mapping; write a list of at most 100 former ids of the page, as in [archive/2019/cover]',
  a: '3 error id-taken: the alias "a" is the id of this page: remove it, or give it another id',
}

test('an alias that is not a valid id, as in other tools, is skipped with a warning', async () => {
  const { findings } = await read(page('[Archive/Cover 2019, cover.html, b]'))
  const at = 'pages/a.md:3 warning front-matter-value-unknown: an entry of "aliases" is'
  assert.deepEqual(findingLines(findings), [
    `${at} "Archive/Cover 2019"; write "archive/cover-2019"`,
    `${at} "cover.html"; write "cover-html"`,
  ])
  assert.deepEqual((await draftOf(page('[Old Cover, b]'))).pages[0]?.aliases, ['b'])
})

for (const [written, problem] of Object.entries(WRONG))
  test(`invalid aliases are an error at their line: ${JSON.stringify(written)}`, async () => {
    const { findings, drafts } = await read(page(written))
    assert.deepEqual(findingLines(findings), [`pages/a.md:${problem}`])
    assert.deepEqual(drafts, [])
  })

test('a page has at most 100 aliases', async () => {
  const many = (count: number) => page(JSON.stringify(Array.from({ length: count }, (_, at) => `old-${at}`)))
  assert.deepEqual((await read(many(100))).findings, [])
  const rules = (await read(many(101))).findings.map(({ rule }) => rule)
  assert.deepEqual(rules, ['value-invalid'])
})

test('an alias that is the id of a page, or an alias of another, is an error that names both', async () => {
  const { findings } = await read({
    'pages/a.md': '---\naliases: [b, old]\n---\n# A\n',
    'pages/b.md': '---\naliases: [old]\n---\n# B\n',
  })
  assert.deepEqual(findingLines(findings), [
    'pages/a.md:2 error id-taken: the alias "b" is the id of pages/b.md: remove it, or give that page another id',
    'pages/b.md:2 error id-taken: the alias "old" is also in pages/a.md, on line 2: keep one of the two',
  ])
})

test('a link to an alias in any form points to the page, unless a page with that path exists', async () => {
  const { pages } = await draftOf({
    'pages/a.md': '---\naliases: [archive/2019/cover]\n---\n# A\n',
    'pages/archive/b.md':
      '[1](2019/cover.md) [2](2019/cover) [3](/archive/2019/cover/) [4](2019/cover.md#a) [5](../a.md)\n',
  })
  const links = pages.find(({ id }) => id === 'archive/b')?.links.map(({ to }) => to.page)
  assert.deepEqual(links, Array(5).fill('a'))
})
