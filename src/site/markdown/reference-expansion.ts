import type { Nodes, Root } from 'mdast'

/**
 * The number of characters that a page gains when its references are expanded: a long address with a hundred thousand
 * references would make a page of gigabytes. Walks without recursion, because pages may be nested deeply.
 */
export function referenceExpansion(tree: Root): number {
  const sizes = new Map<string, number>()
  const references: string[] = []
  const nodes: Nodes[] = [tree]
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    if ('children' in node) for (const child of node.children) nodes.push(child)
    if (node.type === 'linkReference' || node.type === 'imageReference') references.push(node.identifier)
    if (node.type === 'definition') {
      const size = node.url.length + (node.title?.length ?? 0)
      sizes.set(node.identifier, Math.max(size, sizes.get(node.identifier) ?? 0))
    }
  }
  return references.reduce((sum, identifier) => sum + (sizes.get(identifier) ?? 0), 0)
}
