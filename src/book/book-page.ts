import { type DefaultTreeAdapterTypes, parse, parseFragment, serializeOuter } from 'parse5'
import { isRightToLeft } from '../base/text.ts'
import { type BookFormat, bookStyle } from './book-style.ts'

/** A chapter of a book: the place of a page in the copied guide, and its depth in the contents. */
export type Chapter = { place: string; title: string; depth: number }

/**
 * Combines all chapters into one page, whose references start at the root of the copy; each chapter begins on a new
 * sheet. `read` returns the HTML at a place. Returns a function of the page numbers of the chapters by `chapterId`.
 */
export async function bookPage(
  front: BookFront,
  chapters: readonly Chapter[],
  read: (place: string) => Promise<string>,
  format: BookFormat,
): Promise<(pageNumbers: ReadonlyMap<string, number>) => string> {
  const numbers = new Map(chapters.map(({ place }, at) => [place, at]))
  const sheets = new Set<string>()
  const bodies: string[] = []
  let [title, scheme] = ['', 'light']
  for (const [at, { place, depth }] of chapters.entries()) {
    const elements = elementsIn(parse(await read(place)))
    for (const link of elements)
      if (link.tagName === 'link' && attributeOf(link, 'rel') === 'stylesheet')
        sheets.add(fromRoot(place, attributeOf(link, 'href')))
    const main = elements.find(({ tagName }) => tagName === 'main')
    const header = elements.find(({ tagName, attrs }) => tagName === 'a' && hasClass(attrs, 'name'))
    for (const part of [main, header]) if (part) adapt(part, { place, at, numbers })
    if (at === 0) {
      scheme = elements.map(each => attributeOf(each, 'data-theme')).find(value => value !== '') ?? scheme
      title = titlePage(front, { cover: main && coverOf(main), header, scheme })
    }
    if (main) bodies.push(chapterPages(main, chapterId(at), depth))
  }
  const links = Array.from(sheets, href => `<link rel="stylesheet" href="${escapeHtml(href)}">\n`).join('')
  const head = `<!doctype html>
<html class="book" lang="${escapeHtml(front.lang)}" dir="${isRightToLeft(front.lang) ? 'rtl' : 'ltr'}" data-theme="${scheme}">
<head>
<meta charset="utf-8">
<title>${escapeHtml(front.title)}</title>
${links}<style>${bookStyle(format)}</style>
</head>
<body>
${title}`
  const page = `${head}${contents(front, chapters)}${bodies.join('')}</body>\n</html>\n`
  return numbers => page.replace(/ data-page="([^"]+)">/g, (_, id: string) => `>${numbers.get(id) ?? ''}`)
}

function chapterId(at: number): string {
  return `chapter-${at + 1}`
}

function contents({ contents }: BookFront, chapters: readonly Chapter[]): string {
  const items = chapters.map(({ title, depth }, at) => {
    const id = chapterId(at)
    const indent = depth === 0 ? '' : ` style="padding-inline-start:${Math.min(depth, 6) * 6}mm"`
    return `<li${indent}><a href="#${id}">${escapeHtml(title)}</a><b data-page="${id}"></b></li>\n`
  })
  return `<section class="book-contents" dir="auto">\n<h1>${escapeHtml(contents)}</h1>\n<ol>\n${items.join('')}</ol>\n</section>\n`
}

/** The place of a chapter in the copy, and its number. */
type ChapterPlace = { place: string; at: number; numbers: ReadonlyMap<string, number> }

/** Adapts a part of a page for the book: removes screen-only elements, and rewrites ids and links. */
function adapt(element: Element, context: ChapterPlace): void {
  if (hasClass(element.attrs, 'glyphs')) return // A grid of characters, whose details stay closed.
  for (const child of element.childNodes) if ('tagName' in child && child.tagName === 'video') toStill(child)
  element.childNodes = element.childNodes.filter(node => !('tagName' in node) || isPrinted(node))
  if (element.tagName === 'details') element.attrs.push({ name: 'open', value: '' })
  element.attrs = element.attrs.flatMap(attribute => {
    const { name } = attribute
    if (name === 'loading' || /^(?:aria-|for$|headers$)/.test(name)) return []
    if (name === 'name' && element.tagName === 'details') return [] // A browser opens only one of a name.
    const value = adaptedValue(name, attribute.value, context)
    return value === undefined ? [] : [{ ...attribute, value }]
  })
  for (const child of element.childNodes) if ('tagName' in child) adapt(child, context)
  if (hasClass(element.attrs, 'page-list')) addPageNumbers(element)
}

