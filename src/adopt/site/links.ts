import { dirname, relative } from 'node:path/posix'
import { slug } from '#brand/ids.ts'
import { foldersAbove } from '#brand/portable-paths.ts'
import { unescapeText } from '#formats/markdown/character-reference.ts'
import { hasAnchor } from '#intake/markdown/anchors.ts'
import { type Link, readMarkdown } from '#intake/markdown/markdown.ts'
import { relativePath, resolvePath } from '#intake/pages/link-target.ts'
import { addTo, perObject, withoutUndefined } from '#platform/base/object.ts'
import {
  applyEdits,
  type Edit,
  lineCounter,
  percentDecoded,
  withoutLastSlash,
  withoutQuery,
  wordSet,
} from '#platform/base/text.ts'
import { withFrontMatter } from '../pages/front-matter.ts'
import { type Notes, noNotes } from '../report/report.ts'
import { fromRoot, isElsewhere, localAddress, placeOnSite } from '../sources/facts.ts'
import { isAbout, withoutExtension } from '../sources/leave-out.ts'
import { withoutIndex } from '../sources/order.ts'
import { type Entry, shownPath } from '../sources/source.ts'
import { withoutLink, withoutPicture } from './dead-links.ts'
import type { PagePlan } from './page-paths.ts'
import { fileWords, guessesAbout } from './titles.ts'

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
    const { links, heading, anchors } = readMarkdown(plan.text)
    return { ...plan, links, heading, target: { to: plan.to, anchors: new Set(anchors) } }
  })
  const titles = Map.groupBy(all, ({ to, heading, meta }) => meta.title ?? heading ?? to)
  const isApart = (same: readonly LinkedPage[]) => new Set(same.map(({ to }) => fileWords(to))).size === same.length
  const sameTitle = new Set([...titles.values()].filter(same => same.length >= MIN_SAME && isApart(same)).flat())
  const index = indexSite(all, files)
  const [notes, used] = [noNotes(), new Set<string>()]
  const texts = all.slice(0, plans.length).map(page => linkPage(page, { index, notes, used, sameTitle }))
  return { texts, notes, used }
}

/** The fewest pages of one title, such as that of the guide, that need others in the menu. */
const MIN_SAME = 3

type LinkingSite = { index: Index; notes: Notes; used: Set<string>; sameTitle: ReadonlySet<LinkedPage> }

function linkPage(page: LinkedPage, { index, notes, used, sameTitle }: LinkingSite): string {
  const { entry, links, heading } = page
  const { text, lines, meta } = page
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
  const cover = meta.cover && coverOf(meta.cover, linkingAt(1))
  const guesses = guessesAbout(page, sameTitle.has(page))
  for (const guess of guesses) notes.guessed.push({ path, ...guess })
  const values = new Map(guesses.map(({ key, value }) => [key, value]))
  const own = { title: values.get('title'), nav: values.get('nav'), ...withoutUndefined(meta), cover }
  return withFrontMatter(own, heading, applyEdits(text, edits))
}

/** The path of a cover from its page; undefined if no file of the source is meant. */
function coverOf(address: string, linking: Linking): string | undefined {
  const target = find(percentDecoded(address), linking)
  if (!target) linking.lose('cover', address)
  else linking.use(target.to)
  return target && relativePath(linking.page.to, target.to)
}

/** A place in the new folder; a page also has anchors. */
type Target = { to: string; anchors?: ReadonlySet<string> }

type LinkedPage = PagePlan & { target: Target; links: Link[]; heading: string | undefined }

/** The targets of addresses. Each key begins with the label of the source; two lists have it as their key. */
type Index = {
  /** By path in the source, and by all ways of writing the address of a page, the path of a file or its folders. */
  places: ReadonlyMap<string, Target>
  /** By the last name of these. */
  named: ReadonlyMap<string, readonly Named[]>
  /** The repository of each source. */
  repositories: Map<string, string>
  /** The folders of each source that addresses from the root of its site leave out. */
  folders: Map<string, string[]>
}

type Named = { label: string; path: string; key: string; target: Target }

