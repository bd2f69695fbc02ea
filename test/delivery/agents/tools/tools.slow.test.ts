import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { PRINT_SYSTEMS } from '#brand/color.ts'
import { SCOPES } from '#brand/contract/operations.ts'
import { TOOLS, toolsOf } from '#delivery/agents/tools/tools.ts'
import { agentTools, type CallTool } from '../../../support/agent-tools.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'

const ACME = fileURLToPath(new URL('../../../../examples/acme/', import.meta.url))
const ADDRESS = 'https://brand.test/acme/guidelines'
const LONG = `# Long\n\n${'A line of text, 😀 and "quotes".\n'.repeat(2500)}`

const SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
/** Pictures in each form, of which links and a second use are none. */
const PICTURES = `---
title: Pictures
cover: ../files/cover.svg
---

[The pixel](../files/d.svg) ![The "b" \\[small\\]](../files/b.svg?stage) ![again](../files/b.svg)

[![](../files/a.svg)](../files/d.svg) <img src="../files/c.svg"> <a href="../files/d.svg">The pixel</a>

\\![The pixel](../files/d.svg) [The pixel][pixel] ![By its *label*][Shown]

[pixel]: ../files/d.svg
[shown]: <../files/e.svg>
`
const GALLERY = Array.from({ length: 60 }, (_, at) => [`guide/files/gallery/${at}.svg`, SQUARE] as const)

const temporary = await temporaryStore()
await temporary.show(ACME)
await temporary.publishing('other/guide', {
  'guide/files/files.yaml': 'a.svg:\n  description: A "plain" square\nc.svg:\n  title: A titled one\n',
  'guide/files/a.svg': SQUARE,
  'guide/pages/index.md': '# Guide\n\n![](../files/a.svg)\n',
  'guide/files/b.svg': SQUARE,
  'guide/files/c.svg': SQUARE,
  'guide/files/d.svg': SQUARE,
  'guide/files/e.svg': SQUARE,
  'guide/files/cover.svg': SQUARE,
  'guide/files/words.txt': 'Words.\n',
  'guide/pages/pictures.md': PICTURES,
  ...Object.fromEntries(GALLERY),
  'guide/pages/gallery.md': GALLERY.map(([path]) => `![](../${path.slice(6)})\n\n${'Other. '.repeat(80)}\n\n`).join(''),
  'guide/pages/long.md': LONG,
  'guide/pages/hyphens.md': `# Hyphens\n\n${'Other. '.repeat(300)}\n\nDonau&shy;dampf<wbr>schiff, الهُوِيَّة.\n`,
  'guide/pages/emoji.md': '😀'.repeat(30_000),
  'guide/pages/marks.md': '"\\'.repeat(40_000),
})
const acme = await agentTools(temporary.store, 'acme')
const other = await agentTools(temporary.store, 'other')

/** The structured content of a successful call. Asserts that it fits the schema of its tool and the size limit. */
async function content(call: CallTool, name: string, args: object = {}) {
  const result = await call(name, args)
  assert.ok(result.ok, result.ok ? '' : result.problem)
  const json = JSON.stringify(result.value)
  const output = TOOLS.find(tool => tool.name === name)?.output ?? {}
  assert.ok(new Ajv({ strict: true }).validate(output, JSON.parse(json)), name)
  assert.ok(json.length + JSON.stringify(json).length <= 74_000, name)
  return JSON.parse(json)
}

async function problem(call: CallTool, name: string, args: object): Promise<string> {
  const result = await call(name, args)
  assert.ok(!result.ok, name)
  return result.problem
}

test('the eight tools have their order and arguments, and a guide has them without projects', () => {
  const argumentsOf = (tools: typeof TOOLS) =>
    tools.map(({ name, input }) => `${name}(${Object.keys(input.properties)})`).join(' ')
  assert.equal(
    argumentsOf(TOOLS),
    'search(query,project,limit) fetch(id) list_projects() list_pages(project) get_page(project,page,offset) get_styles(project,kind,query) list_files(project,query,type) lint(project,content,kind)',
  )
  assert.equal(
    argumentsOf(toolsOf({ isGuide: true })),
    'search(query,limit) fetch(id) list_pages() get_page(page,offset) get_styles(kind,query) list_files(query,type) lint(content,kind)',
  )
})

