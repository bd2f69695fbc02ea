import type { Options } from 'rehype-sanitize'
import { groupsOf } from '#platform/base/text.ts'
import { DROPPED_ELEMENTS, SAFE_ELEMENTS } from './dropped-html.ts'

/** The prefix of every author id and name, so that none is mistaken for one of the website or of the document. */
export const AUTHOR_PREFIX = 'user-content-'

const ALIGNED = ['align']
const IN_TABLE = ['table']
const WEB = ['http', 'https'].flatMap(inEachCase)
const SAFE_PROTOCOLS = ['http', 'https', 'mailto', 'tel'].flatMap(inEachCase)

/** The HTML of authors and of Markdown that reaches readers. Anything not listed is removed (decisions/0104). */
export const SAFE_LIST: Options = {
  tagNames: [...SAFE_ELEMENTS],
  allowComments: true, // They compose the page, which then removes them.
  strip: [...DROPPED_ELEMENTS],
  attributes: {
    '*': ['id', 'title', 'lang', 'dir', 'ariaLabel', 'ariaDescribedBy', 'ariaLabelledBy'],
    a: ['href', 'name', 'dataFootnoteRef', 'dataFootnoteBackref', ['className', 'data-footnote-backref']],
    ...Object.fromEntries(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'div', 'tr'].map(name => [name, ALIGNED])),
    th: ['align', 'vAlign', 'colSpan', 'rowSpan', 'scope', 'abbr'],
    td: ['align', 'vAlign', 'colSpan', 'rowSpan'],
    col: ['span'],
    colgroup: ['span'],
    ol: ['start', 'reversed', 'type', ['className', 'contains-task-list']],
    ul: [['className', 'contains-task-list']],
    li: ['value', ['className', 'task-list-item']],
    input: [['type', 'checkbox'], ['disabled', true], 'checked'],
    code: [['className', /^language-./]],
    section: ['dataFootnotes', ['className', 'footnotes']],
    details: ['open', 'name'],
    time: ['dateTime'],
    del: ['cite', 'dateTime'],
    ins: ['cite', 'dateTime'],
    blockquote: ['cite'],
    q: ['cite'],
    img: ['src', 'alt', 'width', 'height'],
    video: ['src', 'width', 'height', 'loop', 'muted'],
    audio: ['src', 'loop'],
    source: ['src', 'type', 'srcSet', 'media'],
    track: ['src', 'kind', 'label', 'srcLang', 'default'],
  },
  ancestors: {
    ...Object.fromEntries(
      ['caption', 'colgroup', 'col', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'].map(name => [name, IN_TABLE]),
    ),
    source: ['video', 'audio', 'picture'],
    track: ['video', 'audio'],
  },
  required: { input: { type: 'checkbox', disabled: true } },
  protocols: { href: SAFE_PROTOCOLS, src: WEB, srcSet: WEB, cite: WEB },
  clobber: ['id', 'name', 'ariaDescribedBy', 'ariaLabelledBy'],
  clobberPrefix: AUTHOR_PREFIX,
}

/** Protocols are compared case-sensitively: `http`, `HTTP`, `Http`. */
function inEachCase(name: string): string[] {
  return [name, name.toUpperCase(), `${name.charAt(0).toUpperCase()}${name.slice(1)}`]
}

/** An attribute with an address. */
export type AddressAttribute = 'href' | 'src' | 'srcset'

/** Whether the website leaves out an address of an element that may have others, because of its scheme. */
export function isDroppedAddress(tagName: string, attribute: AddressAttribute, address: string): boolean {
  const property = attribute === 'srcset' ? 'srcSet' : attribute
  if (!SAFE_ELEMENTS.includes(tagName) || !SAFE_LIST.attributes?.[tagName]?.includes(property)) return false
  const [, scheme] = groupsOf(/^([^/?#:]*):/, address)
  return scheme !== undefined && !SAFE_LIST.protocols?.[property]?.includes(scheme)
}
