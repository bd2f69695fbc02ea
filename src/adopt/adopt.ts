import { stringify } from 'yaml'
import type { Color } from '#brand/color.ts'
import { foldersAbove, openPathAllocator, safeName } from '#brand/portable-paths.ts'
import { Unreadable } from '#intake/folder/unreadable.ts'
import { errorMessage, OperationalError } from '#platform/base/error.ts'
import { settleAll } from '#platform/base/promise.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { groupsOf, inFormats } from '#platform/base/text.ts'
import { describeProject } from './describe.ts'
import { openConverter } from './documents/converter.ts'
import { type Includes, includedBy, placeParts, readIncludes } from './pages/includes.ts'
import { PALETTE_LINK, PALETTE_PATH } from './pages/markup.ts'
import type { PageFacts, PageKind } from './pages/page.ts'
import { addNotes, noNotes, offPage, proveComplete, type Report, withoutInner } from './report/report.ts'
import { byLanguage, planTranslations, type Translation } from './site/by-language.ts'
import { publishedPages } from './site/hidden-pages.ts'
import { identify } from './site/identity.ts'
import { type FilePlan, linkPages } from './site/links.ts'
import { type PagePlan, planPages, type SourcePage } from './site/page-paths.ts'
import { withoutRunning } from './site/running-blocks.ts'
import { withShownOrder } from './site/shown-order.ts'
import { siteAddress } from './site/site-address.ts'
import { titlePages } from './site/titles.ts'
import { weighWords } from './site/words.ts'
import { placeOnSite, type SiteFacts, type SourceFacts, siteFacts } from './sources/facts.ts'
import { withoutExportIds } from './sources/generators/generator.ts'
import { excludedBy, isTemplate, sortOut, withoutStyles } from './sources/leave-out.ts'
import {
  bytesEntry,
  type Entry,
  type Listing,
  type NewFile,
  type NewText,
  shownPath as shown,
} from './sources/source.ts'
import { type AdoptedValues, adoptValues, mayHaveStyles, paletteNames, sheetsOf } from './values.ts'

export type AdoptOptions = {
  /** The folder of the project. */
  project: string
  /** The title of the new guide if the source has none. */
  title: string
  /** The groups of tokens to take; all if empty. */
  groups: readonly string[]
  /** Globs of files to leave out. */
  exclude: readonly string[]
  /** Whether what the sources do not publish is taken, too. */
  withHidden: boolean
  /** Today in UTC. */
  today: string
  signal: AbortSignal
  /** Called with each step that may take long. */
  progress: (step: string, done: number, total: number) => void
}

type ConvertOptions = AdoptOptions & { palettes: readonly string[] }

/**
 * Makes one project of the files of sources, and one for each further language of its pages, and adds to the report.
 *
 * Pages are planned first, because colours come in the order in which pages are shown. Then styles are taken, because a
 * file is merged if its styles are. Links come last, because a merged file that a page offers is kept as a download.
 */
export async function adopt(listings: readonly Listing[], report: Report, options: AdoptOptions): Promise<NewFile[]> {
  const { project } = options
  const source = await readAll(listings, options)
  const { plans, listed, notes } = planPages(source.languages.main)
  const translations = planTranslations(source.languages.others, plans)
  const values = await takeValues(source, plans, options)
  const sorted = sortFiles(source, [plans, ...translations.map(each => each.plans)].flat(), values)
  const { colors, types } = values.styles
  const targets = [...sorted.places, ...palettePlaces(plans, colors)]
  const linked = linkPages(withPalettes(plans, values.merged), targets)
  const kept = keptFiles(sorted, linked.used)
  const identity = identify(plans, source.pages, source.facts, {
    title: options.title,
    lang: source.languages.lang,
    styles: values.styles,
  })
  const described = await describeProject(kept.files, values.styles, {
    ...source.facts.named,
    ...identity,
    listed,
    faces: values.faces,
    pages: plans,
    all: source.all,
    signal: options.signal,
  })
  const offPages = [values.notes, described.notes].map(offPage)
  const onPages = [notes, kept.notes, identity.notes, linked.notes, ...plans.map(({ page }) => page.notes)]
  for (const each of [...offPages, ...onPages]) addNotes(report, each)
  tellUnplaced(report, project, source, sorted.leftOut, kept.merged)
  const texts = writeProject(
    {
      project,
      placed: [...plans, ...kept.files.filter(file => !sorted.media.has(file.entry))],
      texts: [...described.texts, ...textsAt(plans, linked.texts)],
      colors: colors.length,
      types: types.length,
      files: kept.files.length,
    },
    report,
  )
  const original = { plans, places: sorted.places, translationOf: project, name: identity.name }
  const translated = translations.flatMap(each => writeTranslation(each, original, report))
  proveComplete(report, source.all.map(shown))
  await addAccount(report, source, [...textsAt(plans, linked.texts), ...translated], options)
  return [...texts, ...translated, ...kept.files.map(({ entry, to }) => ({ to: `${project}/${to}`, content: entry }))]
}

