import { type DefaultTreeAdapterTypes, serializeOuter } from 'parse5'
import { parseHtml, parseHtmlFragment } from '#formats/html/parse-html.ts'
import { escapeHtml, groupsOf, isRightToLeft } from '#platform/base/text.ts'
import { type BookFormat, bookStyle } from './book-style.ts'

/**
 * A chapter of a book: the place of a page in the copied guide, its depth in the contents, and whether it is a list of
 * styles, which leaves out the palettes of earlier pages.
 */
export type Chapter = { place: string; title: string; depth: number; isGenerated: boolean }

/**
 * Combines all chapters into one page, whose references start at the root of the copy. `read` returns the HTML at a
 * place. Returns a function of the page numbers of the chapters by `chapterId`.
 */
export async function bookPage(
  front: BookFront,
  chapters: readonly Chapter[],
  read: (place: string) => Promise<string>,
  format: BookFormat,
): Promise<(pageNumbers: ReadonlyMap<string, number>) => string> {
  const numbers = new Map(chapters.map(({ place }, at) => [place, at]))
  const sheets = new Set<string>()
  /** The colours that each earlier chapter shows. */
  const colorsShown: ReadonlySet<string>[] = []
  const sections: string[] = []
  let scheme = 'light'
  for (const [at, chapter] of chapters.entries()) {
    const { place } = chapter
    const elements = elementsIn(parseHtml(await read(place), { hasScripts: true }))
    for (const sheet of styleSheetsIn(elements)) sheets.add(fromRoot(place, sheet))
    scheme = elements.map(each => attributeOf(each, 'data-theme')).find(value => value !== '') ?? scheme
    const main = elements.find(({ tagName }) => tagName === 'main')
    if (!main) continue
    adaptChapter(main, chapter, { place, at, numbers }, colorsShown)
    colorsShown.push(new Set(palettesIn(main).flatMap(({ colors }) => colors)))
    const kind = chapter.isGenerated ? ' generated' : ''
    sections.push(
      `<section class="book-chapter${kind}" id="${chapterId(at)}" data-depth="${chapter.depth}">\n${serializeOuter(main)}\n</section>\n`,
    )
  }
  const list = chapters.length < MIN_LISTED ? '' : contents(front, chapters)
  const page = `${opening(front, sheets, scheme, format)}${list}${sections.join('')}</body>\n</html>\n`
  // `<b data-page="chapter-3"></b>` becomes `<b>12</b>`, or `<b></b>` while the page number is unknown.
  return pageNumbers => page.replace(/ data-page="([^"]+)">/g, (_, id: string) => `>${pageNumbers.get(id) ?? ''}`)
}

/** Prepares a page to be a chapter, in place. A list of styles loses the palettes that earlier chapters show. */
function adaptChapter(
  main: Element,
  { isGenerated }: Chapter,
  position: ChapterPlace,
  colorsShown: readonly ReadonlySet<string>[],
): void {
  const bareInGuide = new Set(bareHeadings(main))
  adapt(main, position)
  if (isGenerated) removePalettes(main, colorsShown)
  // A heading whose content was removed goes as well; one that its author left bare stays.
  for (const heading of bareHeadings(main)) if (!bareInGuide.has(heading)) removeFrom(main, heading)
}

/** The head of the book's HTML, and its cover. */
function opening(front: BookFront, sheets: ReadonlySet<string>, scheme: string, format: BookFormat): string {
  const links = Array.from(sheets, href => `<link rel="stylesheet" href="${escapeHtml(href)}">\n`).join('')
  return `<!doctype html>
<html class="book" lang="${escapeHtml(front.lang)}" dir="${isRightToLeft(front.lang) ? 'rtl' : 'ltr'}" data-theme="${scheme}">
<head>
<meta charset="utf-8">
<title>${escapeHtml(front.title)}</title>
${links}<style>${bookStyle(format)}</style>
</head>
<body>
${titlePage(front)}`
}

function styleSheetsIn(elements: readonly Element[]): string[] {
  const links = elements.filter(each => each.tagName === 'link' && attributeOf(each, 'rel') === 'stylesheet')
  return links.map(link => attributeOf(link, 'href'))
}

/** Fewer chapters need no contents. */
const MIN_LISTED = 8

function chapterId(at: number): string {
  return `chapter-${at + 1}`
}

