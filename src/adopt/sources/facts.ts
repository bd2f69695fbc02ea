import { basename, dirname, join } from 'node:path/posix'
import { fileStem } from '#brand/file.ts'
import { foldersAbove } from '#brand/portable-paths.ts'
import { field, pick, withoutUndefined } from '#platform/base/object.ts'
import { settleAll } from '#platform/base/promise.ts'
import { inFormats, withoutLastSlash, wordSet } from '#platform/base/text.ts'
import type { Reason } from '../report/report.ts'
import { NO_GENERATOR, type SiteGenerator, withoutExportIds, withoutStarter } from './generators/generator.ts'
import { GENERATORS } from './generators/table.ts'
import { globRules, type Hiding, ignoreLines } from './ignore-rules.ts'
import { belowRoot, languageTag, sourceLanguages, splitLanguage } from './languages.ts'
import { isAbout, isCode, isPage } from './leave-out.ts'
import { type Order, readOrder, WHOLE_MENU } from './order.ts'
import { dataOf, inFolder, isBelow, type Settings, settingsOf, textsOf } from './settings.ts'
import { type Entry, renditionOf } from './source.ts'

/** What the files of one source say about it as a whole. */
export type SiteFacts = {
  /** The program that makes a website of it. */
  generator: SiteGenerator
  /** The file with its settings; empty if there is none. */
  settings: string
  /** The folder of a site whose pages and layouts are templates in Liquid; absent if they are not. */
  liquidBase?: string | undefined
  /** The folder that is dropped from the paths of pages, such as `docs`; empty for none. */
  root: string
  /** All such folders. */
  roots: readonly string[]
  /** Where the site is, such as `https://brand.acme.example`. */
  origin?: string | undefined
  /** The origin of the domain that a file names, such as `CNAME`. */
  domain?: string | undefined
  /** The path before all addresses of the site, such as `/brand`; empty for none. */
  baseUrl: string
  /** The folders that are at the root of the site, such as `static`, in the order in which an address is looked up. */
  publicRoots: readonly string[]
  name?: string | undefined
  description?: string | undefined
  contact?: string | undefined
  /** The language of the site. */
  lang?: string | undefined
  /** The codes of languages in paths, if there are several. */
  languages: ReadonlySet<string>
  /** Paths in the source, in the order of preference. */
  logos: readonly string[]
  darkLogos: readonly string[]
  icons: readonly string[]
  /** The main colour in the settings; empty if they name none. */
  color: string
  /** The values of template variables by name, such as `site.title`. */
  variables: ReadonlyMap<string, string>
  /** Whether pages with a date in the future are on the site. */
  hasFuture: boolean
  /** Folders with the code of a program. */
  codeFolders: ReadonlySet<string>
  /** What is not on the site. */
  hidings: readonly Hiding[]
} & Order

/** The facts of each source, and those of the first that has a name. */
export type SourceFacts = {
  of: (entry: Entry) => SiteFacts
  named: Pick<SiteFacts, (typeof NAMED)[number] | 'logos'>
}

/** Reads the facts of all sources from their files that no program made. */
export async function siteFacts(entries: readonly Entry[]): Promise<SourceFacts> {
  const all = new Map<string, SiteFacts>()
  for (const [label, own] of Map.groupBy(entries, entry => entry.label)) all.set(label, await factsOf(own))
  const none = await factsOf([])
  const [first = none] = [...all.values()].sort((a, b) => Number(b.name !== undefined) - Number(a.name !== undefined))
  const brand = await brandFacts(entries)
  const logos = [...first.logos, ...brand.logos]
  const isOnSite = entries.some(entry => renditionOf(entry).kind === 'site')
  const named = { ...withoutUndefined(brand), ...pick(first, NAMED), logos, ...(isOnSite && { lang: undefined }) }
  const of = (entry: Entry) => {
    const own = all.get(entry.label) ?? none
    const { kind, folder } = renditionOf(entry)
    // The pages of a build have the order of their menus.
    if (kind !== 'build') return own
    return { ...own, ...NO_ORDER, root: folder, roots: [folder], generator: NO_GENERATOR }
  }
  return { of, named }
}

const NO_ORDER: Order = { order: new Map(), labels: new Map(), groups: new Map(), menu: WHOLE_MENU }

