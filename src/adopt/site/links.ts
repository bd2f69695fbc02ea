import { dirname, relative } from 'node:path/posix'
import { slug } from '#brand/ids.ts'
import { unescapeText } from '#formats/markdown/character-reference.ts'
import { hasAnchor } from '#intake/markdown/anchors.ts'
import { type Link, readMarkdown } from '#intake/markdown/markdown.ts'
import { resolvePath } from '#intake/pages/link-target.ts'
import { addTo, perObject } from '#platform/base/object.ts'
import { applyEdits, type Edit, groupsOf, lineCounter, percentDecode } from '#platform/base/text.ts'
import { withFrontMatter } from '../pages/front-matter.ts'
import { type Notes, noNotes } from '../report/report.ts'
import type { SiteFacts } from '../sources/facts.ts'
import { withoutExtension } from '../sources/leave-out.ts'
import { type Entry, shownPath } from '../sources/source.ts'
import type { PagePlan } from './page-paths.ts'

/** A file with its place in the new folder, such as `files/logos/a.svg`. It `isSpare` if it is written only if a page links to it. */
export type FilePlan = { entry: Entry; to: string; isSpare?: boolean }

/**
 * The text of each page, with links that lead from its new place to where they led; those that lead nowhere are lost.
 * `used` has the places that they lead to.
 */
export function linkPages(
  plans: readonly PagePlan[],
  files: readonly FilePlan[],
  others: readonly PagePlan[] = [],
): { texts: string[]; notes: Notes; used: ReadonlySet<string> } {
  const all = [...plans, ...others].map(plan => {
    const { links, heading, anchors } = readMarkdown(plan.page.text)
    return { ...plan, links, heading, target: { to: plan.to, anchors: new Set(anchors) } }
  })
  const index = indexSite(all, files)
  const [notes, used] = [noNotes(), new Set<string>()]
  const texts = all.slice(0, plans.length).map(page => linkPage(page, { index, notes, used }))
  return { texts, notes, used }
}

function linkPage(page: LinkedPage, { index, notes, used }: { index: Index; notes: Notes; used: Set<string> }): string {
  const { entry, to, links, heading } = page
  const { text, lines, meta } = page.page
  const lineAt = lineCounter(text)
  const path = shownPath(entry)
  const linkingAt = (line: number): Linking => ({
    page,
    index,
    lose: (what, text) => notes.lost.push({ path, line, what, text }),
    guess: (key, value) => notes.guessed.push({ path, key, value, why: 'the site has only this with such an address' }),
    use: to => used.add(to),
  })
  const edits = links.flatMap(link => linkEdits(link, linkingAt(lines[lineAt(link.start) - 1] ?? 1)))
  const title = heading === undefined && meta.title === undefined ? titleOf(to, page.facts.name) : meta.title
  if (title !== undefined && title !== meta.title)
    notes.guessed.push({ path, key: 'title', value: title, why: 'the page has no heading' })
  const cover = meta.cover && coverOf(meta.cover, linkingAt(1))
  return withFrontMatter({ ...meta, title, cover }, heading, applyEdits(text, edits))
}

/** The path of a cover from its page; undefined if no file of the source is meant. */
function coverOf(address: string, linking: Linking): string | undefined {
  const target = find(decode(address), linking)
  if (!target) linking.lose('cover', address)
  else linking.use(target.to)
  return target && relative(dirname(linking.page.to), target.to)
}

/** The name of a file as a title, unless it can be one as it is: `clear-space` becomes `Clear space`. */
function titleOf(to: string, siteName: string | undefined): string | undefined {
  if (to === 'pages/index.md') return siteName
  const name = /\/([a-z0-9]+(?:[-_][a-z0-9]+)*)(?:\/index)?\.md$/.exec(to)?.[1]?.replaceAll(/[-_]/g, ' ')
  return name && name.charAt(0).toUpperCase() + name.slice(1)
}

/** A place in the new folder; a page also has anchors. */
type Target = { to: string; anchors?: ReadonlySet<string> }

type LinkedPage = PagePlan & { target: Target; links: Link[]; heading: string | undefined }

/**
 * Targets by path in the source, by all ways of writing their addresses, and by their last name. Each key begins with
 * the label of the source; two lists have it as their key.
 */
