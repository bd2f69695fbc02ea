import { dirname, relative } from 'node:path/posix'
import { perObject } from '#base/object.ts'
import { applyEdits, type Edit, lineCounter, percentDecode } from '#base/text.ts'
import { slug } from '#brand/ids.ts'
import { unescapeText } from '#brand/markdown/character-reference.ts'
import { hasAnchor } from '#intake/markdown/anchors.ts'
import { type Link, readMarkdown } from '#intake/markdown/markdown.ts'
import { resolvePath } from '#intake/pages/link-target.ts'
import { withFrontMatter } from '../pages/front-matter.ts'
import { type Notes, noNotes } from '../report/report.ts'
import { type Entry, shownPath } from '../sources/source.ts'
import { type PagePlan, withoutExtension } from './page-paths.ts'

/** A file with its place in the new folder, such as `files/logos/a.svg`. */
export type FilePlan = { entry: Entry; to: string }

/** The text of each page, with links that lead from its new place to where they led; those that lead nowhere are lost. */
export function linkPages(plans: readonly PagePlan[], files: readonly FilePlan[]): { texts: string[]; notes: Notes } {
  const notes = noNotes()
  const read = plans.map(({ page }) => readMarkdown(page.text))
  const targets = plans.map(({ to }, at) => ({ to, anchors: new Set(read[at]?.anchors) }))
  const index = indexSite(plans, targets, files)
  const texts = plans.map((plan, at) => {
    const { page, entry, to } = plan
    const { links = [], heading } = read[at] ?? {}
    const lineAt = lineCounter(page.text)
    const edits = links.flatMap(link => {
      const lose = (what: string, text: string) =>
        notes.lost.push({ path: shownPath(entry), line: page.lines[lineAt(link.start) - 1] ?? 1, what, text })
      return linkEdits(link, { plan, own: targets[at], index, lose })
    })
    const title = heading === undefined && page.meta.title === undefined ? titleOf(to) : page.meta.title
    if (title !== page.meta.title)
      notes.guessed.push({ path: shownPath(entry), key: 'title', value: title ?? '', why: 'from the name of the file' })
    return withFrontMatter({ ...page.meta, title }, heading, applyEdits(page.text, edits))
  })
  return { texts, notes }
}

/** The name of a file as a title, unless it can be one as it is: `clear-space` becomes `Clear space`. */
function titleOf(to: string): string | undefined {
  const name = /(?:^|\/)([a-z0-9]+(?:[-_][a-z0-9]+)*)(?:\/index)?\.md$/.exec(to)?.[1]?.replaceAll(/[-_]/g, ' ')
  return name === undefined || name === 'index' ? undefined : name.charAt(0).toUpperCase() + name.slice(1)
}

const NOWHERE = { to: '' }

/** A place in the new folder; a page also has anchors. */
type Target = { to: string; anchors?: ReadonlySet<string> }

/** Targets by path in the source and by similar ones; each key begins with the label of the source. */
type Index = {
  exact: ReadonlyMap<string, Target>
  similar: ReadonlyMap<string, Target>
  named: ReadonlyMap<string, readonly { path: string; target: Target }[]>
}