function indexSite(pages: readonly LinkedPage[], files: readonly FilePlan[]): Index {
  const all = [...pages, ...files.map(({ entry, to }) => ({ entry, target: { to } }))]
  const exact = all.map(({ entry, target }) => [placeKey(entry.label + entry.path), target] as const)
  const similar: (readonly [string, Target])[] = [
    ...pages.flatMap(({ entry, addresses, target }) =>
      addresses.map(id => [entry.label + pageKey(id), target] as const),
    ),
    ...pages.flatMap(({ entry, to, facts, target }) => {
      const paths = [entry.path, to.replace('pages', facts.root), to.replace('pages/', '')]
      return paths.map(path => [entry.label + pageKey(path), target] as const)
    }),
    ...files.map(({ entry, to }) => [entry.label + fold(entry.path), { to }] as const),
    ...files.filter(({ isSpare }) => !isSpare).flatMap(folderPlaces),
  ]
  const names = [
    ...all.map(({ entry: { label, path }, target }) => ({ label, path, key: nameKey(path), target })),
    ...pages.map(({ entry: { label, path }, id, target }) => ({ label, path, key: pageKey(id), target })),
  ]
  const index: Index = {
    // The first of similar places counts, unless a path is the same.
    places: new Map([...similar.reverse(), ...exact]),
    named: Map.groupBy(names, ({ label, key }) => label + lastName(key)),
    repositories: new Map(),
    folders: new Map(),
  }
  for (const [label, own] of Map.groupBy(pages, ({ entry }) => entry.label)) {
    index.repositories.set(label, ownRepository(own, index))
    index.folders.set(label, leftOutFolders(own, index))
  }
  return index
}

/** The folders of a file in the source, and those that they become. */
function folderPlaces({ entry, to }: FilePlan): (readonly [string, Target])[] {
  const newFolders = foldersAbove(to).reverse()
  const folders = foldersAbove(entry.path).reverse().slice(0, newFolders.length)
  return folders.map((folder, at) => [`${entry.label}${fold(folder)}/`, { to: `${newFolders[at]}/` }])
}

/** A place in a repository, whose path begins with the branch. */
type RepositoryPlace = { repository: string; path: readonly string[] }

/** Reads the addresses of files at GitHub and GitLab, such as `https://github.com/acme/brand/blob/main/logo.svg`, and of raw files. */
function placeInRepository(address: string): RepositoryPlace {
  const { host, pathname } = URL.parse(address) ?? NO_PLACE
  const written = pathname
    .split('/')
    .slice(1)
    .filter(name => name !== '-')
  const names = host === RAW_HOST ? written.toSpliced(2, 0, 'raw') : written
  const [view = names.length] = names.flatMap((name, at) => (VIEWS.has(name) ? [at] : []))
  const repository = [host.replace(RAW_HOST, 'github.com'), ...names.slice(0, view)].join('/')
  return { repository: repository.toLowerCase(), path: names.slice(view + 1).map(percentDecoded) }
}

const NO_PLACE = { host: '', pathname: '' }
/** Names before the branch in the addresses of files. */
const VIEWS = wordSet('blob tree raw')
const RAW_HOST = 'raw.githubusercontent.com'

/** The path of a place in its repository, if a source has it; empty if not. A branch has up to three names. */
function pathOfSource({ path }: RepositoryPlace, label: string, { places }: Index): string {
  const ends = [1, 2, 3].map(branch => path.slice(branch).join('/')).filter(Boolean)
  return ends.find(end => places.has(placeKey(label + end)) || places.has(`${label}${fold(end)}/`)) ?? ''
}

/** The repository of a source: the one with the most addresses on its pages that name one of its files. */
function ownRepository(pages: readonly LinkedPage[], index: Index): string {
  const counts = new Map<string, number>()
  for (const { entry, links } of pages)
    for (const place of links.map(({ source }) => placeInRepository(source))) {
      const path = pathOfSource(place, entry.label, index)
      // Most repositories have such a file.
      if (path !== '' && !isAbout(path)) addTo(counts, place.repository, 1)
    }
  const [[repository] = ['']] = [...counts].sort(([, a], [, b]) => b - a)
  return repository
}

