import { type Leaf, readLeaves } from './blocks.ts'
import { type Syntax, unescaped, unescapedPath } from './character-reference.ts'
import { readHtmlLinks } from './html-links.ts'
import { type Inline, readInlines } from './inline.ts'
import { type Definition, normalizedLabel, readDefinitions, type Span } from './link-syntax.ts'
import { plainText } from './plain-text.ts'

/** A relative link or picture of a page. */
export type Destination = {
  /** UTF-16 offsets of the path as written: without query, fragment, angle brackets and quotes. */
  start: number
  end: number
  /** The path with escapes, character references and percent-encoding undone; a root path starts with `/`. */
  path: string
  kind: 'link' | 'picture'
  /** The alt text of a picture, or of the first that refers to a definition, as plain text; empty for none and for a link. */
  alt: string
  /** 1-based */
  line: number
}

/**
 * Reads a page's Markdown (CommonMark and GFM) for the text of its first heading that has any, and for its relative
 * links and pictures in the order of their places: inline ones, definitions, and `src` and `href` of raw HTML.
 * Left out are code and destinations that are empty, only a query or fragment, or absolute.
 */
export function readMarkdown(text: string): { heading: string | undefined; destinations: Destination[] } {
  const blocks = readBlocks(text)
  const altTexts = referenceAlts(blocks)
  const links = [...blocks.flatMap(block => markdownLinks(block, altTexts)), ...htmlLinks(blocks)].sort(
    (a, b) => a.start - b.start,
  )
  const destinations: Destination[] = []
  let line = 1
  let at = 0
  for (const link of links) {
    for (; at < link.start; at++) if (text[at] === '\n') line++
    const destination = destinationOf(link)
    if (destination !== undefined) destinations.push({ ...destination, line })
  }
  return { heading: headingOf(blocks), destinations }
}

/** A block of text, where it begins after its definitions, their destinations, and what stands in the rest of it. */
type Block = Leaf & { textStart: number; definitions: Definition[]; inlines: Inline[] }

/** A destination as written, from an offset on. */
type Link = { start: number; written: string; syntax: Syntax; kind: Destination['kind']; alt: string }

function readBlocks(text: string): Block[] {
  const labels = { links: new Set<string>(), footnotes: new Set<string>() }
  const blocks = readLeaves(text).map(leaf => {
    const mayDefine = leaf.kind === 'paragraph' || leaf.kind === 'setext-heading'
    const { definitions, end } = mayDefine ? readDefinitions(leaf.text) : { definitions: [], end: 0 }
    for (const { label } of definitions) labels.links.add(label)
    if (leaf.kind === 'footnote-label') labels.footnotes.add(normalizedLabel(leaf.text.slice(1, -1)))
    return { ...leaf, textStart: end, definitions }
  })
  return blocks.map(block => {
    if (block.kind === 'html' || block.kind === 'footnote-label') return { ...block, inlines: [] }
    return { ...block, inlines: readInlines(block.text, block.textStart, labels) }
  })
}

function headingOf(blocks: readonly Block[]): string | undefined {
  for (const { kind, text, textStart, inlines } of blocks) {
    if (kind !== 'atx-heading' && kind !== 'setext-heading') continue
    const heading = plainText(text, { start: textStart, end: text.length }, inlines)
    if (heading !== '') return heading
  }
  return undefined
}

/** The alt text of the first picture that refers to each label. */
function referenceAlts(blocks: readonly Block[]): Map<string, string> {
  const alts = new Map<string, string>()
  for (const { text, inlines } of blocks)
    for (const { inline, contents } of outsidePictures(inlines)) {
      if (inline.kind !== 'picture' || inline.label === undefined || alts.has(inline.label)) continue
      alts.set(inline.label, plainText(text, inline.text, contents))
    }
  return alts
}

function markdownLinks({ start, text, definitions, inlines }: Block, alts: ReadonlyMap<string, string>): Link[] {
  const link = (at: Span, kind: Link['kind'], alt: string): Link => {
    return { start: start + at.start, written: text.slice(at.start, at.end), syntax: 'markdown', kind, alt }
  }
  const links = definitions.map(({ label, destination }) => link(destination, 'link', alts.get(label) ?? ''))
  for (const { inline, contents } of outsidePictures(inlines)) {
    if ((inline.kind !== 'link' && inline.kind !== 'picture') || inline.destination === undefined) continue
    const alt = inline.kind === 'picture' ? plainText(text, inline.text, contents) : ''
    links.push(link(inline.destination, inline.kind, alt))
  }
  return links
}

/** What is in a picture is only its alt text. Inlines are in the order of their ends, so contents come just before. */
function outsidePictures(inlines: readonly Inline[]): { inline: Inline; contents: Inline[] }[] {
  const outside: { inline: Inline; contents: Inline[] }[] = []
  for (let inline = inlines.at(-1), index = inlines.length - 1; inline !== undefined; inline = inlines[index]) {
    const end = index--
    if (inline.kind === 'picture') while ((inlines[index]?.start ?? -1) > inline.start) index--
    outside.push({ inline, contents: inlines.slice(index + 1, end) })
  }
  return outside.reverse()
}

function htmlLinks(blocks: readonly Block[]): Link[] {
  const pieces = blocks.flatMap(({ kind, start, text, inlines }) =>
    kind === 'html'
      ? [{ start, html: text }]
      : outsidePictures(inlines)
          .filter(({ inline }) => inline.kind === 'html')
          .map(({ inline }) => ({ start: start + inline.start, html: text.slice(inline.start, inline.end) })),
  )
  let html = ''
  for (const piece of pieces) html += '\0'.repeat(piece.start - html.length) + piece.html
  return readHtmlLinks(html).map(({ tag, attribute, value, alt }) => {
    const isPicture = tag === 'img' && attribute === 'src'
    return {
      start: value.start,
      written: html.slice(value.start, value.end),
      syntax: 'html',
      kind: isPicture ? 'picture' : 'link',
      alt: isPicture ? unescaped(alt, 'html').replace(/\s+/g, ' ').trim() : '',
    }
  })
}

function destinationOf({ start, written, syntax, kind, alt }: Link): Omit<Destination, 'line'> | undefined {
  const { path: unclean, length } = unescapedPath(written.trim(), syntax)
  // Tabs and line ends within an address do not count (WHATWG URL §4.4).
  const path = unclean.replace(/[\t\r\n]/g, '')
  if (path === '' || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(path)) return undefined
  const pathStart = start + written.length - written.trimStart().length
  return { start: pathStart, end: pathStart + length, path: percentDecoded(path), kind, alt }
}

function percentDecoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
