import { isObject } from '#platform/base/object.ts'
import { ELEMENTS, parseModule, type ScriptKind } from './expression.ts'

/**
 * The source of the elements of JSX in a module that are in no other one, in their order.
 *
 * @throws {SyntaxError} if it is no module
 */
export function moduleMarkup(source: string, kind: ScriptKind): string[] {
  const elements: { start: number; end: number }[] = []
  // The list grows while it is read, until it has all nodes outside of elements.
  const nodes: object[] = [parseModule(source, kind)]
  for (const node of nodes) {
    if (isElement(node)) elements.push(node)
    else nodes.push(...Object.values(node).flat().filter(isObject))
  }
  return elements.sort((a, b) => a.start - b.start).map(({ start, end }) => source.slice(start, end))
}

function isElement(node: object): node is { start: number; end: number } {
  return 'type' in node && ELEMENTS.has(String(node.type))
}