test('a search finds pages, colours, type styles and files by everyday words and by values', async () => {
  for (const [query, id] of [
    ['smallest size of the mark in print', 'page:guidelines/logo#smallest-size'],
    ['clear space around the logo', 'page:guidelines/logo#clear-space'],
    ['can I stretch the logo?', 'page:guidelines/logo/misuse'],
    ['RAL 2002', 'color:guidelines/vermilion'],
    ['which colour is #CC3A06', 'color:guidelines/vermilion'],
    ['which colour is hsl(16, 94%, 41%)', 'color:guidelines/vermilion'],
    ['red Pantone', 'color:packaging/seal-red'],
    ['heading size on phones', 'type:guidelines/heading-1'],
    ['which logo file for a dark background', 'file:guidelines/files/logo/acme-logo-reversed.svg'],
  ] as const) {
    const { results } = await content(acme, 'search', { query })
    assert.equal(results[0].id, id, query)
  }
})

test('a result has all values of a colour, and the part of a page in which "Don\'t" and table headers remain', async () => {
  const { results: colors } = await content(acme, 'search', { query: 'vermilion ral pantone' })
  assert.deepEqual(colors[0], {
    id: 'color:guidelines/vermilion',
    title: 'Vermilion',
    url: `${ADDRESS}/-/colors#color-vermilion`,
    text: `Colour: hex #cc3a06; RGB 204,58,6; CMYK 0,85,100,10; Pantone 1665 C; Pantone 1665 U; RAL 2002. Use: One thing at a time: the button, the blade, the line that matters. Allowed on: Paper, White. Group: Core. Share of the surface: 6 %. Print values (${PRINT_SYSTEMS.join(', ')}) are authored by the brand. Copy them; never compute or convert them. A colour without print values has none.`,
    project: 'guidelines',
    page: 'index',
  })
  const { results: pages, total } = await content(acme, 'search', {
    query: 'stretch logo',
    project: 'guidelines',
    limit: 1,
  })
  assert.ok(pages.length === 1 && total > 1)
  assert.ok(pages[0].text.includes("The logo, wider than it should be (Don't: stretch it)"))
  const { results: tables } = await content(acme, 'search', { query: 'smallest size of the mark' })
  assert.ok(tables[0].text.includes('| | Screen | Print | Engraved or cast |'))
})

test('a result has the part with a word, also if the page has marks or places for hyphens in it', async () => {
  for (const query of ['Donaudampfschiff', 'الهوية']) {
    const { results } = await content(other, 'search', { query })
    assert.match(results[0].text, /^…\n.*\n\nDonaudampfschiff, الهُوِيَّة\.$/s, query)
  }
})

test('a search without matches says so, and one without words is a problem', async () => {
  const { total, results, hint } = await content(acme, 'search', { query: 'qqqq' })
  assert.deepEqual([total, results], [0, []])
  assert.match(hint, /^Nothing matches these words/)
  assert.match(await problem(acme, 'search', { query: '?!' }), /no words/)
})

test('fetch returns every search result in full, and links of a section to its whole page', async () => {
  const { results } = await content(acme, 'search', { query: 'logo vermilion heading', limit: 50 })
  for (const { id, url } of results) {
    const item = await content(acme, 'fetch', { id })
    assert.deepEqual([item.id, item.url], [id, url])
    assert.ok(item.text.length > 0)
  }
  const { text, metadata } = await content(acme, 'fetch', { id: 'page:guidelines/logo#clear-space' })
  assert.ok(text.startsWith('## Clear space\n') && !text.includes('Smallest size'))
  assert.equal(metadata.wholePage, 'page:guidelines/logo')
  const whole = await content(acme, 'fetch', { id: 'guidelines/logo' })
  assert.ok(whole.text.includes('## Smallest size') && whole.text.includes('https://brand.test/acme/guidelines/'))
})

