import { dirname, join } from 'node:path/posix'
import { parse as parseToml } from 'smol-toml'
import { parse } from 'yaml'
import { foldersAbove } from '#brand/portable-paths.ts'
import { splitFrontMatter } from '#intake/pages/front-matter.ts'
import { field, isObject, parsedJson, pick, withoutUndefined } from '#platform/base/object.ts'
import { isPage, withoutExtension } from './leave-out.ts'
import type { Entry } from './source.ts'

/** What the files of one source say about it as a whole. */
export type SiteFacts = {
  /** The program that makes a website of it; undefined if none is known. */
  generator?: (typeof GENERATORS)[number][0] | undefined
  /** The folder that is dropped from the paths of pages, such as `docs`; empty for none. */
  root: string
  /** Where the site is, such as `https://brand.acme.example`. */
  origin?: string | undefined
  /** The path before all addresses of the site, such as `/brand`; empty for none. */
  baseUrl: string
  /** The folders that are at the root of the site, such as `static`, in the order in which an address is looked up. */
  publicRoots: readonly string[]
  name?: string | undefined
  contact?: string | undefined
  /** A path in the source. */
  logo?: string | undefined
  /** The order of pages and folders by path in the source. */
  order: ReadonlyMap<string, number>
  /** The names of pages and folders in the navigation by path in the source. */
  labels: ReadonlyMap<string, string>
  /** The values of template variables by name, such as `site.title`. */
  variables: ReadonlyMap<string, string>
}

/** The facts of each source, and those of the first that has a name. */
export type SourceFacts = { of: (entry: Entry) => SiteFacts; named: Pick<SiteFacts, 'name' | 'contact' | 'logo'> }

/** Reads the facts of all sources from their files. */
export async function siteFacts(entries: readonly Entry[]): Promise<SourceFacts> {
  const all = new Map<string, SiteFacts>()
  for (const [label, own] of Map.groupBy(entries, entry => entry.label)) all.set(label, await factsOf(own))
  const none = await factsOf([])
  return {
    of: ({ label }) => all.get(label) ?? none,
    named: {
      ...withoutUndefined(await brandFacts(entries)),
      ...withoutUndefined(pick([...all.values()].find(({ name }) => name !== undefined) ?? none, NAMED)),
    },
  }
}

const NAMED = ['name', 'contact', 'logo'] as const

/** What a `_brand.yml`, a `brand.json` (AdCP 3.1) or a `DESIGN.md` says; of several, the one nearest to the root. */
async function brandFacts(entries: readonly Entry[]): Promise<SourceFacts['named']> {
  const depth = ({ path }: Entry) => path.split('/').length
  const files = entries.filter(({ path }) => /(?:^|\/)(?:_brand\.ya?ml|brand\.json)$|^DESIGN\.md$/.test(path))
  const [file] = files.sort((a, b) => depth(a) - depth(b))
  const data = file && (await dataOf(file))
  const values = new Map(flat(data, ''))
  const names = field(data, 'names')
  const [inLanguage] = flat(Array.isArray(names) ? names[0] : undefined, '')
  const path = join(dirname(file?.path ?? ''), values.get('logo.medium') ?? values.get('logo') ?? '?')
  return {
    name:
      ['meta.name', 'meta.name.full', 'house.name', 'name'].map(key => values.get(key)).find(Boolean) ??
      inLanguage?.[1],
    contact: addressOf(values.get('contact.email') ?? ''),
    logo: entries.find(entry => entry.path === path && PICTURE.test(path))?.path,
  }
}

function addressOf(text: string): string | undefined {
  return /^[^\s@]+@[^\s@]+\.\w+$/.test(text) ? text : undefined
}

/** The settings file that shows a generator, the folders of its pages, and how pages name its settings. */
type Row = readonly [generator: string, settings: RegExp, roots: readonly string[], variables?: string]

/** The first row with a file counts. Folders are relative to that of the settings; the first with a page counts. */
const GENERATORS = [
  ['docusaurus', /docusaurus\.config\.[cm]?[jt]s/, ['docs', 'src/pages']],
  ['starlight', /astro\.config\.[cm]?[jt]s/, ['src/content/docs', 'src/content', 'src/pages', 'content']],
  ['mkdocs', /mkdocs\.ya?ml/, ['docs'], 'config.'],
  ['gatsby', /gatsby-config\.[cm]?[jt]s/, ['src/pages', 'content', 'docs', 'src/content']],
  ['next', /next\.config\.[cm]?[jt]s/, ['pages', 'src/pages', 'app', 'src/app', 'content']],
  ['eleventy', /(?:\.eleventy|eleventy\.config)\.[cm]?[jt]s/, ['src', 'content', 'docs', 'pages']],
  ['vuepress', /\.(?:vuepress|vitepress)\/config(?:\/(?:index|shared))?\.[cm]?[jt]s/, []],
  ['hugo', /(?:config\/_default\/)?(?:hugo\.(?:toml|ya?ml|json)|config\.toml)/, ['content/en', 'content'], 'site.'],
  ['jekyll', /_config\.ya?ml/, ['./_pages', 'pages'], 'site.'],
  ['gitbook', /\.gitbook\.yaml|book\.json|book\.toml|SUMMARY\.md/, []],
  ['obsidian', /\.obsidian\/[\w-]+\.json/, []],
  ['notion', /[^/]* [0-9a-f]{32}\.(?:md|html)/, []],
  ['confluence', /[^/]*_\d{3,}\.html/, []],
  ['google-docs', /images\/image\d+\.\w+/, []],
] as const satisfies readonly Row[]

