import { filename, folderOf } from '#brand/file.ts'
import { field, isObject } from '#platform/base/object.ts'
import { wordSet, wordsIn } from '#platform/base/text.ts'
import { globRules, ignoreLines, patternRules, type Rule } from '../ignore-rules.ts'
import { found, inFolder, type Settings } from '../settings.ts'
import { ADDRESS_KEYS, type Generator, type Hides, INDEXES, type Sign, withoutExportIds } from './generator.ts'

/** The sign of files with one of these paths from their folder. */
const paths = (list: string): Sign => endingIn(wordsIn(list))
/** The sign of modules with one of these paths, in any form of JavaScript and TypeScript. */
const modules = (list: string): Sign =>
  endingIn(wordsIn(list).flatMap(path => MODULES.map(format => `${path}.${format}`)))
const MODULES = wordsIn('js, cjs, mjs, ts, cts, mts')
/** The sign of files that an export names in its way. */
const exported = (isItsName: (name: string) => boolean): Sign => {
  return path => (isItsName(filename(path)) ? [folderOf(path)] : [])
}
const SUMMARY = [[wordSet('SUMMARY.md'), 'a table of contents: pages have its order']] as const

const globs: Hides = ({ texts }, key, root) => globRules(texts(key), root)
const negatedGlobs: Hides = ({ texts }, key, root) =>
  globRules(
    texts(key).flatMap(glob => (glob.startsWith('!') ? glob.slice(1) : [])),
    root,
  )
const lines: Hides = ({ texts }, key, root) => ignoreLines(texts(key).join('\n'), root)

const WIKI_FILES = wordSet('_Sidebar.md _Footer.md Home.md')

