import { blockParser } from '../../brand/markdown/block-parser.ts'
import type { Inline } from '../../brand/markdown/inline.ts'
import { layoutComment } from '../../brand/markdown/layout-comment.ts'
import type { ReadBlock } from '../../brand/markdown/visible-text.ts'

/** A top-level block or layout comment; `kind` is what a layout comment may take. */
export type Unit = {
  kind: 'media' | 'text' | 'heading' | 'list' | 'quote' | 'table' | 'rule' | 'comment' | 'other'
  start: number
  end: number
  content: string
}

/** The top-level blocks of a page and its layout comments, in order; without definitions and other comments. */
export function topLevelUnits(text: string, blocks: readonly ReadBlock[]): Unit[] {
  const paragraphs = new Map(blocks.map(block => [block.start, block]))
  const units: Unit[] = []
  for (let node = blockParser.parse(text).topNode.firstChild; node; node = node.nextSibling) {
    const { name, from, to } = node
    const content = name === 'CommentBlock' ? text.slice(from, to).trim() : ''
    const isComment = content !== '' && isOneComment(content)
    const block = paragraphs.get(from)
    const isMedia = name === 'Paragraph' && block !== undefined && hasOnlyMedia(block)
    const kind = isComment ? 'comment' : isMedia ? 'media' : kindOf(name, text.slice(from, to))
    const comment = content.slice(4, -3).trim()
    const isLeftOut = name === 'LinkReference' || (kind === 'comment' && !layoutComment(comment))
    if (!isLeftOut) units.push({ kind, start: from, end: to, content: comment })
  }
  return units
}

function isOneComment(content: string): boolean {
  return content.indexOf('-->') === content.length - 3
}

function kindOf(name: string, text: string): Unit['kind'] {
  if (/Heading/.test(name)) return 'heading'
  if (name === 'Html') return kindOfHtml(text)
  return KINDS.get(name) ?? 'other'
}

/** The kind of a block in HTML, by its first tag. A paragraph of pictures or films has the kind of those. */
function kindOfHtml(html: string): Unit['kind'] {
  const tag = /^\s*<([a-z]+[1-6]?)\b/i.exec(html)?.[1]?.toLowerCase() ?? ''
  if (/^(?:img|picture|video)$/.test(tag) || (tag === 'p' && /<(?:img|picture|video)\b/i.test(html))) return 'media'
  return HTML_KINDS.get(tag) ?? 'other'
}

const HTML_KINDS = new Map<string, Unit['kind']>([
  ['p', 'text'],
  ['ul', 'list'],
  ['ol', 'list'],
  ['blockquote', 'quote'],
  ['hr', 'rule'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map(name => [name, 'heading'] as const),
])

const KINDS = new Map<string, Unit['kind']>([
  ['Paragraph', 'text'],
  ['BulletList', 'list'],
  ['OrderedList', 'list'],
  ['Blockquote', 'quote'],
  ['Table', 'table'],
  ['HorizontalRule', 'rule'],
])

/** Whether a paragraph has only pictures, links and HTML such as a video. */
function hasOnlyMedia({ text, inlines }: ReadBlock & { inlines: readonly Inline[] }): boolean {
  const media = inlines.filter(({ kind }) => kind === 'picture' || kind === 'link' || kind === 'html')
  let rest = ''
  let at = 0
  for (const { start, end } of [...media].sort((a, b) => a.start - b.start)) {
    rest += text.slice(at, Math.max(at, start))
    at = Math.max(at, end)
  }
  return media.length > 0 && (rest + text.slice(at)).replace(/\\(?=\n)/g, '').trim() === ''
}
