import { basename } from 'node:path/posix'
import type { Problem } from '#brand/finding.ts'
import { type AddressAttribute, isDroppedAddress } from '#brand/markdown/safe-list.ts'
import { type Syntax, unescapePath, unescapeText } from '#formats/markdown/character-reference.ts'
import { splitHeading } from '#formats/markdown/heading-ids.ts'
import type { Inline } from '#formats/markdown/inline.ts'
import type { Span } from '#formats/markdown/link-syntax.ts'
import {
  type Block as PageBlock,
  readBlocks,
  shownPage,
  shownText,
  withoutPicture,
} from '#formats/markdown/page-blocks.ts'
import { plainText } from '#formats/markdown/plain-text.ts'
import { lazy, withoutUndefined } from '#platform/base/object.ts'
import { groupsOf, lineCounter, percentDecode, quote, singleSpaced, wordSet } from '#platform/base/text.ts'
import { problem } from '../folder/findings.ts'
import type { Reference } from '../yaml/references.ts'
import { type AnchorSource, type FragmentLink, readAnchors } from './anchors.ts'
import { foreignSyntaxProblems } from './foreign-syntax.ts'
import { type Html, htmlAmong, readHtmlLinks } from './html-links.ts'
import { htmlProblems } from './html-problems.ts'
import { readLayoutComments, type WideBlocks } from './layout-comments.ts'
import { lostSyntaxProblems, spacedLinkProblems } from './lost-syntax-problems.ts'
import { lostTextProblems } from './lost-text-problems.ts'

export type Destination = {
  /** The UTF-16 offsets of the path, without query, fragment, angle brackets and quotes. */
  start: number
  end: number
  /** The unescaped, percent-decoded path. A path from the root of the pages starts with `/`. */
  path: string
  /** The query of a link: `stage`. */
  query?: string
  /** For a path to a style list or project.yaml: its fragment, and the end offset of the whole address. */
  place?: { fragment: string; end: number }
  kind: 'link' | 'picture'
  /**
   * The plain alt text of a picture, or of the first picture that uses a definition: empty if HTML says that it is
   * decoration. Absent for links, and for pictures without one.
   */
  alt?: string
  /** 1-based */
  line: number
}

/**
 * Reads the Markdown of a page (CommonMark and GFM). `heading` is the first non-empty one, `anchors` are the valid link
 * fragments of the page, and `fragments` its links to anchors of project pages. `destinations` are those of relative
 * links and pictures, in order: inline links, definitions, and `src` and `href` in HTML, but not those that are in code,
 * empty, absolute, or only a query or fragment. `links` are all links outside code, as written, and `bands` and `wide`
 * come from layout comments.
 */
export function readMarkdown(text: string): {
  heading: string | undefined
  destinations: Destination[]
  links: Link[]
  anchors: string[]
  fragments: FragmentLink[]
  bands: Reference[]
  wide: WideBlocks | undefined
  problems: Problem[]
} {
  const blocks = readBlocks(text).map(block => ({ ...block, outside: outsidePictures(block.inlines) }))
  const links = linksIn(blocks)
  const { bands, wide, problems: commentProblems } = readLayoutComments(text, blocks)
  const { destinations, fragments, problems: linkProblems } = readLinks(text, links)
  const { anchors, problems: idProblems } = readAnchors(blocks.flatMap(anchorSources), lineCounter(text))
  const problems = [
    ...commentProblems,
    ...syntaxProblems(text, blocks),
    ...linkProblems,
    ...autolinkProblems(text, blocks),
    ...idProblems,
  ]
  return { heading: headingOf(blocks), destinations, links, anchors, fragments, bands, wide, problems }
}

/** The links of a page in order. */
function linksIn(blocks: readonly Block[]): Link[] {
  const altTexts = referenceAlts(blocks)
  const links = [...blocks.flatMap(block => markdownLinks(block, altTexts)), ...htmlLinks(blocks)]
  return links.sort((a, b) => a.start - b.start)
}

/** The problems of syntax that pages do not show as it is written. */
function syntaxProblems(text: string, blocks: readonly Block[]): Problem[] {
  const html = htmlOf(blocks, block => htmlAmong(block))
  const shown = lazy(() => shownPage(text, blocks))
  return [
    ...foreignSyntaxProblems(text, blocks, shown),
    ...spacedLinkProblems(text, blocks),
    ...htmlProblems(text, blocks, html, shown),
    ...lostTextProblems(text, blocks, shown),
    ...lostSyntaxProblems(text, blocks),
  ]
}

type LinkReading = { destinations: Destination[]; fragments: FragmentLink[]; problems: Problem[] }

