import type { Element, ElementContent, Parents } from 'hast'
import { toHtml } from 'hast-util-to-html'
import { type CssDeclaration, styleDeclarations } from '#formats/css/rules.ts'
import { expand } from '#formats/css/variables.ts'
import { groupsOf, wordSet } from '#platform/base/text.ts'
import {
  addPicture,
  attribute,
  elementsIn,
  find,
  HEADING,
  type HtmlPage,
  isMostlyLinks,
  linesOf,
  named,
  namedAndSigned,
  pictureAddress,
  plainText,
  signature,
  signed,
  sourceOf,
  tagOf,
  wordsOf,
} from '../pages/html-tree.ts'
import type { ValueTable } from '../pages/page.ts'
import { paletteOf, saysAll } from '../pages/palettes.ts'

/**
 * Gives the content of an element without what a guide does not show, each part with its row in the report. Drawings
 * become pictures. Weight, slant and line that are only in styles become elements of phrases, as exports of Google Docs
 * need; spaces at their ends move outside, where Markdown needs them.
 */
export function tidy(parent: Parents, page: HtmlPage, isCode = tagOf(parent) === 'pre'): ElementContent[] {
  const content: ElementContent[] = []
  // Only labels, as in `<div><b>Hex</b><span>#cc3304</span></div>`.
  const isCard =
    !isCode &&
    CARDS.has(tagOf(parent)) &&
    parent.children.every(child => child.type !== 'text' || plainText(child) === '')
  for (const node of parent.children) {
    if (node.type === 'comment') page.note('offPage', node, 'comment', node.value.trim())
    // A label and its value, which a style sheet puts apart: `<span>hex</span>#cc3304`.
    const isValue = node.type === 'text' && CARDS.has(tagOf(parent)) && /^[#\d]/.test(node.value)
    if (isValue && isLabel(content.at(-1))) content.push({ type: 'text', value: ' ' })
    if (node.type === 'text') content.push(node)
    if (node.type !== 'element') continue
    const replacement = leaveOut(node, page, parent)
    if (isCard && isLabel(node) && isLabel(content.at(-1))) content.push({ type: 'text', value: ' ' })
    for (const part of replacement ?? [tidyElement(node, page, isCode)]) addPhrase(part, content)
  }
  return withPalette(content, parent, page, isCode)
}

/**
 * The content, or a table of colours instead of boxes that only describe colours, such as a grid of swatches. If the boxes
 * say more, the table is only one of those of the page, from which colours are read.
 */
function withPalette(content: ElementContent[], parent: Parents, page: HtmlPage, isCode: boolean): ElementContent[] {
  const isRecord = (node: ElementContent) => node.type === 'element' && !isLabel(node)
  const records = content.filter(isRecord)
  // The text of a `dd` belongs to the `dt` before it.
  const texts: string[] = []
  for (const record of records)
    texts.push([...(tagOf(record) === 'dd' ? [texts.pop() ?? ''] : []), ...linesOf(record)].join('\n'))
  const line = records[0]?.position?.start.line ?? 1
  const palette = tagOf(parent) === 'tbody' || isCode ? undefined : paletteOf(texts, line)
  const hasAllTexts = palette && texts.length > 1 && GRIDS.has(tagOf(parent)) && saysAll(palette, texts)
  const isInPalette = (node: ElementContent) =>
    plainText(node) === '' || (isRecord(node) && !find(node, MORE_THAN_TEXT))
  if (hasAllTexts && content.every(isInPalette)) return [tableOf(palette, line)]
  if (palette) page.tables.push(palette)
  return content
}

const GRIDS = wordSet('div section')
const MORE_THAN_TEXT = named('a img picture video h1 h2 h3 h4 h5 h6')

function tableOf({ header, rows }: ValueTable, line: number): Element {
  const position = { start: { line, column: 1 }, end: { line, column: 1 } }
  const element = (tagName: string, children: ElementContent[]) =>
    ({ type: 'element', tagName, properties: {}, children, position }) as const
  const rowOf = (row: readonly string[], tagName: string) =>
    element(
      'tr',
      row.map(value => element(tagName, [{ type: 'text', value }])),
    )
  return element('table', [rowOf(header, 'th'), ...rows.map(row => rowOf(row, 'td'))])
}

/** Elements whose phrases style sheets often put apart. */
const CARDS = wordSet('div li section article header figcaption label td th')

function isLabel(node: ElementContent | undefined): boolean {
  return node?.type === 'element' && LABELS.has(node.tagName) && plainText(node).length > 1
}

const LABELS = wordSet('a b button code em i label output small span strong')

function tidyElement(element: Element, page: HtmlPage, isCode: boolean): Element {
  showColor(element, page)
  reportAttributes(element, page)
  if (element.tagName === 'img') Object.assign(element.properties, { src: sourceOf(element, page) })
  element.tagName = { dialog: 'div', menu: 'ul' }[element.tagName] ?? element.tagName
  element.children = tidy(element, page, isCode || element.tagName === 'pre')
  // A link to a section points to its heading here.
  const id = SECTIONS.has(element.tagName) ? attribute(element, 'id') : ''
  const heading = id === '' ? undefined : find(element, HEADING)
  const isFree = heading && ![heading, ...elementsIn(heading)].some(each => attribute(each, 'id') !== '')
  if (isFree && plainText(element).startsWith(plainText(heading))) Object.assign(heading.properties, { id })
  return wrapStyled(element, page.styles)
}

const SECTIONS = wordSet('div section article')

/** Writes the ground of a swatch behind its name. */
function showColor(element: Element, page: HtmlPage): void {
  // Rules also give grounds to items of any list.
  const styles = SWATCH.test(signature(element)) ? page.styles : new Map()
  const declared = declarationsOf(element, styles).filter(({ property }) => GROUNDS.has(property))
  const grounds = declared.flatMap(({ value, text }) =>
    groupsOf(PLAIN_COLOR, expand(value, page.variables) ?? '').map((color = '') => ({ color, text })),
  )
  const ground = grounds.at(-1)
  if (!ground || !(styles === page.styles || ITEM.test(signature(element)))) return
  page.reported.add(ground.text)
  const value = ground.color
  const text = plainText(element).toLowerCase()
  if (text.length > 200 || text.includes(value.toLowerCase())) return
  const code: Element = { type: 'element', tagName: 'code', properties: {}, children: [{ type: 'text', value }] }
  element.children.push({ type: 'text', value: ' ' }, code)
}

const GROUNDS = wordSet('background background-color')
const PLAIN_COLOR = /^(?:#[\da-f]{3,6}\b|rgb\([\d\s,]+\))/i
const ITEM = /^ (?:li|dt|dd) /
const SWATCH = /[.#-](?<![.#-]\S*?[.#-])\S*(?:swatch|colou?r|palette)/i

const PHRASES = wordSet('strong b em i s del a')

/** Adds an element, joined with an equal one before it. */
function addPhrase(phrase: Element, done: ElementContent[]): void {
  if (!PHRASES.has(phrase.tagName)) {
    const before = done.findLast(each => plainText(each) !== '')
    if (!joinLists(phrase, before)) done.push(phrase)
    return
  }
  const [before, after] = [takeSpace(phrase, /^\s+/, 0), takeSpace(phrase, /(?<!\s)\s+$/, -1)]
  if (before !== '') done.push({ type: 'text', value: before })
  const previous = done.at(-1)
  if (phrase.tagName === 'a') done.push(phrase)
  else if (plainText(phrase) === '') done.push(...phrase.children)
  else if (tagOf(previous) === phrase.tagName && previous?.type === 'element')
    previous.children.push(...phrase.children)
  else done.push(phrase)
  if (after !== '') done.push({ type: 'text', value: after })
}

/** Puts a list of Google Docs, whose level is only in its class, into the list before it or the last item there. */
function joinLists(list: Element, before: ElementContent | undefined): boolean {
  const [level, above] = [levelOf(list), levelOf(before)]
  if (before?.type !== 'element' || level === undefined || above === undefined || level < above) return false
  const item = before.children.findLast(each => each.type === 'element')
  if (level === above) before.children.push(...list.children)
  else if (item && !joinLists(list, item.children.at(-1))) item.children.push(list)
  return true
}

function levelOf(node: ElementContent | undefined): number | undefined {
  const level = node?.type === 'element' && groupsOf(/ \.lst-\S+-(\d+) /, signature(node))[1]
  return level ? Number(level) : undefined
}

function takeSpace(node: ElementContent | undefined, pattern: RegExp, at: 0 | -1): string {
  if (node?.type === 'element') return takeSpace(node.children.at(at), pattern, at)
  const [space = ''] = (node?.type === 'text' && pattern.exec(node.value)) || []
  if (node?.type === 'text') node.value = node.value.replace(pattern, '')
  return space
}

function wrapStyled(element: Element, styles: HtmlPage['styles']): Element {
  if (element.tagName !== 'span' && element.tagName !== 'font') return element
  const values = new Map(declarationsOf(element, styles).map(({ property, value }) => [property, value]))
  const names = STYLES.flatMap(([property, pattern, tagName]) =>
    pattern.test(values.get(property) ?? '') ? [tagName] : [],
  )
  const distinct = [...new Set(names)]
  return distinct.reduce((inner, tagName) => ({ ...element, tagName, properties: {}, children: [inner] }), element)
}

/** The declarations for an element, the weakest first: of its classes, its own, and important ones of its classes. */
function declarationsOf(element: Element, styles: HtmlPage['styles']): CssDeclaration[] {
  const classes = attribute(element, 'className').split(' ')
  const ofClasses = classes.flatMap(name => styles.get(name) ?? []).sort((a, b) => a.order - b.order)
  const [usual = [], important = []] = [false, true].map(is => ofClasses.filter(each => each.isImportant === is))
  return [...usual, ...styleDeclarations(attribute(element, 'style')), ...important]
}

const STYLES = [
  ['text-decoration', /line-through/, 'del'],
  ['text-decoration-line', /line-through/, 'del'],
  ['font-style', /^italic/, 'em'],
  ['font-weight', /^(?:bold|[6-9]00)/, 'strong'],
] as const

/** Gives the picture for a drawing, nothing for a part that is left out, and undefined for what stays. */
function leaveOut(element: Element, page: HtmlPage, parent: Parents): Element[] | undefined {
  const name = signature(element)
  if (MARKS.test(name) || isRepeated(element, parent)) return []
  if (element.tagName === 'template' || page.isHidden(element)) {
    page.note('hidden', element, `<${element.tagName}> that readers do not see`, wordsOf(element))
    return []
  }
  if (element.tagName === 'svg') return drawing(element, page)
  const isLost = LOST.some(
    ({ of, has, lacks, within }) =>
      of.test(name) &&
      (!has || find(element, has)) &&
      (!lacks || !find(element, lacks)) &&
      (!within || within.test(tagOf(parent))),
  )
  const isMenu = isNavigation(element) && plainText(element).length <= page.longestMenu
  if (isMenu) noteNavigation(element, page)
  else if (isLost) page.note('lost', element, `<${element.tagName}>`, wordsOf(element))
  return isMenu || isLost ? [] : undefined
}

const MARKS =
  signed(`.headerlink .hash-link .header-anchor .footnotes-sep .page-header-icon .material-icons* .material-symbols*
  .confluence-information-macro-icon`)

/** Parts that a guide cannot show or does not need: their signature, those of elements in them, and the name of their parent. */
const LOST: readonly { of: RegExp; has?: RegExp; lacks?: RegExp; within?: RegExp }[] = [
  { of: named('script iframe object embed select textarea math noembed applet frame area datalist') },
  { of: signed('@banner @contentinfo @search .page-metadata .skip* #skip* #footer') },
  { of: namedAndSigned('span', '.icon') },
  { of: namedAndSigned('table', '.properties') },
  { of: /^ (?:div|section|aside|dialog|form) .*[.#]\S*(?:cookie|consent)\S* /i, has: named('button input') },
  { of: /^ form /, lacks: named('p h1 h2 h3 h4 h5 h6 table img') },
  { of: / \.pageSection /, has: / #attachments / },
  { of: /^ footer /, within: /^(?!blockquote$)/ },
  { of: /^ header /, within: /^(?:body)?$/ },
  { of: /^ button /, within: /^pre$/ },
]

/** The navigation of a site, which the guide makes itself. */
export function isNavigation(element: Element): boolean {
  const name = signature(element)
  return NAVIGATION.test(name) || (MAYBE_NAVIGATION.test(name) && isMostlyLinks(element))
}

const NAVIGATION = /^ nav | @navigation |^ [ou]l .*\.breadcrumbs? /i
const MAYBE_NAVIGATION =
  /^ aside | [.#](?:toc|toc-macro|table-of-contents|breadcrumbs?|breadcrumb-section|pagination-nav|side-?nav|menu|sphinxsidebar) /i

export function noteNavigation(element: Element, page: HtmlPage): void {
  page.note('converted', element, `<${element.tagName}> ${plainText(element)}`.trim(), 'the navigation of the guide')
}

/** Whether an element has pictures for browsers without scripts, which are before it, too. */
function isRepeated(element: Element, parent: Parents): boolean {
  if (element.tagName !== 'noscript') return false
  const addresses = (node: Parents) =>
    [...elementsIn(node)].filter(({ tagName }) => tagName === 'img').map(pictureAddress)
  const [own, all] = [addresses(element), addresses(parent)]
  return own.length > 0 && own.every(each => all.filter(other => other === each).length > 1)
}

/** A drawing in the page as a picture, unless it is a small one without words, or needs other parts of the page. */
function drawing(svg: Element, page: HtmlPage): Element[] {
  const box = attribute(svg, 'viewBox').split(/[\s,]+/)
  const sizes = ['width', 'height'].map((name, at) => Number.parseFloat(attribute(svg, name) || box[at + 2] || '0'))
  const words = wordsOf(svg)
  const whole = { ...svg, properties: { ...svg.properties, xmlns: 'http://www.w3.org/2000/svg' } }
  const source = toHtml(whole, { space: 'svg' })
  const isPart = source.matchAll(/url\(["']?#([^"')]+)/g).some(([, id]) => !source.includes(`id="${id}"`))
  if (isPart || find(svg, OUTSIDE) || (words === '' && Math.max(...sizes) <= SMALL)) {
    page.note('lost', svg, '<svg>', words || `a drawing of ${sizes.join(' × ')}`)
    return []
  }
  page.note('converted', svg, '<svg>', 'a picture')
  const properties = { src: addPicture(page, 'svg', Buffer.from(source)), alt: words }
  return [{ type: 'element', tagName: 'img', properties, children: [], position: svg.position }]
}

const OUTSIDE = named('use image script foreignObject')
/** In pixels: smaller drawings are icons. */
const SMALL = 64

/** Reports attributes that a page cannot keep: all of custom elements, titles, and styles with a colour or picture. */
function reportAttributes(element: Element, page: HtmlPage): void {
  const isOwn = element.tagName.includes('-')
  const pattern = isOwn ? /^(?!(?:id|className|style|slot)$)/ : WITH_TITLE.has(element.tagName) ? /^$/ : /^title$/
  const said = Object.entries(element.properties).filter(([name]) => pattern.test(name))
  page.note('lost', element, `<${element.tagName}>`, said.map(([name, value]) => `${name}: ${value}`).join(', '))
  for (const { value, text } of styleDeclarations(attribute(element, 'style'))) {
    if (!SHOWN.test(value) || page.reported.has(text)) continue
    const what = `${/url\(/i.test(value) ? 'picture' : 'colour'} in a style attribute`
    page.reported.add(text)
    page.note('lost', element, what, `${text.slice(0, MAX_SHOWN)} ${plainText(element).slice(0, 100)}`.trim())
  }
}

/** Elements whose title becomes text or is only a repetition. */
const WITH_TITLE = wordSet('a abbr img iframe video audio')
/** Values with a colour or a picture. */
const SHOWN = /#[\da-f]{3,8}\b|(?:rgb|hsl)a?\(|url\(/i
/** A picture may be in the value itself. */
const MAX_SHOWN = 200
