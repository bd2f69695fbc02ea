import { setImmediate as pause } from 'node:timers/promises'
import { filename, fileStem } from '#brand/file.ts'
import type { Problem } from '#brand/finding.ts'
import { type Hash, isPageId, type PageId, slug } from '#brand/ids.ts'
import { HOME_PAGE } from '#brand/page.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { quote, wordSet } from '#platform/base/text.ts'
import { breakingFindings, problem } from '../folder/findings.ts'
import { readPageFile } from '../folder/text-file.ts'
import type { WalkedFile } from '../folder/walk.ts'
import type { FragmentLink } from '../markdown/anchors.ts'
import { withoutForeignComments } from '../markdown/foreign-comments.ts'
import type { WideBlocks } from '../markdown/layout-comments.ts'
import { type Destination, readMarkdown } from '../markdown/markdown.ts'
import { embeddedDescription } from '../media/embedded-text.ts'
import { inFolder } from '../project/project-folder.ts'
import type { ProjectReading } from '../reading.ts'
import type { Reference } from '../yaml/references.ts'
import { type FrontMatter, pageProblems, readFrontMatter, splitFrontMatter, type WrittenNotes } from './front-matter.ts'
import { pageState, type WrittenState } from './left-out.ts'
import { splitOtherFrontMatter } from './other-front-matter.ts'

/** A page before its links are followed. */
export type PageSource = Content & {
  /** Relative to the project: `pages/logo/misuse.md`. */
  source: string
  /** Relative to the brand folder. */
  path: string
  id: PageId
  name: string
  description?: string
  order?: number
  translated?: Reference
  /** Why only a preview has the page; absent if it is published. */
  leftOut?: Problem
  notes: WrittenNotes
  /** The colours of its bands. */
  bands: readonly Reference[]
  wideBlocks?: WideBlocks
}

/** The stored content of a page, and its links. */
type Content = {
  content: Hash
  /** The line of the file on which the content begins. */
  contentLine: number
  /** Its relative links as JSON, which takes less memory: a list of `Destination`. */
  destinations: string
  /** Its anchors and links to anchors as JSON: `Places`. */
  places: string
}

/** The anchors of a page, and its links to anchors. */
export type Places = { anchors: string[]; fragments: FragmentLink[] }

/** The pages of a project, and those that are left out as drafts. */
export type PageSources = { sources: PageSource[]; leftOut: PageSource[] }

/** Reads the pages of a project. Skips an unreadable page with a finding. */
export async function readPages(reading: ProjectReading, files: readonly WalkedFile[]): Promise<PageSources> {
  const { sources, leftOut }: PageSources = { sources: [], leftOut: [] }
  const byId = new Map<string, PageSource>()
  let lastPause = performance.now()
  for (const file of files) {
    if (performance.now() - lastPause > MAX_MS) {
      await pause()
      lastPause = performance.now()
    }
    reading.options.signal.throwIfAborted()
    const page = await readPage(reading, file)
    reading.advance()
    if (!page) continue
    if (page.leftOut && !reading.options.showsDrafts) {
      leftOut.push(page)
      continue
    }
    const sameId = byId.get(page.id)
    if (sameId) reportDuplicateIds(reading, page, sameId)
    byId.set(page.id, page)
    sources.push(page)
  }
  for (const page of sources) keepEarlierId(page, byId)
  return { sources, leftOut }
}

/** The time for reading pages before other work runs, such as reading files or handling an abort signal. */
const MAX_MS = 2

async function readPage(reading: ProjectReading, file: WalkedFile): Promise<PageSource | undefined> {
  const { path } = file
  const source = path.slice(inFolder(reading.project.folder, '').length)
  const text = await readText(reading, file, source)
  if (text === undefined) return undefined
  const { problems, states = [], id: pinnedId, title, heading, cover, ground, wide, nav, aliases, ...rest } = text
  const { leftOut, problems: stateProblems } = pageState(states, reading.options.today)
  if (!leftOut || reading.options.showsDrafts)
    reading.report(source, ...[...problems, ...stateProblems].map(each => withSource(each, source)))
  const id = pinnedId ?? idOf(source)
  if (!isPageId(id)) {
    reading.report(source, { ...problem('id-invalid', noId(id)), breaks: { paths: [source] } })
    return undefined
  }
  const notes = withoutUndefined({ cover, ground, wide, nav, aliases })
  // The name of the file; for the index of a folder, that of the folder.
  const [ownName = ''] = segmentsOf(source).slice(-1)
  const name = title ?? heading ?? ownName.normalize('NFC')
  const page = { ...rest, source, path, id, name, notes }
  return leftOut ? { ...page, leftOut } : page
}

/** Adds the path of a page to the anchors that a problem breaks: `#` becomes `pages/logo.md#`. */
function withSource({ breaks, ...problem }: Problem, source: string): Problem {
  return breaks ? { ...problem, breaks: { ...breaks, paths: breaks.paths.map(path => source + path) } } : problem
}

/** The parsed text of a page. Does not depend on the path of the file, so that it can be cached. */
type PageText = FrontMatter &
  Content & {
    heading?: string
    states?: readonly WrittenState[]
    bands: readonly Reference[]
    wideBlocks?: WideBlocks
    problems: readonly Problem[]
  }

