import { basename, dirname, join } from 'node:path/posix'
import { foldersAbove } from '#brand/portable-paths.ts'
import { field, pick, withoutUndefined } from '#platform/base/object.ts'
import { inFormats } from '#platform/base/text.ts'
import type { Reason } from '../report/report.ts'
import { type Generator, withoutExportIds, withoutStarter } from './generators/generator.ts'
import { GENERATORS } from './generators/table.ts'
import { globRules, type Hiding, ignoreLines } from './ignore-rules.ts'
import { belowRoot, languageTag, sourceLanguages, splitLanguage } from './languages.ts'
import { builtFolders, isAbout, isCode, isPage } from './leave-out.ts'
import { type Order, readOrder } from './order.ts'
import { dataOf, inFolder, type Settings, settingsOf, textsOf } from './settings.ts'
import type { Entry } from './source.ts'

/** What the files of one source say about it as a whole. */
export type SiteFacts = {
  /** The program that makes a website of it; undefined if none is known. */
  generator?: Generator | undefined
  /** The file with its settings; empty if there is none. */
  settings: string
  /** The folder that is dropped from the paths of pages, such as `docs`; empty for none. */
  root: string
  /** All such folders. */
  roots: readonly string[]
  /** Where the site is, such as `https://brand.acme.example`. */
  origin?: string | undefined
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
  /** The values of template variables by name, such as `site.title`. */
  variables: ReadonlyMap<string, string>
  /** Whether pages with a date in the future are on the site. */
  hasFuture?: boolean
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

/** Reads the facts of all sources from their files. */
export async function siteFacts(entries: readonly Entry[]): Promise<SourceFacts> {
  const all = new Map<string, SiteFacts>()
  const written = entries.filter(({ rendition }) => !rendition)
  for (const [label, own] of Map.groupBy(written, entry => entry.label)) {
    const built = builtFolders(new Set(own.map(({ path }) => path)))
    const isBuilt = ({ path }: Entry) => foldersAbove(path).some(folder => built.has(folder))
    all.set(label, await factsOf(own.filter(entry => !isBuilt(entry))))
  }
  const none = await factsOf([])
  const first = [...all.values()].find(({ name }) => name !== undefined) ?? [...all.values()][0] ?? none
  const brand = await brandFacts(entries)
  const logos = [...first.logos, ...brand.logos]
  const isOnSite = entries.some(({ rendition }) => rendition === '')
  const named = { ...withoutUndefined(brand), ...pick(first, NAMED), logos, ...(isOnSite && { lang: undefined }) }
  const of = ({ label, rendition }: Entry) => {
    const own = all.get(label) ?? none
    // The pages of a build have the order of their menus.
    return rendition ? { ...own, ...NO_ORDER, root: rendition, roots: [rendition], generator: undefined } : own
  }
  return { of, named }
}

const NO_ORDER: Order = { order: new Map(), labels: new Map(), groups: new Map() }

const NAMED = ['name', 'description', 'contact', 'settings', 'darkLogos', 'icons', 'lang'] as const

/** The place of a page on its site: its path below the folder of the pages, and its language if there are several. */
export function placeOnSite(path: string, { root, roots, languages }: SiteFacts) {
  const split = splitLanguage(path, root, languages)
  if (split) return { ...split, isBelow: true }
  const folder = [root, ...roots].find(each => each !== '' && path.startsWith(`${each}/`))
  return { place: belowRoot(path, folder ?? ''), isBelow: folder !== undefined || root === '' }
}

/** Why a page is not on the site: its program makes only those in folders that this one is not in. */
export function outsideReason(path: string, facts: SiteFacts): Reason | undefined {
  const { generator, roots, publicRoots, settings } = facts
  const isServed = publicRoots.some(folder => folder !== '' && path.startsWith(`${folder}/`))
  const isOutside = generator?.isWhole && roots.length > 0 && !isServed && !placeOnSite(path, facts).isBelow
  const detail = `${roots.join(', ')} of ${settings}`
  return isOutside ? { reason: 'not published: it is outside of the folders of pages', detail } : undefined
}

/** What a `_brand.yml`, a `brand.json` (AdCP 3.1) or a `DESIGN.md` says; of several, the one nearest to the root. */
async function brandFacts(entries: readonly Entry[]): Promise<Pick<SiteFacts, 'name' | 'contact' | 'logos'>> {
  const depth = ({ path }: Entry) => path.split('/').length
  const files = entries.filter(({ path }) => /(?:^|\/)(?:_brand\.ya?ml|brand\.json)$|^DESIGN\.md$/.test(path))
  const [file] = files.sort((a, b) => depth(a) - depth(b))
  const data = file && (await dataOf(file))
  const values = new Map(textsOf(data, ''))
  const names = field(data, 'names')
  const [inLanguage] = textsOf(Array.isArray(names) ? names[0] : undefined, '')
  const path = join(dirname(file?.path ?? ''), values.get('logo.medium') ?? values.get('logo') ?? '?')
  return {
    name:
      ['meta.name', 'meta.name.full', 'house.name', 'name'].map(key => values.get(key)).find(Boolean) ??
      inLanguage?.[1],
    contact: addressOf(values.get('contact.email') ?? ''),
    logos: entries.flatMap(entry => (entry.path === path && PICTURE.test(path) ? [path] : [])),
  }
}

function addressOf(text: string): string | undefined {
  return /^[^\s@]+@[^\s@]+\.\w+$/.test(text) ? text : undefined
}

/** The folders that generators serve from the root of a site. */
const PUBLIC_ROOTS = ['static', 'public', '.vuepress/public', '.gitbook/assets', 'assets', 'docs', 'src']

/** The names of settings; the first that has a value counts. */
const KEYS = {
  root: ['docs_dir', 'contentDir', 'source', 'root', 'input', 'srcDir', 'book.src'],
  name: ['site_name', 'title', 'name', 'book.title', 'website.title'],
  description: ['site_description', 'description', 'tagline', 'book.description', 'params.description'],
  contact: ['email', 'contact', 'contact.email', 'author.email', 'params.email', 'extra.contact.email'],
  url: ['url', 'site_url', 'baseURL', 'siteUrl', 'site'],
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
  const { generator, entry, base } = signOf(entries)
  const data = entry && !isPage(entry.path) ? await dataOf(entry) : undefined
  const settings = settingsOf(entry?.path ?? '', base, data)
  const value = (key: keyof typeof KEYS) => withoutStarter(settings.text(KEYS[key]))
  const { root, roots } = rootsOf(entries, settings, generator)
  const publicRoots = PUBLIC_ROOTS.map(folder => inFolder(base, folder))
  const pictures = (key: keyof typeof PICTURES) => {
    const written = PICTURES[key].map(name => settings.text([name])).filter(Boolean)
    const places = written.flatMap(path => [base, root, ...publicRoots].map(folder => inFolder(folder, path)))
    return [...new Set(places)].filter(place => PICTURE.test(place) && entries.some(({ path }) => path === place))
  }
  const url = URL.parse(value('url'))
  const { pathname } = URL.parse(value('base') || (url?.pathname ?? ''), 'https://host') ?? { pathname: '' }
  const prefix = generator?.variables
  const ordered = await readOrder(entries, root, generator, settings)
  return {
    generator,
    settings: settings.path,
    root,
    roots,
    origin: url?.host ? url.origin : undefined,
    baseUrl: pathname.replace(/(?<!\/)\/+$/, ''),
    publicRoots: [...publicRoots, ...roots.slice(1)],
    name: value('name') || (generator?.rootOf && withoutExportIds(basename(root))) || undefined,
    description: value('description') || undefined,
    contact: addressOf(value('contact')),
    lang: languageTag(value('lang')),
    languages: sourceLanguages(entries, root, settings),
    logos: pictures('logos'),
    darkLogos: pictures('darkLogos'),
    icons: pictures('icons'),
    ...ordered,
    variables: new Map(prefix === undefined ? [] : textsOf(data, '').map(([name, text]) => [prefix + name, text])),
    hasFuture: generator?.hasFuture ?? ['future', 'buildFuture'].some(key => field(settings.data, key) === true),
    codeFolders: new Set(entries.flatMap(({ path }) => (isCode(path) ? dirname(path) : []))),
    hidings: await hidingsOf(entries, settings, { root, generator, ordered }),
  }
}

const PICTURE = inFormats('svg, png, jpg, jpeg, webp, avif, gif, ico')

/** The generator, the file that shows it, and the folder that this belongs to: of several, the first with pages. */
function signOf(entries: readonly Entry[]): { generator?: Generator; entry?: Entry; base: string } {
  for (const generator of GENERATORS) {
    const pattern = new RegExp(`(?:^${generator.isAtRoot ? '' : '|/'})(?:${generator.sign.source})$`)
    const found = entries.flatMap(entry => {
      const at = pattern.exec(entry.path)?.index
      return at === undefined ? [] : [{ generator, entry, base: entry.path.slice(0, at) }]
    })
    found.sort((a, b) => a.base.length - b.base.length)
    const hasPages = ({ base }: { base: string }) =>
      generator.roots.some(root => hasPage(entries, inFolder(base, root)))
    const best = found.find(hasPages) ?? found[0]
    if (best) return best
  }
  return { base: '' }
}

/** The folders of pages, the first of which has the home page. */
function rootsOf(entries: readonly Entry[], settings: Settings, generator: Generator | undefined) {
  const { base } = settings
  const pages = entries.map(({ path }) => path).filter(isPage)
  const top = generator?.rootOf?.(pages)
  const isProgram = entries.some(({ path }) => path === 'package.json')
  const named = [settings.text(KEYS.root), ...settings.texts(generator?.rootsIn ?? ''), ...(generator?.roots ?? [])]
  const folders = new Set(named.filter(Boolean).map(folder => inFolder(base, folder)))
  const roots = [...folders].filter(folder => hasPage(entries, folder))
  const written = top ?? roots[0] ?? (generator ? inFolder(base, '') : docsOf(pages))
  const root = written ?? (isProgram ? '' : siteIn(pages))
  return { root, roots: top === undefined ? roots : [] }
}

/** The folder `docs` if all pages are in it, apart from those about the repository. */
function docsOf(pages: readonly string[]): string | undefined {
  const others = pages.filter(path => !path.startsWith('docs/') && !isAbout(path))
  return others.length === 0 && others.length < pages.length ? 'docs' : undefined
}

/** The folder with the home page of a website, if no page apart from a README is above it; else none. */
function siteIn(pages: readonly string[]): string {
  const homes = pages.filter(path => /\/index\.html?$/i.test(path)).map(dirname)
  const [first = '', second] = homes.sort((a, b) => a.split('/').length - b.split('/').length)
  const isAlone = first.split('/').length < (second?.split('/').length ?? 100)
  return isAlone && !pages.some(path => /^(?!readme)[^/]*$/i.test(path)) ? first : ''
}

function hasPage(entries: readonly Entry[], folder: string): boolean {
  return entries.some(({ path }) => isPage(path) && path.startsWith(`${folder}/`))
}

/** Reads the rules by which ignore files, the generator, its settings and its lists of pages hide files. */
async function hidingsOf(
  entries: readonly Entry[],
  settings: Settings,
  { root, generator, ordered }: Pick<SiteFacts, 'root' | 'generator'> & { ordered: Order },
): Promise<Hiding[]> {
  const because = (key: string, path: string): Reason => ({
    reason: 'not published: its site says so',
    detail: `"${key}" in ${path}`,
  })
  const hidings: Hiding[] = []
  const [key, value] = generator?.hidesEntries ?? ['']
  for (const entry of entries) {
    const { path, read } = entry
    const folder = inFolder(dirname(path), '')
    if (key !== '' && generator?.order?.test(path)) {
      const hidden = Object.entries((await dataOf(entry)) ?? {}).filter(([, each]) => field(each, key) === value)
      const globs = hidden.flatMap(([name]) => [name, `${name}.{md,mdx}`])
      hidings.push({ ...because(key, path), rules: globRules(globs, folder) })
    }
    if (!IGNORE_FILES.test(path)) continue
    const text = await read(MAX_IGNORED).then(String, () => '')
    hidings.push({
      reason: 'not published: a file says what to ignore',
      detail: path,
      rules: ignoreLines(text, folder),
    })
  }
  for (const [key, rulesOf] of Object.entries(generator?.hides ?? {}))
    hidings.push({ ...because(key, settings.path), rules: rulesOf(settings, key, root) })
  if (generator?.partsIn !== undefined) {
    const rules = globRules(
      ['**/_*.{md,mdx}', '**/_*/**'],
      generator.partsIn === '' ? root : inFolder(settings.base, generator.partsIn),
    )
    hidings.push({ reason: 'a part of pages: its name begins with _', rules })
  }
  const built = inFolder(settings.base, settings.text(KEYS.built))
  if (built !== settings.base && !`${root}/`.startsWith(`${built}/`))
    hidings.push({ reason: 'build output', rules: globRules([built], '') })
  const listed = generator?.isListed ? [...ordered.order.keys()].map(path => `!${path}`) : []
  if (listed.length > 0) {
    const rules = globRules([`${root}/**/*.md`, '!**/SUMMARY.md', ...listed], '')
    hidings.push({ reason: 'not published: its table of contents does not have it', rules })
  }
  return hidings
}

const IGNORE_FILES = /(?:^|\/)\.(?:git|eleventy)ignore$/
const MAX_IGNORED = 1 << 20
