import { field, isObject } from '#platform/base/object.ts'
import { globRules, ignoreLines, patternRules, type Rule } from '../ignore-rules.ts'
import { withoutExtension } from '../leave-out.ts'
import { found, inFolder, type Settings } from '../settings.ts'
import { ADDRESS_KEYS, type Generator, type Hides } from './generator.ts'

const MODULE = String.raw`\.[cm]?[jt]s`
const SUMMARY = [[/(?:^|\/)SUMMARY\.md$/, 'a table of contents: pages have its order']] as const

const globs: Hides = ({ texts }, key, root) => globRules(texts(key), root)
const negatedGlobs: Hides = ({ texts }, key, root) =>
  globRules(
    texts(key).flatMap(glob => (glob.startsWith('!') ? glob.slice(1) : [])),
    root,
  )
const lines: Hides = ({ texts }, key, root) => ignoreLines(texts(key).join('\n'), root)

/** The first row with a file counts. */
export const GENERATORS: readonly Generator[] = [
  {
    name: 'Docusaurus',
    sign: new RegExp(`docusaurus\\.config${MODULE}`),
    hidesDescription: true,
    roots: ['docs', 'src/pages', 'blog'],
    rootsIn: 'path',
    isWhole: true,
    order: /(?:^|\/)(?:sidebars\.[cm]?[jt]s|_category_\.(?:json|ya?ml))$/,
    nav: ['sidebar'],
    addressKeys: ['id', ...ADDRESS_KEYS],
    isRelative: true,
    isMdx: true,
    partsIn: '',
    hides: { exclude: globs },
  },
  {
    name: 'Astro',
    sign: new RegExp(`astro\\.config${MODULE}`),
    roots: ['src/content/docs', 'src/content', 'src/pages', 'content'],
    isWhole: true,
    nav: ['sidebar'],
    partsIn: 'src/pages',
  },
  {
    name: 'MkDocs',
    sign: /mkdocs\.ya?ml/,
    hidesDescription: true,
    roots: ['docs'],
    isWhole: true,
    variables: 'config.',
    order: /(?:^|\/)\.pages$/,
    nav: ['nav'],
    hasFuture: true,
    hides: { exclude_docs: lines, draft_docs: lines, glob: globs },
  },
  {
    name: 'Gatsby',
    sign: new RegExp(`gatsby-config${MODULE}`),
    roots: ['src/pages', 'content', 'docs', 'src/content'],
    rootsIn: 'path',
    isWhole: true,
  },
  {
    name: 'Next.js',
    sign: new RegExp(`next\\.config${MODULE}`),
    roots: ['pages', 'src/pages', 'app', 'src/app', 'content', 'src/content'],
    order: /(?:^|\/)_meta\.(?:json|[jt]sx?)$/,
    index: /^page$/,
    hidesEntries: ['display', 'hidden'],
  },
  {
    name: 'Eleventy',
    sign: new RegExp(`(?:\\.eleventy|eleventy\\.config)${MODULE}`),
    roots: ['src', 'content', 'docs', 'pages'],
    hasFuture: true,
    hides: { 'ignores.add': (settings, key) => globRules(settings.texts(key), settings.base) },
  },
  {
    name: 'VuePress',
    sign: new RegExp(`\\.(?:vuepress|vitepress)/config(?:/(?:index|shared))?${MODULE}`),
    hidesDescription: true,
    roots: ['./'],
    isWhole: true,
    nav: ['sidebar'],
    hasFuture: true,
    hides: { srcExclude: globs, pagePatterns: negatedGlobs },
  },
  {
    name: 'Hugo',
    sign: /(?:config\/_default\/(?:config|hugo)\.(?:toml|ya?ml|json)|hugo\.(?:toml|ya?ml|json)|config\.toml)/,
    roots: ['content/en', 'content'],
    rootsIn: 'contentDir',
    isWhole: true,
    variables: 'site.',
    nav: ['main'],
    isRelative: true,
    hides: { ignoreFiles: (settings, key) => patternRules(settings.texts(key), settings.base) },
  },
  {
    name: 'Jekyll',
    sign: /_config\.ya?ml/,
    roots: ['./_pages', 'pages'],
    variables: 'site.',
    order: /(?:^|\/)navigation\.ya?ml$/,
    dated: /(?:^|\/)_posts\/(?<!\/_posts\/(?:.*?\/)?_posts\/)(?:.*\/)?(\d{4}-\d\d-\d\d)-[^/]*$/,
    hides: {
      exclude: ({ base, texts }) => globRules([...texts('exclude'), ...texts('include').map(glob => `!${glob}`)], base),
      collections: unpublishedCollections,
      defaults: unpublishedDefaults,
    },
  },
  {
    name: 'Quarto',
    sign: /_quarto\.ya?ml/,
    roots: [],
    nav: ['contents', 'chapters'],
    hasFuture: true,
    hides: { render: negatedGlobs },
  },
  {
    name: 'mdBook',
    sign: /book\.toml/,
    roots: ['src'],
    isWhole: true,
    order: /(?:^|\/)SUMMARY\.md$/,
    isListed: true,
    parts: SUMMARY,
  },
  {
    name: 'GitBook',
    sign: /\.gitbook\.yaml|book\.json|SUMMARY\.md/,
    roots: [],
    order: /(?:^|\/)SUMMARY\.md$/,
    parts: SUMMARY,
  },
  {
    name: 'Docsify',
    sign: /_(?:sidebar|coverpage)\.md/,
    roots: ['./'],
    isWhole: true,
    order: /(?:^|\/)_sidebar\.md$/,
    parts: [[/(?:^|\/)_(?:sidebar|navbar|coverpage|footer)\.md$/, 'a part of each page of a website']],
  },
  { name: 'Obsidian', sign: /\.obsidian\/[\w-]+\.json/, roots: [], addressKeys: ['permalink', 'slug', 'url'] },
  {
    name: 'an Azure wiki',
    sign: /\.order/,
    roots: [],
    order: /(?:^|\/)\.order$/,
    index: /^home$/i,
    isTextFirst: true,
    words: name => name.replaceAll('-', ' ').replaceAll(/%2D/gi, '-'),
  },
  {
    name: 'a GitHub wiki',
    sign: /_Sidebar\.md|_Footer\.md|Home\.md/,
    isAtRoot: true,
    roots: [],
    order: /(?:^|\/)_Sidebar\.md$/,
    parts: [
      [/(?:^|\/)_Sidebar\.md$/, 'the menu of a wiki: pages have its order'],
      [/(?:^|\/)_(?:Footer|Header)\.md$/, 'a part of each page of a wiki'],
    ],
    index: /^home$/i,
    words: name => name.replaceAll('-', ' '),
    isTextFirst: true,
  },
  {
    name: 'Logseq',
    sign: /logseq\/config\.edn/,
    roots: ['pages'],
    unread: 'a page of Logseq, which is not read: publish the graph as HTML, and name that folder',
  },
  {
    name: 'Notion',
    sign: /[^/]* [0-9a-f]{32}\.(?:md|html)/,
    roots: [],
    rootOf: paths => {
      const tops = paths.map(withoutExtension)
      return tops.find(top => paths.every(path => path.startsWith(`${top}/`) || path.startsWith(`${top}.`)))
    },
    added: / [0-9a-f]{32}$/,
  },
  {
    name: 'Confluence',
    sign: /[^/]*_\d{3,}\.html/,
    roots: [],
    order: /(?:^|\/)index\.html$/,
    added: /(?<=.)_\d+$/,
    nameless: /^\d+$/,
  },
  { name: 'Google Docs', sign: /images\/image\d+\.\w+/, roots: [] },
]

/** Jekyll makes no pages of a collection unless its settings say so. */
function unpublishedCollections({ base, data, text }: Settings): Rule[] {
  const collections = field(data, 'collections')
  const named = Array.isArray(collections) ? collections.map(name => [String(name), {}] as const) : []
  const all = isObject(collections) ? Object.entries(collections) : named
  const folder = inFolder(text(['collections_dir']), '')
  const hidden = all.filter(([, of]) => field(of, 'output') !== true)
  return globRules(
    hidden.map(([name]) => inFolder(folder, `_${name}`)),
    base,
  )
}

/** The scopes to which defaults of Jekyll give a state that is not published. */
function unpublishedDefaults({ base, data }: Settings): Rule[] {
  const scopes = found(data, 'defaults').flat()
  const hidden = scopes.filter(each => STATES.some(([key, off]) => field(field(each, 'values'), key) === off))
  return globRules(
    hidden.map(each => field(field(each, 'scope'), 'path')).filter(path => typeof path === 'string'),
    base,
  )
}

const STATES = Object.entries({ published: false, draft: true, hidden: true })