/** Reads a page, or takes the cached result of an earlier import. Undefined, with a finding, if it cannot be read. */
async function readText(
  { root, project, findings, options }: ProjectReading,
  file: WalkedFile,
  source: string,
): Promise<PageText | undefined> {
  const { path, fingerprint } = file
  const cached = fingerprint === undefined ? undefined : await options.readCache.find(path, fingerprint)
  if (cached !== undefined) return unpack(cached)
  const read = readPageFile(root, file, project.id, breakingFindings(findings, source))
  if (!read) return undefined
  const { content, contentLine, frontMatter, states, problems } = readParts(read.text)
  const hash = await options.writer.text(new TextEncoder().encode(content))
  const { destinations, places, ...rest } = readContent(content, contentLine, problems)
  const fields = JSON.stringify({ ...frontMatter, states, content: hash, contentLine, ...rest })
  const packed = `${fields}\n${JSON.stringify(destinations)}\n${JSON.stringify(places)}`
  if (fingerprint !== undefined && read.isUnchanged)
    await options.readCache.keep(path, fingerprint, { kind: 'page', content: hash, reading: packed })
  // Unpacked immediately, so that the page text can be freed and the result equals a cached one.
  return unpack(packed)
}

/** Splits a page into its front matter and its Markdown without the comments of other tools. */
function readParts(text: string) {
  const other = splitOtherFrontMatter(text)
  const page = other ?? splitFrontMatter(text)
  const { yaml = '', yamlLine, contentLine } = page
  const { frontMatter, problems, states } = readFrontMatter(yaml, yamlLine)
  if (other?.problem) problems.push(other.problem)
  const { text: content, problems: inComments } = withoutForeignComments(page.content)
  problems.push(...pageProblems(page), ...inComments.map(each => inFile(each, contentLine)))
  return { content, contentLine, frontMatter, states, problems }
}

/** The problems of the text of a page by itself, without those of the targets of its links. */
export function problemsOfPage(text: string): readonly Problem[] {
  const { content, contentLine, problems } = readParts(text)
  return readContent(content, contentLine, problems).problems
}

/** The first line has the fields of a page, the next its links, and the last its anchors. */
function unpack(packed: string): PageText {
  const [first = '', destinations = '', places = ''] = packed.split('\n')
  const fields: Omit<PageText, 'destinations' | 'places'> = JSON.parse(first)
  return { ...fields, destinations, places }
}

/** Reads the Markdown of a page, and converts lines in it to lines of the file. */
function readContent(
  content: string,
  contentLine: number,
  frontMatterProblems: readonly Problem[],
): Pick<PageText, 'heading' | 'bands' | 'wideBlocks' | 'problems'> & {
  destinations: readonly Destination[]
  places: Places
} {
  const { heading, destinations, anchors, fragments, bands, wide, problems: inContent } = readMarkdown(content)
  const name = embeddedDescription(heading)
  const problems = [...frontMatterProblems, ...inContent.map(each => inFile(each, contentLine))]
  const tooMany = `the page has ${destinations.length} relative links, more than the limit of ${MAX_LINKS}: split it`
  return {
    ...withoutUndefined({ heading: name }),
    destinations,
    places: { anchors, fragments },
    bands: bands.map(band => inFile(band, contentLine)),
    ...(wide && { wideBlocks: { ...wide, blocks: wide.blocks.map(block => inFile(block, contentLine)) } }),
    problems: destinations.length > MAX_LINKS ? [...problems, problem('too-many', tooMany)] : problems,
  }
}

/** Converts a line from the content to the file. */
function inFile<Found extends { line: number | null }>(item: Found, contentLine: number): Found {
  return item.line === null ? item : { ...item, line: contentLine + item.line - 1 }
}

const MAX_LINKS = 10_000

/** `pages/Logo/Clear space.md` → `logo/clear-space`. The index of a folder gets the id of the folder. */
function idOf(source: string): string {
  return segmentsOf(source).map(slug).join('/')
}

/**
 * The names in the path of a page: `logo` and `misuse` for `pages/logo/misuse.md`, only `logo` for the index of that
 * folder, which is `index.md` or, as on git hosts, `README.md`.
 */
function segmentsOf(source: string): string[] {
  const segments = partsOf(source)
  if (!INDEXES.has(fileStem(source).toLowerCase())) return segments
  return segments.length > 1 ? segments.slice(0, -1) : [HOME_PAGE]
}

const INDEXES = wordSet('index readme')

/** The parts of the path of a page, without `pages` and `.md`. */
function partsOf(source: string): string[] {
  return source.slice('pages/'.length, -'.md'.length).split('/')
}

/**
 * Keeps `logo/readme` as an alias of `logo/README.md`, unless a page has that id: before `README.md` was read as an index,
 * this was its id.
 */
function keepEarlierId(page: PageSource, pages: ReadonlyMap<string, PageSource>): void {
  const id = partsOf(page.source).map(slug).join('/')
  if (filename(id) !== 'readme' || page.id !== idOf(page.source) || pages.has(id) || !isPageId(id)) return
  page.notes.aliases = [...(page.notes.aliases ?? []), { id, line: 1 }]
}

function noId(id: string): string {
  const why = id.length > 255 ? 'is longer than 255 characters' : 'has a part without a letter or digit'
  return `the id made from its path, ${quote(id)}, ${why}: write id: in the front matter`
}

function reportDuplicateIds({ report }: ProjectReading, page: PageSource, other: PageSource): void {
  const message = `${page.path} and ${other.path} have the same page id ${page.id}: rename one, or write another id: in its front matter`
  for (const { source } of [page, other]) report(source, problem('id-taken', message))
}
