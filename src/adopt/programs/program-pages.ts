import { join } from 'node:path/posix'
import { fileStem, folderOf } from '#brand/file.ts'
import { isObject, type Json } from '#formats/json/json.ts'
import { valuesAt } from '#platform/base/object.ts'
import { groupsOf, inFormats, wordSet } from '#platform/base/text.ts'
import type { Document } from '../document.ts'
import { readData } from '../pages/data.ts'
import { dataMarkdown, titleOf } from '../pages/data-markdown.ts'
import { proseWords } from '../report/missing-words.ts'
import { withGuess } from '../site/copies.ts'
import { isHome } from '../site/hidden-pages.ts'
import { isForDevelopers } from '../site/readme.ts'
import { isAboutBrand, wordsOfFile } from '../site/words.ts'
import { isReadme } from '../sources/leave-out.ts'
import { bytesEntry, type Entry, shownPath } from '../sources/source.ts'
import { openPrograms, type Programs } from './open-programs.ts'

/** A page made of data or of a program, and the number of its words. */
export type ProgramPage = { entry: Entry; words: number; kind: 'page' | 'component' | 'data'; order?: number }

/**
 * The data that a script or a template shows, and the markup of components, as pages, if they have more text than all pages
 * of a source; else only the home page, if no other page is it. The path of such a page in the report ends in its part of
 * the file.
 */
export async function programPages(entries: readonly Entry[], pages: readonly Document[]): Promise<ProgramPage[]> {
  const shown = pages.reduce((sum, { text }) => sum + countProse(text), 0)
  const own = entries.filter(each => SHOWN.test(each.path) && isAboutBrand(each))
  const homes = pages.some(isHomeOfReaders) ? [] : own.filter(({ path }) => isHomeOfProgram(path))
  if (shown > MAX_SHOWN && homes.length === 0) return []
  const programs = await openPrograms(entries)
  const home = homes.flatMap(entry => homePage(entry, programs, pages)).slice(0, 1)
  if (shown > MAX_SHOWN) return home
  const drawn = own.map(entry => ({ entry, html: programs.show(entry) }))
  const { seen, isOrdered } = reachable(drawn, programs)
  const inOthers = new Set(seen.flatMap(({ html }) => componentsIn(html)))
  const roots = seen.filter(({ entry, html }) => !inOthers.has(entry.path) && htmlWords(html) >= MIN_MARKUP)
  const found = roots.flatMap(root => componentPages(root, roots.length === 1))
  const ordered = isOrdered ? found.map((page, order) => ({ ...page, order })) : found
  const unread = drawn.filter(({ entry, html }) => html === '' && !programs.used.has(entry))
  const data = unread.flatMap(({ entry }) => dataPages(entry, programs.textOf(entry)))
  const all = [...ordered, ...data]
  const wordsOf = (kinds: readonly ProgramPage['kind'][]) =>
    all.filter(({ kind }) => kinds.includes(kind)).reduce((sum, { words }) => sum + words, 0)
  if (wordsOf(['page', 'component', 'data']) <= shown) return home
  // Where pages have nearly all text, components are what surrounds it.
  const hasPages = wordsOf(['page']) > 4 * wordsOf(['component'])
  return all.filter(({ kind }) => !(hasPages && kind === 'component'))
}

/** Whether readers of the site open on a page, unlike on a README for developers. */
function isHomeOfReaders(page: Document): boolean {
  return isHome(page) && !(isReadme(page.entry.path) && isForDevelopers(page.text))
}

/** Whether a component is the page at the root of a site, such as `src/pages/index.astro`. */
function isHomeOfProgram(path: string): boolean {
  const place = pagePlace(path)
  return place.kind === 'page' && place.path === 'index.html'
}

/** The home page that a component shows, in the folder of the pages of its source. */
function homePage(entry: Entry, programs: Programs, pages: readonly Document[]): ProgramPage[] {
  const html = withoutMarks(programs.show(entry))
  const words = htmlWords(html)
  const roots = pages.filter(page => page.entry.label === entry.label).map(({ facts }) => facts.root)
  const path = join(...roots.slice(0, 1), 'index.html')
  return words < MIN_MARKUP ? [] : [{ entry: partOf(entry, path, 'markup', withSiteTitle(html)), words, kind: 'page' }]
}

