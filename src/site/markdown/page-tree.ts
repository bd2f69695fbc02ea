import type { Element, Nodes } from 'hast'

/** The text of a part of a page, with white space as one space. Numbers of footnotes are not part of it. */
export function textOf(node: Nodes): string {
  const texts: string[] = []
  collect(node, texts)
  return texts.join('').replace(/\s+/g, ' ').trim()
}

/** An attribute as text; undefined where there is none. */
export function attribute({ properties }: Element, name: string): string | undefined {
  const value = properties[name]
  return value === undefined || value === null ? undefined : String(value)
}

/** All elements of a part of a page, in the order in which they begin. */
export function elementsOf(part: Nodes): Element[] {
  const found: Element[] = []
  const waiting: Nodes[] = [part]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === 'element') found.push(node)
    if ('children' in node) waiting.push(...node.children.toReversed())
  }
  return found
}

/** Whether there is nothing to see in a node: white space between elements. */
export function isBlank(node: Nodes): boolean {
  return node.type === 'text' && node.value.trim() === ''
}

function collect(node: Nodes, texts: string[]): void {
  if (node.type === 'text') texts.push(node.value)
  else if (node.type === 'element' && node.tagName === 'br') texts.push(' ')
  else if ('children' in node && !isFootnoteNumber(node)) for (const child of node.children) collect(child, texts)
}

function isFootnoteNumber(node: Nodes): boolean {
  return node.type === 'element' && node.properties.dataFootnoteRef !== undefined
}