const NAMED = ['name', 'description', 'contact', 'settings', 'darkLogos', 'icons', 'color', 'lang'] as const

/** The place of a page on its site: its path below the folder of the pages, and its language if there are several. */
export function placeOnSite(path: string, { root, roots, languages }: SiteFacts) {
  const split = splitLanguage(path, root, languages)
  if (split) return { ...split, isBelow: true }
  const folders = [root, ...roots].filter(folder => isBelow(path, folder))
  const [folder = ''] = folders
  return { place: belowRoot(path, folder), isBelow: folders.length > 0 }
}

/** An address of the site as a path from its root; any other one as it is. */
export function localAddress(address: string, { origin, domain }: Pick<SiteFacts, 'origin' | 'domain'>): string {
  const [own] = [origin, domain].filter(each => each !== undefined && `${address}/`.startsWith(`${each}/`))
  if (own === undefined) return address
  return address === own ? '/' : address.slice(own.length)
}

/** Whether an address begins with a scheme or a host, or is empty. */
export function isElsewhere(address: string): boolean {
  return address === '' || address.startsWith('//') || URL.canParse(address)
}

/** A path from the root of the site, without the one before all of its addresses. */
export function fromRoot(path: string, { baseUrl }: Pick<SiteFacts, 'baseUrl'>): string {
  return join('/', path === baseUrl ? '' : belowRoot(path, baseUrl)).slice(1)
}

/** Why a page is not on the site: its program makes only those in folders that this one is not in. */
export function outsideReason(path: string, facts: SiteFacts): Reason | undefined {
  const { generator, roots, publicRoots, settings } = facts
  const isServed = publicRoots.some(folder => path.startsWith(`${folder}/`))
  const isOutside = generator.isWhole && roots.length > 0 && !isServed && !placeOnSite(path, facts).isBelow
  const detail = `${roots.join(', ')} of ${settings}`
  return isOutside ? { reason: 'not published: it is outside of the folders of pages', detail } : undefined
}

/** What a `_brand.yml`, a `brand.json` (AdCP 3.1) or a `DESIGN.md` says; of several, the one nearest to the root. */
async function brandFacts(entries: readonly Entry[]): Promise<Pick<SiteFacts, 'name' | 'contact' | 'logos'>> {
  const depth = ({ path }: Entry) => path.split('/').length
  const files = entries
    .filter(({ path }) => path === 'DESIGN.md' || BRAND_FILES.has(basename(path)))
    .sort((a, b) => depth(a) - depth(b))
  const [data] = await settleAll(files.slice(0, 1).map(dataOf))
  const [folder = ''] = files.map(({ path }) => dirname(path))
  const { text } = settingsOf('', '', data)
  const [[, inLanguage] = []] = textsOf(field(data, 'names'), '', true)
  return {
    name: text(['meta.name', 'meta.name.full', 'house.name', 'brand.name', 'name']) || inLanguage,
    contact: addressOf(text(['contact.email'])),
    logos: picturesAt([inFolder(folder, text(['logo.medium', 'logo']))], entries),
  }
}

const BRAND_FILES = wordSet('_brand.yml _brand.yaml brand.json')

function addressOf(text: string): string | undefined {
  return /^[^\s@]+@[^\s@]+\.\w+$/.test(text) ? text : undefined
}

/** The pictures of a source among these paths, in their order. */
function picturesAt(paths: readonly string[], entries: readonly Entry[]): string[] {
  const files = new Set(entries.map(({ path }) => path))
  return [...new Set(paths)].filter(path => PICTURE.test(path) && files.has(path))
}

const INDEXES = wordSet('index.html index.htm')
const PICTURE = inFormats('svg, png, jpg, jpeg, webp, avif, gif, ico')

/** The folders that generators serve from the root of a site. */
const PUBLIC_ROOTS = ['static', 'public', '.vuepress/public', '.gitbook/assets', 'assets', 'docs', 'src']