function contents({ contents }: BookFront, chapters: readonly Chapter[]): string {
  const items = chapters.map(({ title, depth }, at) => {
    const id = chapterId(at)
    const indent = depth === 0 ? '' : ` style="padding-inline-start:${Math.min(depth, 6) * 6}mm"`
    return `<li${indent}><a href="#${id}">${escapeHtml(title)}</a><b data-page="${id}"></b></li>\n`
  })
  const size = chapters.length > MAX_LARGE ? '' : ' class="large"'
  return `<section class="book-contents" dir="auto">\n<h1>${escapeHtml(contents)}</h1>\n<ol${size}>\n${items.join('')}</ol>\n</section>\n`
}

/** More chapters have small letters in the contents, to fit on a sheet. */
const MAX_LARGE = 18

/** The colours of each list of tiles, as the name and the hex value of each: `Ink #14212b`. */
function palettesIn(main: Element): { list: Element; colors: string[] }[] {
  return elementsIn(main).flatMap(list => {
    if (!hasClass(list.attrs, 'tiles')) return []
    const colors = list.childNodes.flatMap(tile => {
      if (!('tagName' in tile)) return []
      const parts = elementsIn(tile)
      const name = parts.find(({ attrs }) => hasClass(attrs, 'tile-name'))
      return [`${name && textIn(name)} ${parts.map(each => attributeOf(each, 'fill')).find(Boolean)}`]
    })
    return [{ list, colors }]
  })
}

/** Removes palettes of which an earlier page shows all colours, with their names. */
function removePalettes(main: Element, earlier: readonly ReadonlySet<string>[]): void {
  for (const { list, colors } of palettesIn(main)) {
    if (!earlier.some(shown => colors.every(color => shown.has(color)))) continue
    const siblings = list.parentNode?.childNodes.filter(node => 'tagName' in node) ?? []
    const before = siblings[siblings.indexOf(list) - 1]
    if (before && hasClass(before.attrs, 'tile-name')) removeFrom(main, before)
    removeFrom(main, list)
  }
}

/** The headings below the title that nothing follows before the next one of their level or above, the last first. */
function bareHeadings(main: Element): Element[] {
  // Going backwards: the level of the heading that follows and is not bare, or infinity for content; 0 at the end of the page.
  let levelBehind = 0
  return elementsIn(main)
    .reverse()
    .filter(each => {
      const level = Number(groupsOf(/^h([1-6])$/, each.tagName)[1])
      if (level > 0) {
        const isBare = level > 1 && levelBehind <= level
        if (!isBare) levelBehind = level
        return isBare
      }
      if (SHOWN.has(each.tagName)) levelBehind = Number.POSITIVE_INFINITY
      return false
    })
}

/** The innermost elements of what a reader sees. */
const SHOWN: ReadonlySet<string> = new Set('p li td dd pre summary img svg video'.split(' '))

/** The place of a chapter in the copy, and its number. */
type ChapterPlace = { place: string; at: number; numbers: ReadonlyMap<string, number> }

/** Adapts a part of a page for the book: removes screen-only elements, and rewrites ids and links. */
function adapt(element: Element, context: ChapterPlace): void {
  for (const child of element.childNodes) if ('tagName' in child && child.tagName === 'video') toStill(child)
  element.childNodes = element.childNodes.filter(node => !('tagName' in node) || isPrinted(node))
  if (element.tagName === 'details') element.attrs.push({ name: 'open', value: '' })
  element.attrs = element.attrs.flatMap(attribute => {
    const { name } = attribute
    if (name.startsWith('aria-') || UNUSED.has(name)) return []
    if (name === 'name' && element.tagName === 'details') return [] // A browser opens only one of a name.
    const isSource = name === 'href' && element.tagName === 'image'
    const adaptValue = REFERENCES.get(isSource ? 'src' : name)
    const value = adaptValue ? adaptValue(attribute.value, context) : attribute.value
    return value === undefined ? [] : [{ ...attribute, value }]
  })
  for (const child of element.childNodes) if ('tagName' in child) adapt(child, context)
  if (hasClass(element.attrs, 'page-list')) addPageNumbers(element)
}

/** Attributes that refer to elements by their id, or that delay a picture. */
const UNUSED: ReadonlySet<string> = new Set(['loading', 'for', 'headers'])

