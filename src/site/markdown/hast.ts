import type { Element, ElementContent, Nodes, RootContent } from 'hast'
import { singleSpaced } from '#platform/base/text.ts'

/**
 * The text of a node, with white space collapsed and without footnote numbers.
 *
 * @param maxLength the limit in characters: nodes are nested, so the whole text of each would be too much
 */
export function textOf(node: Nodes, maxLength = Number.POSITIVE_INFINITY): string {
  const collected = { texts: [], budget: maxLength * BUDGET_PER_CHARACTER }
  collectText(node, collected)
  const text = singleSpaced(collected.texts.join(''))
  return text.length > maxLength ? text.slice(0, maxLength).toWellFormed().trimEnd() : text
}

/** The limit of nodes and characters to visit, white space included, per character of the result. */
const BUDGET_PER_CHARACTER = 10

/** Stops when the budget of characters and nodes is exhausted. */
function collectText(node: Nodes, collected: { texts: string[]; budget: number }): void {
  collected.budget--
  if (node.type === 'text') {
    collected.texts.push(node.value.slice(0, Math.max(0, collected.budget)))
    collected.budget -= node.value.length
  } else if (isElement(node, 'br')) collected.texts.push(' ')
  else if ('children' in node && !isFootnoteNumber(node)) {
    for (const child of node.children) {
      if (collected.budget <= 0) return
      collectText(child, collected)
    }
  }
}

function isFootnoteNumber(node: Nodes): boolean {
  return node.type === 'element' && node.properties.dataFootnoteRef !== undefined
}

/** Whether a node is an element with one of these names. */
export function isElement(node: Nodes | undefined, ...names: readonly string[]): node is Element {
  return node?.type === 'element' && names.includes(node.tagName)
}

/** An attribute as a string; undefined if the element does not have it. */
export function attribute({ properties }: Element, name: string): string | undefined {
  const value = properties[name]
  return value === undefined || value === null ? undefined : String(value)
}

/** An attribute as a string, which is empty if the element does not have it. */
export function attributeText(element: Element, name: string): string {
  return attribute(element, name) ?? ''
}

/** Replaces each element directly in a node, in place, by what `replace` returns. */
export function replaceElements(
  parent: { children: RootContent[] },
  replace: (child: Element) => ElementContent[],
): void {
  parent.children = parent.children.flatMap((child): RootContent[] =>
    child.type === 'element' ? replace(child) : [child],
  )
}

/** All elements of a tree, including the root, in document order. */
export function elementsOf(root: Nodes): Element[] {
  const all: Element[] = []
  const stack: Nodes[] = [root]
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.type === 'element') all.push(node)
    if ('children' in node) for (const child of node.children.toReversed()) stack.push(child)
  }
  return all
}

/** The cells of each row of a table. */
export function rowsOf(table: Element): Element[][] {
  const rows = childrenOf(table, 'thead', 'tbody').flatMap(section => childrenOf(section, 'tr'))
  return rows.map(row => childrenOf(row, 'th', 'td'))
}

function childrenOf(element: Element, ...names: readonly string[]): Element[] {
  return element.children.filter(child => isElement(child, ...names))
}

/** Whether a node is only white space. */
export function isBlank(node: Nodes): boolean {
  return node.type === 'text' && node.value.trim() === ''
}

export function classesOf({ properties: { className } }: Element): readonly string[] {
  return Array.isArray(className) ? className.map(String) : []
}

/** Whether a node is an element with a class. */
export function hasClass(node: Nodes | undefined, name: string): node is Element {
  return node?.type === 'element' && classesOf(node).includes(name)
}

/** Whether a reference points to this service on any host: a path, query or fragment, never another origin. */
export function isSameOrigin(reference: string): boolean {
  return !URL.canParse(reference) && URL.canParse(reference, ORIGIN) && new URL(reference, ORIGIN).origin === ORIGIN
}

/** A placeholder for the origin of the service; the name is reserved (RFC 2606). */
const ORIGIN = 'https://here.invalid'
