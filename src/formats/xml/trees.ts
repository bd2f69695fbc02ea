import { openXml } from './parse-xml.ts'

/** An element with its local name. Attributes with a prefix keep its colon, as `:id` for `r:id`. Only `t` has text. */
export type XmlNode = { name: string; attributes: Readonly<Record<string, string>>; children: XmlNode[]; text: string }

export const EMPTY: XmlNode = { name: '', attributes: {}, children: [], text: '' }

/** An element, and those around it, outermost first and always the same objects; only the outermost has attributes. */
export type XmlTree = { node: XmlNode; path: readonly XmlNode[] }

/**
 * Yields the outermost elements of a part that have one of these names, one at a time. Leaves out `mc:Fallback`, which
 * repeats its neighbour for old programs (ISO 29500-3 §7.6). Throws if the part is malformed or passes a limit.
 */
export function* readTrees(bytes: Uint8Array, wanted: readonly string[]): Generator<XmlTree> {
  const trees: XmlTree[] = []
  const reader = treeReader(new Set([...wanted, FALLBACK]), trees)
  const decoder = new TextDecoder()
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    reader.write(decoder.decode(bytes.subarray(start, start + PIECE_BYTES), { stream: true }))
    yield* trees.splice(0)
  }
  reader.close()
}

const FALLBACK = 'Fallback'
const PIECE_BYTES = 16 << 10
const MAX_DEPTH = 1000
/** The most elements, attributes and 20 characters of text of one tree, far more than in any real paragraph. */
const MAX_SIZE = 300_000

/** A reader that adds each wanted tree to `trees` when it ends. */
function treeReader(wanted: ReadonlySet<string>, trees: XmlTree[]) {
  const path: XmlNode[] = []
  /** The wanted element that is open, and the size of its tree so far. */
  let root: XmlNode | undefined
  let size = 0
  const grow = (by: number) => {
    size += by
    if (size > MAX_SIZE) throw new Error('has a paragraph or shape that is too large')
  }
  return openXml({
    doctype: () => {
      throw new Error('has a DOCTYPE, which Office files never have')
    },
    attribute: () => grow(1),
    open: ({ local, depth, attributes }) => {
      if (depth > MAX_DEPTH) throw new Error(`is nested more than ${MAX_DEPTH} levels deep`)
      const node = { ...EMPTY, name: local }
      if (root && local !== FALLBACK) path.at(-1)?.children.push(node)
      else if (!root) size = 0
      if (wanted.has(local)) root ??= node
      path.push(node)
      // Elements between the outermost one and a tree keep the empty attributes that all share.
      if (!root && depth > 1) return
      const values = Array.from(attributes, ([name, value]) => [name.replace(/^[^:]+(?=:)/, ''), value])
      Object.assign(node, { attributes: Object.fromEntries(values), children: [] })
      grow(1)
    },
    text: ({ value }) => {
      const node = path.at(-1)
      if (!root || node?.name !== 't') return
      node.text += value
      grow(value.length / 20)
    },
    close: () => {
      const node = path.pop()
      if (!node || node !== root) return
      root = undefined
      if (node.name !== FALLBACK) trees.push({ node, path: [...path] })
    },
  })
}

/** The first element at a path of names in each of these. */
export function below(nodes: readonly XmlNode[], ...names: readonly string[]): XmlNode[] {
  return nodes.flatMap(node => child(node, ...names) ?? [])
}

export function child(node: XmlNode | undefined, ...names: readonly string[]): XmlNode | undefined {
  return names.reduce((current, name) => current?.children.find(each => each.name === name), node)
}

/** An element and those in it, in the order of the file; elements that are not entered are left out. */
export function* descendants(node: XmlNode, isEntered: (node: XmlNode) => boolean = () => true): Generator<XmlNode> {
  const open = [node]
  for (let next = open.pop(); next; next = open.pop()) {
    yield next
    for (const each of next.children.toReversed()) if (isEntered(each)) open.push(each)
  }
}
