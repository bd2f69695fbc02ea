import type { Element, Nodes, Root } from 'hast'
import { toMdast } from 'hast-util-to-mdast'
import type { RootContent } from 'mdast'
import { gfmToMarkdown } from 'mdast-util-gfm'
import { type Options, toMarkdown } from 'mdast-util-to-markdown'
import { rootValues, screenDeclarations, winnersOf } from '#formats/css/cascade.ts'
import { cssList } from '#formats/css/values.ts'
import { groupsOf, wordSet } from '#platform/base/text.ts'
import type { DocumentContent, PageHead } from '../document.ts'
import { withoutSearchDescription } from '../pages/convert-page.ts'
import { withoutEmptied } from '../pages/emptied.ts'
import { hidingOf, openShadows } from '../pages/hidden.ts'
import {
  attribute,
  childElements,
  elementOf,
  elementsIn,
  elementsNamed,
  findTag,
  type HtmlPage,
  lineOf,
  parseHtml,
  pictureAddress,
  plainText,
  sheetOf,
  sourceLine,
  tagOf,
  wordsOf,
  wordsOfAttribute,
} from '../pages/html-tree.ts'
import type { PageTask } from '../pages/page.ts'
import { listedPalettes, withHeadings } from '../pages/palettes.ts'
import { find, fullySigned, isHeading, type Signs, signed, signsOf } from '../pages/signs.ts'
import { noNotes } from '../report/report.ts'
import { COMMENT_IDS, DOCUMENT, MAIN_CONTENT, PAGE_TITLE } from '../sources/generators/page-signs.ts'
import { handlersOf } from './html-forms.ts'
import { wholeDrawings } from './left-out.ts'
import { isLocalMenu, menuItems } from './menu-items.ts'
import { tidy } from './tidy.ts'

/**
 * Converts a page in HTML to Markdown: its main content, without what the site has around it.
 *
 * @throws {Error} if it has no content, redirects to another page, or has too many elements, also in each other; the message is
 *   a reason
 */
export function convertHtml(source: string, task: PageTask, pictures: HtmlPage['pictures'] = []): DocumentContent {
  const tree = parseHtml(source)
  openShadows(tree)
  const main = mainContent(tree)
  const body = findTag(tree, 'body') ?? tree
  const hasScript = findTag(tree, 'script') !== undefined
  const refresh = [...elementsIn(tree)].find(each => attribute(each, 'httpEquiv').toLowerCase() === 'refresh')
  const target = groupsOf(/url=\s*(.+)/i, attribute(refresh, 'content'))[1]
  if (target !== undefined && plainText(main ?? body).length < 300) throw new Error(`only redirects to ${target}`)
  const sheet = sheetOf(tree)
  const page = { ...openPage(tree, main, task, sheet), pictures }
  const head = readHead(tree, main, page.localMenus)
  const named = plainText(find(tree, signed(PAGE_TITLE))).replace(/^.*? : /, '') || plainText(findTag(tree, 'h1'))
  markNotes(body, page)
  const content: Root = { type: 'root', children: tidy(body, page) }
  const title = page.hasTitle ? undefined : titleOf(content, named || head.title)
  const root = toMdast(content, { document: true, handlers: handlersOf(page) })
  const blocks = root.type === 'root' ? root.children : []
  const written = writeBlocks(blocks)
  const { text, lines, notes } = withoutEmptied({ ...written, notes: page.notes }, task.shownPath)
  // A script may fill it: its head still says what readers saw.
  if (text.trim() === '' && !hasScript) throw new Error('has no content apart from navigation and scripts')
  const names = new Set(page.tables.flatMap(({ rows }) => rows.flat()))
  const colors = listedPalettes(text)
    .filter(({ rows }) => !rows.some(([name = '']) => names.has(name)))
    .map(table => ({ ...table, line: sourceLine(lines, table.line) }))
  const meta = { title, description: head.description, aliases: [] }
  return {
    text,
    lines,
    meta: withoutSearchDescription({ meta, notes }, task.shownPath),
    notes,
    pictures,
    tables: withHeadings([...page.tables, ...colors], text, lines).sort((a, b) => a.line - b.line),
    sheet,
    head,
  }
}

function openPage(tree: Root, main: Element | undefined, task: PageTask, sheet: string): Omit<HtmlPage, 'pictures'> {
  const notes = noNotes()
  const path = task.shownPath
  const isDocument = task.kind === 'docx' || find(tree, fullySigned(DOCUMENT)) !== undefined
  return {
    notes,
    tables: [],
    hasTitle: isDocument && find(tree, fullySigned('p .title')) !== undefined,
    isDocument,
    longestMenu: MAINS.has(tagOf(main)) ? plainText(main).length / 2 : Infinity,
    styles: classStyles(sheet),
    variables: rootValues(winnersOf(screenDeclarations(sheet))),
    around: new Set(partsAround(tree, main)),
    targets: new Set([...elementsIn(tree)].map(targetOf).filter(id => id !== '')),
    reported: new Set(),
    onlyHeading: ownHeading(tree, main),
    localMenus: new Set([...elementsIn(tree)].filter(each => isLocalMenu(each, task.path))),
    isHidden: hidingOf(tree, sheet),
    note: (kind, node, what, text) => {
      const place = { path, line: lineOf(node), what }
      if (kind === 'converted') notes.converted.push({ ...place, became: text })
      else if (text !== '') notes.lost.push({ ...place, text, ...KINDS[kind] })
    },
    guessed: (key, value, why) => notes.guessed.push({ path, key, value, why }),
  }
}

