import type { Element, Parents } from 'hast'
import { toHtml } from 'hast-util-to-html'
import { wordSet } from '#platform/base/text.ts'
import {
  addPicture,
  attribute,
  elementsIn,
  elementsNamed,
  type HtmlPage,
  isMostlyLinks,
  pictureAddress,
  plainText,
  tagOf,
  wordsOf,
} from '../pages/html-tree.ts'
import { type Signs, signed, signsOf } from '../pages/signs.ts'
import { AUTHOR_MARKS, PAGE_TITLE } from '../sources/generators/page-signs.ts'
import { has, is, not } from './predicates.ts'

/** Gives the picture for a drawing, nothing for a part that is left out, and undefined for what stays. */
export function leaveOut(element: Element, page: HtmlPage, parent: Parents): Element[] | undefined {
  const part = { element, page, parent, signs: signsOf(element) }
  const row = LEFT_OUT.find(([, ...conditions]) => conditions.every(holds => holds(part)))
  return row?.[0](element, page)
}

/** An element with its place and signs. */
type Part = { element: Element; page: HtmlPage; parent: Parents; signs: Signs }
type Condition = (part: Part) => boolean

function within(names: readonly string[]): Condition {
  return ({ parent }) => names.includes(tagOf(parent))
}

/** Whether an element has the title of the page, as a header may have. */
function hasOnlyHeading({ element, page }: Part): boolean {
  return elementsIn(element).some(each => each === page.onlyHeading)
}

/** Whether an element is beside the main content, where pages have what all of their site have. */
function isAround({ element, page }: Part): boolean {
  return page.around.has(element)
}

/** Reports an element, and gives what is in its place. */
type Report = (element: Element, page: HtmlPage) => Element[]

const leave = (report: (element: Element, page: HtmlPage) => void): Report => {
  return (element, page) => {
    report(element, page)
    return []
  }
}

const unreported = leave(() => undefined)
const reportMenu = leave(noteNavigation)
const reportHidden = leave((element, page) =>
  page.note('hidden', element, `<${element.tagName}> that readers do not see`, wordsOf(element)),
)
const reportScript = leave((element, page) => page.note('offPage', element, '<script>', wordsOf(element)))
const reportLost = leave((element, page) => page.note('lost', element, `<${element.tagName}>`, wordsOf(element)))
const reportDrawing = leave((svg, page) =>
  page.note('lost', svg, '<svg>', wordsOf(svg) || `a drawing of ${sizesOf(svg).join(' × ')}`),
)

const DRAWING = is('svg')
/** Elements with text that is no label of a control. */
const TEXTS = 'h1 h2 h3 h4 h5 h6 p table'

/** Parts that a guide cannot show or does not need, each with its report and its conditions. The first row holds. */
const LEFT_OUT: readonly (readonly [Report, ...Condition[]])[] = [
  [unreported, is(`style ${AUTHOR_MARKS} ${PAGE_TITLE}`)],
  [unreported, is('noscript'), isRepeated],
  [unreported, is('a'), isToSection, isSign, not(has('img'))],
  [reportLost, is('script'), writesMarkup],
  [reportScript, is('script')],
  [reportHidden, is('template')],
  [reportHidden, ({ element, page }) => page.isHidden(element)],
  [reportDrawing, DRAWING, ({ element }) => wordsOf(element) === '', isSmall],
  [reportDrawing, DRAWING, isPartial],
  [drawing, DRAWING],
  [
    reportMenu,
    ({ element }) => isNavigation(element),
    ({ element, page }) => plainText(element).length <= page.longestMenu,
  ],
  [reportMenu, ({ element, page }) => page.localMenus.has(element)],
  [reportMenu, isAround, not(hasOnlyHeading), ({ element }) => isMostlyLinks(element)],
  [reportLost, isAround, is('header'), not(hasOnlyHeading)],
  [reportLost, isAround, not(is(TEXTS)), not(has(TEXTS))],
  [reportLost, is('iframe object embed select textarea math noembed applet frame area datalist')],
  [reportLost, is('@banner @contentinfo @search .page-metadata .skip* #skip* #footer'), not(hasOnlyHeading)],
  [reportLost, is('span'), is('.icon')],
  [reportLost, is('table'), is('.properties')],
  [
    reportLost,
    is('div section aside dialog form'),
    is('.*cookie* #*cookie* .*consent* #*consent*'),
    has('button input'),
  ],
  [reportLost, is('form'), not(has(TEXTS)), not(has('img'))],
  [reportLost, is('.pageSection'), has('#attachments')],
  [reportLost, is('footer'), not(within(['blockquote']))],
  [reportLost, is('header'), within(['', 'body']), not(hasOnlyHeading)],
  [reportLost, is('button'), within(['pre'])],
]

