import { folderOf } from '#brand/file.ts'
import type { Problem } from '#brand/finding.ts'
import type { PageId } from '#brand/ids.ts'
import { type Link, type Page, STAGE, type Target } from '#brand/page.ts'
import { groupColors } from '#brand/styles/color-groups.ts'
import { lazy, withoutUndefined } from '#platform/base/object.ts'
import { groupsOf, quote, withoutLastSlash, wordSet } from '#platform/base/text.ts'
import { problem } from '../folder/findings.ts'
import { hasAnchor, nearestAnchor } from '../markdown/anchors.ts'
import type { Destination } from '../markdown/markdown.ts'
import { embeddedDescription } from '../media/embedded-text.ts'
import { pictureFormatProblem } from '../media/picture-format.ts'
import type { ProjectReading } from '../reading.ts'
import type { WrittenStyles } from '../styles/styles.ts'
import { advice, nearest } from '../yaml/nearest.ts'
import {
  correctCase,
  linkTarget,
  PROJECT_FILE,
  resolvePath,
  type SiteMap,
  type StyleMap,
  sameName,
  siteMap,
  WORDS,
} from './link-target.ts'
import type { PageSource, Places } from './pages.ts'

/**
 * Pages with resolved links, their alt texts keyed by picture path, the files that they link to or show (`linked`),
 * those that they show as pictures (`pictured`), and the places of pictures without alt text (`withoutAlt`).
 */
export type LinkedPages = {
  pages: LinkedPage[]
  altTexts: ReadonlyMap<string, string>
  linked: ReadonlySet<string>
  pictured: ReadonlySet<string>
  withoutAlt: readonly PicturePlace[]
}

/** A picture on a page: the path of the file, and where the page shows it. */
export type PicturePlace = { file: string; source: string; line: number }

/** A page whose links are kept as JSON, which takes less memory: `links` parses them. */
export type LinkedPage = Omit<Page, 'links'> & { order?: number; links: () => Link[] }

/**
 * Resolves the relative links of all pages. Reports broken links and leaves them unchanged.
 *
 * @param drafts the pages that are left out
 * @param files the paths of all files of the project, including unreadable ones: a link to one of them is not broken
 * @param contentTypes the content types of files, keyed by path
 * @param originals the pages of the original of a translation, which pages without a translation link to
 */
export async function resolveLinks(
  reading: ProjectReading,
  sources: readonly PageSource[],
  drafts: readonly PageSource[],
  files: readonly string[],
  styles: WrittenStyles,
  contentTypes: ReadonlyMap<string, string>,
  originals: readonly PageSource[] = [],
): Promise<LinkedPages> {
  const hasWords = reading.project.file.words !== undefined
  const map = siteMap([...originals, ...sources], files, styleMaps(styles), aliasOwners(reading, sources), hasWords)
  const altTexts = new Map<string, string>()
  const linked = new Set<string>()
  const pictured = new Set<string>()
  const withoutAlt: PicturePlace[] = []
  const leftOut = lazy(() => siteMap(drafts, []))
  const linking: Linking = { reading, map, leftOut, altTexts, linked, pictured, withoutAlt, contentTypes }
  const pages = sources.map(source => {
    const { id, name, description, order, content } = source
    const destinations: Destination[] = JSON.parse(source.destinations)
    const resolved = JSON.stringify(destinations.flatMap(destination => resolveLink(linking, source, destination)))
    const links = (): Link[] => JSON.parse(resolved)
    return withoutUndefined({ id, name, content, links, description, order })
  })
  checkFragments(reading, sources, map)
  reportLeftOut(reading, [...drafts, ...sources], map, linked)
  return { pages, altTexts, linked, pictured, withoutAlt }
}

/**
 * Reports the pages that are left out, each with the files that no other page links to, because these are published.
 *
 * @param linked the files that published pages link to
 */