/** Adds page numbers to a list of pages. */
function addPageNumbers(list: Element): void {
  list.attrs = [{ name: 'class', value: 'book-links' }]
  for (const item of list.childNodes) {
    if (!('childNodes' in item)) continue
    const at = item.childNodes.findIndex(child => 'tagName' in child && child.tagName === 'a')
    const link = item.childNodes[at]
    const id = /^#(chapter-\d+)$/.exec(link && 'tagName' in link ? attributeOf(link, 'href') : '')?.[1]
    if (id !== undefined) item.childNodes.splice(at + 1, 0, ...parseFragment(`<b data-page="${id}"></b>`).childNodes)
  }
}

/** Shows the poster of a film; without one, its first frame is printed. */
function toStill(film: Element): void {
  const poster = attributeOf(film, 'poster')
  const kept = film.attrs.filter(({ name }) => ['src', 'class', 'width', 'height'].includes(name))
  const title = { name: 'title', value: attributeOf(film, 'aria-label') }
  film.attrs = [...kept, title, { name: 'preload', value: 'auto' }]
  if (poster === '') return
  film.attrs = [...kept.filter(({ name }) => name !== 'src'), { name: 'src', value: poster }, { ...title, name: 'alt' }]
  film.nodeName = film.tagName = 'img'
  film.childNodes = []
}

/**
 * Excludes the panel of formats, which has downloads, code to copy, and the cards of the website's own lists, which link
 * to pages that are chapters here.
 */
function isPrinted({ tagName, attrs }: Element): boolean {
  if (tagName === 'input') return attrs.some(({ name }) => name === 'disabled') // The checkbox of a task.
  const isOwnList = hasClass(attrs, 'cards') && !hasClass(attrs, 'link-cards')
  return !SCREEN_ONLY.has(tagName) && !hasClass(attrs, 'tools') && !hasClass(attrs, 'css') && !isOwnList
}

const SCREEN_ONLY: ReadonlySet<string> = new Set(
  'audio button form iframe link nav noscript script select style template textarea'.split(' '),
)

function adaptedValue(name: string, value: string, { place, at, numbers }: ChapterPlace): string | undefined {
  if (name === 'id') return `${chapterId(at)}-${value}`
  if (name === 'src') return fromRoot(place, value)
  if (name === 'srcset')
    return value.replace(/(^|,\s*)(\S+)/g, (_, start: string, address: string) => start + fromRoot(place, address))
  if (name !== 'href') return value
  if (value.startsWith('#')) return `#${chapterId(at)}-${value.slice(1)}`
  if (/^[a-z][a-z0-9+.-]*:/i.test(value)) return value
  const { pathname, hash } = new URL(value, `${NOWHERE}${place}`)
  const target = numbers.get(decodeURIComponent(pathname.slice(1)))
  if (target === undefined) return undefined
  return `#${chapterId(target)}${hash && `-${hash.slice(1)}`}`
}

/** Rewrites a reference to start at the root of the copy; external references stay unchanged. */
function fromRoot(place: string, reference: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(reference)) return reference
  return new URL(reference, `${NOWHERE}${place.split('/').map(encodeURIComponent).join('/')}`).pathname.slice(1)
}

const NOWHERE = 'http://book.invalid/'

/**
 * The pages of a chapter. It begins with a full page if it is at the top level or has a cover, with its title, its
 * description and its picture.
 */
function chapterPages(main: Element, id: string, depth: number): string {
  const cover = coverOf(main) ?? (depth === 0 ? plainCover(main) : undefined)
  if (!cover) return body(main, id)
  removeFrom(main, cover)
  const isEmpty = textIn(main).trim() === '' && !elementsIn(main).some(({ tagName }) => tagName === 'img')
  const rest = isEmpty ? '' : body(main)
  const number = parseFragment(`<b class="book-number" data-page="${id}"></b>`).childNodes
  const opener = serializeOuter({ ...cover, childNodes: [...cover.childNodes, ...number] })
  return `<section class="book-opener" id="${id}">\n${opener}\n</section>\n${rest}`
}