/** The names of settings; the first that has a value counts. */
const KEYS = {
  root: ['docs_dir', 'contentDir', 'source', 'root', 'input', 'srcDir', 'book.src'],
  name: ['site_name', 'siteTitle', 'title', 'name', 'book.title', 'website.title'],
  description: ['site_description', 'description', 'tagline', 'book.description', 'params.description'],
  contact: ['email', 'contact', 'contact.email', 'author.email', 'params.email', 'extra.contact.email'],
  url: ['url', 'site_url', 'baseURL', 'siteUrl', 'site'],
  color: ['themeColor', 'themeConfig.themeColor', 'brandColor', 'theme-color', 'theme_color', 'params.themeColor'],
  base: ['baseurl', 'baseUrl', 'base', 'pathPrefix'],
  lang: 'theme.language theme.locale i18n.defaultLocale defaultLocale defaultContentLanguage languageCode default_lang lang book.language siteLanguage locale language'.split(
    ' ',
  ),
  built: ['site_dir', 'publishDir', 'destination', 'outDir', 'dest'],
} as const

/** The names of settings with pictures, in the order of preference. */
const PICTURES = {
  logos: ['navbar.logo.src', 'theme.logo', 'logo.src', 'logo.light', 'logo', 'params.logo'],
  darkLogos: ['navbar.logo.srcDark', 'logo.srcDark', 'logo.dark', 'logo_dark', 'params.logo_dark'],
  icons: ['theme.favicon', 'favicon', 'icon', 'params.favicon', 'book.favicon'],
} as const

/** Reads the settings of a source. */
async function factsOf(entries: readonly Entry[]): Promise<SiteFacts> {
  const { generator, files, base } = signOf(entries)
  const [data] = await settleAll(files.filter(({ path }) => !isPage(path)).map(dataOf))
  const [path = ''] = files.map(file => file.path)
  const settings = settingsOf(path, base, data)
  const value = (key: keyof typeof KEYS) => withoutStarter(settings.text(KEYS[key]))
  const { root, roots, top } = rootsOf(entries, settings, generator)
  const publicRoots = PUBLIC_ROOTS.map(folder => inFolder(base, folder))
  const pictures = (key: keyof typeof PICTURES) => {
    const written = PICTURES[key].map(name => settings.text([name])).filter(Boolean)
    const folders = [base, root, ...publicRoots]
    const paths = written.flatMap(path => folders.map(folder => inFolder(folder, path)))
    return picturesAt(paths, entries)
  }
  const { host, origin, pathname } = URL.parse(value('url')) ?? NO_URL
  const { pathname: prefix } = URL.parse(value('base') || pathname, 'https://host') ?? NO_URL
  const ordered = await readOrder(entries, root, generator, settings)
  return {
    generator,
    settings: path,
    liquidBase: isLiquid(generator, entries) ? base : undefined,
    root,
    roots,
    origin: host === '' ? undefined : origin,
    domain: await domainOf(entries),
    baseUrl: withoutLastSlash(prefix),
    publicRoots: [...publicRoots, ...roots.slice(1)],
    name: [value('name'), top].find(Boolean),
    description: [value('description')].find(Boolean),
    contact: addressOf(value('contact')),
    lang: languageTag(value('lang')),
    languages: sourceLanguages(entries, root, settings),
    logos: pictures('logos'),
    darkLogos: pictures('darkLogos'),
    icons: pictures('icons'),
    color: value('color'),
    ...ordered,
    variables: await variablesOf(entries, settings, generator, root),
    hasFuture: generator.hasFuture || ['future', 'buildFuture'].some(key => field(settings.data, key) === true),
    codeFolders: new Set(entries.filter(isOfProgram).map(({ path }) => dirname(path))),
    hidings: await hidingsOf(entries, settings, { root, roots, generator, ordered }),
  }
}

function isOfProgram({ path }: Entry): boolean {
  return isCode(path) || SHEETS.test(path)
}

const SHEETS = inFormats('scss, sass, less, styl')

const NO_URL = { host: '', origin: '', pathname: '' }

/** Files with the domain of a site at a host of repositories, in lower case. */
export const CNAMES = wordSet(
  'cname docs/cname public/cname static/cname src/cname source/cname content/cname site/cname',
)

async function domainOf(entries: readonly Entry[]): Promise<string | undefined> {
  const files = entries.filter(({ path }) => CNAMES.has(path.toLowerCase())).slice(0, 1)
  const [text = ''] = await settleAll(files.map(({ read }) => read(MAX_DOMAIN).then(String, () => '')))
  return DOMAIN.test(text.trim()) ? `https://${text.trim()}` : undefined
}

