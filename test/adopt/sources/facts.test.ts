import assert from 'node:assert/strict'
import test from 'node:test'
import { siteFacts } from '#adopt/sources/facts.ts'

function entriesOf(files: Readonly<Record<string, string>>, label = '') {
  return Object.entries(files).map(([path, text]) => {
    const read = async () => Buffer.from(text)
    return { path, label, size: text.length, read, copyTo: async () => undefined }
  })
}

async function factsOf(files: Readonly<Record<string, string>>) {
  const [first, ...rest] = entriesOf(files)
  assert.ok(first)
  return (await siteFacts([first, ...rest])).of(first)
}

const GENERATORS: readonly [name: string, root: string, files: Readonly<Record<string, string>>][] = [
  ['Docusaurus', 'docs', { 'docusaurus.config.js': '', 'docs/a.md': '' }],
  ['Docusaurus', 'website/docs', { 'website/docusaurus.config.ts': '', 'website/docs/a.mdx': '', 'docs/b.md': '' }],
  ['Astro', 'src/content/docs', { 'astro.config.mjs': '', 'src/content/docs/a.md': '' }],
  ['MkDocs', 'guide', { 'mkdocs.yml': 'docs_dir: guide\nx: !!python/name:a.b\n', 'guide/a.md': '', 'docs/b.md': '' }],
  ['Jekyll', '_pages', { '_config.yml': '', '_pages/a.md': '' }],
  ['Jekyll', '', { '_config.yml': '', 'docs/a.md': '' }],
  ['Hugo', 'content/en', { 'hugo.toml': '', 'content/en/a.md': '' }],
  ['Hugo', 'content', { 'config/_default/hugo.toml': '', 'content/a.md': '' }],
  ['Gatsby', 'src/pages', { 'gatsby-config.js': '', 'src/pages/a.mdx': '' }],
  ['Next.js', 'pages', { 'next.config.js': '', 'pages/a.mdx': '' }],
  ['Eleventy', 'src', { 'eleventy.config.js': "({ dir: { input: 'src' } })", 'src/a.md': '', 'docs/b.md': '' }],
  ['VuePress', 'docs', { 'docs/.vitepress/config/index.ts': '', 'docs/a.md': '' }],
  ['Hugo', 'site-of-it/content', { 'theme/hugo.toml': '', 'site-of-it/hugo.toml': '', 'site-of-it/content/a.md': '' }],
  ['VuePress', 'docs', { 'docs/.vuepress/config.js': '', 'docs/a.md': '' }],
  ['Docsify', 'docs', { 'docs/_sidebar.md': '', 'docs/README.md': '', 'README.md': '' }],
  ['GitBook', '', { 'SUMMARY.md': '', 'a.md': '' }],
  ['Obsidian', '', { '.obsidian/app.json': '', 'a.md': '' }],
  [
    'Notion',
    `Shared/Brand ${'0a'.repeat(16)}`,
    { [`Shared/Brand ${'0a'.repeat(16)}.md`]: '', [`Shared/Brand ${'0a'.repeat(16)}/a.md`]: '' },
  ],
  ['Confluence', 'BRAND', { 'BRAND/index.html': '', 'BRAND/Logo_65540.html': '' }],
]

test('a generator is known by its settings, which name the folder of the pages', async () => {
  for (const [name, folder, files] of GENERATORS) {
    const { generator, root } = await factsOf(files)
    assert.deepEqual([generator?.name, root], [name, folder])
  }
  assert.equal((await factsOf({ 'docs/a.md': '' })).generator, undefined)
})

test('settings give name, contact, logo, address and variables', async () => {
  const jekyll = 'title: Brand\nemail: hi@acme.example\nurl: https://acme.example\nbaseurl: /brand\nlogo: img/a.svg\n'
  const facts = await factsOf({ '_config.yml': jekyll, 'index.md': '', 'assets/img/a.svg': '' })
  assert.deepEqual([facts.name, facts.contact, facts.logos], ['Brand', 'hi@acme.example', ['assets/img/a.svg']])
  assert.deepEqual([facts.origin, facts.baseUrl], ['https://acme.example', '/brand'])
  assert.equal(facts.variables.get('site.title'), 'Brand')
  const config =
    "export default { title: 'Brand', url: 'https://acme.example', baseUrl: '/brand/', logo: { alt: 'A', src: 'img/a.svg' } }"
  const docusaurus = await factsOf({ 'docusaurus.config.js': config, 'docs/a.md': '', 'static/img/a.svg': '' })
  assert.deepEqual([docusaurus.name, docusaurus.baseUrl, docusaurus.logos], ['Brand', '/brand', ['static/img/a.svg']])
  const mkdocs = await factsOf({
    'mkdocs.yml': 'site_name: Brand\nsite_url: https://acme.example/brand/\n',
    'docs/a.md': '',
  })
  assert.deepEqual([mkdocs.name, mkdocs.origin, mkdocs.baseUrl], ['Brand', 'https://acme.example', '/brand'])
})

test('names and addresses of starters are ignored', async () => {
  const jekyll = 'title: Your awesome title\nemail: your-email@domain.com\nurl: "http://yourdomain.com"\n'
  const { name, contact, origin } = await factsOf({ '_config.yml': jekyll, 'index.md': '' })
  assert.deepEqual([name, contact, origin], [undefined, undefined, undefined])
  assert.equal((await factsOf({ 'hugo.toml': 'title = "My New Hugo Site"' })).name, undefined)
  assert.equal((await factsOf({ 'hugo.toml': 'title = "My Site for Marks"' })).name, 'My Site for Marks')
})

