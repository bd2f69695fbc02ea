import { Unreadable } from '#intake/folder/unreadable.ts'
import { splitFrontMatter } from '#intake/pages/front-matter.ts'
import { errorMessage, OperationalError } from '#platform/base/error.ts'
import { forEachOf, settleAll } from '#platform/base/promise.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { inFormats } from '#platform/base/text.ts'
import type { Document } from './document.ts'
import { openConverter } from './documents/converter.ts'
import type { AdoptOptions } from './options.ts'
import { type Includes, includedBy, readIncludes, withLayoutHome } from './pages/includes.ts'
import type { PageFacts, PageKind } from './pages/page.ts'
import { isSiteData, siteValues } from './pages/site-values.ts'
import { programPages, toldPrograms } from './programs/program-pages.ts'
import { joinNotes, type Notes, noNotes, type Report } from './report/report.ts'
import { readMenus } from './site/menu-files.ts'
import { placeScriptPages } from './site/script-pages.ts'
import { placeOnSite, type SiteFacts, type SourceFacts, siteFacts } from './sources/facts.ts'
import { UNREAD_BLOCKS } from './sources/generators/table.ts'
import { isTemplate, pageKind, sortOut } from './sources/leave-out.ts'
import type { Order } from './sources/order.ts'
import { type SourceFiles, withRenditions, writtenFiles } from './sources/renditions.ts'
import { type Entry, type Listing, shownPath as shown } from './sources/source.ts'
import { readPalettes } from './values.ts'

/** What sources have: their files, a document for each that may be a page, and what they say about themselves. */
export type SourceContent = {
  all: readonly Entry[]
  /** The files that are not left out by their paths. */
  entries: readonly Entry[]
  facts: SourceFacts
  includes: Includes
  documents: readonly Document[]
  /** The menus in files of sources without an order in their settings, by label. */
  menus: ReadonlyMap<string, Order>
  leftOut: Report['leftOut']
  /** Changes and losses of the readers of whole sources; documents have their own. */
  notes: Notes
}

/** Reads the files of all sources. Those that a guide cannot have, by their paths, are not opened. */
export async function readSource(listings: readonly Listing[], options: AdoptOptions): Promise<SourceContent> {
  const files = await withRenditions(listings.map(({ entries }) => entries))
  const sources = await settleAll(
    files.map(async source => ({ ...source, entries: await withLayoutHome(source.entries) })),
  )
  const all = sources.flatMap(({ entries }) => entries)
  const facts = await siteFacts(sources.flatMap(writtenFiles))
  const includes = await readIncludes(all, entry => facts.of(entry).liquidBase !== undefined)
  const { entries, leftOut: unplaced } = await sortAll(sources, facts, includes, options)
  const named = await readPalettes(entries, options.signal)
  const siteOf = siteFinder(all, facts)
  const convert = (some: readonly Entry[]) => convertAll(some, facts, includes, { ...options, ...named, siteOf })
  const written = await convert(entries.filter(pageKind))
  const ownEntries = entries.filter(entry => !isSiteData(entry.path, facts.of(entry)))
  const programs = await programPages(ownEntries, written.documents)
  const ofPrograms = await convert(programs.map(({ entry }) => entry))
  const placed = await placeScriptPages([...written.documents, ...toldPrograms(ofPrograms.documents, programs)])
  const { documents } = placed
  const menus = await readMenus(all, documents)
  const unlisted = listings.flatMap(listing => listing.leftOut)
  const leftOut = [...unlisted, ...unplaced, ...written.leftOut, ...ofPrograms.leftOut, ...placed.leftOut]
  const notes = joinNotes(listings.map(listing => ({ ...noNotes(), ...listing.notes })))
  return { all, entries, facts, includes, documents, menus, leftOut, notes }
}

/** Separates the files that may have a place from files that no source publishes, or that a guide cannot have. */
async function sortAll(
  sources: readonly SourceFiles[],
  facts: SourceFacts,
  { parts }: Includes,
  { exclude, withHidden }: AdoptOptions,
) {
  const sorted = await settleAll(
    sources.map(({ entries, built }) => {
      const hidings = withHidden ? [] : entries.slice(0, 1).flatMap(entry => facts.of(entry).hidings)
      return sortOut(entries, { exclude, built, hidings, included: parts, texts: () => textsOf(entries) })
    }),
  )
  return { entries: sorted.flatMap(each => each.entries), leftOut: sorted.flatMap(each => each.leftOut) }
}

type ConvertOptions = AdoptOptions &
  Awaited<ReturnType<typeof readPalettes>> & { siteOf: ReturnType<typeof siteFinder> }

const TOO_LONG = 'longer than 1 MiB, which a page may not be: divide it'