type Source = Awaited<ReturnType<typeof readAll>>

/** Adds what became of the words of the source, and where readers see it. */
async function addAccount(
  report: Report,
  { all, facts }: Source,
  texts: readonly NewText[],
  { exclude }: AdoptOptions,
): Promise<void> {
  const pages = texts.filter(({ to }) => to.endsWith('.md')).map(({ content }) => content)
  report.account = await weighWords({ report, entries: all, pages, excluded: new Set(exclude.map(excludedBy)) })
  report.site = await siteAddress(all, facts)
}

/** Adds the rows of files without a place. */
function tellUnplaced(
  report: Report,
  project: string,
  { leftOut, unread }: Pick<Source, 'leftOut' | 'unread'>,
  files: Sorted['leftOut'],
  merged: Iterable<readonly [Entry, string]>,
): void {
  report.leftOut.push(...leftOut)
  for (const { entry, reason } of [...unread, ...files]) report.leftOut.push({ path: shown(entry), reason })
  for (const [entry, into] of merged) report.merged.push({ from: shown(entry), into: `${project}/${into}` })
}

/** The styles of files, and of tables on pages in the order of the menu: the first colour may become the accent. */
function takeValues(
  { entries }: Pick<Source, 'entries'>,
  plans: readonly PagePlan[],
  options: AdoptOptions,
): Promise<AdoptedValues> {
  const placeOf = ({ page }: PagePlan) => page.meta.order ?? Number.MAX_VALUE
  const shownFirst = plans.toSorted((a, b) => placeOf(a) - placeOf(b))
  const tables = shownFirst.flatMap(({ entry, page }) => page.tables.map(table => ({ shownPath: shown(entry), table })))
  return adoptValues([...entries.filter(mayHaveStyles), ...sheetsOf(plans)], tables, options)
}

/** The places of files that are not pages, and why others have none. */
type Sorted = {
  /** Files whose content is on a page or in the styles, with the file of the project that has it. */
  merged: ReadonlyMap<Entry, string>
  /** The places of all files that may be downloads, also of merged ones, since a page may offer them. */
  places: FilePlan[]
  /** The pictures inside pages, such as a Word document's. */
  media: ReadonlySet<Entry>
  leftOut: { entry: Entry; reason: string }[]
}

function sortFiles(
  { entries, pages, includes }: Source,
  plans: readonly PagePlan[],
  values: Pick<AdoptedValues, 'merged' | 'leftOut'>,
): Sorted {
  const files = entries.filter(entry => !pageKind(entry))
  const inPages = placeParts(includes, plans, entries)
  const inStyles = values.merged.filter(({ entry }) => files.includes(entry))
  const merged = new Map([...inPages.merged, ...inStyles.map(({ entry, into }) => [entry, into] as const)])
  const others = files
    .filter(entry => !merged.has(entry))
    .map(entry => ({ entry, reason: values.leftOut.get(entry) ?? noFile(entry) ?? '' }))
  const { free = [], refused = [] } = Object.groupBy(others, ({ reason }) => (reason === '' ? 'free' : 'refused'))
  const picturesOf = ({ entry: { path, label }, page }: SourcePage) =>
    page.pictures.map(({ name, bytes }) => bytesEntry({ path: `${path}/@media/${name}`, label }, bytes))
  const media = new Set(pages.flatMap(picturesOf))
  const mergedFiles = [...merged.keys()].filter(entry => !pageKind(entry))
  const places = placeFiles([...free.map(({ entry }) => entry), ...media, ...mergedFiles])
  return { merged, media, places, leftOut: [...inPages.unused, ...refused] }
}

/** The files of the project. A merged file is one of them only if a page offers it as a download; the report has it. */
function keptFiles({ places, merged }: Sorted, used: ReadonlySet<string>) {
  const files = places.filter(({ entry, to }) => !merged.has(entry) || used.has(to))
  const keptEntries = new Set(files.map(({ entry }) => entry))
  const { offered = [], gone = [] } = Object.groupBy(merged, ([entry]) => (keptEntries.has(entry) ? 'offered' : 'gone'))
  const what = 'styles of a download'
  const converted = offered.map(([entry, became]) => ({ path: shown(entry), line: 1, what, became }))
  return { files, merged: gone, notes: { ...noNotes(), converted } }
}

function textsAt(plans: readonly PagePlan[], texts: readonly string[]): NewText[] {
  return plans.map(({ to }, at) => ({ to, content: texts[at] ?? '' }))
}

type Project = Omit<Report['projects'][number], 'pages'> & { placed: readonly FilePlan[]; texts: readonly NewText[] }