/**
 * The `h1` of a page: its only one, or the one before the parts of a page without a main element, in which others are
 * samples of type.
 */
function ownHeading(tree: Root, main: Element | undefined): Element | undefined {
  // A heading that leads home is the name of the site.
  const [first, ...others] = elementsNamed(tree, 'h1').filter(heading => !elementsIn(heading).some(isHomeLink))
  const outline = [...elementsIn(tree)].filter(each => isHeading(signsOf(each))).map(tagOf)
  const isTitled = main === undefined && outline.join(' ').startsWith('h1 h2 h2')
  return isTitled || others.length === 0 ? first : undefined
}

/** The id that a link on its page names; empty if it names none. */
function targetOf(element: Element): string {
  const href = attribute(element, 'href')
  return href.startsWith('#') ? href.slice(1) : ''
}

/** The declarations of each class in rules for a screen. */
function classStyles(sheet: string): HtmlPage['styles'] {
  const declared = screenDeclarations(sheet).flatMap(({ name: property, value, block, strength }, order) => {
    const declaration = { property, value, text: `${property}: ${value}`, order, isImportant: strength.isImportant }
    return cssList(block.prelude).map(selector => ({ className: selector.split('.').slice(1).at(-1), declaration }))
  })
  const groups = Map.groupBy(declared, ({ className = '' }) => className)
  groups.delete('')
  return new Map(Array.from(groups, ([name, all]) => [name, all.map(({ declaration }) => declaration)]))
}

const KINDS = { lost: {}, hidden: { isHidden: true }, offPage: { isOffPage: true } }

/** The element with the main content, if there is one. */
function mainContent(tree: Root): Element | undefined {
  const all = Array.from(elementsIn(tree), element => ({ element, signs: signsOf(element) }))
  for (const isMain of MAIN) {
    const candidates = all.filter(({ signs }) => isMain(signs)).map(({ element }) => element)
    const [first, ...others] = candidates.filter(element => plainText(element) !== '')
    const inside = new Set(elementsIn(elementOf(first)))
    if (first && others.every(other => inside.has(other))) return first
  }
  return undefined
}

/** Of some programs, then of all sites. */
const MAIN = [
  ...MAIN_CONTENT.map(fullySigned),
  signed('main @main'),
  signed('article'),
  signed('#main-content #content #main'),
]

/** The nodes beside the main content: those around it, without the ones that contain it. */
function* partsAround(tree: Root, main: Element | undefined): Generator<Nodes | undefined> {
  const parents = parentsIn(tree)
  const holders = new Set<Nodes | undefined>()
  for (let holder = parents.get(main); holder; holder = parents.get(holder)) holders.add(holder)
  for (const [part, parent] of parents) if (part !== main && holders.has(parent) && !holders.has(part)) yield part
}

/** The nodes in a node, each with the element that it is in. */
function parentsIn(node: Nodes): Map<Nodes | undefined, Element> {
  return new Map([...elementsIn(node)].flatMap(parent => parent.children.map(child => [child, parent])))
}

/** The title of a page; undefined if its content begins with it. */
function titleOf(content: Root, named: string | undefined): string | undefined {
  const headings = [...elementsIn(content)].filter(each => isHeading(signsOf(each)) && wordsOf(each) !== '')
  const heading = headings.find(({ tagName }) => tagName === 'h1')
  return heading && heading === headings[0] ? undefined : plainText(heading) || named
}

function nonEmpty(text: string | undefined): string | undefined {
  return text || undefined
}

/** Reads the facts of a site in the head of a page, and around its main content. */
function readHead(tree: Root, main: Element | undefined, localMenus: HtmlPage['localMenus']): PageHead {
  const around = [...elementsAround(tree, main)]
  const parts = (isPart: (signs: Signs) => boolean) => around.filter(each => isPart(signsOf(each)))
  const marks = parts(isLogo).flatMap(each => [each, ...elementsIn(each)])
  const inMenus = parts(isMenu).flatMap(each => [...elementsIn(each)])
  const metas = elementsNamed(tree, 'meta').reverse()
  const meta = new Map(metas.map(each => [attribute(each, 'property', 'name'), attribute(each, 'content').trim()]))
  return {
    lang: nonEmpty(attribute(findTag(tree, 'html'), 'lang')),
    siteName: nonEmpty(meta.get('og:site_name')),
    title: nonEmpty(plainText(findTag(tree, 'title'))),
    description: nonEmpty(meta.get('description')),
    logos: addresses(
      [...parts(isHeader), ...around.filter(isHomeLink), ...inMenus.filter(each => isLogo(signsOf(each)))]
        .flatMap(each => [each, ...elementsIn(each)])
        .filter(({ tagName }) => tagName === 'img')
        .map(pictureAddress),
    ),
    drawing: marks.flatMap(wholeDrawings).find(({ length }) => length <= MAX_DRAWING),
    icons: addresses(
      elementsNamed(tree, 'link')
        .filter(each => wordsOfAttribute(each, 'rel').some(word => ICONS.has(word.toLowerCase())))
        .map(each => attribute(each, 'href')),
    ),
    nav: [...parts(signs => isMenu(signs) && !isOfPage(signs)), ...localMenus].flatMap(menuItems),
  }
}