/** The first row with a file counts. */
export const GENERATORS: readonly Generator[] = [
  {
    name: 'Docusaurus',
    outputs: ['build'],
    hasMenu: true,
    sign: modules('docusaurus.config'),
    hidesDescription: true,
    roots: ['docs', 'src/pages', 'blog'],
    rootsIn: 'path',
    isWhole: true,
    order:
      wordSet(`sidebars.js sidebars.cjs sidebars.mjs sidebars.ts sidebars.cts sidebars.mts _category_.json _category_.yml
      _category_.yaml`),
    nav: ['sidebar'],
    addressKeys: ['id', ...ADDRESS_KEYS],
    isRelative: true,
    isMdx: true,
    hasParts: true,
    hides: { exclude: globs },
  },
  {
    name: 'Docusaurus 1',
    outputs: ['build'],
    hasMenu: true,
    sign: modules('siteConfig'),
    roots: ['../docs', 'docs'],
    isWhole: true,
    order: wordSet('sidebars.json'),
  },
  {
    name: 'Astro',
    outputs: ['dist'],
    hasMenu: true,
    sign: modules('astro.config'),
    roots: ['src/content/docs', 'src/content', 'src/pages', 'content'],
    collections: ['src/content'],
    isWhole: true,
    nav: ['sidebar'],
    hasParts: true,
  },
  {
    name: 'MkDocs',
    outputs: ['site'],
    hasMenu: true,
    sign: paths('mkdocs.yml, mkdocs.yaml'),
    hidesDescription: true,
    roots: ['docs'],
    isWhole: true,
    variables: { 'config.': '', '': 'extra' },
    order: wordSet('.pages'),
    nav: ['nav'],
    hasFuture: true,
    hides: { exclude_docs: lines, draft_docs: lines, glob: globs },
  },
  {
    name: 'Gatsby',
    outputs: ['public'],
    sign: modules('gatsby-config'),
    roots: ['src/pages', 'content', 'docs', 'src/content'],
    rootsIn: 'path',
    isWhole: true,
  },
  {
    name: 'Next.js',
    outputs: ['out'],
    sign: modules('next.config'),
    roots: ['pages', 'src/pages', 'app', 'src/app', 'content', 'src/content'],
    order: wordSet('_meta.json _meta.js _meta.jsx _meta.ts _meta.tsx'),
    index: INDEXES.union(wordSet('page')),
    hidesEntries: ['display', 'hidden'],
  },
  {
    name: 'Nuxt',
    sign: modules('nuxt.config'),
    outputs: ['dist', '.output/public'],
    roots: ['content', 'pages', 'app/pages', 'src/pages'],
  },
  {
    name: 'Eleventy',
    outputs: ['./_site'],
    values: ['./_data', ''],
    sign: modules('.eleventy, eleventy.config'),
    roots: ['src', 'content', 'docs', 'pages'],
    hasFuture: true,
    hides: { 'ignores.add': (settings, key) => globRules(settings.texts(key), settings.base) },
  },
  {
    name: 'VuePress',
    hasMenu: true,
    sign: modules(`.vuepress/config, .vuepress/config/index, .vuepress/config/shared, .vitepress/config, .vitepress/config/index,
      .vitepress/config/shared`),
    hidesDescription: true,
    roots: ['./'],
    isWhole: true,
    nav: ['sidebar'],
    hasFuture: true,
    hides: { srcExclude: globs, pagePatterns: negatedGlobs },
  },
  {
    name: 'Hugo',
    outputs: ['public'],
    sign: paths(`config/_default/config.toml, config/_default/config.yml, config/_default/config.yaml, config/_default/config.json,
      config/_default/hugo.toml, config/_default/hugo.yml, config/_default/hugo.yaml, config/_default/hugo.json, hugo.toml,
      hugo.yml, hugo.yaml, hugo.json, config.toml, config.yml, config.yaml`),
    roots: ['content/en', 'content'],
    rootsIn: 'contentDir',
    isWhole: true,
    variables: { 'site.': '', 'param ': 'params' },
    nav: ['main'],
    isRelative: true,
    hides: { ignoreFiles: (settings, key) => patternRules(settings.texts(key), settings.base) },
  },
  {
    name: 'Jupyter Book',
    outputs: ['./_build/html'],
    hasMenu: true,
    sign: paths('_toc.yml, _toc.yaml'),
    settings: '_config.yml',
    roots: ['./'],
    isWhole: true,
    isListed: true,
    order: wordSet('_toc.yml _toc.yaml'),
  },
  {
    name: 'Jekyll',
    outputs: ['./_site'],
    sign: paths('_config.yml, _config.yaml'),
    roots: ['./_pages', 'pages'],
    variables: { 'site.': '' },
    isLiquid: true,
    order: wordSet('navigation.yml navigation.yaml'),
    dated: '_posts',
    hides: {
      exclude: ({ base, texts }) => globRules([...texts('exclude'), ...texts('include').map(glob => `!${glob}`)], base),
      collections: unpublishedCollections,
      defaults: unpublishedDefaults,
    },
  },
  {
    name: 'Quarto',
    outputs: ['./_site', './_book'],
    hasMenu: true,
    variables: { 'meta ': '' },
    values: ['./_variables.yml', 'var '],
    sign: paths('_quarto.yml, _quarto.yaml'),
    roots: [],
    nav: ['contents', 'chapters'],
    hasFuture: true,
    hides: { render: negatedGlobs },
  },
  {
    name: 'mdBook',
    outputs: ['book'],
    sign: paths('book.toml'),
    roots: ['src'],
    isWhole: true,
    order: wordSet('SUMMARY.md'),
    isListed: true,
    parts: SUMMARY,
  },
  {
    name: 'GitBook',
    outputs: ['./_book'],
    hasMenu: true,
    sign: paths('.gitbook.yaml, book.json, SUMMARY.md'),
    roots: [],
    order: wordSet('SUMMARY.md'),
    parts: SUMMARY,
  },
  {
    name: 'Docsify',
    hasMenu: true,
    sign: paths('_sidebar.md, _coverpage.md'),
    roots: ['./'],
    isWhole: true,
    order: wordSet('_sidebar.md'),
    parts: [[wordSet('_sidebar.md _navbar.md _coverpage.md _footer.md'), 'a part of each page of a website']],
  },
  {
    name: 'Obsidian',
    sign: paths('.obsidian/app.json, .obsidian/appearance.json, .obsidian/core-plugins.json, .obsidian/workspace.json'),
    roots: [],
    addressKeys: ['permalink', 'slug', 'url'],
  },
  {
    name: 'an Azure wiki',
    sign: paths('.order'),
    roots: [],
    order: wordSet('.order'),
    index: INDEXES.union(wordSet('home')),
    isTextFirst: true,
    words: name => name.replaceAll('-', ' ').replaceAll('%2D', '-'),
  },
  {
    name: 'a GitHub wiki',
    hasMenu: true,
    sign: path => (WIKI_FILES.has(path) ? [''] : []),
    roots: [],
    order: wordSet('_Sidebar.md'),
    parts: [
      [wordSet('_Sidebar.md'), 'the menu of a wiki: pages have its order'],
      [wordSet('_Footer.md _Header.md'), 'a part of each page of a wiki'],
    ],
    index: INDEXES.union(wordSet('home')),
    words: name => name.replaceAll('-', ' '),
    isTextFirst: true,
  },
  {
    name: 'Logseq',
    sign: paths('logseq/config.edn'),
    roots: ['pages'],
    unread: 'a page of Logseq, which is not read: publish the graph as HTML, and name that folder',
  },
  {
    name: 'Notion',
    sign: exported(name => withoutExportIds(name) !== name),
    roots: [],
    rootOf: files => {
      const tops = files.map(path => path.slice(0, path.lastIndexOf('.')))
      return tops.find(top => files.every(path => path.startsWith(`${top}/`) || path.startsWith(`${top}.`)))
    },
  },
  {
    name: 'Confluence',
    sign: exported(name => /_\d{3,}\.html$/.test(name)),
    roots: [],
    order: wordSet('index.html'),
    words: name => name.replace(/(?:^|(?<=.)_)\d+$/, ''),
  },
]

function endingIn(paths: readonly string[]): Sign {
  const ends = paths.map(path => `/${path}`)
  return path => ends.filter(end => `/${path}`.endsWith(end)).map(end => `/${path}`.slice(1, -end.length))
}

/** The folders into which generators with settings among these files write websites. */
export function outputFolders(paths: readonly string[]): string[] {
  const writing = GENERATORS.filter(({ outputs }) => outputs !== undefined)
  return writing.flatMap(({ outputs = [], sign }) =>
    paths.flatMap(sign).flatMap(folder => outputs.map(output => inFolder(folder, output))),
  )
}

/** Hidden folders with what generators keep from the last time. */
export const CACHE_FOLDERS = wordSet('.next .nuxt .docusaurus')

/** Folders of these names have built websites wherever they are. */
export const BUILD_FOLDERS = wordSet('_site _book storybook-static')

/** Hidden folders with files of websites, whether or not pages link to them. */
export const SITE_FOLDERS = ['.vuepress', '.vitepress']

/** The beginnings of lines on pages from services that are not read, with the reason. */
export const UNREAD_BLOCKS: readonly (readonly [line: string, reason: string])[] = [
  ['[block:', 'has blocks of ReadMe, which are not read: save its pages as HTML, and name their folder'],
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
