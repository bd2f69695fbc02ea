import { quote } from '../../base/text.ts'
import type { Problem } from '../../brand/finding.ts'
import { isTagsAndPictures } from '../../brand/markdown/template-tags.ts'
import { problem } from '../folder/findings.ts'
import type { Reference } from '../yaml/references.ts'
import { type AnchorSource, type FragmentLink, readAnchors } from './anchors.ts'
import { type Leaf, readLeaves } from './blocks.ts'
import { type Syntax, unescapePath, unescapeText } from './character-reference.ts'
import { droppedHtmlProblems } from './dropped-html-problems.ts'
import { readHtmlLinks } from './html-links.ts'
import { type Inline, readInlines } from './inline.ts'
import { readLayoutComments } from './layout-comment-problems.ts'
import { type Definition, normalizeLabel, readDefinitions, type Span } from './link-syntax.ts'
import { lostSyntaxProblems } from './lost-syntax-problems.ts'
import { plainText } from './plain-text.ts'
import { spacedLinkProblems } from './spaced-link-problems.ts'
import { templateTagProblems } from './template-tag-problems.ts'

export type Destination = {
  /** The UTF-16 offsets of the path, without query, fragment, angle brackets and quotes. */
  start: number
  end: number
  /** The unescaped, percent-decoded path. A path from the root of the pages starts with `/`. */
  path: string
  /** For a path to a style list: its fragment, and the end offset of the whole address. */
  place?: { fragment: string; end: number }
  kind: 'link' | 'picture'
  /** The plain alt text of a picture, or of the first picture that uses a definition; else empty. */
  alt: string
  /** 1-based */
  line: number
}

/**
 * Reads the Markdown of a page (CommonMark and GFM): its first non-empty heading, and the destinations of its relative
 * links and pictures in order: inline links, definitions, and `src` and `href` in HTML; and the colours of its bands. Skips destinations that are in
 * code, empty, absolute, or only a query or fragment. Reports tags of other systems, links, headings and
 * tables that are text, unclosed fences, local addresses, and HTML that the website omits.
 */
export function readMarkdown(text: string): {
  heading: string | undefined
  destinations: Destination[]
  anchors: string[]
  fragments: FragmentLink[]
  bands: Reference[]
  problems: Problem[]
} {
  const blocks = readBlocks(text)
  const altTexts = referenceAlts(blocks)
  const links = [...blocks.flatMap(block => markdownLinks(block, altTexts)), ...htmlLinks(blocks)].sort(
    (a, b) => a.start - b.start,
  )
  const destinations: Destination[] = []
  const fragments: FragmentLink[] = []
  const comments = readLayoutComments(text, blocks)
  const problems = [
    ...comments.problems,
    ...templateTagProblems(text, blocks),
    ...spacedLinkProblems(text, blocks),
    ...droppedHtmlProblems(text, blocks),
    ...lostSyntaxProblems(text, blocks),
  ]
  let line = 1
  let lineEnd = text.indexOf('\n')
  for (const link of links) {
    for (; lineEnd !== -1 && lineEnd < link.start; lineEnd = text.indexOf('\n', lineEnd + 1)) line++
    const local = localAddressProblem(link.kind, link.source.trim(), line)
    if (local !== undefined) {
      problems.push(local)
      continue
    }
    const destination = destinationOf(link)
    if (destination !== undefined) destinations.push({ ...destination, line })
    const fragment = fragmentOf(link)
    if (fragment !== undefined && fragments.length < MAX_FRAGMENTS) fragments.push({ ...fragment, line })
  }
  const anchors = readAnchors(blocks.flatMap(anchorSources))
  return { heading: headingOf(blocks), destinations, anchors, fragments, bands: comments.bands, problems }
}

/** More fragments are not checked. */
const MAX_FRAGMENTS = 10_000

function anchorSources({ kind, text, textStart, outside }: Block): AnchorSource[] {
  if (kind === 'html') return [{ html: text }]
  const html = outside.filter(({ inline }) => inline.kind === 'html')
  const sources = html.map(({ inline }) => ({ html: text.slice(inline.start, inline.end) }))
  if (kind !== 'atx-heading' && kind !== 'setext-heading') return sources
  const visible = outside.map(({ inline }) =>
    inline.kind === 'picture' ? { ...inline, text: { start: inline.end, end: inline.end } } : inline,
  )
  return [{ heading: plainText(text, { start: textStart, end: text.length }, visible) }, ...sources]
}

/** The fragment of a link to a page of the project. */
function fragmentOf({ source, syntax, kind }: Link): Omit<FragmentLink, 'line'> | undefined {
  if (kind !== 'link') return undefined
  const address = unescapeText(source.trim(), syntax)
  const hash = address.indexOf('#')
  if (hash === -1 || ABSOLUTE.test(address)) return undefined
  const [path = ''] = address.slice(0, hash).split('?')
  return { path: percentDecode(path), fragment: address.slice(hash + 1) }
}

const ABSOLUTE = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i

/**
 * A leaf block with its definitions, and the inlines in its text, which starts at `textStart`. `outside` lists the
 * inlines outside pictures, with the contents of each picture.
 */
type Block = Leaf & { textStart: number; definitions: Definition[]; inlines: Inline[]; outside: OutsideInline[] }

type OutsideInline = { inline: Inline; contents: Inline[] }

/** A destination as written, at an offset of the page. */
type Link = { start: number; source: string; syntax: Syntax; kind: Destination['kind']; alt: string }

