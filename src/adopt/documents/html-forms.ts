import type { Element, Nodes } from 'hast'
import { defaultHandlers, type Handle } from 'hast-util-to-mdast'
import type { Nodes as Markdown } from 'mdast'
import { headingIds, splitHeading } from '#brand/heading-ids.ts'
import { alert, BLOCK, code, figure, frame, levelledList, listItem, phrasing, table } from './html-blocks.ts'
import {
  addressOf,
  attribute,
  block,
  elementsIn,
  find,
  type HtmlPage,
  html,
  type Place,
  safeHtml,
  signature,
  sourceOf,
  textOf,
  wordsOf,
} from './html-tree.ts'

/** Gives the Markdown of an element; undefined if it is what its name says. */
type Form = (element: Element, place: Place) => Markdown[] | Markdown | undefined

/** Handlers for all elements, which report what they leave out. */
export function handlersOf(page: HtmlPage): Record<string, Handle> {
  const handle =
    (usual: Handle): Handle =>
    (state, element, parent) => {
      reportColors(element, page)
      const name = signature(element)
      const form = FORMS.find(([pattern]) => pattern.test(name))?.[1]
      const made = form?.(element, { page, state, parent, usual }) ?? usual(state, element, parent)
      const nodes = made ? [made].flat() : []
      for (const node of nodes) if (element.position) node.position ??= element.position
      return nodes
    }
  return Object.fromEntries(Object.entries<Handle>(defaultHandlers).map(([name, usual]) => [name, handle(usual)]))
}

/** The navigation of a site, which the guide makes itself. */
export function isNavigation(element: Element): boolean {
  const name = signature(element)
  return /^ nav | @navigation /.test(name) || (NAVIGATION.test(name) && isMostlyLinks(element))
}