function reportLeftOut(
  { report }: ProjectReading,
  pages: readonly PageSource[],
  map: SiteMap,
  linked: ReadonlySet<string>,
): void {
  for (const { source, destinations, leftOut } of pages) {
    if (!leftOut) continue
    const links: Destination[] = JSON.parse(destinations)
    const targets = new Set(links.flatMap(({ path }) => linkTarget(path, source, map)?.file ?? []))
    const ownFiles = Array.from(targets.difference(linked), quote)
    const andOthers = ownFiles.length > MAX_FILES ? ' and others' : ''
    const published = `. Only this page shows ${ownFiles.slice(0, MAX_FILES).join(', ')}${andOthers}, which are published: begin their names with _ to leave them out`
    const message = leftOut.message + (ownFiles.length > 0 ? published : '')
    report(source, { ...leftOut, message, breaks: { paths: [source] } })
  }
}

const MAX_FILES = 3

/** Reports each link to a heading or other anchor that its page does not have. */
function checkFragments({ report }: ProjectReading, sources: readonly PageSource[], map: SiteMap) {
  const byId = new Map(sources.map(source => [source.id, source]))
  const placesOf = ({ places }: PageSource): Places => JSON.parse(places)
  const cache = new Map<PageSource, ReadonlySet<string>>()
  const anchorsOf = (page: PageSource) => {
    const anchors = cache.get(page) ?? new Set(placesOf(page).anchors)
    if (cache.size > MAX_CACHED_PAGES) cache.clear()
    cache.set(page, anchors)
    return anchors
  }
  let brokenCount = 0
  for (const source of sources)
    for (const { path, fragment, line } of placesOf(source).fragments) {
      const target = path === '' ? source.id : linkTarget(path, source.source, map)?.page
      const page = target === undefined ? undefined : byId.get(target)
      if (!page || hasAnchor(anchorsOf(page), fragment)) continue
      brokenCount++
      const meant = brokenCount <= MAX_SUGGESTIONS ? nearestAnchor(anchorsOf(page), fragment) : undefined
      const help = advice(meant && `${path}#${meant}`, `correct it, or end the heading with {#${fragment}}`)
      const message = `the link ${quote(`${path}#${fragment}`)} points to a heading that page ${page.id} does not have: ${help}`
      const cause = problem('link-heading-missing', message, source.contentLine + line - 1)
      report(source.source, { ...cause, missing: { path: `${page.source}#`, id: fragment } })
    }
}

/** Comparing a name with thousands of others is slow. */
const MAX_SUGGESTIONS = 40

const MAX_CACHED_PAGES = 100

/** Whether the service has this address, such as `/acme/brand/logo`; if it is a page of this guide, whether that exists. */
function isServedPath({ isServed, project }: ProjectReading, path: string, { pagesById }: SiteMap): boolean {
  // The id of a guide, and the path below it: `brand` and `logo` in `/acme/brand/logo.md`.
  const [, id, page = ''] = groupsOf(/^\/[^/]+\/([^/]+)\/(.*?)(?:\.md|\/)?$/, path)
  const isOther = page.startsWith('-/') || OTHER_THAN_PAGES.has(page)
  const isOwnPage = id === project.id && !isOther
  return isServed(path) && (!isOwnPage || pagesById.has(page))
}

/** The addresses below a guide that are not pages of it, besides those below `-/`. The empty one is the guide itself. */
const OTHER_THAN_PAGES: ReadonlySet<string> = new Set(['', '-', 'index', 'llms.txt', 'llms-full.txt', 'sitemap.xml'])

/** The values for resolving a link, and the collections to which it adds: `altTexts`, `linked`, `pictured` and `withoutAlt`. */
type Linking = {
  reading: ProjectReading
  map: SiteMap
  /** The pages that are left out. */
  leftOut: () => SiteMap
  altTexts: Map<string, string>
  linked: Set<string>
  pictured: Set<string>
  withoutAlt: PicturePlace[]
  contentTypes: ReadonlyMap<string, string>
}

/** Resolves one link of a page, and reports its problems. Empty for a link that stays unchanged. */
function resolveLink(linking: Linking, page: PageSource, destination: Destination): Link[] {
  const { reading, map, contentTypes } = linking
  const { source } = page
  const { start, end, path, query, place } = destination
  const line = page.contentLine + destination.line - 1
  const to = linkTarget(path, source, map, place?.fragment)
  if (!to) {
    reading.report(source, ...brokenLink(linking, page, destination, line))
    return []
  }
  const stageProblems = stageMistakes(path, query, to, contentTypes).map(each => problem('link-stage', each, line))
  reading.report(source, ...stageProblems, ...unknownStyleProblem(destination, to, map, line))
  if (to.file !== undefined) addFileLink(linking, source, destination, to.file, line)
  // A fragment that names a style or the words is part of the link.
  const isWholeAddress = place !== undefined && (to.list !== undefined || to.words)
  return [{ start, end: isWholeAddress ? place.end : end, to }]
}

