import type { Element } from 'hast'
import { defaultHandlers, type Handle } from 'hast-util-to-mdast'
import type { Nodes as Markdown, PhrasingContent } from 'mdast'
import { headingIds, splitHeading } from '#brand/heading-ids.ts'
import {
  addressOf,
  attribute,
  block,
  elementsIn,
  find,
  type HtmlPage,
  html,
  type Place,
  plainText,
  safeHtml,
  signature,
  tagOf,
} from '../pages/html-tree.ts'
import { paletteOf } from '../pages/palettes.ts'
import { alert, BLOCK, code, figure, frame, listItem, phrasing, table } from './html-blocks.ts'

/** Gives the Markdown of an element; undefined if it is what its name says. */
type Form = (element: Element, place: Place) => Markdown[] | Markdown | undefined

/** Handlers for all elements, which report what they leave out. */
export function handlersOf(page: HtmlPage): Record<string, Handle> {
  const handle =
    (usual: Handle): Handle =>
    (state, element, parent) => {
      const name = signature(element)
      const form = FORMS.find(([pattern]) => pattern.test(name))?.[1]
      const made = form?.(element, { page, state, parent, usual }) ?? usual(state, element, parent)
      const nodes = made ? [made].flat() : []
      for (const node of nodes) if (element.position) node.position ??= element.position
      return nodes
    }
  return Object.fromEntries(Object.entries<Handle>(defaultHandlers).map(([name, usual]) => [name, handle(usual)]))
}

const CODE = /^ pre |^ (?:div|figure|table) .*\.(?:highlight\S*|codehilite|rouge|code|language-\S+) /
const ALERTS =
  /^ (?:div|aside|section|figure|details|p) .*\.(?:admonition|callout|panel|markdown-alert|alert|confluence-information-macro|theme-admonition) /
const INLINE_HTML = /^ (?:su[bp]|kbd|mark|u|ins|small|abbr|samp|var|cite|dfn|bdo|ruby|rt|rp) /

/** The forms of elements by signature. The first one holds. */
const FORMS: readonly (readonly [RegExp, Form])[] = [
  [/^ hr /, (_, { page }) => (page.isDocument ? [] : undefined)],
  [/^ section .*\.adopted-note /, noteText],
  [CODE, code],
  [ALERTS, alert],
  [/^ h[1-6] /, heading],
  [/^ p .*\.title /, (element, place) => (place.page.hasTitle ? heading(element, place) : undefined)],
  [/^ a /, link],
  [/^ img /, picture],
  [/^ figure /, figure],
  [/^ table /, table],
  [
    /^ ul .*\.toggle /,
    (element, { state }) => element.children.flatMap(item => (item.type === 'element' ? state.all(item) : [])),
  ],
  [/^ (?:video|audio) /, media],
  [/^ li /, listItem],
  [/^ details /, frame],
  [/^ dl /, definitions],
  [/^ br /, (_, { state }) => (state.inTable ? html('<br>') : undefined)],
  [INLINE_HTML, inHtml],
]

function definitions(element: Element, { page }: Place): Markdown[] | Markdown {
  const texts: string[] = []
  for (const each of elementsIn(element))
    if (each.tagName === 'dt') texts.push(plainText(each))
    else if (each.tagName === 'dd') texts.push(`${texts.pop() ?? ''} ${plainText(each)}`)
  const palette = paletteOf(texts, element.position?.start.line ?? 1)
  if (palette) page.tables.push(palette)
  return plainText(element) === '' ? [] : block(safeHtml(element))
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
function heading(element: Element, { page, state }: Place): Markdown[] | Markdown {
  const level = element.tagName === 'p' ? 1 : Number(element.tagName[1]) + (page.hasTitle ? 1 : 0)
  const content = phrasing(state.all(element)).flatMap((node): PhrasingContent[] =>
    node.type === 'strong' ? node.children : [node.type === 'break' ? { type: 'text', value: ' ' } : node],
  )
  const id = [element, ...elementsIn(element)].map(each => attribute(each, 'id')).find(each => each !== '') ?? ''
  const text = plainText(element)
  const isOwn = id !== headingIds()(text) && !/^_Toc/.test(id) && splitHeading(`x {#${id}}`).id !== undefined
  if (isOwn && (page.targets.has(id) || !GIVEN.test(id))) content.push(html(` {#${id}}`))
  if (text === '' && !find(element, /^ img /)) return []
  return { type: 'heading', depth: DEPTHS[level - 1] ?? 6, children: content }
}

const DEPTHS = [1, 2, 3, 4, 5, 6] as const
/** Ids that Google Docs and Word give to all headings. */
const GIVEN = /^(?:h\.\w+|_Ref.*)$/

function link(element: Element, { page, state, usual, parent }: Place): Markdown[] | Markdown | undefined {
  const [href, text, label] = [attribute(element, 'href'), plainText(element), attribute(element, 'dataAdoptedNote')]
  if (label !== '') return { type: 'footnoteReference', identifier: label, label }
  const hasPicture = find(element, /^ img /) !== undefined
  if (href.startsWith('#') && /^[#¶§🔗\s]*$/u.test(text) && !hasPicture) return []
  const name = attribute(element, 'name')
  const id = attribute(element, 'id') || name
  // Links of other pages may point to a name.
  const isTarget = page.targets.has(id) || (name !== '' && href === '')
  const isAnchor = isTarget && !/^h[1-6]$/.test(tagOf(parent)) && /^[\w.:-]+$/.test(id)
  const anchor = isAnchor ? [html(`<a id="${id}"></a>`)] : []
  const isOff = /^(?:#|javascript:.*|)$/is.test(href)
  if (isOff || (text === '' && !hasPicture)) page.note('lost', element, 'link', href)
  if (isOff) return [...anchor, ...state.all(element)]
  const linked = { ...element, properties: { ...element.properties, href: addressOf(element) } }
  return [...anchor, ...[usual(state, linked, undefined) ?? []].flat()]
}

/** A link to a film on its own, which is a player here. */
function media(element: Element, { page }: Place): Markdown[] {
  const sources = [element, ...elementsIn(element)].flatMap(
    each => attribute(each, 'src') || attribute(each, 'dataSrc') || [],
  )
  const [url, ...others] = sources
  const lost = [attribute(element, 'poster'), ...others, plainText(element)].join(' ').trim()
  page.note('lost', element, `<${element.tagName}>`, lost)
  const value = attribute(element, 'title') || attribute(element, 'ariaLabel') || (url ?? '').replace(/^.*\//, '')
  return url ? [{ type: 'paragraph', children: [{ type: 'link', url, children: [{ type: 'text', value }] }] }] : []
}

function picture(element: Element, { state }: Place): Markdown {
  const url = attribute(element, 'src')
  const alt = attribute(element, 'alt') || attribute(element, 'dataLinkedResourceDefaultAlias')
  if (url === '') return { type: 'text', value: alt }
  return { type: 'image', url: state.resolve(url), alt, title: attribute(element, 'title') || null }
}