function indexSite(plans: readonly PagePlan[], targets: readonly Target[], files: readonly FilePlan[]): Index {
  const [exact, similar] = [new Map<string, Target>(), new Map<string, Target>()]
  const named = new Map<string, { path: string; target: Target }[]>()
  const add = ({ label, path }: Entry, target: Target, name: string) => {
    exact.set((label + path).normalize('NFC'), target)
    const key = label + fold(name)
    named.set(key, [...(named.get(key) ?? []), { path, target }])
  }
  const addSimilar = (key: string, target: Target) => similar.has(key) || similar.set(key, target)
  for (const [at, { entry, addresses }] of plans.entries()) {
    add(entry, targets[at] ?? NOWHERE, withoutExtension(entry.path.slice(entry.path.lastIndexOf('/') + 1)))
    for (const address of addresses) addSimilar(entry.label + pageKey(address), targets[at] ?? NOWHERE)
  }
  for (const [at, { entry, to, facts }] of plans.entries())
    for (const path of [entry.path, to.replace('pages', facts.root), to.replace('pages/', '')])
      addSimilar(entry.label + pageKey(path), targets[at] ?? NOWHERE)
  for (const { entry, to } of files) {
    add(entry, { to }, entry.path.slice(entry.path.lastIndexOf('/') + 1))
    addSimilar(entry.label + fold(entry.path), { to })
    for (
      let [old, next] = [dirname(entry.path), dirname(to)];
      next !== '.' && old !== '.';
      [old, next] = [dirname(old), dirname(next)]
    )
      addSimilar(`${entry.label}${fold(old)}/`, { to: `${next}/` })
  }
  return { exact, similar, named }
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

/** The same for all ways of writing the address of a page: `/01-Logo/index.html`, `01-logo.md`, `01-logo/`. */
function pageKey(path: string): string {
  const names = withoutExtension(path.replace(/\/+$/, '')).split('/')
  if (/^(?:_?index|readme)$/i.test(names.at(-1) ?? '')) names.pop()
  const plain = names.filter(name => name !== '')
  return `:${plain.map(slug).join('/')}`
}

type Context = { plan: PagePlan; own: Target | undefined; index: Index; lose: (what: string, text: string) => void }

function linkEdits({ start, source, syntax, kind }: Link, context: Context): Edit[] {
  const { plan, own, lose } = context
  const address = unescapeText(source.trim(), syntax).replace(/[\t\r\n]/g, '')
  const { origin } = plan.facts
  const isOwn = origin !== undefined && (address === origin || address.startsWith(`${origin}/`))
  const local = isOwn ? address.slice(origin.length) || '/' : address.replace(/^pathname:\/\//, '')
  if (/^(?:[a-z][a-z0-9+.-]+:|\/\/|$)/i.test(local)) return []
  const [, path = '', hash] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/s.exec(local) ?? []
  const target = path === '' ? own : find(decode(path), context)
  const [marker = '', name = ''] = /^\/@(?:wiki|site|media)\/(.*)$/s.exec(decode(path)) ?? []
  const written = marker === '' ? address : name + (hash === undefined ? '' : `#${decode(hash)}`)
  const span = { start, end: start + source.length }
  if (!target) {
    if (!isOwn) lose(kind, written)
    if (marker === '') return []
    return kind === 'link' && marker.startsWith('/@wiki/')
      ? withoutLink(plan.page.text, span)
      : [{ ...span, text: encode(name) }]
  }
  const anchor = hash === undefined || !target.anchors ? hash : anchorOf(target.anchors, hash)
  if (anchor === undefined && hash !== undefined) lose('link to a heading', written)
  const fragment = hash === undefined ? '' : `#${anchor === undefined || anchor === hash ? hash : encode(anchor)}`
  const to = path === '' ? '' : encode(relative(dirname(plan.to), target.to)) + (target.to.endsWith('/') ? '/' : '')
  const edits = [{ ...span, text: to + fragment }]
  const mark = plan.page.text.lastIndexOf('![', start)
  if (kind === 'picture' && target.anchors && syntax === 'markdown' && mark !== -1)
    edits.push({ start: mark, end: mark + 1, text: '' })
  return to + fragment === address ? [] : edits
}

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
  id => slug(id).replaceAll(/[^a-z0-9]/g, ''),
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
function find(path: string, { plan: { entry, facts, addresses }, index }: Context): Target | undefined {
  const { label } = entry
  const [, marker, name = ''] = /^\/@(wiki|site|media)\/(.*)$/s.exec(path) ?? []
  if (marker === 'media') return index.exact.get(`${label}${entry.path}/@media/${name}`.normalize('NFC'))
  if (marker === 'wiki') return nearestNamed(name, entry, index)
  const isBelow = facts.baseUrl !== '' && `${path}/`.startsWith(`${facts.baseUrl}/`)
  const fromRoot = (isBelow ? path.slice(facts.baseUrl.length) : path).replace(/^(?:\.*\/)+/, '')
  const inSite = ['', facts.root, ...facts.publicRoots].map(root => `${root}/${marker === 'site' ? name : fromRoot}`)
  const folders = [dirname(entry.path), withoutExtension(entry.path), ...addresses.flatMap(id => [id, dirname(id)])]
  const places = path.startsWith('/') ? inSite : [...folders.map(folder => `${folder}/${path}`), ...inSite]
  for (const place of places) {
    const at = resolvePath('', place)
    if (at === undefined) continue
    const keys = [pageKey(at), fold(at), `${fold(at).replace(/\/$/, '')}/`].map(key => index.similar.get(label + key))
    const found = index.exact.get((label + at).normalize('NFC')) ?? keys.find(target => target !== undefined)
    if (found) return found
  }
  return undefined
}

/** The nearest page or file with a name, such as `Logo`, `Marks/Logo` or `logo.svg`. */
function nearestNamed(name: string, { label, path }: Entry, { named }: Index): Target | undefined {
  const last = fold(name.slice(name.lastIndexOf('/') + 1))
  const all = [last, withoutExtension(last)].flatMap(key => named.get(label + key) ?? [])
  const whole = `/${fold(withoutExtension(name)).replace(/^\//, '')}`
  const matches = all.filter(other => `/${fold(withoutExtension(other.path))}`.endsWith(whole))
  const distance = (other: string) => relative(dirname(path), other).split('/').length
  return matches.toSorted((a, b) => distance(a.path) - distance(b.path) || a.path.length - b.path.length)[0]?.target
}
