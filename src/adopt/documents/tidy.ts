import type { Element, ElementContent, Parents } from 'hast'
import { toHtml } from 'hast-util-to-html'
import {
  addPicture,
  attribute,
  elementsIn,
  find,
  type HtmlPage,
  isMostlyLinks,
  pictureAddress,
  signature,
  sourceOf,
  tagOf,
  textOf,
  wordsOf,
} from './html-tree.ts'

/**
 * Gives the content of an element without what a guide does not show, each part with its row in the report. Drawings
 * become pictures. Weight, slant and line that are only in styles become elements of phrases, as exports of Google Docs
 * need; spaces at their ends move outside, where Markdown needs them.
 */
export function tidy(parent: Parents, page: HtmlPage, isCode = tagOf(parent) === 'pre'): ElementContent[] {
  const done: ElementContent[] = []
  const isCard =
    !isCode && CARDS.test(tagOf(parent)) && parent.children.every(each => each.type !== 'text' || textOf(each) === '')
  for (const node of parent.children) {
    if (node.type === 'comment') page.note('lost', node, 'comment', node.value.trim())
    if (node.type === 'text') done.push(node)
    if (node.type !== 'element') continue
    const left = LEFT_OUT.find(([pattern]) => pattern.test(signature(node)))?.[1](node, page, parent)
    if (isCard && isLabel(node) && isLabel(done.at(-1))) done.push({ type: 'text', value: ' ' })
    for (const each of left ?? [tidyElement(node, page, isCode)]) addPhrase(each, done)
  }
  return done
}

/** Elements whose phrases style sheets often put apart. */
const CARDS = /^(?:div|li|section|article|header|figcaption|label|td|th)$/

function isLabel(node: ElementContent | undefined): boolean {
  return (
    node?.type === 'element' &&
    /^(?:a|b|button|code|em|i|label|output|small|span|strong)$/.test(node.tagName) &&
    textOf(node).length > 1
  )
}

function tidyElement(element: Element, page: HtmlPage, isCode: boolean): Element {
  reportAttributes(element, page)
  if (element.tagName === 'img') Object.assign(element.properties, { src: sourceOf(element, page) })
  element.tagName = { dialog: 'div', menu: 'ul' }[element.tagName] ?? element.tagName
  element.children = tidy(element, page, isCode || element.tagName === 'pre')
  // A link to a section points to its heading here.
  const id = /^(?:div|section|article)$/.test(element.tagName) ? attribute(element, 'id') : ''
  const heading = id === '' ? undefined : find(element, /^ h[1-6] /)
  const isFree = heading && ![heading, ...elementsIn(heading)].some(each => attribute(each, 'id') !== '')
  if (isFree && textOf(element).startsWith(textOf(heading))) Object.assign(heading.properties, { id })
  return wrapStyled(element, page.styles)
}

/** Adds an element, joined with an equal one before it. */
function addPhrase(phrase: Element, done: ElementContent[]): void {
  if (!/^(?:strong|b|em|i|s|del|a)$/.test(phrase.tagName)) {
    done.push(phrase)
    return
  }
  const [before, after] = [takeSpace(phrase, /^\s+/, 0), takeSpace(phrase, /\s+$/, -1)]
  if (before !== '') done.push({ type: 'text', value: before })
  const previous = done.at(-1)
  if (phrase.tagName === 'a') done.push(phrase)
  else if (textOf(phrase) === '') done.push(...phrase.children)
  else if (tagOf(previous) === phrase.tagName && previous?.type === 'element')
    previous.children.push(...phrase.children)
  else done.push(phrase)
  if (after !== '') done.push({ type: 'text', value: after })
}

function takeSpace(node: ElementContent | undefined, pattern: RegExp, at: 0 | -1): string {
  if (node?.type === 'element') return takeSpace(node.children.at(at), pattern, at)
  const [space = ''] = (node?.type === 'text' && pattern.exec(node.value)) || []
  if (node?.type === 'text') node.value = node.value.replace(pattern, '')
  return space
}

function wrapStyled(element: Element, styles: ReadonlyMap<string, string>): Element {
  if (element.tagName !== 'span' && element.tagName !== 'font') return element
  const classes = attribute(element, 'className').split(' ')
  const style = [attribute(element, 'style'), ...classes.map(name => styles.get(name) ?? '')].join(';')
  const names = STYLES.flatMap(([pattern, tagName]) => (pattern.test(style) ? [tagName] : []))
  return names.reduce((inner, tagName) => ({ ...element, tagName, properties: {}, children: [inner] }), element)
}

const STYLES = [
  [/text-decoration[\w-]*:[^;]*line-through/, 'del'],
  [/font-style:\s*italic/, 'em'],
  [/font-weight:\s*(?:bold|[6-9]00)/, 'strong'],
] as const

/** Gives what stays of an element; undefined if all of it. */
type Rule = (element: Element, page: HtmlPage, parent: Parents) => Element[] | undefined

/** The navigation of a site, which the guide makes itself. */
export function isNavigation(element: Element): boolean {
  const name = signature(element)
  return NAVIGATION.test(name) || (MAYBE_NAVIGATION.test(name) && isMostlyLinks(element))
}

