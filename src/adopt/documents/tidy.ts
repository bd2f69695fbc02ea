import type { Element, ElementContent, Nodes, Parents } from 'hast'
import { type CssDeclaration, styleDeclarations } from '#formats/css/rules.ts'
import { expand } from '#formats/css/variables.ts'
import { valuesAt } from '#platform/base/object.ts'
import { fieldText, groupsOf, wordSet } from '#platform/base/text.ts'
import type { ValueTable } from '../document.ts'
import {
  attribute,
  attributesIn,
  childElements,
  elementOf,
  type HtmlPage,
  lineOf,
  linesOf,
  plainText,
  sourceOf,
  tagOf,
} from '../pages/html-tree.ts'
import { paletteOf, saysAll } from '../pages/palettes.ts'
import { find, isHeading, signed, signsOf } from '../pages/signs.ts'
import { LIST_LEVEL } from '../sources/generators/page-signs.ts'
import { leaveOut } from './left-out.ts'

/**
 * Gives the content of an element without what a guide does not show, each part with its row in the report. Drawings
 * become pictures. Weight, slant and line that are only in styles become elements of phrases; spaces at their ends move outside, where Markdown needs them.
 */
export function tidy(parent: Parents, page: HtmlPage, isCode = tagOf(parent) === 'pre'): ElementContent[] {
  const content: ElementContent[] = []
  const startsPart = isCode || !CARDS.has(tagOf(parent)) ? () => false : partStart(parent)
  for (const node of parent.children) {
    const parts = partsOf(node, page, parent, isCode)
    if (startsPart(node) && isLabel(content.at(-1))) content.push({ type: 'text', value: ' ' })
    for (const part of parts) addPart(part, content)
  }
  return withPalette(content, parent, page, isCode)
}

/** Elements whose phrases style sheets often put apart. */
const CARDS = wordSet('div li section article header figcaption label td th')

/**
 * Finds what a style sheet puts apart from the label before it: a value, as in `<span>hex</span>#cc3304`, or another label
 * if there is no other text, as in `<div><b>Hex</b><span>#cc3304</span></div>`.
 */