type Index = {
  exact: Map<string, Target>
  similar: Map<string, Target>
  named: Map<string, { path: string; key: string; target: Target }[]>
  /** The repository of each source. */
  repositories: Map<string, string | undefined>
  /** The folders of each source that addresses from the root of its site leave out. */
  folders: Map<string, string[]>
}

function indexSite(pages: readonly LinkedPage[], files: readonly FilePlan[]): Index {
  const maps = { exact: new Map(), similar: new Map(), named: new Map() }
  const index: Index = { ...maps, repositories: new Map(), folders: new Map() }
  const addSimilar = (key: string, target: Target) => index.similar.has(key) || index.similar.set(key, target)
  const addNamed = ({ label, path }: Entry, key: string, target: Target) => {
    const name = label + lastName(key)
    index.named.set(name, [...(index.named.get(name) ?? []), { path, key, target }])
  }
  const add = (entry: Entry, target: Target) => {
    index.exact.set((entry.label + entry.path).normalize('NFC'), target)
    addNamed(entry, nameKey(entry.path), target)
  }
  for (const { entry, target, addresses } of pages) {
    add(entry, target)
    for (const address of addresses) addSimilar(entry.label + pageKey(address), target)
  }
  for (const { entry, id, target, to, facts } of pages) {
    for (const path of [entry.path, to.replace('pages', facts.root), to.replace('pages/', '')])
      addSimilar(entry.label + pageKey(path), target)
    addNamed(entry, pageKey(id), target)
  }
  for (const { entry, to, isSpare } of files) {
    add(entry, { to })
    addSimilar(entry.label + fold(entry.path), { to })
    if (isSpare) continue
    for (let [old, folder] = [dirname(entry.path), dirname(to)]; old !== '.' && folder !== '.'; old = dirname(old)) {
      addSimilar(`${entry.label}${fold(old)}/`, { to: `${folder}/` })
      folder = dirname(folder)
    }
  }
  for (const [label, own] of Map.groupBy(pages, ({ entry }) => entry.label)) {
    index.repositories.set(label, ownRepository(own, index))
    index.folders.set(label, leftOutFolders(own, index))
  }
  return index
}

const RAW = 'raw.githubusercontent.com'
const VIEWS = new Set(['blob', 'tree', 'raw'])

/** The place in a repository of an address such as `https://github.com/acme/brand/blob/main/logo.svg`; `path` begins with the branch. */
type RepositoryPlace = { repository: string; path: readonly string[] }

/** Reads the addresses of files at GitHub and GitLab, and of raw files. */
function placeInRepository(address: string): RepositoryPlace | undefined {
  const { protocol, host = '', pathname } = URL.parse(address) ?? {}
  if (pathname === undefined || !/^https?:$/.test(protocol ?? '')) return undefined
  const [, ...parts] = pathname.split('/').map(decode)
  const view = host === RAW ? 2 : parts.findIndex((part, at) => at > 1 && VIEWS.has(part))
  if (view < 2) return undefined
  const names = [host === RAW ? 'github.com' : host, ...parts.slice(0, view).filter(part => part !== '-')]
  return { repository: names.join('/').toLowerCase(), path: parts.slice(host === RAW ? 2 : view + 1) }
}

/** The path of a place in its repository, if a source has it; a branch has up to three names. */
function pathOfSource({ path }: RepositoryPlace, label: string, { exact, similar }: Index): string | undefined {
  const has = (path: string) => exact.has((label + path).normalize('NFC')) || similar.has(`${label}${fold(path)}/`)
  return [1, 2, 3].map(branch => path.slice(branch).join('/')).find(each => each !== '' && has(each))
}

/** Finds the repository of a source by the addresses on its pages: the one with the most that name one of its files. */
function ownRepository(pages: readonly LinkedPage[], index: Index): string | undefined {
  const counts = new Map<string, number>()
  for (const { entry, links } of pages)
    for (const place of links.flatMap(({ source }) => placeInRepository(source) ?? [])) {
      const path = pathOfSource(place, entry.label, index)
      // Most repositories have such a file.
      if (path === undefined || /^(?:readme|licen[cs]e|contributing|changelog)\b[^/]*$/i.test(path)) continue
      addTo(counts, place.repository, 1)
    }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0]
}