const NAVIGATION = /^ nav | @navigation |^ [ou]l .*\.breadcrumbs? /i
const MAYBE_NAVIGATION =
  /^ aside | [.#](?:toc|toc-macro|table-of-contents|breadcrumbs?|breadcrumb-section|pagination-nav|side-?nav|menu|sphinxsidebar) /i

function navigation(element: Element, page: HtmlPage): Element[] | undefined {
  if (!isNavigation(element)) return undefined
  page.note('converted', element, `<${element.tagName}> ${textOf(element)}`.trim(), 'the navigation of the guide')
  return []
}

const lose: Rule = (element, page) => {
  page.note('lost', element, `<${element.tagName}>`, wordsOf(element))
  return []
}

const loseIf =
  (condition: (element: Element, page: HtmlPage, parent: Parents) => boolean): Rule =>
  (element, page, parent) =>
    condition(element, page, parent) ? lose(element, page, parent) : undefined

/** The parts that are left out, by signature. The first one holds. */
const LEFT_OUT: readonly (readonly [RegExp, Rule])[] = [
  [NAVIGATION, navigation],
  [MAYBE_NAVIGATION, navigation],
  [/ @(?:banner|contentinfo|search) | \.page-metadata | [.#]skip\S* | #footer /, lose],
  [
    /^ (?:div|section|aside|dialog|form) .*[.#]\S*(?:cookie|consent)\S* /i,
    loseIf(each => !!find(each, /^ (?:button|input) /)),
  ],
  [/^ svg /, drawing],
  [
    /^ (?:script|iframe|object|embed|select|textarea|math|noembed|applet|frame|area|datalist) |^ span .*\.icon |^ table .*\.properties /,
    lose,
  ],
  [
    / \.(?:headerlink|hash-link|header-anchor|footnotes-sep|page-header-icon|confluence-information-macro-icon) /,
    () => [],
  ],
  [/^ form /, loseIf(each => !find(each, /^ (?:p|h[1-6]|table|img) /))],
  [/ \.pageSection /, loseIf(each => !!find(each, / #attachments /))],
  [/^ footer /, loseIf((_, _page, parent) => tagOf(parent) !== 'blockquote')],
  [/^ header /, loseIf((_, { isWhole }, parent) => isWhole && /^(?:body)?$/.test(tagOf(parent)))],
  [/^ button /, loseIf((_, _page, parent) => tagOf(parent) === 'pre')],
  [/^ noscript /, repeated],
]

/** A picture for browsers without scripts, which is before it, too. */
function repeated(element: Element, _: HtmlPage, parent: Parents): Element[] | undefined {
  const addresses = (node: Parents) =>
    [...elementsIn(node)].filter(({ tagName }) => tagName === 'img').map(pictureAddress)
  const [own, all] = [addresses(element), addresses(parent)]
  return own.length > 0 && own.every(each => all.filter(other => other === each).length > 1) ? [] : undefined
}

/** A drawing in the page as a picture, unless it is a small one without words, or needs other parts of the page. */
function drawing(svg: Element, page: HtmlPage): Element[] | undefined {
  const [, , right = 0, bottom = 0] = attribute(svg, 'viewBox')
    .split(/[\s,]+/)
    .map(Number)
  const [width, height] = [
    Number.parseFloat(attribute(svg, 'width')) || right,
    Number.parseFloat(attribute(svg, 'height')) || bottom,
  ]
  const words = wordsOf(svg)
  const source = toHtml(
    { ...svg, properties: { ...svg.properties, xmlns: 'http://www.w3.org/2000/svg' } },
    { space: 'svg' },
  )
  const needs = source.matchAll(/url\(["']?#([^"')]+)/g).some(([, id]) => !source.includes(`id="${id}"`))
  if (
    needs ||
    find(svg, /^ (?:use|image|script|foreignObject) /) ||
    (words === '' && Math.max(width, height) <= SMALL)
  ) {
    page.note('lost', svg, '<svg>', words || `a drawing of ${width} × ${height}`)
    return []
  }
  const src = addPicture(page, 'svg', Buffer.from(source))
  page.note('converted', svg, '<svg>', 'a picture')
  return [{ type: 'element', tagName: 'img', properties: { src, alt: words }, children: [], position: svg.position }]
}

const SMALL = 64

/** Reports attributes that a page cannot keep: all of custom elements, titles, and styles with a colour or picture. */
function reportAttributes(element: Element, page: HtmlPage): void {
  const isOwn = element.tagName.includes('-')
  const pattern = isOwn
    ? /^(?!(?:id|className|style|slot)$)/
    : /^(?:a|abbr|img|iframe|video|audio)$/.test(element.tagName)
      ? /^$/
      : /^title$/
  const said = Object.entries(element.properties).filter(([name]) => pattern.test(name))
  page.note('lost', element, `<${element.tagName}>`, said.map(([name, value]) => `${name}: ${value}`).join(', '))
  for (const [declaration] of attribute(element, 'style').matchAll(SHOWN)) {
    const what = `${/url\(/i.test(declaration) ? 'picture' : 'colour'} in a style attribute`
    if (page.reported.has(declaration)) continue
    page.reported.add(declaration)
    page.note('lost', element, what, `${declaration} ${textOf(element).slice(0, 100)}`.trim())
  }
}

/** Declarations with a colour or a picture. */
const SHOWN = /[\w-]+\s*:[^;:]*(?:#[\da-f]{3,8}\b|(?:rgb|hsl)a?\(|url\()[^;]*/gi