function body(main: Element, id?: string): string {
  return `<section class="book-chapter"${id === undefined ? '' : ` id="${id}"`}>\n${serializeOuter(main)}\n</section>\n`
}

/** The head of a page with its title on a background, next to its picture; undefined if it has none. */
function coverOf(main: Element): Element | undefined {
  return elementsIn(main).find(({ attrs }) => hasClass(attrs, 'cover'))
}

function plainCover(main: Element): Element | undefined {
  const title = elementsIn(main).find(({ tagName }) => tagName === 'h1')
  const lead = elementsIn(main).find(({ attrs }) => hasClass(attrs, 'lead'))
  if (!title) return undefined
  const parts = lead ? [title, lead] : [title]
  for (const part of parts) removeFrom(main, part)
  const text: Element = { ...main, tagName: 'div', nodeName: 'div', attrs: [], childNodes: parts }
  return { ...text, attrs: [{ name: 'class', value: 'cover plain' }], childNodes: [text] }
}

function removeFrom(parent: Element, child: Element): void {
  parent.childNodes = parent.childNodes.filter(node => node !== child)
  for (const node of parent.childNodes) if ('tagName' in node) removeFrom(node, child)
}

export type BookFront = {
  title: string
  /** The owner and the version of the guide. */
  lines: readonly string[]
  contents: string
  /** A BCP 47 tag. */
  lang: string
  /** The colours that pages use as background, by id, and whether their letters are light. */
  grounds: ReadonlyMap<string, boolean>
}

/**
 * The cover of the book, on the background of the home page's head. If the logo has no version for it, the background
 * is the guide's own.
 */
function titlePage({ title, lines, grounds }: BookFront, { cover, header, scheme }: TitleSource): string {
  const ground = /(?:^|\s)ground-(\S+)/.exec(cover ? attributeOf(cover, 'class') : '')?.[1] ?? ''
  const images = header ? elementsIn(header).filter(({ tagName }) => tagName === 'img') : []
  // If the logo has one version, it is for the pages of the guide.
  const logoFor = (wanted: string) =>
    images.find(({ attrs }) => hasClass(attrs, `only-${wanted}`)) ?? (wanted === scheme ? images[0] : undefined)
  const hasLightLetters = grounds.get(ground)
  const own = hasLightLetters === undefined ? undefined : logoFor(hasLightLetters ? 'dark' : 'light')
  const logo = own ?? logoFor(scheme)
  return `<section class="book-title${own ? ` ground-${ground}` : ''}" dir="auto">
${logo ? serializeOuter({ ...logo, attrs: logo.attrs.filter(({ name }) => name !== 'class') }) : ''}
<h1>${escapeHtml(title)}</h1>
${lines.map(line => `<p>${escapeHtml(line)}</p>`).join('\n')}
</section>
`
}

/** The parts of the home page that the cover uses; `scheme` is `light` or `dark`. */
type TitleSource = {
  /** The head of the page, with its title on a background. */
  cover: Element | undefined
  /** The name of the guide, or its logo in one version or two. */
  header: Element | undefined
  scheme: string
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

type Element = DefaultTreeAdapterTypes.Element
type ParentNode = DefaultTreeAdapterTypes.ParentNode

function hasClass(attrs: Element['attrs'], name: string): boolean {
  return attrs.some(each => each.name === 'class' && each.value.split(/\s+/).includes(name))
}

function attributeOf({ attrs }: Element, name: string): string {
  return attrs.find(each => each.name === name)?.value ?? ''
}

function elementsIn(node: ParentNode): Element[] {
  return node.childNodes.flatMap(child => ('tagName' in child ? [child, ...elementsIn(child)] : []))
}

function textIn(node: ParentNode): string {
  return node.childNodes
    .map(child => ('value' in child ? child.value : 'childNodes' in child ? textIn(child) : ''))
    .join('')
}