test('an unknown id or argument is a problem that lists the nearest ids or the arguments', async () => {
  for (const [name, args, expected] of [
    ['fetch', { id: 'color:guidelines/inc' }, /nearest ids are: .*color:guidelines\/ink/],
    ['fetch', { id: 'page:guidelines/logo#clear-spac' }, /nearest ids are: clear-space/],
    ['fetch', { id: 'nonsense' }, /^"nonsense" is not an id/],
    ['fetch', { id: 'page:guidelines/typo' }, /page:guidelines\/typography/],
    ['get_page', { project: 'guidelines', page: 'logo/misus' }, /nearest ids are: logo\/misuse/],
    ['get_page', { project: 'guideline', page: 'logo' }, /nearest ids are: guidelines/],
    ['list_pages', {}, /^The argument project is missing/],
    ['list_pages', { project: 'guidelines', workspace: 'other' }, /^"workspace" is no argument/],
    ['search', { query: 'a', limit: 0 }, /^The argument limit must be a whole number from 1 to 50/],
    ['search', { query: 'a', limit: '0' }, /^The argument limit must be a whole number from 1 to 50/],
    ['search', { query: 'a', limit: '2.5' }, /^The argument limit must be a whole number from 1 to 50/],
    ['search', { query: 'a', limit: '' }, /^The argument limit must be a whole number from 1 to 50/],
    ['search', { query: 'a', limit: ['2'] }, /^The argument limit must be a whole number from 1 to 50/],
    ['get_styles', { project: 'guidelines', kind: 'fonts' }, /must be one of colors, types/],
  ] as const)
    assert.match(await problem(acme, name, args), expected)
})

test('a number may be a string of digits, as some models write it', async () => {
  const number = await content(acme, 'search', { query: 'logo vermilion heading', limit: 2 })
  assert.equal(number.results.length, 2)
  assert.deepEqual(await content(acme, 'search', { query: 'logo vermilion heading', limit: '2' }), number)
})

test('the parts of a page join to its whole Markdown and split no character', async () => {
  for (const [page, expected] of [
    ['long', LONG],
    ['emoji', '😀'.repeat(30_000)],
    ['marks', '"\\'.repeat(40_000)],
  ] as const) {
    let whole = ''
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const part = await content(other, 'get_page', { project: 'guide', page, offset })
      assert.ok(part.content.length <= 21_000 && part.content.isWellFormed())
      whole += part.content
      offset = part.nextOffset
    }
    assert.ok(whole === expected, page)
    const { text, metadata } = await content(other, 'fetch', { id: `page:guide/${page}` })
    const next = await content(other, 'fetch', { id: metadata.next })
    assert.ok(expected.startsWith(text + next.text), page)
  }
})

test('a picture without its own description gets that of its file', async () => {
  const page = await content(other, 'get_page', { project: 'guide', page: 'index' })
  assert.match(page.content, /!\[A "plain" square\]\(https:\/\/brand\.test\/other\/guide\/-\/files\/[\w-]+\/a\.svg\)/)
})