function partStart({ children }: Parents): (node: Nodes) => boolean {
  const hasText = children.some(child => child.type === 'text' && plainText(child) !== '')
  return node => (node.type === 'text' ? /^[#\d]/.test(node.value) : !hasText && isLabel(node))
}

function partsOf(node: Nodes, page: HtmlPage, parent: Parents, isCode: boolean): readonly ElementContent[] {
  if (node.type === 'comment') page.note('offPage', node, 'comment', node.value.trim())
  if (node.type === 'text' && page.around.has(node)) page.note('lost', node, 'text around the page', plainText(node))
  else if (node.type === 'text') return [node]
  if (node.type !== 'element') return []
  return leaveOut(node, page, parent) ?? [tidyElement(node, page, isCode)]
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
  for (const record of records) {
    const term = texts.splice(tagOf(record) === 'dd' ? -1 : texts.length)
    texts.push([...term, ...linesOf(record)].join('\n'))
  }
  const line = lineOf(records[0])
  const palette = tagOf(parent) === 'tbody' || isCode ? undefined : paletteOf(texts, line)
  const hasAllTexts = palette && texts.length > 1 && GRIDS.has(tagOf(parent)) && saysAll(palette, texts)
  const isInPalette = (node: ElementContent) =>
    plainText(node) === '' || (isRecord(node) && !find(node, isMoreThanText))
  if (hasAllTexts && content.every(isInPalette)) return [tableOf(palette, line)]
  if (palette) page.tables.push(palette)
  return content
}

const GRIDS = wordSet('div section')
const isMoreThanText = signed('a img picture video h1 h2 h3 h4 h5 h6')

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

function isLabel(node: Nodes | undefined): boolean {
  return LABELS.has(tagOf(node)) && plainText(node).length > 1
}

const LABELS = wordSet('a b button code em i label output small span strong')

function tidyElement(element: Element, page: HtmlPage, isCode: boolean): Element {
  showColor(element, page)
  reportAttributes(element, page)
  if (element.tagName === 'img') Object.assign(element.properties, { src: sourceOf(element, page) })
  element.tagName = { dialog: 'div', menu: 'ul' }[element.tagName] ?? element.tagName
  element.children = tidy(element, page, isCode || element.tagName === 'pre')
  if (isUnnamedLink(element)) element.children = [{ type: 'text', value: attribute(element, 'ariaLabel', 'title') }]
  // A link to a section points to its heading here.
  const id = SECTIONS.has(element.tagName) ? attribute(element, 'id') : ''
  const heading = id === '' ? undefined : find(element, isHeading)
  const isFree = heading && attributesIn(heading, 'id').length === 0
  if (isFree && plainText(element).startsWith(plainText(heading))) Object.assign(heading.properties, { id })
  return wrapStyled(element, page.styles)
}

/** Whether an element is a link that only assistive technology or a tooltip names, such as one with an icon. */
function isUnnamedLink(element: Element): boolean {
  return element.tagName === 'a' && plainText(element) === '' && find(element, isShown) === undefined
}

const isShown = signed('img picture video')

const SECTIONS = wordSet('div section article')

/** Writes the ground of a swatch behind its name. */
function showColor(element: Element, page: HtmlPage): void {
  const signs = signsOf(element)
  const sources = GROUND_SOURCES.filter(([isSource]) => isSource(signs)).slice(0, 1)
  const declared = sources.flatMap(([, stylesOf]) => declarationsOf(element, stylesOf(page)))
  const grounds = declared
    .filter(({ property }) => GROUNDS.has(property))
    .flatMap(({ value, text }) =>
      groupsOf(PLAIN_COLOR, `${expand(value, page.variables)}`).map((color = '') => ({ color, text })),
    )
  const ground = grounds.at(-1)
  if (!ground) return
  page.reported.add(ground.text)
  const value = ground.color
  const text = plainText(element).toLowerCase()
  if (text.length > 200 || text.includes(value.toLowerCase())) return
  const code: Element = { type: 'element', tagName: 'code', properties: {}, children: [{ type: 'text', value }] }
  element.children.push({ type: 'text', value: ' ' }, code)
}

const GROUNDS = wordSet('background background-color')
const PLAIN_COLOR = /^(?:#[\da-f]{3,6}\b|rgb\([\d\s,]+\))/i
/** Elements that show colours, and the styles of classes that count there: rules also give grounds to items of any list. */
const GROUND_SOURCES: readonly (readonly [ReturnType<typeof signed>, (page: HtmlPage) => HtmlPage['styles']])[] = [
  [signed('*swatch* *color* *colour* *palette*'), page => page.styles],
  [signed('li dt dd'), () => new Map()],
]

const PHRASES = wordSet('strong b em i s del a')

/** Adds a node, joined with an equal phrase or a list before it. */
function addPart(part: ElementContent, done: ElementContent[]): void {
  const before = done.findLast(each => plainText(each) !== '')
  if (part.type === 'element' && PHRASES.has(part.tagName)) addPhrase(part, done)
  else if (!joinLists(part, before)) done.push(part)
}

function addPhrase(phrase: Element, done: ElementContent[]): void {
  const before = takeSpace(phrase, 0, text => text.trimStart())
  const after = takeSpace(phrase, -1, text => text.trimEnd())
  done.push(...before)
  const previous = done.at(-1)
  if (phrase.tagName === 'a') done.push(phrase)
  else if (plainText(phrase) === '') done.push(...phrase.children)
  else if (tagOf(previous) === phrase.tagName) elementOf(previous).children.push(...phrase.children)
  else done.push(phrase)
  done.push(...after)
}

/** Puts a list, whose level is only in its class, into the list before it or the last item there. */
function joinLists(list: ElementContent, before: ElementContent | undefined): boolean {
  const [level, above] = [levelOf(list), levelOf(before)]
  const isBelow = level >= above
  if (!isBelow) return false
  const outer = elementOf(before)
  const item = childElements(outer).at(-1)
  if (level === above) outer.children.push(...elementOf(list).children)
  else if (item && !joinLists(list, item.children.at(-1))) item.children.push(list)
  return true
}

/** The level of such a list; NaN for other nodes. */
function levelOf(node: ElementContent | undefined): number {
  const sign = signsOf(node)
    .values()
    .find(each => each.startsWith(LIST_LEVEL))
  return Number(sign?.split('-').at(-1))
}

/** Takes the space from an end of a phrase. */
function takeSpace(phrase: Element, at: 0 | -1, trim: (text: string) => string): ElementContent[] {
  const text = textAt(phrase, at)
  const kept = trim(text.value)
  const space = text.value.replace(kept, '')
  text.value = kept
  return space === '' ? [] : [{ type: 'text', value: space }]
}

/** The text at an end of a phrase, which can be changed. */
function textAt(node: ElementContent | undefined, at: 0 | -1): { value: string } {
  if (node?.type === 'element') return textAt(node.children.at(at), at)
  return node?.type === 'text' ? node : { value: '' }
}

function wrapStyled(element: Element, styles: HtmlPage['styles']): Element {
  const declared = STYLED.has(element.tagName) ? declarationsOf(element, styles) : []
  const values = new Map(declared.map(({ property, value }) => [property, value]))
  const found = STYLES.filter(([properties, words]) =>
    properties.some(name =>
      fieldText(values, name)
        .split(' ')
        .some(word => words.has(word)),
    ),
  )
  return found.reduce((inner, [, , tagName]) => ({ ...element, tagName, properties: {}, children: [inner] }), element)
}

const STYLED = wordSet('span font')
const STYLES = [
  [['text-decoration', 'text-decoration-line'], wordSet('line-through'), 'del'],
  [['font-style'], wordSet('italic'), 'em'],
  [['font-weight'], wordSet('bold bolder 600 700 800 900'), 'strong'],
] as const

/** The declarations for an element, the weakest first: of its classes, its own, and important ones of its classes. */
function declarationsOf(element: Element, styles: HtmlPage['styles']): CssDeclaration[] {
  const classes = attribute(element, 'className').split(' ')
  const ofClasses = valuesAt(styles, classes).sort((a, b) => a.order - b.order)
  const [usual = [], important = []] = [false, true].map(is => ofClasses.filter(each => each.isImportant === is))
  return [...usual, ...styleDeclarations(attribute(element, 'style')), ...important]
}

/** Reports attributes that a page cannot keep: all of custom elements, titles, and styles with a colour or picture. */
function reportAttributes(element: Element, page: HtmlPage): void {
  const isOwn = element.tagName.includes('-')
  const isTitled = !WITH_TITLE.has(element.tagName)
  const isSaid = (name: string) => (isOwn ? !USUAL.has(name) : isTitled && name === 'title')
  const said = Object.entries(element.properties).filter(([name]) => isSaid(name))
  page.note('lost', element, `<${element.tagName}>`, said.map(([name, value]) => `${name}: ${value}`).join(', '))
  for (const { value, text } of styleDeclarations(attribute(element, 'style'))) {
    const shown = SHOWN.find(([, , ...signs]) => signs.some(sign => value.toLowerCase().includes(sign)))
    if (shown === undefined || page.reported.has(text)) continue
    const [what, kind] = shown
    page.reported.add(text)
    page.note(kind, element, `${what} in a style attribute`, text.slice(0, MAX_SHOWN))
  }
}

/** Elements whose title becomes text or is only a repetition. */
const WITH_TITLE = wordSet('a abbr img iframe video audio')
/** Attributes of any element that say nothing. */
const USUAL = wordSet('id className style slot')
/** What values show, the kind of its loss, and its signs. The words in a colour are on the page. */
const SHOWN = [
  ['picture', 'lost', 'url('],
  ['colour', 'offPage', '#', 'rgb', 'hsl'],
] as const
/** A picture may be in the value itself. */
const MAX_SHOWN = 200