/** Finds the folders that two or more addresses from the root of a site leave out. */
function leftOutFolders(pages: readonly LinkedPage[], index: Index): string[] {
  const proofs = pages.flatMap(({ entry, links, facts }) => {
    const rooted = links.map(({ source }) => withoutQuery(source)).filter(source => source.startsWith('/'))
    const addresses = new Set(rooted.map(source => pageKey(fromRoot(percentDecoded(source), facts))))
    const deep = [...addresses].filter(address => lastName(address) !== address)
    return deep.flatMap(address =>
      nearestTo(address, entry, index).map(({ key }) => ({ address, folder: key.slice(1, -address.length) })),
    )
  })
  const folders = Map.groupBy(proofs, ({ folder }) => folder)
  const isProven = (all: typeof proofs) => new Set(all.map(({ address }) => address)).size > 1
  return [...folders].filter(([folder, all]) => folder !== '' && isProven(all)).map(([folder]) => folder)
}

/** A path as a key of `places`. */
function placeKey(path: string): string {
  return path.normalize('NFC')
}

function fold(text: string): string {
  return placeKey(text).toLowerCase()
}

/** The same for all ways of writing the address of a page: `/01-Logo/index.html`, `01-logo.md`, `01-logo/`. */
function pageKey(path: string): string {
  return withoutIndex(nameKey(path))
}

