import type { AddressAttribute } from '#brand/markdown/safe-list.ts'
import { endFinder, HTML_ENDINGS, type Inline } from '#formats/markdown/inline.ts'
import type { Span } from '#formats/markdown/link-syntax.ts'
import type { Block } from '#formats/markdown/page-blocks.ts'
import { anyOf } from '#platform/base/text.ts'

/** An address in HTML: the position of its value, without quotes, and the `alt` of the same tag, as written. */
type HtmlLink = { tag: string; attribute: AddressAttribute; value: Span; alt: string | undefined }

const ADDRESSES = ['src', 'href', 'srcset'] as const satisfies readonly AddressAttribute[]

/** Reads `src` and `href` of all tags in the HTML of a page, and `srcset` of a `<source>` with a single address. */
export function readHtmlLinks(html: string): HtmlLink[] {
  return readHtmlTags(html).flatMap(({ name, attributes }) => linksOf(name, attributes))
}

/** A piece of HTML, and its offset in the page. */
export type Html = { start: number; html: string }

/** The HTML of a block: all of it, or that among its inlines or some of them. */
export function htmlAmong({ kind, start, text, inlines }: Block, some: readonly Inline[] = inlines): Html[] {
  const spans = kind === 'html' ? [{ start: 0, end: text.length }] : some.filter(inline => inline.kind === 'html')
  return spans.map(span => ({ start: start + span.start, html: text.slice(span.start, span.end) }))
}

/** The start tag of an element, or a mark such as `<?`, with its position and lower-case names. */
export type HtmlTag = Span & { name: string; attributes: ReadonlyMap<string, Attribute> }

/**
 * Reads the start tags in the HTML of a page, and marks that are not of elements, such as comments. Works like a browser
 * tokenizer: comments, scripts, style sheets, text areas and titles contain no tags. NUL characters replace the text
 * between pieces of HTML. They end a tag, but a comment or script continues if a later piece ends it.
 */
export function readHtmlTags(html: string): HtmlTag[] {
  const tags: HtmlTag[] = []
  const endOf = endFinder(html)
  /** The offset after an end marker, or after the piece of HTML. */
  const pastEnding = (ending: RegExp, from: number) => endOf(ending, from) ?? endOf(/(?=\0)/g, from) ?? html.length
  // `<!--`, `<?php`, `<![CDATA[`, `<!DOCTYPE`, `<img` or `</p`
  const opening = new RegExp(`<(?:${MARKS}|/?[a-z][^\\s/>\\0]*)`, 'gi')
  for (let match = opening.exec(html); match !== null; match = opening.exec(html)) {
    const mark = match[0].toLowerCase()
    // Comments and other marks that are not of elements have their own ending, such as `-->`.
    const ending = HTML_ENDINGS.get(mark)
    if (ending !== undefined) {
      // `<!-->` and `<!--->` are whole comments.
      opening.lastIndex = pastEnding(ending, match.index + 2)
      tags.push({ name: mark, attributes: new Map(), start: match.index, end: opening.lastIndex })
      continue
    }
    const { attributes, end } = readAttributes(html, opening.lastIndex)
    if (!mark.startsWith('</')) tags.push({ name: mark.slice(1), attributes, start: match.index, end })
    const rawTextEnding = RAW_TEXT_ENDINGS.get(mark)
    opening.lastIndex = rawTextEnding === undefined ? end : pastEnding(rawTextEnding, end)
  }
  return tags
}

/** The beginnings of marks, the longest first. */
const MARKS = anyOf(Array.from(HTML_ENDINGS.keys(), mark => mark.slice(1)))

/** The endings of elements whose content has no tags, keyed by the beginning of their start tags. */
const RAW_TEXT_ENDINGS = new Map(
  ['script', 'style', 'textarea', 'title'].map(tag => [`<${tag}`, new RegExp(`</${tag}(?![^\\s/>\\0])`, 'gi')]),
)

/** The text of an attribute as written, and its position without quotes. */
export type Attribute = { value: Span; text: string }

/**
 * Reads the attributes of a tag from the end of its name. The first of several with one name counts, as in browsers. Stops
 * at `>`, at the end of the piece of HTML, and at a value whose quote is not closed.
 */
function readAttributes(html: string, from: number): { attributes: Map<string, Attribute>; end: number } {
  const attributes = new Map<string, Attribute>()
  // A name, and perhaps a value: in double quotes, in single quotes or bare. Groups have the closing quotes, if any.
  const pattern = /[\s/]*([^\s/>\0][^\s/>=\0]*)(?:\s*=\s*(?:"([^"\0]*)("?)|'([^'\0]*)('?)|([^\s>\0]*)))?/y
  pattern.lastIndex = from
  let end = from
  for (let match = pattern.exec(html); match !== null; match = pattern.exec(html)) {
    const [, name = '', double = '', doubleEnd, single = '', singleEnd, bare = ''] = match
    end = pattern.lastIndex
    const text = double + single + bare // Two of them are empty.
    const quote = doubleEnd ?? singleEnd // Undefined for a value without quotes; empty if the quote is not closed.
    if (quote === '') break
    const valueEnd = end - (quote?.length ?? 0)
    const key = name.toLowerCase()
    if (!attributes.has(key)) attributes.set(key, { text, value: { start: valueEnd - text.length, end: valueEnd } })
  }
  return { attributes, end }
}

function linksOf(tag: string, attributes: ReadonlyMap<string, Attribute>): HtmlLink[] {
  const alt = attributes.get('alt')?.text
  const given = ADDRESSES.flatMap(name => {
    const attribute = attributes.get(name)
    return attribute ? [{ name, ...attribute }] : []
  })
  const read = given.filter(({ name, text }) => name !== 'srcset' || (tag === 'source' && ONE_ADDRESS.test(text)))
  // The `<img>` after a `<source>` describes both.
  return read.map(({ name, value }) => ({ tag, attribute: name, value, alt: name === 'srcset' ? '' : alt }))
}

/** Several addresses, or one with a width or density, offer several sizes of a picture (HTML §4.8.4.2.1). */
const ONE_ADDRESS = /^\s*[^\s,]+\s*$/
