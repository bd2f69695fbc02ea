import type { PageId } from '#brand/ids.ts'
import { type Link, type Page, STAGE, type Target } from '#brand/page.ts'
import { groupColors } from '#brand/styles/color-groups.ts'
import { lazy, withoutUndefined } from '#platform/base/object.ts'
import { groupsOf, quote, wordSet } from '#platform/base/text.ts'
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

/** Pages with resolved links, their alt texts keyed by picture path, and the files that they link to or show. */
export type LinkedPages = {
  pages: LinkedPage[]
  altTexts: ReadonlyMap<string, string>
  linked: ReadonlySet<string>
  pictured: ReadonlySet<string>
}

/** A page whose links are JSON until `links` is called, which takes less memory. */
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
  const [linked, pictured] = [new Set<string>(), new Set<string>()]
  const leftOut = lazy(() => siteMap(drafts, []))
  const linking: Linking = { reading, map, leftOut, altTexts, linked, pictured, contentTypes }
  const pages = sources.map(source => {
    const { id, name, description, order, content } = source
    const destinations: Destination[] = JSON.parse(source.destinations)
    const resolved = JSON.stringify(destinations.flatMap(destination => resolveLink(linking, source, destination)))
    const links = (): Link[] => JSON.parse(resolved)
    return withoutUndefined({ id, name, content, links, description, order })
  })
  checkFragments(reading, sources, map)
  reportLeftOut(reading, [...drafts, ...sources], map, linked)
  return { pages, altTexts, linked, pictured }
}

/** Reports the pages that are left out, each with the files that only it shows, which are published. */
function reportLeftOut(
  { report }: ProjectReading,
  pages: readonly PageSource[],
  map: SiteMap,
  linked: ReadonlySet<string>,
): void {
  for (const { source, destinations, leftOut } of pages) {
    if (!leftOut) continue
    const shown: Destination[] = JSON.parse(destinations)
    const targets = new Set(shown.flatMap(({ path }) => linkTarget(path, source, map)?.file ?? []))
    const own = Array.from(targets.difference(linked), quote)
    const files = `. Only this page shows ${own.slice(0, MAX_FILES).join(', ')}${own.length > MAX_FILES ? ' and others' : ''}, which are published: begin their names with _ to leave them out`
    const message = leftOut.message + (own.length > 0 ? files : '')
    report(source, { ...leftOut, message, breaks: { paths: [source] } })
  }
}

const MAX_FILES = 3

/** Reports each link to a heading or other anchor that its page does not have. */
function checkFragments({ report }: ProjectReading, sources: readonly PageSource[], map: SiteMap) {
  const byId = new Map(sources.map(source => [source.id, source]))
  const read = ({ places }: PageSource): Places => JSON.parse(places)
  const cache = new Map<PageSource, ReadonlySet<string>>()
  const anchorsOf = (page: PageSource) => {
    const anchors = cache.get(page) ?? new Set(read(page).anchors)
    if (cache.size > MAX_CACHED_PAGES) cache.clear()
    cache.set(page, anchors)
    return anchors
  }
  let suggestions = 0
  for (const source of sources)
    for (const { path, fragment, line } of read(source).fragments) {
      const target = path === '' ? source.id : linkTarget(path, source.source, map)?.page
      const page = target === undefined ? undefined : byId.get(target)
      if (!page || hasAnchor(anchorsOf(page), fragment)) continue
      const meant = suggestions++ < MAX_SUGGESTIONS ? nearestAnchor(anchorsOf(page), fragment) : undefined
      const help = advice(meant && `${path}#${meant}`, `correct it, or end the heading with {#${fragment}}`)
      const message = `the link ${quote(`${path}#${fragment}`)} points to a heading that page ${page.id} does not have: ${help}`
      const cause = problem('link-heading-missing', message, source.contentLine + line - 1)
      report(source.source, { ...cause, missing: { path: `${page.source}#`, id: fragment } })
    }
}

/** Comparing a name with thousands of others is slow. */
const MAX_SUGGESTIONS = 40

const MAX_CACHED_PAGES = 100

/** Whether the service has this address; for one of this guide, whether it is a page of it. */
function isServed({ isServed, project }: ProjectReading, path: string, { pagesById }: SiteMap): boolean {
  const [, id, page = ''] = groupsOf(/^\/[^/]+\/([^/]+)\/(.*?)(?:\.md|\/)?$/, path)
  const isOwn = id === project.id && page !== '' && !OTHER_THAN_PAGES.has(page.replace(/^-\/.*/s, '-'))
  return isServed(path) && (!isOwn || pagesById.has(page))
}

const OTHER_THAN_PAGES = wordSet('- index llms.txt llms-full.txt sitemap.xml')

type Linking = {
  reading: ProjectReading
  map: SiteMap
  leftOut: () => SiteMap
  altTexts: Map<string, string>
  linked: Set<string>
  pictured: Set<string>
  contentTypes: ReadonlyMap<string, string>
}