/** The problem with a link without a target in the project; none with an address of the service. */
function brokenLink(
  { reading, map, leftOut }: Linking,
  { source, content }: PageSource,
  { start, end, path, kind, place }: Destination,
  line: number,
): Problem[] {
  if (path.startsWith('/') && isServedPath(reading, path, map)) return []
  if (linkTarget(path, source, leftOut())) {
    const help = 'remove the link, or publish the page'
    const message = `the ${kind} ${quote(path)} points to a page that is left out as a draft; ${help}`
    return [problem('link-broken', message, line)]
  }
  const { clean, cause } = cleanPath(path)
  const meant = linkMeant(clean, source, map)
  const isWords = path.endsWith(PROJECT_FILE) && place?.fragment === WORDS
  const addition = isWords ? `"${WORDS}" to ${PROJECT_FILE}` : 'the file'
  const help = advice(meant && encodePath(meant), `correct its path, or add ${addition}`)
  // A decoded path may look like an address with a scheme.
  const shown = /^[a-z][a-z0-9+.-]*:/i.test(path) ? content.slice(start, end) : path
  const broken = problem('link-broken', `the ${kind} ${quote(shown)} ${cause}; ${help}`, line)
  return [{ ...broken, missing: { path: pathMeant(clean, source) } }]
}

/** Records that a page links to a file or shows it. The first alt text of a picture describes it. */
function addFileLink(
  { reading, altTexts, linked, pictured, withoutAlt, contentTypes }: Linking,
  source: string,
  { path, kind, alt }: Destination,
  file: string,
  line: number,
): void {
  linked.add(file)
  if (kind === 'picture') {
    pictured.add(file)
    if (alt === undefined) withoutAlt.push({ file, source, line })
    const wrongFormat = pictureFormatProblem(`the picture ${quote(path)}`, contentTypes.get(file), line)
    if (wrongFormat) reading.report(source, wrongFormat)
  }
  const description = altTexts.has(file) ? undefined : embeddedDescription(alt)
  if (description !== undefined) altTexts.set(file, description)
}

/** The problem with a link to a style list whose fragment is neither a style nor a colour group of it. */
function unknownStyleProblem(
  { path, kind, place }: Destination,
  to: Target,
  { styles }: SiteMap,
  line: number,
): Problem[] {
  const { fragment } = place ?? { fragment: '' }
  if (to.list === undefined || fragment === '' || to.id !== undefined || to.group !== undefined) return []
  const { list } = to
  const { ids = new Map(), groups = [] } = styles.get(`styles/${list}.yaml`) ?? {}
  const meant = nearest(fragment, [...ids.keys(), ...groups])
  const help = advice(meant && `${path}#${meant}`, 'write an id after #, or remove the #')
  const names = list === 'colors' ? 'colour or colour group' : 'type style'
  const message = `the ${kind} ${quote(`${path}#${fragment}`)} names no ${names}, so it links to the whole list: ${help}`
  return [{ ...problem('link-style-missing', message, line), missing: { path: `styles/${list}.yaml`, id: fragment } }]
}

/**
 * The mistake in the query `?stage`, which shows a picture, colours or type large: it is misspelt, or the target is
 * another one. Other queries may mean anything.
 */
function stageMistakes(
  path: string,
  query = '',
  { file = '', list }: Target,
  contentTypes: ReadonlyMap<string, string>,
): string[] {
  const [name = ''] = query.split(/[=&]/)
  if (nearest(name, [STAGE], 1 / 3) === undefined) return []
  const link = `the link ${quote(`${path}?${query}`)}`
  const [type = ''] = contentTypes.get(file)?.split('/') ?? []
  if (list === undefined && !STAGED.has(type))
    return [`${link} asks for a stage, which only pictures, colours and type have: remove ${quote(`?${query}`)}`]
  return query === STAGE ? [] : [`${link} shows no stage: ${advice(`${path}?${STAGE}`, '')}`]
}

