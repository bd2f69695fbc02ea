import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { applyEdits, type Edit, type RewriteReference } from './references.ts'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

/**
 * Rewrites the references of a page and changes nothing else. Removes an attribute with a dead reference, so its link
 * becomes text.
 */
export async function rewriteHtml(html: string, rewrite: RewriteReference): Promise<string> {
  const edits: Edit[] = []
  for (const element of elementsOf(parse(html, { sourceCodeLocationInfo: true })))
    for (const { name, prefix, value } of element.attrs) {
      const fullName = prefix ? `${prefix}:${name}` : name
      const place = element.sourceCodeLocation?.attrs?.[fullName]
      if (!place || !REFERENCES.has(fullName)) continue
      const changed = await (SETS.has(fullName) ? rewriteSet(value, rewrite) : rewrite(value))
      if (changed === value) continue
      const text = changed === undefined ? '' : `${fullName}="${escapeAttribute(changed)}"`
      edits.push({ start: place.startOffset, end: place.endOffset, text })
    }
  return applyEdits(html, edits)
}

/** The attributes of HTML and SVG that contain addresses. */
const REFERENCES: ReadonlySet<string> = new Set([
  'action',
  'background',
  'cite',
  'data',
  'formaction',
  'href',
  'imagesrcset',
  'poster',
  'src',
  'srcset',
  'xlink:href',
])
/** The attributes with several addresses. */
const SETS: ReadonlySet<string> = new Set(['imagesrcset', 'srcset'])

function* elementsOf(root: Node): Generator<Element> {
  const left: Node[] = [root]
  for (let node = left.pop(); node; node = left.pop()) {
    if ('attrs' in node) yield node
    if ('childNodes' in node) for (const child of node.childNodes.toReversed()) left.push(child)
    if ('content' in node) left.push(node.content)
  }
}

/** The candidates of a set (HTML, "srcset attributes"); the service's addresses have no commas. */
async function rewriteSet(value: string, rewrite: RewriteReference): Promise<string | undefined> {
  const candidates: string[] = []
  for (const candidate of value.split(',')) {
    const [address = '', ...descriptors] = candidate.trim().split(/\s+/)
    const changed = await rewrite(address)
    if (changed !== undefined) candidates.push([changed, ...descriptors].join(' '))
  }
  return candidates.length === 0 ? undefined : candidates.join(', ')
}

function escapeAttribute(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