test('the folder of the only home page in HTML is the root, if no page is above it', async () => {
  const rootOf = async (...paths: string[]) => (await factsOf(Object.fromEntries(paths.map(path => [path, ''])))).root
  assert.equal(await rootOf('README.md', 'src/index.html', 'src/old/index.html', 'notes/a.md'), 'src')
  assert.equal(await rootOf('logo.md', 'src/index.html'), '')
  assert.equal(await rootOf('a/index.html', 'b/index.html'), '')
})

test('pages have the groups of the navigation, and an entry for all pages of a folder gives this no name', async () => {
  const nav = 'nav:\n  - Home: index.md\n  - Marks:\n    - Logo: logo.md\n  - Print:\n    - Stamps:\n      - stamp.md\n'
  const all = { 'docs/index.md': '', 'docs/logo.md': '', 'docs/stamp.md': '' }
  const groups = {
    'docs/index.md': [],
    'docs/logo.md': ['Marks'],
    'docs/stamp.md': ['Print', 'Stamps'],
  }
  assert.deepEqual(Object.fromEntries((await factsOf({ 'mkdocs.yml': nav, ...all })).groups), groups)
  const inSidebars = async (sidebars: string) =>
    factsOf({ 'docusaurus.config.js': '', 'sidebars.js': `module.exports = { all: ${sidebars} }`, ...all })
  const short = await inSidebars("{ Marks: ['logo'], Other: [{ type: 'category', label: 'Print', items: ['stamp'] }] }")
  assert.deepEqual([...short.groups.values()].slice(0, 2), [['Marks'], ['Other', 'Print']])
  assert.deepEqual([...(await inSidebars("[{ type: 'autogenerated', dirName: '.' }]")).labels], [])
})

test('order and names come from navigation, folder settings and tables of contents', async () => {
  const nav =
    'nav:\n  - Home: index.md\n  - Marks:\n    - logo/a.md\n    - Second: logo/b.md\n  - Blog: https://acme.example\n'
  const all = { 'docs/index.md': '', 'docs/logo/a.md': '', 'docs/logo/b.md': '' }
  const mkdocs = await factsOf({ 'mkdocs.yml': nav, ...all })
  assert.deepEqual([...mkdocs.order.keys()], ['docs/index.md', 'docs/logo/a.md', 'docs/logo/b.md'])
  assert.deepEqual(
    [...mkdocs.labels],
    [
      ['docs/index.md', 'Home'],
      ['docs/logo/b.md', 'Second'],
    ],
  )
  const sidebar =
    "export default { sidebars: { main: ['index', { type: 'category', items: ['logo/b', '/logo/a/'] }] } }"
  for (const [settings, text] of [
    ['sidebars.js', sidebar],
    ['docusaurus.config.js', sidebar.replace('{ sidebars', "{ title: 'index', sidebar")],
  ] as const) {
    const { order } = await factsOf({ 'docusaurus.config.js': '', [settings]: text, ...all })
    assert.deepEqual([...order.keys()], ['docs/index.md', 'docs/logo/b.md', 'docs/logo/a.md'], settings)
  }
  const category = '{"label": "Marks", "position": 4}'
  const docusaurus = await factsOf({
    'docusaurus.config.js': '',
    'docs/a.md': '',
    'docs/logo/_category_.json': category,
  })
  assert.deepEqual([docusaurus.order.get('docs/logo'), docusaurus.labels.get('docs/logo')], [4, 'Marks'])
  const gitbook = await factsOf({
    'SUMMARY.md': '* [Logo](logo/README.md)\n  * [Colour](colour.md#top)\n',
    'colour.md': '',
    'logo/README.md': '',
  })
  assert.deepEqual([...gitbook.order.keys()], ['logo/README.md', 'colour.md'])
  const confluence = await factsOf({
    'B/A_200.html': '<a href="C_300.html">',
    'B/C_300.html': '',
    'B/index.html': '<a href="C_300.html">C</a> <a href="A_200.html">',
  })
  assert.deepEqual([...confluence.order.keys()], ['B/C_300.html', 'B/A_200.html'])
})

test('each source has its own facts, and settings that cannot be read say nothing', async () => {
  const wiki = entriesOf({ '.obsidian/app.json': '{', 'a.md': '' }, 'wiki/')
  const site = entriesOf({ 'mkdocs.yml': 'site_name: Brand', 'docs/a.md': '' }, 'site/')
  const facts = await siteFacts([...wiki, ...site])
  assert.equal(facts.named.name, 'Brand')
  const generators = [...wiki, ...site].map(entry => facts.of(entry).generator?.name)
  assert.deepEqual(generators, ['Obsidian', 'Obsidian', 'MkDocs', 'MkDocs'])
  assert.equal((await factsOf({ 'mkdocs.yml': '\t: [', 'docs/a.md': '' })).root, 'docs')
})

test('a brand file gives the name, the contact and the logo where no settings do', async () => {
  const named = async (files: Record<string, string>) => {
    const { name, contact, logos } = (await siteFacts(entriesOf(files))).named
    return { name, contact, logos }
  }
  const adcp = { names: [{ en: 'Northwind' }, { de: 'Nordwind' }], contact: { email: 'brand@northwind.example' } }
  assert.deepEqual(await named({ 'brand.json': JSON.stringify(adcp) }), {
    name: 'Northwind',
    contact: 'brand@northwind.example',
    logos: [],
  })
  const yml = 'meta: { name: { short: NW, full: Northwind Line } }\nlogo: { medium: logos/a.svg }\n'
  assert.deepEqual(await named({ 'x/_brand.yml': yml, 'x/logos/a.svg': '', 'x/y/_brand.yml': 'meta: { name: B }' }), {
    name: 'Northwind Line',
    contact: undefined,
    logos: ['x/logos/a.svg'],
  })
  assert.equal((await named({ '_brand.yml': 'meta: { name: B }', 'mkdocs.yml': 'site_name: A' })).name, 'A')
})