/** The paths and fragments of links, which are in order, and the problems of their addresses. */
function readLinks(text: string, links: readonly Link[]): LinkReading {
  const lineAt = lineCounter(text)
  const placed = links.map(link => ({ ...link, line: lineAt(link.start) }))
  const others = placed.filter(link => !isLocal(link))
  return {
    destinations: others.flatMap(destinationsOf),
    fragments: others.flatMap(fragmentsOf).slice(0, MAX_FRAGMENTS),
    problems: placed.flatMap(link => (isLocal(link) ? [localAddressProblem(link)] : droppedAddressProblem(link))),
  }
}

/** The problems with links such as `<ftp://acme.example>`, which are not among the other links. */
function autolinkProblems(text: string, blocks: readonly Block[]): Problem[] {
  const lineAt = lineCounter(text)
  return blocks.flatMap(block => {
    const autolinks = block.outside.filter(({ inline }) => inline.kind === 'autolink')
    return autolinks.flatMap(({ inline }) =>
      droppedAddressProblem({ ...linkOf(block, inline.text, 'link'), line: lineAt(block.start + inline.start) }),
    )
  })
}

/** More fragments are not checked. */
const MAX_FRAGMENTS = 10_000

/** The sources of anchors in a block: its text if it is a heading (`level` above 0), and its HTML. */
function anchorSources(block: Block): AnchorSource[] {
  const html = htmlOutsidePictures(block)
  return block.level === 0 ? html : [{ heading: shownText(block, withoutPicture), start: block.start }, ...html]
}

function htmlOutsidePictures(block: Block): Html[] {
  const inlines = block.outside.map(({ inline }) => inline)
  return htmlAmong(block, inlines)
}

/** The path and the fragment of a link to a page of the project; none of other links, and without a `#`. */
function fragmentsOf({ source, syntax, kind, line }: PlacedLink): FragmentLink[] {
  const address = unescapeText(source.trim(), syntax)
  const hash = address.indexOf('#')
  if (kind === 'picture' || hash === -1 || ABSOLUTE.test(address)) return []
  const [path = ''] = address.slice(0, hash).split('?')
  return [{ path: decode(path), fragment: address.slice(hash + 1), line }]
}

const ABSOLUTE = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i

/** `outside` lists the inlines outside pictures. */
type Block = PageBlock & { outside: OutsideInline[] }

/** An inline, and for a picture the inlines in it, which form its alt text. */
type OutsideInline = { inline: Inline; contents: Inline[] }

/** A destination as written, at an offset of the page. */
export type Link = { start: number; source: string; syntax: Syntax; alt?: string } & Place
type PlacedLink = Link & { line: number }
type Place = { kind: Destination['kind']; attribute: readonly [tag: string, name: AddressAttribute] }

function headingOf(blocks: readonly Block[]): string | undefined {
  return blocks
    .filter(({ level }) => level > 0)
    .map(block => splitHeading(shownText(block)).text)
    .find(heading => heading !== '')
}

/** The alt text of the first picture that refers to each label. */
function referenceAlts(blocks: readonly Block[]): Map<string, string> {
  const pictures = blocks.flatMap(({ text, outside }) =>
    outside.flatMap(({ inline, contents }) => {
      if (inline.kind !== 'picture' || inline.label === undefined) return []
      return [[inline.label, plainText(text, inline.text, contents)] as const]
    }),
  )
  return new Map(pictures.reverse())
}

function markdownLinks(block: Block, alts: ReadonlyMap<string, string>): Link[] {
  const { text, definitions, outside } = block
  const links = definitions.map(({ label, destination }) =>
    linkOf(block, destination, alts.has(label) ? 'picture' : 'link', alts.get(label)),
  )
  const inlineLinks = outside.flatMap(({ inline, contents }) => {
    if (!('destination' in inline) || inline.destination === undefined) return []
    const alt = inline.kind === 'picture' ? plainText(text, inline.text, contents) : undefined
    return [linkOf(block, inline.destination, inline.kind, alt)]
  })
  return [...links, ...inlineLinks]
}

function linkOf({ start, text }: Block, at: Span, kind: Link['kind'], alt?: string): Link {
  const source = text.slice(at.start, at.end)
  const link = { start: start + at.start, source, syntax: 'markdown', kind, attribute: ATTRIBUTES[kind] } as const
  return alt ? { ...link, alt } : link
}

const ATTRIBUTES = { link: ['a', 'href'], picture: ['img', 'src'] } as const

/**
 * Finds the inlines outside pictures, in order. Goes backwards: inlines are ordered by their end, so that those in a
 * picture come just before it.
 */
