import { Unreadable } from '#intake/folder/unreadable.ts'
import { errorMessage, OperationalError } from '#platform/base/error.ts'
import { settleAll } from '#platform/base/promise.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { groupsOf, inFormats } from '#platform/base/text.ts'
import { openConverter } from './documents/converter.ts'
import type { AdoptOptions } from './options.ts'
import { type Includes, includedBy, readIncludes, withLayoutHome } from './pages/includes.ts'
import type { PageFacts, PageKind } from './pages/page.ts'
import type { Report } from './report/report.ts'
import { readMenus } from './site/menu-files.ts'
import type { SourcePage } from './site/page-paths.ts'
import { placeOnSite, type SiteFacts, type SourceFacts, siteFacts } from './sources/facts.ts'
import { isTemplate, sortOut } from './sources/leave-out.ts'
import type { Order } from './sources/order.ts'
import { withRenditions } from './sources/renditions.ts'
import { type Entry, type Listing, shownPath as shown } from './sources/source.ts'
import { paletteNames } from './values.ts'

/** What sources have: their files, those that a guide may have as pages, and what they say about themselves. */
export type SourceContent = {
  all: readonly Entry[]
  /** The files that are not left out by their paths. */
  entries: readonly Entry[]
  facts: SourceFacts
  includes: Includes
  pages: readonly SourcePage[]
  /** The menus in files of sources without an order in their settings, by label. */
  menus: ReadonlyMap<string, Order>
  unread: readonly { entry: Entry; reason: string }[]
  leftOut: Report['leftOut']
}

/** Reads the files of all sources. Those that a guide cannot have, by their paths, are not opened. */
export async function readSource(listings: readonly Listing[], options: AdoptOptions): Promise<SourceContent> {
  const seen = await withRenditions(listings.map(({ entries }) => entries))
  const sources = await settleAll(seen.map(withLayoutHome))
  const all = sources.flat()
  const includes = await readIncludes(all)
  const facts = await siteFacts(all)
  const { entries, leftOut: unplaced } = await sortAll(sources, facts, includes, options)
  const palettes = await paletteNames(entries, options.signal)
  const { pages, unread } = await convertAll(entries.filter(pageKind), facts, includes, { ...options, palettes })
  const menus = await readMenus(all, pages)
  const leftOut = [...listings.flatMap(listing => listing.leftOut), ...unplaced]
  return { all, entries, facts, includes, pages, menus, unread, leftOut }
}

/** Separates the files that may have a place from files that no source publishes, or that a guide cannot have. */
async function sortAll(
  sources: readonly (readonly Entry[])[],
  facts: SourceFacts,
  { parts }: Includes,
  { exclude, withHidden }: AdoptOptions,
) {
  const sorted = await settleAll(
    sources.map(entries => {
      const hidings = entries[0] && !withHidden ? facts.of(entries[0]).hidings : []
      return sortOut(entries, exclude, () => textsOf(entries), parts, hidings)
    }),
  )
  return { entries: sorted.flatMap(each => each.entries), leftOut: sorted.flatMap(each => each.leftOut) }
}

/** How a file becomes a page; undefined if it becomes none. */
export function pageKind({ path, isDownload }: Entry): PageKind | undefined {
  const [, md, mdx, html, docx] = groupsOf(/\.(?:(md|markdown|qmd)|(mdx)|(html?)|(docx))$/i, isDownload ? '' : path)
  return md ? 'md' : mdx ? 'mdx' : html ? 'html' : docx ? 'docx' : undefined
}

type ConvertOptions = AdoptOptions & { palettes: readonly string[] }

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
      const composed = includes.composed.get(entry)
      const kind = composed === undefined ? (pageKind(entry) ?? 'md') : 'html'
      const bytes = Buffer.from(composed ?? (await entry.read(kind === 'docx' ? MAX_DOCUMENT_BYTES : MAX_SOURCE_BYTES)))
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
  const { addressKeys, isMdx, isTextFirst, hidesDescription } = generator
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
