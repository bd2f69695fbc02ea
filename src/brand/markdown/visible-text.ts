import type { Leaf } from './blocks.ts'
import type { Inline } from './inline.ts'
import type { Span } from './link-syntax.ts'
import { isTagsAndPictures } from './template-tags.ts'

/** A leaf block with the inlines in its text. */
export type ReadBlock = Leaf & { inlines: readonly Inline[] }

/** The text of a block, with code and hidden HTML replaced by spaces. */
export function visibleText({ kind, text, inlines }: ReadBlock): string {
  if (WITHOUT_TEXT.has(kind) || (kind === 'indented-code' && !isTagsAndPictures(text))) return ''
  const withoutCode = blank(
    text,
    inlines.filter(inline => inline.kind === 'code'),
  )
  return blank(withoutCode, hiddenHtml(withoutCode))
}

const WITHOUT_TEXT: ReadonlySet<Leaf['kind']> = new Set(['footnote-label', 'fenced-code', 'open-fence'])

/** Spans may overlap or be nested; they are ordered by end position. */
function blank(text: string, spans: readonly Span[]): string {
  let visible = ''
  let at = 0
  for (const { start, end } of spans) {
    if (start < at) continue
    visible += text.slice(at, start) + text.slice(start, end).replace(/[^\n]/g, ' ')
    at = end
  }
  return visible + text.slice(at)
}

/** Comments and code elements, up to the first end tag with the same name. */
function hiddenHtml(text: string): Span[] {
  const spans: Span[] = []
  const missing = new Set<string>()
  const opening = /<(?:!--|(code|kbd|pre|samp|script|style|textarea)(?=[\s>]))/gi
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const name = match[1]?.toLowerCase() ?? ''
    const closing = name === '' ? /-->/g : new RegExp(`</${name}\\s*>`, 'gi')
    closing.lastIndex = match.index
    const end = !missing.has(name) && closing.test(text) ? closing.lastIndex : undefined
    if (end === undefined) missing.add(name)
    else spans.push({ start: match.index, end })
    opening.lastIndex = end ?? opening.lastIndex
  }
  return spans
}