/** The navigation of a site, which the guide makes itself. */
function isNavigation(element: Element): boolean {
  const signs = signsOf(element)
  const isBreadcrumb = LISTS.has(element.tagName) && isTrail(signs)
  return isMenu(signs) || isBreadcrumb || (mayBeMenu(signs) && isMostlyLinks(element))
}

const LISTS = wordSet('ul ol')
const isTrail = signed('.breadcrumb .breadcrumbs')
const isMenu = signed('nav @navigation')
const mayBeMenu =
  signed(`aside .toc #toc .toc-macro .table-of-contents #table-of-contents .breadcrumb .breadcrumbs #breadcrumb
  #breadcrumbs .breadcrumb-section .pagination-nav .sidenav .side-nav #sidenav #side-nav .menu #menu .sphinxsidebar`)

function noteNavigation(element: Element, page: HtmlPage): void {
  page.note('converted', element, `<${element.tagName}> ${plainText(element)}`.trim(), 'the navigation of the guide')
}

/** Whether an element leads to a part of its page. */
function isToSection({ element }: Part): boolean {
  return attribute(element, 'href').startsWith('#')
}

/** Whether an element only has the sign that leads to its heading. */
function isSign({ element }: Part): boolean {
  return /^[#¶§🔗\s\u200b]*$/u.test(plainText(element))
}

/** Whether a script has the elements of pages, which it fills with text. */
function writesMarkup({ element }: Part): boolean {
  return wordsOf(element).includes('</')
}

/** Whether an element has pictures for browsers without scripts, which are before it, too. */
function isRepeated({ element, parent }: Part): boolean {
  const own = elementsNamed(element, 'img').map(pictureAddress)
  const all = elementsNamed(parent, 'img').map(pictureAddress)
  return own.length > 0 && own.every(each => all.indexOf(each) !== all.lastIndexOf(each))
}

/** The width and height of a drawing. */
function sizesOf(svg: Element): number[] {
  const [, , width = '0', height = '0'] = attribute(svg, 'viewBox').split(/[\s,]+/)
  return [attribute(svg, 'width') || width, attribute(svg, 'height') || height].map(Number.parseFloat)
}

/** Whether a drawing is as small as an icon. */
function isSmall({ element }: Part): boolean {
  return Math.max(...sizesOf(element)) <= SMALL
}

/** In pixels: smaller drawings are icons. */
const SMALL = 64

/** Whether a drawing needs other parts of the page, or is more than one. */
function isPartial({ element }: Pick<Part, 'element'>): boolean {
  const source = svgSource(element)
  const isMore = elementsIn(element).some(({ tagName }) => NO_DRAWING.has(tagName.toLowerCase()))
  return isMore || source.matchAll(/url\(["']?#([^"')]+)/g).some(([, id]) => !source.includes(`id="${id}"`))
}

const NO_DRAWING = wordSet('use image script foreignobject')

/** The drawing of a page that can be a file, as its source; none for others. */
export function wholeDrawings(element: Element): string[] {
  const isWhole = element.tagName === 'svg' && !isPartial({ element })
  return isWhole ? [svgSource(element)] : []
}

function svgSource(svg: Element): string {
  const properties = { ...svg.properties, xmlns: 'http://www.w3.org/2000/svg' }
  return toHtml({ ...svg, properties }, { space: 'svg' })
}

/** A drawing in the page as a picture. */
function drawing(svg: Element, page: HtmlPage): Element[] {
  page.note('converted', svg, '<svg>', 'a picture')
  const properties = { src: addPicture(page, 'svg', Buffer.from(svgSource(svg))), alt: wordsOf(svg) }
  return [{ type: 'element', tagName: 'img', properties, children: [], position: svg.position }]
}