/** The folders that generators serve from the root of a site. */
const PUBLIC_ROOTS = ['static', 'public', '.vuepress/public', '.gitbook/assets', 'assets', 'docs', 'src']

/** The names of settings; the first that has a value counts. */
const KEYS = {
  root: ['docs_dir', 'contentDir', 'source', 'root', 'input', 'srcDir', 'book.src'],
  name: ['site_name', 'title', 'name', 'book.title'],
  contact: ['email', 'contact', 'contact.email', 'author.email', 'params.email', 'extra.contact.email'],
  logo: ['theme.logo', 'logo', 'logo.src', 'params.logo'],
  url: ['url', 'site_url', 'baseURL', 'siteUrl'],
  base: ['baseurl', 'baseUrl', 'base', 'pathPrefix'],
} as const

/** Reads the settings of a source. */
async function factsOf(entries: readonly Entry[]): Promise<SiteFacts> {
  const { row: [generator, , roots = [], prefix] = [], entry, base } = settingsOf(entries)
  const data = entry && !isPage(entry.path) ? await dataOf(entry) : undefined
  const values = new Map(flat(data, ''))
  const value = (key: keyof typeof KEYS) => KEYS[key].map(name => values.get(name)).find(text => text) ?? ''
  const inBase = (path: string) => join(base, path).replace(/^\.\/?|\/$/g, '')
  const top = generator === 'notion' ? notionRoot(entries) : undefined
  const folders = [value('root'), ...roots].filter(Boolean).map(inBase)
  const root = top ?? folders.find(folder => hasPage(entries, folder)) ?? inBase('')
  const publicRoots = PUBLIC_ROOTS.map(inBase)
  const logos = [base, root, ...publicRoots].map(folder => join(folder, value('logo')).replace(/^\//, ''))
  const url = URL.parse(value('url'))
  const { pathname } = URL.parse(value('base') || (url?.pathname ?? ''), 'https://host') ?? { pathname: '' }
  return {
    generator,
    root,
    origin: url?.host ? url.origin : undefined,
    baseUrl: pathname.replace(/\/+$/, ''),
    publicRoots,
    name: value('name').slice(0, MAX_NAME) || top?.replaceAll(/^.*\/| [0-9a-f]{32}$/g, '') || undefined,
    contact: addressOf(value('contact')),
    logo: entries.find(({ path }) => logos.includes(path) && PICTURE.test(path))?.path,
    ...(await readOrder(entries, root, generator, field(data, 'nav'))),
    variables: new Map(prefix === undefined ? [] : Array.from(values, ([name, text]) => [prefix + name, text])),
  }
}

const PICTURE = /\.(?:svg|png|jpe?g|webp|avif|gif)$/i

/** The row of the generator, its settings file and the folder that this belongs to: of several, the first with pages. */
function settingsOf(entries: readonly Entry[]): {
  row?: (typeof GENERATORS)[number]
  entry?: Entry
  base: string
} {
  for (const row of GENERATORS) {
    const pattern = new RegExp(`(?:^|/)(?:${row[1].source})$`)
    const found = entries.flatMap(entry => {
      const at = pattern.exec(entry.path)?.index
      return at === undefined ? [] : [{ row, entry, base: entry.path.slice(0, at) }]
    })
    found.sort((a, b) => a.base.length - b.base.length)
    const hasPages = ({ base }: { base: string }) => row[2].some(root => hasPage(entries, join(base, root)))
    const best = found.find(hasPages) ?? found[0]
    if (best) return best
  }
  return { base: '' }
}

function hasPage(entries: readonly Entry[], folder: string): boolean {
  return entries.some(({ path }) => isPage(path) && path.startsWith(`${folder}/`))
}

/** The folder of the page above all others in an export of Notion, with its name there. */
function notionRoot(entries: readonly Entry[]): string | undefined {
  const pages = entries.map(({ path }) => path).filter(isPage)
  const tops = pages.map(path => path.replace(/\.\w+$/, ''))
  return tops.find(top => pages.every(path => path.startsWith(`${top}/`) || path.startsWith(`${top}.`)))
}

/**
 * The settings in a file; of a program, its first string for each name, and all strings of a sidebar as `nav`; of a
 * table of contents, its addresses as `nav`. Undefined if it cannot be read.
 */
async function dataOf({ path, read }: Entry): Promise<unknown> {
  try {
    const text = (await read(MAX_BYTES)).toString()
    if (path === 'DESIGN.md') return parse(splitFrontMatter(text).yaml ?? '', { logLevel: 'silent' })
    if (/\.(?:md|html)$/.test(path))
      return { nav: Array.from(text.matchAll(CONTENTS), ([, name = '', md, html]) => (md ? { [name]: md } : html)) }
    if (/\.json$/.test(path)) return parsedJson(text)
    if (/\.toml$/.test(path)) return parseToml(text)
    if (/\.(?:ya?ml|pages)$/.test(path)) return parse(text, { logLevel: 'silent' })
    const logo = /logo:\s*\{[^}]*?\bsrc:\s*(['"`])(.*?)\1/s.exec(text)?.[2]
    const strings = [...text.matchAll(/\b(\w+):\s*(['"`])(.*?)\2/g)].map(
      ([, name = '', , value]) => [name, value] as const,
    )
    const sidebar = text.slice(/(?:^|\/)sidebars\.\w+$/.test(path) ? 0 : text.search(/\bsidebar\b|$/))
    const nav = Array.from(sidebar.matchAll(/(['"`])([\w./ -]+)\1/g), ([, , address]) => address)
    return { ...Object.fromEntries([...strings.reverse(), ['logo.src', logo]]), nav }
  } catch {
    return undefined
  }
}

const MAX_BYTES = 1 << 20

/** An entry of a table of contents: `[Logo](logo.md)`, or the address in `<a href="Logo_65540.html">`. */
const CONTENTS = /\[([^\]\n]+)\]\(<?([^)>#\n]+\.md)|<a href="([^"#:]+\.html)"/g

/** The texts and numbers of settings by their names with dots. */
function flat(value: unknown, name: string): [name: string, text: string][] {
  if (isObject(value) && name.length < MAX_NAME)
    return Object.entries(value).flatMap(([key, inner]) => flat(inner, name === '' ? key : `${name}.${key}`))
  return typeof value === 'string' || typeof value === 'number' ? [[name, plainText(value)]] : []
}

const MAX_NAME = 200

function plainText(value: string | number): string {
  return String(value)
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME)
    .toWellFormed()
}

/** Files with the order of pages: of Docusaurus, MkDocs, GitBook and Confluence. */
const ORDER_FILE =
  /(?:^|\/)(?:sidebars\.[cm]?[jt]s|\.pages|navigation\.ya?ml|_category_\.(?:json|ya?ml)|SUMMARY\.md|index\.html)$/

/** The order and names in `nav` of the settings, whose paths begin at `root`, then in the files of folders. */
async function readOrder(
  entries: readonly Entry[],
  root: string,
  generator: SiteFacts['generator'],
  nav: unknown,
): Promise<Pick<SiteFacts, 'order' | 'labels'>> {
  const [order, labels] = [new Map<string, number>(), new Map<string, string>()]
  const pages = entries.map(({ path }) => path).filter(isPage)
  const places = new Map(pages.flatMap(foldersAbove).map(folder => [folder, folder]))
  for (const path of pages) places.set(pageName(path), path)
  const put = (path: string, label: unknown, position = order.size + 1) => {
    if (!order.has(path) && Math.abs(position) <= 1e6) order.set(path, position)
    const text = typeof label === 'string' ? plainText(label) : ''
    if (text !== '' && !labels.has(path)) labels.set(path, text)
  }
  const putAll = (folder: string, items: unknown, depth = 0): void => {
    for (const item of Array.isArray(items) && depth < MAX_DEPTH ? items : [])
      for (const [label, value] of isObject(item) ? Object.entries(item) : [[undefined, item] as const]) {
        const path = typeof value === 'string' ? places.get(pageName(join(folder, value))) : undefined
        if (path === undefined) putAll(folder, value, depth + 1)
        else put(path, label)
      }
  }
  putAll(root, nav)
  for (const entry of entries) {
    const { path } = entry
    if (!ORDER_FILE.test(path) || (path.endsWith('.html') && generator !== 'confluence')) continue
    const data = await dataOf(entry)
    const folder = dirname(path)
    putAll(/sidebars\.\w+$/.test(path) ? root : folder, field(data, 'nav'))
    put(folder, field(data, 'label'), Number(field(data, 'position') ?? Number.NaN))
  }
  return { order, labels }
}

/** A page by any of its addresses: `docs/logo.md`, `docs/logo/`, `docs/logo/index`. */
function pageName(path: string): string {
  return withoutExtension(path.replace(/\/$/, '')).replace(/\/(?:_?index|readme)$/i, '/index')
}

const MAX_DEPTH = 20
