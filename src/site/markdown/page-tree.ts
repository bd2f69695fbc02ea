import type { Element, Nodes } from 'hast'

/**
 * The text of a part of a page, with white space as one space. Numbers of footnotes are not part of it.
 *
 * @param most how many characters of it are wanted: parts stand in parts, and the whole text of each would be too much
 */
export function textOf(node: Nodes, most = Number.POSITIVE_INFINITY): string {
  const collected = { texts: [], left: most * WORK_A_CHARACTER }
  collect(node, collected)
  const text = collected.texts.join('').replace(/\s+/g, ' ').trim()
  return text.length > most ? text.slice(0, most).toWellFormed().trimEnd() : text
}

/** How much white space and how many elements are looked through for a character. */
const WORK_A_CHARACTER = 10

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

/** Stops where nothing is left of what may be looked through: characters and nodes. */
function collect(node: Nodes, collected: { texts: string[]; left: number }): void {
  collected.left--
  if (node.type === 'text') {
    collected.texts.push(node.value.slice(0, Math.max(0, collected.left)))
    collected.left -= node.value.length
  } else if (node.type === 'element' && node.tagName === 'br') collected.texts.push(' ')
  else if ('children' in node && !isFootnoteNumber(node)) {
    for (const child of node.children) {
      if (collected.left <= 0) return
      collect(child, collected)
    }
  }
}

function isFootnoteNumber(node: Nodes): boolean {
  return node.type === 'element' && node.properties.dataFootnoteRef !== undefined
}