test('a page lists the pictures that it shows, with alt texts and the ids that fetch takes', async () => {
  const { pictures } = await content(other, 'get_page', { project: 'guide', page: 'pictures' })
  const at = (name: string) => `https://brand.test/other/guide/-/files/${name}`
  const seen = pictures.map(({ url, ...picture }: { url: string }) => [url.replace(/[\w-]{32}\//, ''), picture])
  assert.deepEqual(seen, [
    [at('cover.svg'), { id: 'file:guide/files/cover.svg', description: 'cover.svg' }],
    [at('b.svg'), { id: 'file:guide/files/b.svg', description: 'The "b" [small]' }],
    [at('a.svg'), { id: 'file:guide/files/a.svg', description: 'A "plain" square' }],
    [at('c.svg'), { id: 'file:guide/files/c.svg', description: 'A titled one' }],
    [at('e.svg'), { id: 'file:guide/files/e.svg', description: 'By its *label*' }],
  ])
  for (const { id, url } of pictures) assert.equal((await content(other, 'fetch', { id })).url, url)
  assert.deepEqual((await content(other, 'get_page', { project: 'guide', page: 'hyphens' })).pictures, [])
})

test('the pictures of a long page come with the parts that show them', async () => {
  const seen: string[][] = []
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const part = await content(other, 'get_page', { project: 'guide', page: 'gallery', offset })
    seen.push(part.pictures.map(({ id }: { id: string }) => id.replace(/.*\//, '')))
    for (const { url } of part.pictures) assert.ok(part.content.includes(url))
    offset = part.nextOffset
  }
  assert.ok(seen.length > 1 && (seen.at(-1)?.length ?? 0) > 0)
  const expected = GALLERY.map(([path]) => path.replace(/.*\//, ''))
  assert.deepEqual(seen.flat(), expected)
})

test('fetch says that a picture cannot be shown, if it is one', async () => {
  const drawn = await agentTools(temporary.store, 'other', {
    picture: async (_, { path }) => (path.endsWith('a.svg') ? new Uint8Array(1) : undefined),
  })
  const textOf = async (id: string) => (await content(drawn, 'fetch', { id })).text
  assert.doesNotMatch(await textOf('file:guide/files/a.svg'), /cannot be shown/)
  assert.match(await textOf('file:guide/files/b.svg'), /Its picture cannot be shown here: open the url\.$/)
  assert.doesNotMatch(await textOf('file:guide/files/words.txt'), /cannot be shown/)
})

test('lists have a total, the fields of the API and those about use', async () => {
  const { projects } = await content(acme, 'list_projects')
  const ids = projects.map(({ id }: { id: string }) => id)
  assert.deepEqual(ids, ['guidelines', 'packaging'])
  const { pages, total } = await content(acme, 'list_pages', { project: 'guidelines' })
  assert.equal(pages.length, total)
  const styles = await content(acme, 'get_styles', { project: 'guidelines', query: 'Ink' })
  assert.equal(styles.colors[0].id, 'ink')
  assert.deepEqual(styles.colors[0].on, ['paper', 'white', 'mist', 'beech', 'zinc'])
  assert.match(styles.note, /never compute or convert/)
  const types = await content(acme, 'get_styles', { project: 'guidelines', kind: 'types' })
  assert.deepEqual([types.colors, types.total, types.types[0].weight], [undefined, types.types.length, 600])
  const files = await content(acme, 'list_files', { project: 'guidelines', query: 'logo dark background', type: 'svg' })
  const seen = files.files.map(({ filename, ground }: { filename: string; ground: string }) => [filename, ground])
  assert.deepEqual(seen, [
    ['acme-logo-reversed.svg', 'ink'],
    ['acme-logo-white.svg', 'vermilion'],
    ['acme-mark-reversed.svg', 'ink'],
  ])
  const none = await content(acme, 'list_files', { project: 'guidelines', type: 'docx' })
  assert.match(none.hint, /The types here are: .*application\/pdf/)
})

test('a colour has its value on dark grounds in lists, texts and searches', async () => {
  await temporary.publishing('schemes/guide', {
    'guide/styles/colors.yaml': '- { name: Ink, hex: "#14212b", dark: 8ab8ee }\n- { name: Red, hex: "#f00" }\n',
  })
  const schemes = await agentTools(temporary.store, 'schemes')
  const { colors } = await content(schemes, 'get_styles', { project: 'guide' })
  const values = colors.map(({ hex, dark }: { hex: string; dark?: string }) => [hex, dark])
  assert.deepEqual(values, [
    ['#14212b', '#8ab8ee'],
    ['#ff0000', undefined],
  ])
  const { text } = await content(schemes, 'fetch', { id: 'color:guide/ink' })
  assert.match(text, /On dark backgrounds: hex #8ab8ee, RGB 138,184,238\./)
  const { results } = await content(schemes, 'search', { query: '8ab8ee' })
  assert.equal(results[0].id, 'color:guide/ink')
})

test('results have only the kinds of content that the scopes cover', async () => {
  const limited = await agentTools(temporary.store, 'acme', { scopes: new Set(['document.read']) })
  const { results } = await content(limited, 'search', { query: 'logo vermilion heading', limit: 50 })
  assert.ok(results.length > 3 && results.every(({ id }: { id: string }) => id.startsWith('page:')))
  assert.match(await problem(limited, 'fetch', { id: 'color:guidelines/ink' }), /lacks the scope styles\.read/)
  const message = await problem(limited, 'fetch', { id: 'guidelines/ink' })
  assert.ok(!message.includes('color:'), message)
  for (const scopes of [SCOPES, SCOPES.filter(scope => scope !== 'styles.read')]) {
    const tools = await agentTools(temporary.store, 'acme', {
      scopes: new Set(scopes),
      paints: async () => ['#ffffff'],
    })
    const { text } = await content(tools, 'fetch', { id: 'file:guidelines/files/logo/acme-logo.svg' })
    assert.equal(/On the colours of the brand: .*Vermilion/.test(text), scopes === SCOPES)
  }
})