/** In characters. */
const MAX_DRAWING = 1 << 18
const MAINS = wordSet('main article')
const CONTENT = wordSet('main article section')
const NOTES = wordSet('li p div dl section')
const LISTS = wordSet('ol ul')
const ICONS = wordSet('icon apple-touch-icon')
const isHeader =
  signed(`header @banner .header #header .siteheader #siteheader .site-header #site-header .pageheader #pageheader
  .page-header #page-header .mainheader #mainheader .main-header #main-header`)
/** Whether an element is a link to the home page, such as `/` and `../index.html`, which most sites have at their logo. */
function isHomeLink(element: Element): boolean {
  return tagOf(element) === 'a' && HOME.test(attribute(element, 'href'))
}

const HOME = /^(?:\.{0,2}\/)+(?:index\.html)?$/

const isLogo = signed('.*logo* .*brand* #*logo*')
const isMenu = signed('nav @navigation')
const isOfPage = signed('*breadcrumb* *toc* *pagination*')

function addresses(all: readonly string[]): string[] {
  return [...new Set(all)].filter(each => each !== '' && !each.startsWith('data:'))
}

/** The elements of a site that are in no part of its content. */
function* elementsAround(node: Nodes, main: Element | undefined): Generator<Element> {
  for (const child of childElements(node)) {
    if (child === main || CONTENT.has(child.tagName)) continue
    yield child
    yield* elementsAround(child, main)
  }
}

/** Marks notes that are linked in both directions as footnotes, and takes out comments, which look the same. */
function markNotes(body: Element | Root, page: HtmlPage): void {
  const parents = parentsIn(body)
  const all = [...elementsIn(body)]
  const byId = new Map(all.flatMap(each => ['id', 'name'].map(name => [attribute(each, name), each])))
  byId.delete('')
  const found = new Set<Element>()
  for (const element of all) {
    const [name, parent] = [targetOf(element), parents.get(element)]
    const sign = parent?.tagName === 'sup' ? parent : element
    const own = attribute(element, 'id') || attribute(sign, 'id')
    let note = byId.get(name)
    while (note && !NOTES.has(note.tagName)) note = parents.get(note)
    const isComment = COMMENT_IDS.some(start => name.startsWith(start)) && !name.includes('ref')
    const back = note && [...elementsIn(note)].find(each => own !== '' && attribute(each, 'href') === `#${own}`)
    if (!note || back === element || found.has(element) || !(back || isComment)) continue
    if (back) found.add(Object.assign(back, { children: [] }))
    Object.assign(sign, { tagName: 'a', children: [], properties: {} })
    if (isComment) {
      page.note('offPage', note, 'comment', plainText(note))
      note.children = []
      continue
    }
    const id = name.replace(/[^\w-]/g, '-')
    sign.properties = { dataAdoptedNote: id }
    Object.assign(note, { tagName: 'section', properties: { id, className: ['adopted-note'] } })
    const list = elementOf(parents.get(note))
    if (LISTS.has(list.tagName)) list.tagName = 'div'
  }
}

/** Writes each block separately, so that its lines have that of the block in the source. */
function writeBlocks(blocks: readonly RootContent[]): { text: string; lines: number[] } {
  const lines: number[] = []
  const texts = blocks.map((block, at) => {
    const text = toMarkdown({ type: 'root', children: [block] }, OPTIONS)
    // Lists of one kind would be one list.
    const isSecond = [blocks[at - 1], block].every(each => each?.type === 'list')
    const before = isSecond ? '<!-- -->\n\n' : ''
    for (const _ of `${before}${text}`.split('\n')) lines.push(block.position?.start.line ?? lines.at(-1) ?? 1)
    return before + text
  })
  return { text: texts.join('\n'), lines }
}

/** Without escapes of addresses, which would make them hard to read. */
const GFM = (gfmToMarkdown({ tablePipeAlign: false }).extensions ?? []).filter(
  ({ unsafe }) => !unsafe?.some(({ character }) => character === '@'),
)
const OPTIONS: Options = {
  bullet: '-',
  rule: '-',
  listItemIndent: 'one',
  extensions: [{ extensions: GFM }],
  handlers: {
    yaml: (node: { value: string }) => node.value,
    imageReference: (node: { label: string }) => node.label,
  },
}
