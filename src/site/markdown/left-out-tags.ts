import type { Nodes, Root } from 'mdast'
import { isTagsAndPictures, templateTags } from '#formats/markdown/template-tags.ts'
import { applyEdits, wordSet } from '#platform/base/text.ts'

/**
 * Removes the tags of other systems, which nothing processes here, and lines that contain only tags. Code is unchanged,
 * except indented blocks of only tags and pictures, which are text.
 *
 * @param tree the page as parsed with its tags
 */
export function withoutTemplateTags(text: string, tree: Root): string {
  const spans: Span[] = []
  const nodes: Nodes[] = [tree]
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    const span = spanOf(node)
    if (span && BLOCKS.has(node.type)) for (const tag of tagsIn(text, span, codeIn(node))) spans.push(tag)
    else if (span && isIndentedTags(node, text[span.start])) for (const tag of indentedTags(text, span)) spans.push(tag)
    else if ('children' in node) for (const child of node.children) nodes.push(child)
  }
  // The indentation of a later line of a tag overlaps the tag; `applyEdits` ignores overlapping edits.
  const marked = applyEdits(
    text,
    spans.map(span => ({ ...span, text: MARK })),
  )
  return marked.replace(NUMBER_SIGN, '').replace(WHOLE_LINE, '').replaceAll(MARK, '')
}

/** Removes the indentation of code that only looks like it: it ends a box of HTML that a blank line interrupted. */
export function withoutBoxedCode(text: string, tree: Root): string {
  const count = (text: string, tag: RegExp) => text.match(tag)?.length ?? 0
  const boxed = tree.children.filter(
    node =>
      node.type === 'code' && count(node.value, /<\/(?:div|section)>/g) > count(node.value, /<(?:div|section)[\s>]/g),
  )
  let result = text
  // From the end, so that the offsets of earlier blocks stay right.
  for (const span of boxed.map(spanOf).toReversed()) {
    if (!span || /^[`~]/.test(result.slice(span.start))) continue // A fenced block is code in any case.
    const start = result.lastIndexOf('\n', span.start) + 1
    const unindented = result.slice(start, span.end).replace(/^[ \t]+/gm, '')
    result = result.slice(0, start) + unindented + result.slice(span.end)
  }
  return result
}

type Span = { start: number; end: number }

/** Text blocks, and HTML. */
const BLOCKS = wordSet('paragraph heading tableCell html')
/** Elements whose text is as written. */
const VERBATIM = wordSet('code pre script style textarea')
/** Replaces each tag. */
const MARK = '\0'
/** The sign of a value such as `#{{ color.hex }}`, which means nothing without it. */
const NUMBER_SIGN = /(?<![^\s>])#(?=\0)/g
/** A line of which only marks and white space are left. */
const WHOLE_LINE = /^[ \t]*\0[ \t\0]*(?:\n|$)/gm

function spanOf({ position }: Nodes): Span | undefined {
  const start = position?.start.offset
  const end = position?.end.offset
  return start === undefined || end === undefined ? undefined : { start, end }
}

/** @param mark the first character of a code block, which distinguishes indented from fenced code */
function isIndentedTags(node: Nodes, mark: string | undefined): boolean {
  return node.type === 'code' && mark !== '`' && mark !== '~' && isTagsAndPictures(node.value)
}

function codeIn(block: Nodes): Span[] {
  const code: Span[] = []
  const nodes: Nodes[] = [block]
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    const span = node.type === 'inlineCode' ? spanOf(node) : undefined
    if (span) code.push(span)
    if ('children' in node) for (const child of node.children) nodes.push(child)
  }
  return code
}

/** The tags in a block, except in its code, which is masked by spaces so that the places of tags stay. */
function tagsIn(text: string, { start, end }: Span, code: readonly Span[]): Span[] {
  const characters = text.slice(start, end)
  let masked = ''
  for (const span of code.toReversed()) {
    masked += characters.slice(masked.length, span.start - start)
    masked += ' '.repeat(span.end - start - masked.length)
  }
  masked += characters.slice(masked.length)
  const names = masked.matchAll(/<([a-z]+)[\s>]/gi).map(([, name = '']) => name.toLowerCase())
  if (names.some(name => VERBATIM.has(name))) return []
  return templateTags(masked).map(tag => shifted(tag, start))
}

/** The tags and the indentation of an indented block. */
function indentedTags(text: string, { start, end }: Span): Span[] {
  const lineStart = text.lastIndexOf('\n', start) + 1
  const block = text.slice(lineStart, end)
  const indents = Array.from(block.matchAll(/^[ \t]+/gm), ({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
  }))
  return [...templateTags(block), ...indents].map(span => shifted(span, lineStart))
}

function shifted({ start, end }: Span, by: number): Span {
  return { start: start + by, end: end + by }
}