/** Finds the folders that two or more addresses from the root of a site leave out. */
function leftOutFolders(pages: readonly LinkedPage[], index: Index): string[] {
  const proofs = new Map<string, Set<string>>()
  for (const { entry, links, facts } of pages)
    for (const { source } of links) {
      const address = pageKey(fromRoot(decode(source.replace(/[?#].*$/s, '')), facts))
      if (!source.startsWith('/') || lastName(address) === address) continue
      const { key = '' } = nearestNamed(address, entry, index) ?? {}
      const folder = key.slice(1, -address.length)
      if (folder !== '') proofs.set(folder, (proofs.get(folder) ?? new Set()).add(address))
    }
  return [...proofs].flatMap(([folder, addresses]) => (addresses.size > 1 ? [folder] : []))
}

/** A path from the root of a site, without the one before all of its addresses. */
function fromRoot(path: string, { baseUrl }: SiteFacts): string {
  const isBelow = baseUrl !== '' && `${path}/`.startsWith(`${baseUrl}/`)
  return (isBelow ? path.slice(baseUrl.length) : path).replace(/^(?:\.*\/)+/, '')
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

/** The same for all ways of writing the address of a page: `/01-Logo/index.html`, `01-logo.md`, `01-logo/`. */
function pageKey(path: string): string {
  return nameKey(path).replace(/\/(?:index|readme)$/, '')
}

/** The names of a path in one form, each after a slash: `Marks/Big Logo.md` becomes `/marks/big-logo`. */
function nameKey(path: string): string {
  const names = withoutExtension(path.replace(/(?<!\/)\/+$/, '')).split('/')
  return names.flatMap(name => (name === '' ? [] : `/${slug(name) || fold(name)}`)).join('')
}

function lastName(key: string): string {
  return key.slice(key.lastIndexOf('/'))
}

type Linking = {
  page: LinkedPage
  index: Index
  lose: (what: string, text: string) => void
  /** Reports the target of an address that no page or file has. */
  guess: (address: string, target: string) => void
  use: (target: string) => void
}

function linkEdits({ start, source, syntax, kind }: Link, linking: Linking): Edit[] {
  const { page, lose, index } = linking
  const { text } = page.page
  const { label } = page.entry
  const address = unescapeText(source.trim(), syntax).replace(/[\t\r\n]/g, '')
  const { origin } = page.facts
  const isOwn = origin !== undefined && (address === origin || address.startsWith(`${origin}/`))
  const place = placeInRepository(address)
  const isOfSource = place !== undefined && place.repository === index.repositories.get(label)
  const inRepository = isOfSource ? pathOfSource(place, label, index) : undefined
  const own = inRepository === undefined ? undefined : `/@site/${encode(inRepository)}${URL.parse(address)?.hash ?? ''}`
  const local = isOwn
    ? address.slice(origin.length) || '/'
    : (own ?? ALIASES.reduce((text, each) => text.replace(...each), address))
  if (/^file:/i.test(local)) lose(kind, local)
  if (/^(?:[a-z][a-z0-9+.-]+:|\/\/|$)/i.test(local)) return []
  const [, path = '', hash] = groupsOf(/^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/s, local)
  const target = path === '' ? page.target : find(decode(path), linking)
  const [, marker, name = ''] = groupsOf(MARKER, decode(path))
  const written = marker === undefined ? address : name + (hash === undefined ? '' : `#${decode(hash)}`)
  const span = { start, end: start + source.length }
  if (!target) {
    if (!isOwn) lose(kind, written)
    if (marker === undefined) return []
    return marker === 'wiki' && kind === 'link' ? withoutLink(text, span) : [{ ...span, text: encode(name) }]
  }
  linking.use(target.to)
  const anchor = hash === undefined || !target.anchors ? hash : anchorOf(target.anchors, hash)
  if (anchor === undefined && hash !== undefined) lose('link to a heading', written)
  const fragment = hash === undefined ? '' : `#${anchor === undefined || anchor === hash ? hash : encode(anchor)}`
  const to = path === '' ? '' : encode(relative(dirname(page.to), target.to)) + (target.to.endsWith('/') ? '/' : '')
  const mark = kind === 'picture' && target.anchors && syntax === 'markdown' ? text.lastIndexOf('![', start) : -1
  const shown = mark === -1 ? [] : [{ start: mark, end: mark + 1, text: '' }]
  return to + fragment === address ? shown : [...shown, { ...span, text: to + fragment }]
}

/** What generators write before a path from the root of the site, or of the source. */
const ALIASES: readonly (readonly [RegExp, string])[] = [
  [/^pathname:\/\/|^\{\{-?\s*site\.(?:base)?url\s*-?\}\}/, ''],
  [/^(?:@site|[@~])\//, '/@site/'],
]

/** Addresses that only the whole site resolves: see `Pass`. */
const MARKER = /^\/@(wiki|site|media)\/(.*)$/s

/** The id of a heading here, whose id in another system is made from the same words. */
function anchorOf(anchors: ReadonlySet<string>, hash: string): string | undefined {
  if (hasAnchor(anchors, hash)) return hash
  const name = decode(hash).split('#').at(-1) ?? ''
  const found = FORMS.map((form, at) => similarAnchors(anchors)[at]?.get(form(name)))
  return found.find(anchor => anchor !== undefined)
}

/** What ids of one heading have in common: their letters and digits, without the first digits in Jekyll, or only ASCII in MkDocs. */
const FORMS: readonly ((id: string) => string)[] = [
  id => slug(id).replaceAll('-', ''),
  id => slug(id).replaceAll('-', '').replace(/^\d+/, ''),
  id =>
    id
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, ''),
]

const similarAnchors = perObject((anchors: ReadonlySet<string>) =>
  FORMS.map(form => new Map([...anchors].reverse().map(anchor => [form(anchor), anchor]))),
)

function decode(path: string): string {
  return percentDecode(path) ?? path
}

/** Encodes what would end an address in Markdown, HTML or a table, or begin another part of it. */
function encode(path: string): string {
  return path.replace(/[^\p{L}\p{M}\p{N}/_.~,;=@+-]/gu, character =>
    /['()!*]/.test(character)
      ? `%${character.charCodeAt(0).toString(16)}`
      : encodeURIComponent(character.toWellFormed()),
  )
}

/** Leaves the words of a link `[words](address)`. */
function withoutLink(text: string, { start, end }: { start: number; end: number }): Edit[] {
  const close = text.lastIndexOf('](', start)
  if (close === -1) return []
  const open = text.lastIndexOf('[', close)
  return [
    { start: open, end: open + 1, text: '' },
    { start: close, end: text.indexOf(')', end) + 1, text: '' },
  ]
}

/** The target of a decoded path: a path in the source, or an address of its website. */
function find(path: string, { page, index, guess }: Linking): Target | undefined {
  const { entry, facts, addresses } = page
  const { label } = entry
  const [, marker, name = ''] = groupsOf(MARKER, path)
  if (marker === 'media') return index.exact.get(`${label}${entry.path}/@media/${name}`.normalize('NFC'))
  if (marker === 'wiki') return nearestNamed(nameKey(name), entry, index)?.target
  const below = marker === 'site' ? name : fromRoot(path, facts)
  const roots = ['', facts.root, ...facts.publicRoots, ...(index.folders.get(label) ?? [])]
  const folders = [dirname(entry.path), withoutExtension(entry.path), ...addresses.flatMap(id => [id, dirname(id)])]
  const nearby = path.startsWith('/') ? [] : folders.map(folder => `${folder}/${path}`)
  for (const place of [...nearby, ...roots.map(root => `${root}/${below}`)]) {
    const at = resolvePath('', place)
    if (at === undefined) continue
    const keys = [pageKey(at), fold(at), `${fold(at)}/`].map(key => index.similar.get(label + key))
    const found = index.exact.get((label + at).normalize('NFC')) ?? keys.find(target => target !== undefined)
    if (found) return found
  }
  // The site may be below a path that no settings name, or made of a folder that they do not name.
  const [whole, shorter] = [pageKey(below), pageKey(below.replace(/^[^/]*\//, ''))]
  const ends = path.startsWith('/') ? [whole, shorter].filter(key => lastName(key) !== key) : []
  const guessed = ends.map(key => nearestNamed(key, entry, index)).find(target => target !== undefined)
  if (guessed) guess(path, guessed.target.to)
  return guessed?.target
}

/** The nearest page or file whose path ends with a key, such as that of `Logo`, `Marks/Logo` or `logo.svg`. */
function nearestNamed(key: string, { label, path }: Entry, { named }: Index) {
  const all = named.get(label + lastName(key)) ?? []
  const matches = all.filter(other => other.key.endsWith(key)).slice(0, MAX_COMPARED)
  const distance = (other: string) => relative(dirname(path), other).split('/').length
  return matches.toSorted((a, b) => distance(a.path) - distance(b.path) || a.path.length - b.path.length)[0]
}

const MAX_COMPARED = 100