/** The texts of a project at their places in the new folder, with its rows of the report. */
function writeProject({ project, placed, texts, ...counts }: Project, report: Report): NewText[] {
  for (const { entry, to } of placed) report.placed.push({ from: shown(entry), to: `${project}/${to}` })
  report.projects.push({ project, pages: texts.filter(({ to }) => to.startsWith('pages/')).length, ...counts })
  return texts.map(({ to, content }) => ({ to: `${project}/${to}`, content }))
}

/** A project with the pages in another language, which has the files and styles of its original. */
function writeTranslation(
  { lang, plans, notes }: Translation,
  { places, ...original }: { plans: PagePlan[]; places: FilePlan[]; translationOf: string; name: string },
  report: Report,
): NewText[] {
  const linked = linkPages(plans, places, original.plans)
  for (const each of [notes, linked.notes]) addNotes(report, each)
  const { name, translationOf } = original
  const settings = stringify({ name, lang, translationOf, visibility: 'private' })
  const texts = [{ to: 'project.yaml', content: settings }, ...textsAt(plans, linked.texts)]
  const project = `${translationOf}-${lang.toLowerCase()}`
  return writeProject({ project, placed: plans, texts, colors: 0, types: 0, files: 0 }, report)
}

/** Pages that have a palette above their text show it at their end. */
function withPalettes(plans: readonly PagePlan[], merged: readonly { entry: Entry }[]): PagePlan[] {
  const own = new Set(merged.map(({ entry }) => entry))
  return plans.map(plan => {
    const { text } = plan.page
    if (!own.has(plan.entry) || text.includes(PALETTE_LINK)) return plan
    return { ...plan, page: { ...plan.page, text: `${text.trimEnd()}\n\n${PALETTE_LINK}\n` } }
  })
}

/** The list of colours as the target of these links in each source. */
function palettePlaces(plans: readonly PagePlan[], colors: readonly Color[]): FilePlan[] {
  const entries = new Map(plans.map(({ entry }) => [entry.label, { ...entry, path: PALETTE_PATH }]))
  return colors.length === 0 ? [] : Array.from(entries.values(), entry => ({ entry, to: 'styles/colors.yaml' }))
}

/** Reads the files of all sources, and separates the pages that readers see from the others. */
async function readAll(listings: readonly Listing[], options: AdoptOptions) {
  const all = listings.flatMap(({ entries }) => entries)
  const includes = await readIncludes(all)
  const facts = await siteFacts(all)
  const { entries, leftOut: unplaced } = await sortAll(listings, facts, includes, options)
  const palettes = await paletteNames(entries, options.signal)
  const { pages, unread } = await convertAll(entries.filter(pageKind), facts, includes, { ...options, palettes })
  const { published, leftOut: hidden } = publishedPages(pages, { ...options, kept: pathsOf(entries) })
  const leftOut = withoutInner([...listings.flatMap(listing => listing.leftOut), ...unplaced, ...hidden])
  const languages = byLanguage(withoutRunning(withShownOrder(titlePages(published))), facts.named.lang)
  return { all, entries, includes, facts, pages, languages, unread, leftOut }
}

/** Separates the files that may have a place from files that no source publishes, or that a guide cannot have. */
async function sortAll(
  listings: readonly Listing[],
  facts: SourceFacts,
  { parts }: Includes,
  { exclude, withHidden }: AdoptOptions,
) {
  const sorted = await settleAll(
    listings.map(({ entries }) => {
      const hidings = entries[0] && !withHidden ? facts.of(entries[0]).hidings : []
      return sortOut(entries, exclude, () => textsOf(entries), parts, hidings)
    }),
  )
  return { entries: sorted.flatMap(each => each.entries), leftOut: sorted.flatMap(each => each.leftOut) }
}

/** The paths of files and of the folders above them, which end in `/`. */
function pathsOf(entries: readonly Entry[]): Set<string> {
  return new Set(
    entries.flatMap(({ label, path }) => [label + path, ...foldersAbove(path).map(each => `${label}${each}/`)]),
  )
}

/** How a file becomes a page; undefined if it becomes none. */
function pageKind({ path, isDownload }: Entry): PageKind | undefined {
  const [, md, mdx, html, docx] = groupsOf(/\.(?:(md|markdown|qmd)|(mdx)|(html?)|(docx))$/i, isDownload ? '' : path)
  return md ? 'md' : mdx ? 'mdx' : html ? 'html' : docx ? 'docx' : undefined
}

const TOO_LONG = 'longer than 1 MiB, which a page may not be: divide it'