/** A page without a heading of the first level, with the title that browsers show above its content. */
function withSiteTitle(html: string): string {
  const [, title = ''] = groupsOf(/<title>([^<>]+)<\/title>/, html)
  const place = html.includes('<main') ? /<main\b[^<>]*>/ : /<body\b[^<>]*>/
  return title === '' || html.includes('<h1') ? html : html.replace(place, start => `${start}<h1>${title}</h1>`)
}

/** Pages of programs in their order, each with a row of the report. */
export function toldPrograms(documents: readonly Document[], pages: readonly ProgramPage[]): Document[] {
  const orders = new Map(pages.map(({ entry, order }) => [entry, order]))
  return documents.map(({ meta, ...page }) => {
    const ordered = { ...page, meta: { ...meta, order: meta.order ?? orders.get(page.entry) } }
    return withGuess(ordered, 'the source has it only as data or in a program')
  })
}

const SHOWN = inFormats('json, yml, yaml, toml, js, mjs, cjs, ts, mts, jsx, tsx, astro, svelte, vue')
/** A source whose pages have more words has its text there. */
const MAX_SHOWN = 1500
/** The fewest words of a file with pages, of a part of it that is one, and of a component. */
const MIN_WORDS = 100
const MIN_PART = 20
const MIN_MARKUP = 40
/** A file with more parts is one page. */
const MAX_PARTS = 10

type Drawn = { entry: Entry; html: string }

/**
 * The components that readers saw, in the order in which the file that imports most of them does. If there are pages, or
 * more text in files that no other one imports, these are seen, too.
 */
function reachable(drawn: readonly Drawn[], programs: Programs): { seen: Drawn[]; isOrdered: boolean } {
  const shown = drawn.filter(({ html }) => html !== '')
  const byEntry = new Map(shown.map(each => [each.entry, each]))
  const leading = drawn.reduce<ReadonlySet<Drawn>>((most, { entry }) => {
    const tree = new Set(valuesAt(byEntry, [...importedFrom(entry, programs)]))
    return tree.size > most.size ? tree : most
  }, new Set())
  const pages = shown.filter(({ entry }) => pagePlace(entry.path).kind === 'page')
  const others = shown.filter(each => !leading.has(each))
  const countAll = (some: Iterable<Drawn>) => htmlWords([...some].map(({ html }) => html).join(' '))
  const isScattered = pages.length < 2 && countAll(others) > countAll(leading)
  const isOrdered = !isScattered && (pages.length < 2 || pages.every(page => leading.has(page)))
  const seen = isOrdered ? [...leading, ...pages] : [...pages, ...leading, ...(isScattered ? others : [])]
  return { seen: [...new Set(seen)], isOrdered }
}

/** A file and those that it imports, also through others, in the order of the imports. */
function importedFrom(start: Entry, programs: Programs): Set<Entry> {
  const files = new Set([start])
  // The set grows while it is read, until it has all files.
  for (const file of files) for (const each of programs.importsOf(file)) files.add(each)
  return files
}

/** The pages that a component is: itself, and those that it shows whole if it is the only one with text. */
function componentPages({ entry, html }: Drawn, isOnly: boolean): ProgramPage[] {
  const { sections, rest } = isOnly ? sectionsOf(html) : { sections: [], rest: html }
  const place = pagePlace(entry.path)
  const own = { ...place, part: 'markup', html: rest }
  const inside = sections.map(({ name, html }) => ({
    kind: place.kind,
    path: `${fileStem(name)}.html`,
    part: fileStem(name),
    html,
  }))
  return [own, ...inside].flatMap(({ path, kind, part, html }) => {
    const words = htmlWords(html)
    return words < (isOnly ? MIN_PART : MIN_MARKUP)
      ? []
      : [{ entry: partOf(entry, path, part, titled(html)), words, kind }]
  })
}

/** HTML without the marks of components, whose first heading is its title. */
function titled(marked: string): string {
  const html = withoutMarks(marked)
  return html.includes('<h1') ? html : html.replace(/<h2(?=[\s>])/, '<h1').replace('</h2>', '</h1>')
}

