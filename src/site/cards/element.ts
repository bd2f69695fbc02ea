import type { Element, ElementContent, Properties } from 'hast'
import { ENGLISH, EnglishText, escapeText, Html, type Word } from '../html.ts'

type Child = ElementContent | Word | false | undefined | readonly Child[]

/** An element as a tree, for rendered Markdown pages and `treeHtml`. */
export function element(tagName: string, properties: Properties, ...children: readonly Child[]): Element {
  const nodes: ElementContent[] = []
  for (const child of children) addTo(nodes, child)
  return { type: 'element', tagName, properties, children: nodes }
}

function addTo(nodes: ElementContent[], child: Child): void {
  if (child === undefined || child === false) return
  if (typeof child === 'string' || child instanceof EnglishText) nodes.push(wordNode(child))
  else if (isList(child)) for (const each of child) addTo(nodes, each)
  else nodes.push(child)
}

/** A word as a node of a tree, in an element with its language if that is English on a page in another. */
function wordNode(word: Word): ElementContent {
  const text = { type: 'text', value: `${word}` } as const
  if (typeof word === 'string') return text
  return { type: 'element', tagName: 'bdi', properties: { ...ENGLISH }, children: [text] }
}

function isList(child: Child): child is readonly Child[] {
  return Array.isArray(child)
}

/** A tree of `element` as HTML; every string and attribute is escaped. */
export function treeHtml(tree: ElementContent): Html {
  return new Html(serialize(tree))
}

function serialize(node: ElementContent): string {
  if (node.type === 'text') return escapeText(node.value)
  if (node.type !== 'element') return ''
  let text = `<${node.tagName}`
  for (const property in node.properties) text += attribute(property, node.properties[property])
  text += '>'
  if (VOID.has(node.tagName)) return text
  for (const child of node.children) text += serialize(child)
  return `${text}</${node.tagName}>`
}

function attribute(property: string, value: Properties[string]): string {
  if (value === undefined || value === null || value === false) return ''
  const name = NAMES.get(property) ?? property
  if (value === true) return ` ${name}`
  return ` ${name}="${escapeText(Array.isArray(value) ? value.join(' ') : String(value))}"`
}

/** Properties with other HTML names. SVG attributes keep their capitals, and HTML ignores case. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['className', 'class'],
  ['ariaHidden', 'aria-hidden'],
  ['ariaLabel', 'aria-label'],
  ['dataCopy', 'data-copy'],
  ['fillRule', 'fill-rule'],
])

const VOID: ReadonlySet<string> = new Set(['img', 'br', 'wbr'])