/** Converts pages in confined processes, a few at once. A page that cannot be read does not stop the others. */
async function convertAll(all: readonly Entry[], facts: SourceFacts, includes: Includes, options: ConvertOptions) {
  const { signal, progress } = options
  const entries = all.filter(entry => !includes.parts.has(entry))
  await using converter = openConverter(signal)
  const pages: SourcePage[] = []
  const unread: { entry: Entry; reason: string }[] = []
  const convert = async (entry: Entry): Promise<Result<SourcePage, string>> => {
    try {
      const kind = pageKind(entry) ?? 'md'
      const bytes = await entry.read(kind === 'docx' ? MAX_DOCUMENT_BYTES : MAX_SOURCE_BYTES)
      if (kind === 'html' && isTemplate(bytes.toString())) return failed('a template of a website')
      const own = facts.of(entry)
      const of = { path: entry.path, shownPath: shown(entry), kind, includes: includedBy(entry, includes) }
      if (kind === 'md' && bytes.length > MAX_PAGE_BYTES) return failed(TOO_LONG)
      const page = await converter.read({ bytes, task: { ...of, facts: pageFacts(own, options) } })
      if (page.ok && Buffer.byteLength(page.value.text) > MAX_PAGE_BYTES) return failed(TOO_LONG)
      const off = page.ok ? unreadReason(kind, page.value.text, bytes) : undefined
      return page.ok ? ok({ entry, facts: own, page: page.value, off, ...placeOnSite(entry.path, own) }) : page
    } catch (error) {
      if (error instanceof OperationalError || error instanceof Unreadable) return failed(errorMessage(error))
      throw error
    }
  }
  for (let at = 0; at < entries.length; at += CONVERTED_AT_ONCE) {
    signal.throwIfAborted()
    const some = entries.slice(at, at + CONVERTED_AT_ONCE)
    for (const [index, result] of (await settleAll(some.map(convert))).entries()) {
      const entry = some[index]
      if (result.ok) pages.push(result.value)
      else if (entry) unread.push({ entry, reason: result.problem })
    }
    progress('pages', at + some.length, entries.length)
  }
  return { pages, unread }
}

/** Why a page is unread: a script fills it, which has only a short text such as `Loading…`, or it has blocks of ReadMe. */
function unreadReason(kind: PageKind, text: string, source: Uint8Array): string | undefined {
  const isFilled = kind === 'html' && text.length < 100 && !/[[#<!|]/.test(text) && !text.trim().includes('\n')
  if (isFilled && /<script\b/i.test(Buffer.from(source).toString('latin1'))) return 'its content is written by a script'
  if (kind !== 'md' || !/^\[block:[\w-]+\]$/m.test(text)) return undefined
  return 'has blocks of ReadMe, which are not read: save its pages as HTML, and name their folder'
}

function pageFacts(
  { generator, baseUrl, variables, hasFuture }: SiteFacts,
  { today, withHidden, palettes }: Pick<ConvertOptions, 'today' | 'withHidden' | 'palettes'>,
): PageFacts {
  const { addressKeys, isMdx, isTextFirst, hidesDescription } = generator ?? {}
  const rules = { addressKeys, isMdx, isTextFirst, hidesDescription, today: hasFuture ? undefined : today }
  return { baseUrl, variables, palettes, withHidden, ...rules }
}

const MAX_SOURCE_BYTES = 16 << 20
const MAX_DOCUMENT_BYTES = 64 << 20
/** The limit of a page without room for its front matter and longer links. */
const MAX_PAGE_BYTES = (1 << 20) - (1 << 16)
const CONVERTED_AT_ONCE = 16

const TEXTS = inFormats('md, mdx, markdown, htm, html')

async function* textsOf(entries: readonly Entry[]): AsyncGenerator<string> {
  for (const entry of entries)
    if (TEXTS.test(entry.path) && entry.size <= MAX_SOURCE_BYTES)
      yield await entry.read(MAX_SOURCE_BYTES).then(String, () => '')
}

function noFile({ path, size }: Entry): string | undefined {
  return withoutStyles(path) ?? (size > MAX_FILE_BYTES ? 'larger than 1 GiB, which a guide may not have' : undefined)
}

const MAX_FILE_BYTES = 1 << 30

/** Gives each file its place below `files/`, without names that a brand folder ignores. */
function placeFiles(entries: readonly Entry[]): FilePlan[] {
  const paths = openPathAllocator()
  return entries.map(entry => {
    const names = withoutExportIds(entry.path)
      .replace(/^files\//, '')
      .replace(/\.\w+\/@media\//, '/')
      .replaceAll('\ufffd', '_')
      .split('/')
      .map(safeName)
    const name = names
      .pop()
      ?.replace(/^_+/, '')
      .replace(/^(?=\.|$)/, 'file')
    const folders = names.map(folder => folder.replace(/^[._]+/, '') || 'folder')
    return { entry, to: paths.take(['files', ...folders, name].join('/')) }
  })
}