/** Adds an empty element behind each link to a chapter, which gets its page number once that is known. */
function addPageNumbers(list: Element): void {
  list.attrs = [{ name: 'class', value: 'book-links' }]
  for (const item of list.childNodes) {
    if (!('childNodes' in item)) continue
    const at = item.childNodes.findIndex(child => 'tagName' in child && child.tagName === 'a')
    const link = item.childNodes[at]
    const id = groupsOf(/^#(chapter-\d+)$/, link && 'tagName' in link ? attributeOf(link, 'href') : '')[1]
    if (id !== undefined)
      item.childNodes.splice(at + 1, 0, ...parseHtmlFragment(`<b data-page="${id}"></b>`).childNodes)
  }
}

/** Shows the poster of a film; without one, a frame from its middle is printed. */
function toStill(film: Element): void {
  const poster = attributeOf(film, 'poster')
  const look = film.attrs.filter(({ name }) => ['src', 'class', 'width', 'height'].includes(name))
  const label = attributeOf(film, 'aria-label')
  if (poster === '') {
    film.attrs = [...look, { name: 'title', value: label }, { name: 'preload', value: 'auto' }]
    return
  }
  const withoutFilm = look.filter(({ name }) => name !== 'src')
  film.attrs = [...withoutFilm, { name: 'src', value: poster }, { name: 'alt', value: label }]
  film.nodeName = film.tagName = 'img'
  film.childNodes = []
}

/** Excludes downloads and code to copy, and cards of the website's own lists and of pages that are chapters here. */
function isPrinted(element: Element): boolean {
  const { tagName, attrs } = element
  if (tagName === 'input') return attrs.some(({ name }) => name === 'disabled') // The checkbox of a task.
  // Cards without the class `link-cards` are the website's own lists.
  const isListOfPages = !hasClass(attrs, 'link-cards') || elementsIn(element).some(each => hasClass(each.attrs, 'page'))
  const areCardsOfPages = hasClass(attrs, 'cards') && isListOfPages
  return !SCREEN_ONLY.has(tagName) && !LEFT_OUT.some(name => hasClass(attrs, name)) && !areCardsOfPages
}

/** Tools, numbered lists of all pages, and grids of characters, of which the number remains. */
const LEFT_OUT = ['tools', 'chapters', 'glyphs']

const SCREEN_ONLY: ReadonlySet<string> = new Set(
  'audio button form iframe link nav noscript script select style template textarea'.split(' '),
)

/** The functions that give an attribute its value in the book; undefined if the element loses it. */
const REFERENCES: ReadonlyMap<string, (value: string, chapter: ChapterPlace) => string | undefined> = new Map([
  ['id', (value, { at }) => `${chapterId(at)}-${value}`],
  ['src', (value, { place }) => fromRoot(place, value)],
  [
    'srcset',
    (value, { place }) =>
      value.replace(/(^|,\s*)(\S+)/g, (_, start: string, address: string) => start + fromRoot(place, address)),
  ],
  ['href', linkInBook],
])

/** A link to a chapter, or to another website; undefined for a page that is not a chapter. */
function linkInBook(value: string, { place, at, numbers }: ChapterPlace): string | undefined {
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

/** A base for relative references, which no reference has; the name is reserved (RFC 2606). */
const NOWHERE = 'http://book.invalid/'

/** Removes an element from anywhere below another. */
function removeFrom(parent: Element, child: Element): void {
  parent.childNodes = parent.childNodes.filter(node => node !== child)
  for (const node of parent.childNodes) if ('tagName' in node) removeFrom(node, child)
}

/** The texts, grounds and logos of a cover, and the language of the book. */
export type BookFront = {
  title: string
  /** What the guide is about. */
  lead: string | undefined
  /** The owner and the date of the guide. */
  lines: readonly string[]
  contents: string
  lang: string
  /** The grounds that the cover may have, the best first, and the colours of letters on them, as hex. */
  grounds: readonly (readonly [ground: string, letters: string])[]
  /** The versions of the logo, as addresses. */
  logos: readonly string[]
}

/** The cover of the book, with each version of the logo. The script removes all but the one that its ground needs. */
function titlePage({ title, lead, lines, grounds, logos }: BookFront): string {
  return `<section class="book-title" dir="auto" data-grounds="${escapeHtml(JSON.stringify(grounds))}">
<div>${logos.map(src => `<img src="${escapeHtml(src)}" alt="">`).join('')}</div>
<h1>${escapeHtml(title)}</h1>
${lead === undefined ? '' : `<p class="lead">${escapeHtml(lead)}</p>`}
<footer>${lines.map(line => `<p>${escapeHtml(line)}</p>`).join('\n')}</footer>
</section>
`
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
