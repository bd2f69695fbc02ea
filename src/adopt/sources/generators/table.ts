import { dirname } from 'node:path/posix'
import { field, isObject } from '#platform/base/object.ts'
import { globRules, type Hiding, ignoreLines, patternRules } from '../ignore-rules.ts'
import { withoutExtension } from '../leave-out.ts'
import { CALLS } from '../module-value.ts'
import { found, inFolder, type Settings } from '../settings.ts'
import { ADDRESS_KEYS, type Generator } from './generator.ts'
import { jekyllHides } from './jekyll.ts'

const MODULE = String.raw`\.[cm]?[jt]s`

/** The first row with a file counts. */
export const GENERATORS: readonly Generator[] = [
  {
    name: 'Docusaurus',
    sign: new RegExp(`docusaurus\\.config${MODULE}`),
    hidesDescription: true,
    roots: ['docs', 'src/pages', 'blog'],
    rootsIn: settings => settings.texts('path'),
    isWhole: true,
    order: /(?:^|\/)(?:sidebars\.[cm]?[jt]s|_category_\.(?:json|ya?ml))$/,
    nav: ['sidebar'],
    addressKeys: ['id', ...ADDRESS_KEYS],
    isRelative: true,
    isMdx: true,
    hides: (settings, root) => [
      ...byGlobs(settings, 'exclude', root),
      { reason: 'a part of pages: its name begins with _', rules: globRules(['**/_*.{md,mdx}', '**/_*/**'], root) },
    ],
  },
  {
    name: 'Astro',
    sign: new RegExp(`astro\\.config${MODULE}`),
    roots: ['src/content/docs', 'src/content', 'src/pages', 'content'],
    isWhole: true,
    nav: ['sidebar'],
    hides: ({ base }) => [
      {
        reason: 'a part of pages: its name begins with _',
        rules: globRules(['**/_*.{md,mdx}', '**/_*/**'], inFolder(base, 'src/pages')),
      },
    ],
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
    hides: (settings, root) => [
      ...['exclude_docs', 'draft_docs'].map(key => ({
        reason: hidingReason(key, settings),
        rules: ignoreLines(settings.texts(key).join('\n'), root),
      })),
      ...byGlobs(settings, 'glob', root),
    ],
  },
  {
    name: 'Gatsby',
    sign: new RegExp(`gatsby-config${MODULE}`),
    roots: ['src/pages', 'content', 'docs', 'src/content'],
    rootsIn: settings => settings.texts('path'),
    isWhole: true,
  },
  {
    name: 'Next.js',
    sign: new RegExp(`next\\.config${MODULE}`),
    roots: ['pages', 'src/pages', 'app', 'src/app', 'content', 'src/content'],
    order: /(?:^|\/)_meta\.(?:json|[jt]sx?)$/,
    index: /^page$/,
    hidesIn: (data, path) => {
      const hidden = Object.entries(isObject(data) ? data : {}).filter(
        ([, entry]) => field(entry, 'display') === 'hidden',
      )
      const globs = hidden.flatMap(([name]) => [name, `${name}.{md,mdx}`])
      return [{ reason: hidingReason('display', { path }), rules: globRules(globs, inFolder(dirname(path), '')) }]
    },
  },
  {
    name: 'Eleventy',
    sign: new RegExp(`(?:\\.eleventy|eleventy\\.config)${MODULE}`),
    roots: ['src', 'content', 'docs', 'pages'],
    hasFuture: true,
    ignoreFiles: ['.eleventyignore'],
    hides: settings => [
      {
        reason: hidingReason('ignores', settings),
        rules: globRules(found(settings.data, CALLS).flatMap(ignoredIn), settings.base),
      },
    ],
  },
  {
    name: 'VuePress',
    sign: new RegExp(`\\.(?:vuepress|vitepress)/config(?:/(?:index|shared))?${MODULE}`),
    hidesDescription: true,
    roots: [],
    nav: ['sidebar'],
    hasFuture: true,
    hides: (settings, root) => [
      ...byGlobs(settings, 'srcExclude', root),
      {
        reason: hidingReason('pagePatterns', settings),
        rules: globRules(
          settings.texts('pagePatterns').flatMap(glob => (/^!/.test(glob) ? glob.slice(1) : [])),
          root,
        ),
      },
    ],
  },
  {
    name: 'Hugo',
    sign: /(?:config\/_default\/(?:config|hugo)\.(?:toml|ya?ml|json)|hugo\.(?:toml|ya?ml|json)|config\.toml)/,
    roots: ['content/en', 'content'],
    rootsIn: settings => settings.texts('contentDir'),
    isWhole: true,
    variables: 'site.',
    nav: ['main'],
    isRelative: true,
    hides: settings => [
      {
        reason: hidingReason('ignoreFiles', settings),
        rules: patternRules(settings.texts('ignoreFiles'), settings.base),
      },
    ],
  },
  {
    name: 'Jekyll',
    sign: /_config\.ya?ml/,
    roots: ['./_pages', 'pages'],
    variables: 'site.',
    order: /(?:^|\/)navigation\.ya?ml$/,
    dated: /(?:^|\/)_posts\/(?:.*\/)?(\d{4}-\d\d-\d\d)-[^/]*$/,
    hides: jekyllHides,
  },
  {
    name: 'Quarto',
    sign: /_quarto\.ya?ml/,
    roots: [],
    nav: ['contents', 'chapters'],
    hasFuture: true,
    hides: (settings, root) => byGlobs(settings, 'render', root, glob => (/^!/.test(glob) ? glob.slice(1) : '')),
  },
  {
    name: 'mdBook',
    sign: /book\.toml/,
    roots: ['src'],
    isWhole: true,
    order: /(?:^|\/)SUMMARY\.md$/,
    isListed: true,
    parts: [[/(?:^|\/)SUMMARY\.md$/, 'a table of contents: pages have its order']],
  },
  {
    name: 'GitBook',
    sign: /\.gitbook\.yaml|book\.json|SUMMARY\.md/,
    roots: [],
    order: /(?:^|\/)SUMMARY\.md$/,
    parts: [[/(?:^|\/)SUMMARY\.md$/, 'a table of contents: pages have its order']],
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

/** The reason for what a setting keeps off the site. */
function hidingReason(key: string, { path }: Pick<Settings, 'path'>): string {
  return `not published: "${key}" in ${path}`
}

function byGlobs(settings: Settings, key: string, root: string, globOf = (text: string) => text): Hiding[] {
  return [{ reason: hidingReason(key, settings), rules: globRules(settings.texts(key).map(globOf), root) }]
}

function ignoredIn(calls: unknown): string[] {
  return found(calls, 'ignores.add')
    .flatMap(each => [each].flat())
    .filter(each => typeof each === 'string')
}