function outsidePictures(inlines: readonly Inline[]): OutsideInline[] {
  const outside: OutsideInline[] = []
  let last = inlines.length - 1
  for (let inline = inlines[last]; inline !== undefined; inline = inlines[last]) {
    let before = last - 1
    if (inline.kind === 'picture') while ((inlines[before]?.start ?? -1) > inline.start) before--
    outside.push({ inline, contents: inlines.slice(before + 1, last) })
    last = before
  }
  return outside.reverse()
}

/** The HTML of a page at its offsets, with NUL characters between its pieces. */
function htmlOf(blocks: readonly Block[], piecesOf: (block: Block) => Html[]): string {
  let html = ''
  for (const piece of blocks.flatMap(piecesOf)) html += '\0'.repeat(piece.start - html.length) + piece.html
  return html
}

function htmlLinks(blocks: readonly Block[]): Link[] {
  const html = htmlOf(blocks, htmlOutsidePictures)
  return readHtmlLinks(html).map(({ tag, attribute, value, alt }) => {
    const place = {
      start: value.start,
      source: html.slice(value.start, value.end),
      attribute: [tag, attribute],
    } as const
    if (!PICTURES.has(`${tag} ${attribute}`)) return { ...place, syntax: 'html', kind: 'link' }
    const text = alt && singleSpaced(unescapeText(alt, 'html'))
    return { ...place, syntax: 'html', kind: 'picture', ...withoutUndefined({ alt: text }) }
  })
}

const PICTURES: ReadonlySet<string> = new Set(['img src', 'source srcset'])

/** The destination of a link or picture; none of an absolute address, and one that is only a query or fragment. */
function destinationsOf({ start, source, syntax, kind, alt, line }: PlacedLink): Destination[] {
  const address = source.trim()
  const { path: writtenPath, length: pathLength } = unescapePath(address, syntax)
  // Tabs, line ends, and control characters before it, are ignored in an address (WHATWG URL §4.4).
  const path = writtenPath.replace(/^[\0- ]+|[\t\r\n]/g, '')
  if (path === '' || ABSOLUTE.test(path)) return []
  const pathStart = start + source.length - source.trimStart().length
  const span = { start: pathStart, end: pathStart + pathLength }
  const [, query] = kind === 'link' ? groupsOf(/^\?([^#]+)/, address.slice(pathLength)) : []
  const destination = { ...span, path: decode(path), kind, ...withoutUndefined({ query, alt }), line }
  if (!LISTS.has(basename(destination.path)) || pathLength === address.length) return [destination]
  const [, ...fragment] = unescapeText(address, syntax).split('#')
  return [{ ...destination, place: { fragment: decode(fragment.join('#')), end: pathStart + address.length } }]
}

/** The files with lists of styles, and with the list of words. */
const LISTS = wordSet('colors.yaml types.yaml project.yaml')

function decode(path: string): string {
  return percentDecode(path) ?? path
}

/** Whether the address of a link or picture only works on one computer. */
function isLocal({ source }: Link): boolean {
  return LOCAL.test(source.trim())
}

function localAddressProblem({ kind, source, line }: PlacedLink): Problem {
  const message = `the ${kind} ${quote(source.trim())} points to your computer, so no one else can open it: put the file into files/, and write its path relative to this page, such as ../files/logo.svg`
  return problem('link-local', message, line)
}

/**
 * The problem with an address that the website leaves out, because its scheme is not safe in each browser, or because it
 * is the address of an `<area>`. Empty for other addresses.
 */
function droppedAddressProblem(link: PlacedLink): Problem[] {
  const [tag, name] = link.attribute
  const address = unescapeText(link.source, link.syntax)
  // A path with a colon is the path of a file.
  const isDropped = isDroppedAddress(tag, name, address) && destinationsOf(link).length === 0
  if (!isArea(link) && !isDropped) return []
  const schemes = name === 'href' ? 'https:, http:, mailto: or tel:' : 'https: or http:'
  const why = isArea(link)
    ? 'as it does each <area>: write a link below the picture'
    : `because its address does not begin with ${schemes}: write such an address, or the path of a file`
  const message = `the website omits the ${link.kind} ${quote(address)}, ${why}`
  return [problem('link-dropped', message, link.line)]
}

/** Whether a link is a part of a picture, which the website shows without such links. */
function isArea({ attribute: [tag, name] }: Link): boolean {
  return tag === 'area' && name === 'href'
}

/** A `file:` URL, a Windows drive, a network share, or a file in a home folder on macOS or Linux. */
const LOCAL = /^(?:file:|[a-z]:(?:[\\/]|%5c)|\\\\|\/(?:Users|home)\/.+\.\w+$)/i