/** Converts pages in confined processes, a few at once. A page that cannot be read does not stop the others. */
async function convertAll(all: readonly Entry[], facts: SourceFacts, includes: Includes, options: ConvertOptions) {
  const { signal, progress, siteOf } = options
  const entries = all.filter(entry => !includes.parts.has(entry))
  await using converter = openConverter(signal)
  const convert = async (entry: Entry): Promise<Result<Document, string>> => {
    const { kind, bytes } = await sourceOf(entry, includes)
    const included = includedBy(entry, includes)
    const usesSite = [bytes, ...included.values()].some(each => each.includes('site.'))
    if (kind === 'html' && isTemplate(bytes.toString())) return failed('a template of a website')
    if (kind === 'md' && bytes.length > MAX_PAGE_BYTES) return failed(TOO_LONG)
    const own = facts.of(entry)
    const of = {
      path: entry.path,
      shownPath: shown(entry),
      kind,
      includes: included,
      site: await siteOf(entry, usesSite),
    }
    const page = await converter.read({ bytes, task: { ...of, facts: pageFacts(own, options) } })
    if (!page.ok) return page
    const { text } = page.value
    if (Buffer.byteLength(text) > MAX_PAGE_BYTES) return failed(TOO_LONG)
    const off = kind === 'html' ? scriptReason(text, bytes) : blockReason(text)
    return ok({ ...page.value, entry, facts: own, off, ...placeOnSite(entry.path, own) })
  }
  const results: { entry: Entry; result: Result<Document, string> }[] = []
  let done = 0
  await forEachOf(entries.entries(), CONVERTED_AT_ONCE, async ([at, entry]) => {
    signal.throwIfAborted()
    results[at] = { entry, result: await convert(entry).catch(failedRead) }
    done += 1
    progress('pages', done, entries.length)
  })
  const documents = results.flatMap(({ result }) => (result.ok ? [result.value] : []))
  const leftOut = results.flatMap(({ entry, result }) =>
    result.ok ? [] : [{ path: shown(entry), reason: result.problem }],
  )
  return { documents, leftOut }
}

/** Makes a function that gives the variables of the site for the templates on a page; undefined if these are not in Liquid. */
function siteFinder(all: readonly Entry[], facts: SourceFacts) {
  const sites = new Map<string, Promise<object>>()
  return (entry: Entry, usesSite: boolean): Promise<object> | object | undefined => {
    const own = facts.of(entry)
    if (own.liquidBase === undefined) return undefined
    if (!usesSite) return {}
    const files = all.filter(({ label }) => label === entry.label)
    const site = sites.get(entry.label) ?? siteValues(files, own)
    sites.set(entry.label, site)
    return site
  }
}

/** The bytes of a page, and how they become one; a page that its layouts show is HTML. */
async function sourceOf(entry: Entry, { composed }: Includes): Promise<{ kind: PageKind; bytes: Buffer }> {
  const html = composed.get(entry)
  if (html !== undefined) return { kind: 'html', bytes: Buffer.from(html) }
  const kind = pageKind(entry) ?? 'md'
  const bytes = await entry.read(kind === 'docx' ? MAX_DOCUMENT_BYTES : MAX_SOURCE_BYTES)
  if (kind !== 'html') return { kind, bytes }
  if (isMarkdown(bytes)) return { kind: 'md', bytes }
  return { kind, bytes: Buffer.from(bytes.toString('latin1').replace(VALUE_TAGS, ''), 'latin1') }
}

/** Whether a page named as HTML is Markdown below its front matter, which its layout renders. */
function isMarkdown(bytes: Buffer): boolean {
  const { yaml, content } = splitFrontMatter(bytes.toString())
  return yaml !== undefined && /^#{1,6} \S/m.test(content) && !/<(?:p|h[1-6]|html)\b/i.test(content)
}

/** Values that a build puts into the page of a program, such as `<%= BASE_URL %>`. */
const VALUE_TAGS = /<%[^%\n]{0,300}%>/g

/** The problem of a file that cannot be read. */
function failedRead(error: unknown): Result<never, string> {
  if (error instanceof OperationalError || error instanceof Unreadable) return failed(errorMessage(error))
  throw error
}

/** Why a page in HTML is unread: a script fills it, which has only a short text such as `Loading…`. */
function scriptReason(text: string, source: Buffer): string | undefined {
  const isFilled = /^[^[#<!|\n]{0,99}$/.test(text.trim()) && /<(?:no)?script/i.test(source.toString('latin1'))
  return isFilled ? 'its content is written by a script' : undefined
}

function blockReason(text: string): string | undefined {
  return UNREAD_BLOCKS.find(([line]) => `\n${text}`.includes(`\n${line}`))?.[1]
}

function pageFacts(
  { generator, baseUrl, variables, hasFuture }: SiteFacts,
  { today, withHidden, palettes, groups }: Pick<ConvertOptions, 'today' | 'withHidden' | 'palettes' | 'groups'>,
): PageFacts {
  const { addressKeys, isMdx, isTextFirst, hidesDescription } = generator
  const rules = { addressKeys, isMdx, isTextFirst, hidesDescription, today: hasFuture ? undefined : today }
  return { baseUrl, variables, palettes, groups, withHidden, ...rules }
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