function readBlocks(text: string): Block[] {
  const labels = { links: new Set<string>(), footnotes: new Set<string>() }
  const blocks = readLeaves(text).map(leaf => {
    const mayDefine = leaf.kind === 'paragraph' || leaf.kind === 'setext-heading'
    const { definitions, end } = mayDefine ? readDefinitions(leaf.text) : { definitions: [], end: 0 }
    for (const { label } of definitions) labels.links.add(label)
    if (leaf.kind === 'footnote-label') labels.footnotes.add(normalizeLabel(leaf.text.slice(1, -1)))
    return { ...leaf, textStart: end, definitions }
  })
  return blocks.map(block => {
    const inlines = hasInlines(block) ? readInlines(block.text, block.textStart, labels) : []
    return { ...block, inlines, outside: outsidePictures(inlines) }
  })
}

/** Code has no inlines, except indented blocks that contain only pictures and tags of other systems. */
function hasInlines({ kind, text }: Leaf): boolean {
  return kind === 'indented-code' ? isTagsAndPictures(text) : !WITHOUT_INLINES.has(kind)
}

const WITHOUT_INLINES: ReadonlySet<Leaf['kind']> = new Set(['html', 'footnote-label', 'open-fence'])

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
  for (const { text, outside } of blocks)
    for (const { inline, contents } of outside) {
      if (inline.kind !== 'picture' || inline.label === undefined || alts.has(inline.label)) continue
      alts.set(inline.label, plainText(text, inline.text, contents))
    }
  return alts
}

function markdownLinks({ start, text, definitions, outside }: Block, alts: ReadonlyMap<string, string>): Link[] {
  const link = (at: Span, kind: Link['kind'], alt: string): Link => {
    return { start: start + at.start, source: text.slice(at.start, at.end), syntax: 'markdown', kind, alt }
  }
  const links = definitions.map(({ label, destination }) =>
    link(destination, alts.has(label) ? 'picture' : 'link', alts.get(label) ?? ''),
  )
  for (const { inline, contents } of outside) {
    if ((inline.kind !== 'link' && inline.kind !== 'picture') || inline.destination === undefined) continue
    const alt = inline.kind === 'picture' ? plainText(text, inline.text, contents) : ''
    links.push(link(inline.destination, inline.kind, alt))
  }
  return links
}

/**
 * The inlines in a picture form its alt text. Inlines are ordered by end position, so they come just before the
 * picture.
 */
function outsidePictures(inlines: readonly Inline[]): OutsideInline[] {
  const outside: OutsideInline[] = []
  for (let inline = inlines.at(-1), index = inlines.length - 1; inline !== undefined; inline = inlines[index]) {
    const end = index--
    if (inline.kind === 'picture') while ((inlines[index]?.start ?? -1) > inline.start) index--
    outside.push({ inline, contents: inlines.slice(index + 1, end) })
  }
  return outside.reverse()
}

function htmlLinks(blocks: readonly Block[]): Link[] {
  const pieces = blocks.flatMap(({ kind, start, text, outside }) =>
    kind === 'html'
      ? [{ start, html: text }]
      : outside
          .filter(({ inline }) => inline.kind === 'html')
          .map(({ inline }) => ({ start: start + inline.start, html: text.slice(inline.start, inline.end) })),
  )
  let html = ''
  for (const piece of pieces) html += '\0'.repeat(piece.start - html.length) + piece.html
  return readHtmlLinks(html).map(({ tag, attribute, value, alt }) => {
    const isPicture = (tag === 'img' && attribute === 'src') || attribute === 'srcset'
    return {
      start: value.start,
      source: html.slice(value.start, value.end),
      syntax: 'html',
      kind: isPicture ? 'picture' : 'link',
      alt: isPicture ? unescapeText(alt, 'html').replace(/\s+/g, ' ').trim() : '',
    }
  })
}

function destinationOf({ start, source, syntax, kind, alt }: Link): Omit<Destination, 'line'> | undefined {
  const { path: unclean, length } = unescapePath(source.trim(), syntax)
  // Tabs and line ends in an address are ignored (WHATWG URL §4.4).
  const path = unclean.replace(/[\t\r\n]/g, '')
  if (path === '' || ABSOLUTE.test(path)) return undefined
  const pathStart = start + source.length - source.trimStart().length
  const destination = { start: pathStart, end: pathStart + length, path: percentDecode(path), kind, alt }
  if (!STYLE_LIST.test(destination.path) || length === source.trim().length) return destination
  const [, fragment = ''] = /#(.*)$/s.exec(unescapeText(source.trim(), syntax)) ?? []
  return { ...destination, place: { fragment: percentDecode(fragment), end: pathStart + source.trim().length } }
}

const STYLE_LIST = /(?:^|\/)(?:colors|types)\.yaml$/

function percentDecode(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** The problem with a link or picture whose address only works on one computer; undefined for other addresses. */
function localAddressProblem(kind: string, address: string, line: number): Problem | undefined {
  if (!LOCAL.test(address)) return undefined
  const message = `the ${kind} ${quote(address)} points to your computer, so no one else can open it: put the file into files/, and write its path relative to this page, such as ../files/logo.svg`
  return problem('link-local', message, line)
}

/** A `file:` URL, a Windows drive, a network share, or a file in a home folder on macOS or Linux. */
const LOCAL = /^(?:file:|[a-z]:(?:[\\/]|%5c)|\\\\|\/(?:Users|home)\/.+\.\w+$)/i