/** The names of a path in one form, each after a slash: `Marks/Big Logo.md` becomes `/marks/big-logo`. */
function nameKey(path: string): string {
  const names = withoutExtension(withoutLastSlash(path)).split('/')
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

function linkEdits(link: Link, linking: Linking): Edit[] {
  const { start, source, syntax, kind } = link
  const { page, lose } = linking
  const address = unescapeText(source.trim(), syntax).replace(/[\t\r\n]/g, '')
  const local = siteAddress(address, linking)
  if (isElsewhere(local)) return []
  const [path, hash] = [percentDecoded(withoutQuery(local)), hashOf(local)]
  const { marker, name } = markedName(path)
  const written = marker === '' ? address : name + percentDecoded(hash)
  const span = { start, end: start + source.length }
  const target = path === '' ? page.target : find(path, linking)
  if (!target) {
    // Authors mean a website, but without its scheme browsers look for a file.
    if (written.toLowerCase().startsWith('www.')) return [{ ...span, text: `https://${address}` }]
    // An address of the site stays one.
    const isLocal = localAddress(address, page.facts) === address
    if (isLocal) lose(kind, written)
    const removed = isLocal ? withoutPicture(page.text, span) : []
    if (removed.length > 0 || marker === '') return removed
    return marker === '@wiki' && kind === 'link' ? withoutLink(page.text, span) : [{ ...span, text: encode(name) }]
  }
  linking.use(target.to)
  const fragment = fragmentOf(target, hash)
  if (fragment === undefined) lose('link to a heading', written)
  const to = (path === '' ? '' : addressFrom(page, target)) + (fragment ?? hash)
  const shown = kind === 'picture' && syntax === 'markdown' ? asLink(target, page.text, start) : []
  return to === address ? shown : [...shown, { ...span, text: to }]
}

/** The fragment of an address with its `#`; empty without one. */
function hashOf(address: string): string {
  return address.slice(address.split('#', 1).join('').length)
}

/** An address of the site or the repository of a source as a path in it; any other one as it is. */
function siteAddress(address: string, { page, index }: Linking): string {
  const { label } = page.entry
  const place = placeInRepository(address)
  const path = place.repository === index.repositories.get(label) ? pathOfSource(place, label, index) : ''
  if (path !== '') return `/@site/${encode(path)}${hashOf(address)}`
  const local = localAddress(address, page.facts).replace(SITE_TAG, '')
  const alias = ALIASES.find(start => local.startsWith(start))
  return alias === undefined ? local : `/@site/${local.slice(alias.length)}`
}

function addressFrom({ to }: LinkedPage, target: Target): string {
  return encode(relativePath(to, target.to))
}

/** A picture that is a page is shown as a link. */
function asLink({ anchors }: Target, text: string, start: number): Edit[] {
  const mark = anchors ? text.lastIndexOf('![', start) : -1
  return mark === -1 ? [] : [{ start: mark, end: mark + 1, text: '' }]
}

/** What templates and generators write before a path from the root of the site, or of the source. */
const SITE_TAG = /^(?:pathname:\/|\{\{[-\s]{0,9}site\.\w{1,9}[-\s]{0,9}\}\})(?=\/)/
const ALIASES = ['@site/', '@/', '~/']

/** Splits an address that only the whole site resolves, such as `/@wiki/Logo`. */
function markedName(path: string): { marker: string; name: string } {
  const [, first = '', ...names] = path.split('/')
  return MARKERS.has(first) ? { marker: first, name: names.join('/') } : { marker: '', name: '' }
}

const MARKERS = wordSet('@wiki @site @media')

/** The fragment for a heading of a page, whose id in another system is made from the same words; undefined if it has none. */
function fragmentOf({ anchors }: Target, hash: string): string | undefined {
  const id = hash.slice(1)
  if (id === '' || !anchors || hasAnchor(anchors, id)) return hash
  const [name = ''] = percentDecoded(id).split('#').slice(-1)
  const forms = FORMS.map((form, at) => similarAnchors(anchors)[at]?.get(form(name)))
  const anchor = forms.find(each => each !== undefined)
  return anchor && `#${encode(anchor)}`
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

/** Encodes what would end an address in Markdown, HTML or a table, or begin another part of it. */
function encode(path: string): string {
  return path.replace(/[^\p{L}\p{M}\p{N}/_.~,;=@+-]/gu, character =>
    Array.from(Buffer.from(character), byte => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  )
}

/** The target of a decoded path: a path in the source, or an address of its website. */
function find(path: string, { page, index, guess }: Linking): Target | undefined {
  const { entry, facts, addresses } = page
  const { label } = entry
  const { marker, name } = markedName(path)
  if (marker === '@wiki') return nearestTo(nameKey(name), entry, index).map(({ target }) => target)[0]
  const below = marker === '@site' ? name : fromRoot(path, facts)
  const roots = ['', facts.root, ...facts.publicRoots, ...(index.folders.get(label) ?? [])]
  const folders = [dirname(entry.path), withoutExtension(entry.path), ...addresses.flatMap(id => [id, dirname(id)])]
  const own = withoutExtension(placeOnSite(entry.path, facts).place)
  const served = facts.publicRoots.flatMap(root => [`${root}/${own}`, `${root}/${dirname(own)}`])
  const nearby = path.startsWith('/') ? [] : [...folders, ...served].map(folder => `${folder}/${path}`)
  // A picture in the file of the page: `/@media/1.png`
  const inside = `${entry.path}/${path}`
  const found = [...nearby, ...roots.map(root => `${root}/${below}`), inside]
    .values()
    .map(place => resolvePath('', place))
    .filter(at => at !== undefined)
    .flatMap(at => [placeKey(at), pageKey(at), fold(at), `${fold(at)}/`])
    .map(key => index.places.get(label + key))
    .find(target => target !== undefined)
  if (found) return found
  // The site may be below a path that no settings name, or made of a folder that they do not name.
  const near = path.startsWith('/') ? endsOf(below).flatMap(key => nearestTo(key, entry, index)) : []
  const [target] = [...near, ...onlyOne(pageKey(below), entry, index)].map(place => place.target)
  if (target) guess(path, target.to)
  return target
}

/** The keys of a path from the root of a site, with and without its first folder, which have a folder. */
function endsOf(path: string): string[] {
  const ends = [pageKey(path), pageKey(path.slice(path.indexOf('/') + 1))]
  return ends.filter(key => lastName(key) !== key)
}

/** The only file whose path ends with a key, or the only page if the key has a folder. */
function onlyOne(key: string, entry: Entry, index: Index): readonly Named[] {
  const places = placesAt(key, entry, index)
  const isOne = new Set(places.map(({ target }) => target.to)).size === 1
  return places.filter(({ target }) => isOne && (lastName(key) !== key || !target.anchors))
}

/** The nearest page or file whose path ends with a key, such as that of `Logo`, `Marks/Logo` or `logo.svg`, if any. */
function nearestTo(key: string, entry: Entry, index: Index): readonly Named[] {
  const distance = (other: string) => relative(dirname(entry.path), other).split('/').length
  const nearest = placesAt(key, entry, index).slice(0, MAX_COMPARED)
  nearest.sort((a, b) => distance(a.path) - distance(b.path) || a.path.length - b.path.length)
  return nearest.slice(0, 1)
}

const MAX_COMPARED = 100

/** The pages and files of a source whose paths end with a key. */
function placesAt(key: string, { label }: Entry, { named }: Index): readonly Named[] {
  return (named.get(label + lastName(key)) ?? []).filter(other => other.key.endsWith(key))
}