const MAX_DOMAIN = 1 << 10
const DOMAIN = /^[\w-]{1,63}(?:\.[\w-]{1,63}){1,9}$/

/** The values that templates can name: settings, then those in other files, whose names are steps. */
async function variablesOf(
  entries: readonly Entry[],
  { base, data }: Settings,
  { variables, values: [path, front] }: SiteGenerator,
  root: string,
): Promise<Map<string, string>> {
  const named = Object.entries(variables).flatMap(([before, setting]) => {
    const start = setting === '' ? data : field(data, setting)
    return textsOf(start, '').map(([name, text]) => [before + name, text] as const)
  })
  const places = path === '' ? [] : [inFolder(base, path), inFolder(root, path)]
  const files = entries.filter(entry => places.some(place => entry.path === place || isBelow(entry.path, place)))
  const others = await settleAll(
    files.slice(0, MAX_VALUE_FILES).map(async entry => {
      const step = places.includes(entry.path) ? '' : fileStem(entry.path)
      return textsOf(await dataOf(entry), step).map(([name, text]) => [front + name, text] as const)
    }),
  )
  return new Map([...named, ...others.flat()])
}

const MAX_VALUE_FILES = 50

/** Whether a generator reads Liquid; one without settings has layouts. */
function isLiquid(generator: SiteGenerator, entries: readonly Entry[]): boolean {
  return generator.isLiquid || (generator === NO_GENERATOR && entries.some(({ path }) => path.startsWith('_layouts/')))
}

/** The generator, its file with settings if any, and the folder that this belongs to: of several, the first with pages. */
function signOf(entries: readonly Entry[]): { generator: SiteGenerator; files: readonly Entry[]; base: string } {
  for (const row of GENERATORS) {
    const generator = { ...NO_GENERATOR, ...row }
    const signs = entries
      .flatMap(entry => row.sign(entry.path).map(base => ({ generator, files: [entry], base })))
      .sort((a, b) => a.base.length - b.base.length)
    const hasPages = ({ base }: { base: string }) =>
      generator.roots.some(root => hasPage(entries, inFolder(base, root)))
    const [best] = [...signs.filter(hasPages), ...signs]
    if (best) {
      const settings = entries.filter(({ path }) => path === inFolder(best.base, generator.settings))
      return { ...best, files: [...settings, ...best.files] }
    }
  }
  return { generator: NO_GENERATOR, files: [], base: '' }
}

/** The folders of pages, the first of which has the home page, and the name of one that is the root by itself. */
function rootsOf(entries: readonly Entry[], settings: Settings, generator: SiteGenerator) {
  const { base } = settings
  const pages = entries.map(({ path }) => path).filter(isPage)
  const tops = [generator.rootOf(pages)].filter(top => top !== undefined)
  const named = [settings.text(KEYS.root), ...settings.texts(generator.rootsIn), ...generator.roots]
  const folders = new Set(named.filter(Boolean).map(folder => inFolder(base, folder)))
  const roots = tops.length > 0 ? [] : [...folders].filter(folder => hasPage(entries, folder))
  const others = generator === NO_GENERATOR ? guessedRoots(pages, entries) : [inFolder(base, '')]
  const [found = ''] = [...tops, ...roots, ...others]
  const isOfCollections = generator.collections.some(folder => inFolder(base, folder) === found)
  const root = isOfCollections ? onlyCollection(found, pages) : found
  return { root, roots, top: tops.map(top => withoutExportIds(basename(top))).join('') }
}

/** The only folder with pages in a folder of collections, or that one if there are several. */
function onlyCollection(folder: string, pages: readonly string[]): string {
  const inside = pages.filter(path => isBelow(path, folder)).map(path => belowRoot(path, folder).split('/'))
  const names = new Set(inside.map(steps => steps.slice(0, -1).slice(0, 1).join()))
  return names.size === 1 ? inFolder(folder, [...names].join()) : folder
}

/**
 * The folder of the pages of a source without settings: the usual one, or one with a home page, that has all, apart from
 * those about the repository; unless it is a program, the one with the home page of a website, if no page apart from a README is above it.
 */