function resolveLink(
  { reading, map, leftOut, altTexts, linked, pictured, contentTypes }: Linking,
  { source, contentLine, content }: PageSource,
  { start, end, path, query, kind, alt, line: lineInContent, place }: Destination,
): Link[] {
  const to = linkTarget(path, source, map, place?.fragment)
  const line = contentLine + lineInContent - 1
  if (!to) {
    if (path.startsWith('/') && isServed(reading, path, map)) return []
    if (linkTarget(path, source, leftOut())) {
      const help = 'remove the link, or publish the page'
      const message = `the ${kind} ${quote(path)} points to a page that is left out as a draft; ${help}`
      reading.report(source, problem('link-broken', message, line))
      return []
    }
    const { clean, cause } = cleanPath(path)
    const meant = linkMeant(clean, source, map)
    const isWords = path.endsWith(PROJECT_FILE) && place?.fragment === WORDS
    const missing = isWords ? `"${WORDS}" to ${PROJECT_FILE}` : 'the file'
    const help = advice(meant && encodePath(meant), `correct its path, or add ${missing}`)
    // A decoded path may look like an address with a scheme.
    const shown = /^[a-z][a-z0-9+.-]*:/i.test(path) ? content.slice(start, end) : path
    const broken = problem('link-broken', `the ${kind} ${quote(shown)} ${cause}; ${help}`, line)
    reading.report(source, { ...broken, missing: { path: pathMeant(clean, source) } })
    return []
  }
  const stage = stageProblem(path, query, to, contentTypes)
  if (stage !== undefined) reading.report(source, problem('link-stage', stage, line))
  if (to.file !== undefined) {
    linked.add(to.file)
    if (kind === 'picture') pictured.add(to.file)
    const subject = `the picture ${quote(path)}`
    const unshown = kind === 'picture' && pictureFormatProblem(subject, contentTypes.get(to.file), line)
    if (unshown) reading.report(source, unshown)
    const description = altTexts.has(to.file) ? undefined : embeddedDescription(alt)
    if (description !== undefined) altTexts.set(to.file, description)
  }
  if (!place || (to.list === undefined && !to.words)) return [{ start, end, to }]
  if (to.list && place.fragment !== '' && to.id === undefined && to.group === undefined) {
    const { ids = new Map(), groups = [] } = map.styles.get(`styles/${to.list}.yaml`) ?? {}
    const meant = nearest(place.fragment, [...ids.keys(), ...groups])
    const help = advice(meant && `${path}#${meant}`, 'write an id after #, or remove the #')
    const names = to.list === 'colors' ? 'colour or colour group' : 'type style'
    const message = `the ${kind} ${quote(`${path}#${place.fragment}`)} names no ${names}, so it links to the whole list: ${help}`
    const missing = { path: `styles/${to.list}.yaml`, id: place.fragment }
    reading.report(source, { ...problem('link-style-missing', message, line), missing })
  }
  return [{ start, end: place.end, to }]
}

/** The problem with a query that is `stage` misspelt, or whose target has none; other queries may mean anything. */
function stageProblem(
  path: string,
  query: string | undefined,
  { file, list }: Target,
  contentTypes: ReadonlyMap<string, string>,
): string | undefined {
  const [name = ''] = query?.split(/[=&]/) ?? []
  if (nearest(name, [STAGE], 1 / 3) === undefined) return undefined
  const hasStage = list !== undefined || /^(?:image|font)\//.test(contentTypes.get(file ?? '') ?? '')
  if (!hasStage)
    return `the link ${quote(`${path}?${query}`)} asks for a stage, which only pictures, colours and type have: remove ${quote(`?${query}`)}`
  return query === STAGE
    ? undefined
    : `the link ${quote(`${path}?${query}`)} shows no stage: ${advice(`${path}?${STAGE}`, '')}`
}

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
  return path.replace(/[\s%()<>"?#]/gu, character => {
    return /[()]/.test(character) ? `%${character.charCodeAt(0).toString(16)}` : encodeURIComponent(character)
  })
}

/** The project path that a link refers to. A path without an extension is the path of a page. */
function pathMeant(path: string, from: string): string {
  const resolved = resolvePath(from.slice(0, from.lastIndexOf('/')), path) ?? path
  return /\.\w+$/.test(resolved) ? resolved : `${resolved}.md`
}

/** A suggestion for a broken link: the path in another case, the same name elsewhere, or a similar one. */
function linkMeant(path: string, from: string, map: SiteMap): string | undefined {
  const top = '../'.repeat(from.split('/').length - 1)
  const starts = path.startsWith('/') ? [`${top}${path.slice(1)}`, `${top}pages${path}`] : [path]
  const right = starts.find(start => linkTarget(start, from, map))
  const near = (search: typeof correctCase) => starts.map(start => search(start, from, map)).find(found => found)
  return right ?? near(correctCase) ?? near(sameName) ?? near(nearestInFolder)
}

/** A page or file in the same folder whose name differs in a few letters. */
function nearestInFolder(written: string, from: string, map: SiteMap): string | undefined {
  const path = written.replace(/(?<!\/)\/+$/, '')
  const resolved = resolvePath(from.slice(0, from.lastIndexOf('/')), path) ?? ''
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
      const message = page
        ? `the alias ${quote(id)} is the id of ${page === source ? 'this page' : page.path}: remove it, or give ${page === source ? 'it' : 'that page'} another id`
        : owner && `the alias ${quote(id)} is also in ${owner.source.path}, on line ${owner.line}: keep one of the two`
      if (message !== undefined) report(source.source, problem('id-taken', message, line))
    }
  return new Map(Array.from(owners, ([alias, { source }]) => [alias, source.id]))
}

/** The possible targets of links to styles, keyed by style list path. Omits empty lists. */
function styleMaps({ colors, types }: WrittenStyles): Map<string, StyleMap> {
  const groups = groupColors(colors).flatMap(({ id, name }) => (name === undefined ? [] : id))
  const maps: StyleMap[] = [
    { list: 'colors', ids: new Map(colors.map(({ id }) => [id, id])), groups: new Set(groups) },
    { list: 'types', ids: new Map(types.map(({ style: { id } }) => [id, id])), groups: new Set() },
  ]
  return new Map(maps.filter(({ ids }) => ids.size > 0).map(map => [`styles/${map.list}.yaml`, map]))
}