/** The kinds of files that have a stage. */
const STAGED = wordSet('image font')

/** A broken path without curly quotes and backslashes, and the reason why it is broken. */
function cleanPath(path: string): { clean: string; cause: string } {
  const unquoted = path.replace(/^[“”„«»‘’]+|[“”„«»‘’]+$/gu, '')
  const clean = unquoted.replaceAll('\\', '/')
  if (unquoted !== path)
    return { clean, cause: 'is in curly quotes, which belong to the address: write straight quotes or none' }
  if (clean !== path) return { clean, cause: 'has backslashes: write / instead' }
  return { clean, cause: 'matches no page or file in the project' }
}

/** Encodes the characters that would end an address in Markdown, or begin another part of it. */
function encodePath(path: string): string {
  return path.replace(/[\s%()<>"?#]/gu, character =>
    Array.from(Buffer.from(character), byte => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join(''),
  )
}

/** The project path that a link refers to. A path without an extension is the path of a page. */
function pathMeant(path: string, from: string): string {
  const resolved = resolvePath(folderOf(from), path) ?? path
  return /\.\w+$/.test(resolved) ? resolved : `${resolved}.md`
}

/** A suggestion for a broken link: the path in another case, the same name elsewhere, or a similar one. */
function linkMeant(path: string, from: string, map: SiteMap): string | undefined {
  const top = '../'.repeat(from.split('/').length - 1)
  // A path from the root may start at the project folder or at `pages/`.
  const candidates = path.startsWith('/') ? [`${top}${path.slice(1)}`, `${top}pages${path}`] : [path]
  const meant = SEARCHES.values().flatMap(search => candidates.flatMap(candidate => search(candidate, from, map) ?? []))
  return meant.next().value
}

const SEARCHES: readonly (typeof correctCase)[] = [
  (path, from, map) => linkTarget(path, from, map) && path,
  correctCase,
  sameName,
  nearestInFolder,
]

/** A page or file in the same folder whose name differs in a few letters. */
function nearestInFolder(written: string, from: string, map: SiteMap): string | undefined {
  const path = withoutLastSlash(written)
  const resolved = resolvePath(folderOf(from), path) ?? ''
  const folder = resolved.slice(0, resolved.lastIndexOf('/') + 1)
  const names = map.namesIn().get(folder) ?? []
  const meant = nearest(resolved.slice(folder.length), names, 1 / 3)
  return meant && path.slice(0, path.lastIndexOf('/') + 1) + meant
}

/** Maps former page ids to their pages. Reports an alias that is also the id of a page or another page's alias. */
function aliasOwners({ report }: ProjectReading, sources: readonly PageSource[]): Map<string, PageId> {
  const byId = new Map<string, PageSource>(sources.map(source => [source.id, source]))
  const owners = new Map<string, { source: PageSource; line: number }>()
  for (const source of sources)
    for (const { id, line } of source.notes.aliases ?? []) {
      const page = byId.get(id)
      const owner = owners.get(id)
      owners.set(id, owner ?? { source, line })
      const [name, pronoun] = page === source ? ['this page', 'it'] : [page?.path, 'that page']
      const message = page
        ? `the alias ${quote(id)} is the id of ${name}: remove it, or give ${pronoun} another id`
        : owner && `the alias ${quote(id)} is also in ${owner.source.path}, on line ${owner.line}: keep one of the two`
      if (message !== undefined) report(source.source, problem('id-taken', message, line))
    }
  return new Map(Array.from(owners, ([alias, { source }]) => [alias, source.id]))
}

/** The possible targets of links to styles, keyed by style list path. Omits empty lists. */
function styleMaps({ colors, types }: WrittenStyles): Map<string, StyleMap> {
  // Colours without a group come in groups without a name, which no link can name.
  const groups = groupColors(colors).flatMap(({ id, name }) => (name === undefined ? [] : id))
  const maps: StyleMap[] = [
    { list: 'colors', ids: new Map(colors.map(({ id }) => [id, id])), groups: new Set(groups) },
    { list: 'types', ids: new Map(types.map(({ style: { id } }) => [id, id])), groups: new Set() },
  ]
  return new Map(maps.filter(({ ids }) => ids.size > 0).map(map => [`styles/${map.list}.yaml`, map]))
}