function guessedRoots(pages: readonly string[], entries: readonly Entry[]): string[] {
  const isAllIn = (folder: string) => pages.every(path => path.startsWith(`${folder}/`) || isAbout(path))
  const isHome = (path: string) => INDEXES.has(basename(path).toLowerCase()) && path.includes('/')
  const homes = pages.filter(isHome).map(dirname)
  const mayBeRoot = (folder: string) => CONTENT.has(basename(folder)) || homes.includes(folder)
  const folders = [...new Set(pages.flatMap(foldersAbove))].filter(mayBeRoot)
  const whole = folders.filter(isAllIn).sort((a, b) => b.length - a.length)
  if (whole.length > 0) return whole
  const isProgram = entries.some(({ path }) => path === 'package.json')
  const [top = []] = [...Map.groupBy(homes, folder => folder.split('/').length)]
    .sort(([a], [b]) => a - b)
    .map(([, same]) => same)
  const hasPageAbove = pages.some(path => !path.includes('/') && !isAbout(path) && !isNote(path))
  return isProgram || hasPageAbove || top.length > 1 ? [] : top
}

/** Whether the name of a page is in capitals, as those of notes about a repository are. */
function isNote(path: string): boolean {
  const name = fileStem(path)
  return name === name.toUpperCase() && name !== name.toLowerCase()
}

const CONTENT = wordSet('docs pages content')

function hasPage(entries: readonly Entry[], folder: string): boolean {
  return entries.some(({ path }) => isPage(path) && path.startsWith(`${folder}/`))
}

/** Reads the rules by which ignore files, the generator, its settings and its lists of pages hide files. */
async function hidingsOf(
  entries: readonly Entry[],
  settings: Settings,
  { root, roots, generator, ordered }: Pick<SiteFacts, 'root' | 'roots' | 'generator'> & { ordered: Order },
): Promise<Hiding[]> {
  const because = (key: string, path: string): Reason => ({
    reason: 'not published: its site says so',
    detail: `"${key}" in ${path}`,
  })
  const [key, value] = generator.hidesEntries
  const inFolders = entries.filter(({ path }) => generator.order.has(basename(path)))
  const hiddenIn = async (entry: Entry): Promise<Hiding> => {
    const items = Object.entries((await dataOf(entry)) ?? {})
    const hidden = items.filter(([, each]) => field(each, key) === value)
    const globs = hidden.flatMap(([name]) => [name, `${name}.{md,mdx}`])
    return { ...because(key, entry.path), rules: globRules(globs, inFolder(dirname(entry.path), '')) }
  }
  const ignoredBy = async ({ path, read }: Entry): Promise<Hiding> => {
    const text = await read(MAX_IGNORED).then(String, () => '')
    const rules = ignoreLines(text, inFolder(dirname(path), ''))
    return { reason: 'not published: a file says what to ignore', detail: path, rules }
  }
  const bySettings = Object.entries(generator.hides).map(([key, rulesOf]) => ({
    ...because(key, settings.path),
    rules: rulesOf(settings, key, root),
  }))
  const partFolders = generator.hasParts ? roots : []
  const output = [inFolder(settings.base, settings.text(KEYS.built))]
  const outside = output.filter(folder => folder !== settings.base && !`${root}/`.startsWith(`${folder}/`))
  const listed = generator.isListed ? [...ordered.order.keys()].map(path => `!${path}`) : []
  const unlisted = listed.length > 0 ? [`${root}/**/*.md`, '!**/SUMMARY.md', ...listed] : []
  const hidings = [
    ...(await settleAll(inFolders.map(hiddenIn))),
    ...(await settleAll(entries.filter(({ path }) => IGNORE_FILES.has(basename(path))).map(ignoredBy))),
    ...bySettings,
    {
      reason: 'a part of pages: its name begins with _',
      rules: partFolders.flatMap(folder => globRules(PARTS, folder)),
    },
    { reason: 'build output', rules: globRules(outside, '') },
    { reason: 'not published: its table of contents does not have it', rules: globRules(unlisted, '') },
  ]
  return hidings.filter(({ rules }) => rules.length > 0)
}

const IGNORE_FILES = wordSet('.gitignore .eleventyignore')
const MAX_IGNORED = 1 << 20
const PARTS = ['**/_*.{md,mdx}', '**/_*/**']