function withoutMarks(marked: string): string {
  return marked.replace(/<!--[^<>]*-->/g, '')
}

function htmlWords(html: string): number {
  return countProse(html.replace(/<[^<>]*>/g, ' '))
}

/** Each part of data with enough text is a page. */
function dataPages(entry: Entry, text: string): ProgramPage[] {
  if (wordsOfFile(entry.path, text).length < MIN_WORDS) return []
  const data = readData(entry.path, text, new Map())
  const parts = data?.ok ? partsOf(fileStem(entry.path), data.value.value) : []
  return parts.flatMap((part, at) => pageOf(entry, part, at + 1))
}

/** The path of a page on the site: of a component below the folder of pages, else its name. */
function pagePlace(path: string): { path: string; kind: 'page' | 'component' } {
  const folders = folderOf(path).split('/')
  const top = folders.findLastIndex(folder => PAGE_FOLDERS.has(folder))
  const inner = top === -1 ? [] : folders.slice(top + 1)
  const name = fileStem(path)
  const place = [...inner, `${INDEXES.has(name) ? 'index' : name}.html`].join('/')
  return { path: place, kind: top === -1 ? 'component' : 'page' }
}

const PAGE_FOLDERS = wordSet('pages routes app views')
const INDEXES = wordSet('page +page index main App app')

function partOf(entry: Entry, path: string, part: string, source: string): Entry {
  const madeOf = shownPath(entry)
  return bytesEntry({ path, label: entry.label, shown: `${madeOf}#part=${part}`, madeOf }, Buffer.from(source))
}

function partsOf(name: string, value: Json): (readonly [name: string, part: Json])[] {
  const parts = isObject(value) ? [...value] : []
  return parts.length > 1 && parts.length <= MAX_PARTS ? parts : [[name, value]]
}

function pageOf(entry: Entry, [name, part]: readonly [string, Json], order: number): ProgramPage[] {
  const body = dataMarkdown(part, 2).join('\n\n')
  const words = countProse(body)
  if (words < MIN_PART) return []
  const source = `---\norder: ${order}\n---\n\n# ${titleOf(name)}\n\n${body}\n`
  return [{ entry: partOf(entry, `${name}.md`, name, source), words, kind: 'data' }]
}

function countProse(text: string): number {
  return proseWords(text).length
}

/** A part of HTML that a component shows whole, with the path of its file, and such parts in it. */
type Section = { name: string; html: string; inner: Section[] }

/**
 * The components that a page shows whole, in their order, if they are its sections; and the rest of the page without them.
 * Their HTML is between the comments `part` and `end`.
 */
function sectionsOf(html: string): { sections: Section[]; rest: string } {
  const sections = chosenSections(readSections(html))
  const rest = sections.reduce((text, section) => text.replace(section.html, ''), html)
  return { sections, rest }
}

/** The paths of the files whose components HTML shows, of itself or of others. */
function componentsIn(html: string): string[] {
  return Array.from(html.matchAll(MARK), ([, kind, name = '']) => (kind === undefined ? '' : decodeURI(name)))
}

/** The outermost parts of which several have text. */
function chosenSections(parts: readonly Section[]): Section[] {
  const large = parts.filter(({ html }) => htmlWords(html) >= MIN_SECTION)
  return large.length >= MIN_SECTIONS ? large : large.flatMap(({ inner }) => chosenSections(inner))
}

const MIN_SECTION = 30
const MIN_SECTIONS = 3

function readSections(html: string): Section[] {
  const top: Section[] = []
  const open: { kind: string; name: string; start: number; inner: Section[] }[] = []
  for (const { index, 1: kind, 2: name = '' } of html.matchAll(MARK)) {
    if (kind !== undefined) open.push({ kind, name: decodeURI(name), start: index, inner: [] })
    const last = kind === undefined ? open.pop() : undefined
    const around = open.at(-1)?.inner ?? top
    if (last?.kind === 'part') around.push({ name: last.name, html: html.slice(last.start, index), inner: last.inner })
    else around.push(...(last?.inner ?? []))
  }
  return top
}

const MARK = /<!--(?:(part|use) ([^<>]*)|end)-->/g