const NAVIGATION =
  /^ aside | [.#](?:toc|toc-macro|table-of-contents|breadcrumbs?|breadcrumb-section|pagination-nav|side-?nav|menu|sphinxsidebar) /i
const AROUND = / @(?:banner|contentinfo|search) | \.(?:page-metadata|skip-link) | #footer /
const CONSENT = /^ (?:div|section|aside|dialog|form) .*[.#]\S*(?:cookie|consent)\S* /i
const UNSEEN = /^ (?:script|iframe|object|embed|select|textarea|svg|math|noembed|applet|frame|area) /
const MARKS =
  / \.(?:headerlink|hash-link|header-anchor|footnotes-sep|page-header-icon|confluence-information-macro-icon) /
const CODE = /^ pre |^ (?:div|figure|table) .*\.(?:highlight\S*|codehilite|rouge|code|language-\S+) /
const ALERTS =
  /^ (?:div|aside|section|figure|details|p) .*\.(?:admonition|callout|panel|markdown-alert|alert|confluence-information-macro|theme-admonition) /
const INLINE_HTML = /^ (?:su[bp]|kbd|mark|u|ins|small|abbr|samp|var|cite|dfn|bdo|ruby|rt|rp) /

/** The forms of elements by signature. The first one holds. */
const FORMS: readonly (readonly [RegExp, Form])[] = [
  [/^ nav | @navigation /, leaveNavigation],
  [NAVIGATION, (element, place) => (isNavigation(element) ? leaveNavigation(element, place) : undefined)],
  [AROUND, lose],
  [CONSENT, (element, place) => (find(element, /^ (?:button|input) /) ? lose(element, place) : undefined)],
  [UNSEEN, lose],
  [MARKS, () => []],
  [/^ form /, (element, place) => (find(element, /^ (?:p|h[1-6]|table|img) /) ? undefined : lose(element, place))],
  [/^ span .*\.icon /, lose],
  [/^ hr /, (_, { page }) => (page.isDocument ? [] : undefined)],
  [/ \.pageSection /, (element, place) => (find(element, / #attachments /) ? lose(element, place) : undefined)],
  [/^ footer /, (element, place) => (tagOf(place.parent) === 'blockquote' ? undefined : lose(element, place))],
  [/^ section .*\.adopted-note /, noteText],
  [CODE, code],
  [ALERTS, alert],
  [/^ h[1-6] /, heading],
  [/^ p .*\.title /, (element, place) => (place.page.hasTitle ? heading(element, place) : undefined)],
  [/^ a /, link],
  [/^ img /, picture],
  [/^ figure /, figure],
  [/^ table .*\.properties /, lose],
  [/^ table /, table],
  [
    /^ ul .*\.toggle /,
    (element, { state }) => element.children.flatMap(item => (item.type === 'element' ? state.all(item) : [])),
  ],
  [/^ [uo]l .*\.lst-\S+-\d+ /, levelledList],
  [/^ (?:video|audio) /, media],
  [
    /^ header /,
    (element, { page, ...place }) => (page.isWhole && tagOf(place.parent) === '' ? lose(element, { page }) : undefined),
  ],
  [/^ li /, listItem],
  [/^ details /, frame],
  [/^ dl /, (element, { page }) => block(safeHtml(element, page))],
  [/^ br /, (_, { state }) => (state.inTable ? html('<br>') : undefined)],
  [INLINE_HTML, inHtml],
]

function leaveNavigation(element: Element, { page }: Place): Markdown[] {
  page.note('converted', element, `<${element.tagName}> ${textOf(element)}`.trim(), 'the navigation of the guide')
  return []
}

function lose(element: Element, { page }: Pick<Place, 'page'>): Markdown[] {
  page.note('lost', element, `<${element.tagName}>`, wordsOf(element))
  return []
}

/** Colours in attributes may be nowhere else. */
function reportColors(element: Element, page: HtmlPage): void {
  for (const [declaration] of attribute(element, 'style').matchAll(COLORED)) {
    if (page.reported.has(declaration)) continue
    page.reported.add(declaration)
    page.note('lost', element, 'colour in a style attribute', `${declaration} ${textOf(element).slice(0, 100)}`.trim())
  }
}

const COLORED = /[\w-]+\s*:[^;:]*(?:#[\da-f]{3,8}\b|(?:rgb|hsl)a?\()[^;]*/gi

function isMostlyLinks(element: Element): boolean {
  const links = [...elementsIn(element)].filter(({ tagName }) => tagName === 'a')
  return links.reduce((sum, each) => sum + textOf(each).length, 0) > textOf(element).length / 2
}

function tagOf(node: Nodes | undefined): string {
  return node?.type === 'element' ? node.tagName : ''
}

function inHtml(element: Element, { state }: Place): Markdown[] | undefined {
  if (find(element, BLOCK)) return undefined
  const title = attribute(element, 'title')
  const open = title === '' ? `<${element.tagName}>` : `<${element.tagName} title=${JSON.stringify(title)}>`
  return [html(open), ...state.all(element), html(`</${element.tagName}>`)]
}

function noteText(element: Element, { state }: Place): Markdown {
  const identifier = attribute(element, 'id')
  return { type: 'footnoteDefinition', identifier, label: identifier, children: state.toFlow(state.all(element)) }
}

/** A heading, with its id if its words give another. */
function heading(element: Element, { page, state, parent }: Place): Markdown[] | Markdown {
  const level = element.tagName === 'p' ? 1 : Number(element.tagName[1]) + (page.hasTitle ? 1 : 0)
  const content = phrasing(state.all(element)).flatMap(node => (node.type === 'strong' ? node.children : [node]))
  const named = [element, ...elementsIn(element), ...(tagOf(parent) === 'section' ? [parent] : [])]
  const ids = named.map(each => (each?.type === 'element' ? attribute(each, 'id') : ''))
  const id = ids.find(each => each !== '') ?? ''
  const text = textOf(element)
  const isOwn = id !== headingIds()(text) && splitHeading(`x {#${id}}`).id !== undefined
  if (isOwn && (page.targets.has(id) || !OF_GOOGLE_DOCS.test(id))) content.push(html(` {#${id}}`))
  if (text === '' && !find(element, /^ img /)) return []
  return { type: 'heading', depth: DEPTHS[level - 1] ?? 6, children: content }
}

const DEPTHS = [1, 2, 3, 4, 5, 6] as const
const OF_GOOGLE_DOCS = /^h\.\w+$/

function link(element: Element, { page, state, usual }: Place): Markdown[] | Markdown | undefined {
  const [href, text, label] = [attribute(element, 'href'), textOf(element), attribute(element, 'dataAdoptedNote')]
  if (label !== '') return { type: 'footnoteReference', identifier: label, label }
  const hasPicture = find(element, /^ img /) !== undefined
  if (href.startsWith('#') && /^[#¶§🔗\s]*$/u.test(text) && !hasPicture) return []
  const id = attribute(element, 'id') || attribute(element, 'name')
  const anchor = page.targets.has(id) && /^[\w.:-]+$/.test(id) ? [html(`<a id="${id}"></a>`)] : []
  if (href === '') return [...anchor, ...state.all(element)]
  if (text === '' && !hasPicture) return lose(element, { page })
  const linked = { ...element, properties: { ...element.properties, href: addressOf(element) } }
  return [...anchor, ...[usual(state, linked, undefined) ?? []].flat()]
}

/** A link to a film on its own, which is a player here. */
function media(element: Element, { page, state, usual }: Place): Markdown[] {
  const [link] = [
    usual(state, { ...element, properties: { ...element.properties, poster: '' } }, undefined) ?? [],
  ].flat()
  const parts = [...elementsIn(element)]
    .filter(({ tagName }) => tagName === 'track')
    .map(each => attribute(each, 'src'))
  page.note(
    'lost',
    element,
    `<${element.tagName}>`,
    [attribute(element, 'poster'), ...parts, textOf(element)].join(' ').trim(),
  )
  if (link?.type !== 'link' || link.url === '') return lose(element, { page })
  const value = attribute(element, 'title') || attribute(element, 'ariaLabel') || link.url.replace(/^.*\//, '')
  return [{ type: 'paragraph', children: [{ ...link, title: null, children: [{ type: 'text', value }] }] }]
}

function picture(element: Element, { page, state }: Place): Markdown {
  const url = sourceOf(element, page)
  const alt = attribute(element, 'alt') || attribute(element, 'dataLinkedResourceDefaultAlias')
  if (url === '') return { type: 'text', value: alt }
  return { type: 'image', url: state.resolve(url), alt, title: attribute(element, 'title') || null }
}
