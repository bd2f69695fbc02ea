import { posix } from 'node:path'
import type { DefaultTreeAdapterTypes } from 'parse5'
import { cssAddresses } from '#formats/css/addresses.ts'
import { parseHtml } from '#formats/html/parse-html.ts'
import { applyEdits, type Edit, groupsOf } from '#platform/base/text.ts'

/** Rewrites a reference; resolves to undefined if it is dead. The page does not show the target of a link. */
export type RewriteReference = (reference: string, isLink?: boolean) => Promise<string | undefined>

/** The relative reference from one file of a copy to another; both are paths with `/`. */
export function relativeReference(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to).split('/').map(encodeURIComponent).join('/')
}

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

/** Rewrites the references of a page. Removes an attribute with a dead reference, so its link becomes text. */
export async function rewriteHtml(html: string, rewrite: RewriteReference): Promise<string> {
  const edits: Edit[] = []
  for (const element of elementsOf(parseHtml(html, { hasScripts: true })))
    for (const { name, prefix, value } of element.attrs) {
      const fullName = prefix ? `${prefix}:${name}` : name
      const place = element.sourceCodeLocation?.attrs?.[fullName]
      if (!place || !REFERENCES.has(fullName)) continue
      const changed = await (SETS.has(fullName) ? rewriteSet(value, rewrite) : rewrite(value, isLink(element)))
      if (changed === value) continue
      const text = changed === undefined ? '' : `${fullName}="${escapeAttribute(changed)}"`
      edits.push({ start: place.startOffset, end: place.endOffset, text })
    }
  return applyEdits(html, edits)
}

/** Whether an element does not show its targets, unlike pictures and style sheets. */
function isLink({ tagName, attrs }: Element): boolean {
  const isSheet = attrs.some(({ name, value }) => name === 'rel' && value === 'stylesheet')
  return LINKS.has(tagName) && !isSheet
}

const LINKS: ReadonlySet<string> = new Set(['a', 'area', 'form', 'link', 'script'])

/** The attributes of HTML and SVG that contain addresses. */
const REFERENCES: ReadonlySet<string> = new Set(
  'action background cite data data-moving formaction href imagesrcset poster src srcset xlink:href'.split(' '),
)
/** The attributes with several addresses. */
const SETS: ReadonlySet<string> = new Set(['imagesrcset', 'srcset'])

function* elementsOf(root: Node): Generator<Element> {
  const stack: Node[] = [root]
  for (let node = stack.pop(); node; node = stack.pop()) {
    if ('attrs' in node) yield node
    if ('childNodes' in node) for (const child of node.childNodes.toReversed()) stack.push(child)
    if ('content' in node) stack.push(node.content) // The content of a `<template>`.
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

export function escapeAttribute(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}

/** Rewrites the references of a style sheet; dead ones stay unchanged. */
export async function rewriteCss(css: string, rewrite: RewriteReference): Promise<string> {
  const edits: Edit[] = []
  for (const { address, start, end, isUrl } of cssAddresses(css)) {
    const text = (await rewrite(address)) ?? address
    const quoted = `"${text.replace(/["\\\n]/g, mark => (mark === '\n' ? '\\a ' : `\\${mark}`))}"`
    edits.push({ start, end, text: isUrl ? `url(${quoted})` : quoted })
  }
  return applyEdits(css, edits)
}

/**
 * Rewrites the addresses below a public URL in plain text, Markdown or JSON. They are absolute, and only unreserved
 * characters in them are not encoded (RFC 3986 §2.3). Dead addresses stay unchanged.
 */
export async function rewriteText(text: string, publicUrl: string, rewrite: RewriteReference): Promise<string> {
  const edits: Edit[] = []
  for (let at = text.indexOf(publicUrl); at !== -1; at = text.indexOf(publicUrl, at + publicUrl.length)) {
    const match = groupsOf(ADDRESS, text.slice(at, at + MAX_ADDRESS))[0] ?? ''
    // A sentence may end with an address: without a place for `…/logo.`, `…/logo` is tried.
    for (const address of new Set([match, match.replace(/(?<![.?])[.?]+$/, '')])) {
      const changed = await rewrite(address)
      if (changed === undefined || changed === address) continue
      edits.push({ start: at, end: at + address.length, text: changed })
      break
    }
  }
  return applyEdits(text, edits)
}

const ADDRESS = /^https?:\/\/[\w.~%/?#=:[\]-]*/
const MAX_ADDRESS = 8192
