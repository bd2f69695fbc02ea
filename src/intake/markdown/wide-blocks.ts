import type { Span } from '../../brand/markdown/link-syntax.ts'
import type { ReadBlock } from '../../brand/markdown/visible-text.ts'
import type { Unit } from './top-level-units.ts'

/**
 * The blocks of a page that may reach the wide edge without their `wide` comment, which depends on the targets of their
 * links; and whether the page has no list of headings next to it even without these comments.
 */
export type WideBlocks = { isComposed: boolean; blocks: WideBlock[] }

/** A block after `wide` with its line and its contents; `wide` for one that always reaches the wide edge. */
export type WideBlock = { line: number; form: 'paragraph' | 'list' | 'wide'; items: WideItem[] }

/** A part of a paragraph, or an item of a list: only a picture, a link, a link with a share, or anything else. */
export type WideItem = Span & { kind: 'picture' | 'link' | 'share' | 'external' | 'other' }

/** The block after a `wide` comment; undefined for one that always becomes wider. */
export function readWideBlock(
  { kind, start, end }: Unit,
  { text, blocks, line }: { text: string; blocks: readonly ReadBlock[]; line: number },
): WideBlock | undefined {
  // Another layout comment: columns, or two blocks side by side.
  if (kind === 'comment') return { line, form: 'wide', items: [] }
  const leaves = blocks.filter(block => block.start >= start && block.start < end)
  if (kind === 'table') {
    const head = leaves.filter(leaf => leaf.start < text.indexOf('\n', start))
    return isWideTable(head, leaves) ? { line, form: 'wide', items: [] } : undefined
  }
  if (kind === 'list') return { line, form: 'list', items: leaves.map(itemOf) }
  const [leaf, ...others] = leaves
  if (kind !== 'media' || !leaf || others.length > 0) return undefined
  return { line, form: 'paragraph', items: partsOf(leaf) }
}

/** Whether a table shows pictures or verdicts, or has many columns. */
function isWideTable(head: readonly ReadBlock[], leaves: readonly ReadBlock[]): boolean {
  const hasHeading = (word: RegExp) => head.some(({ text }) => word.test(text.trim()))
  const isPictured = leaves.some(({ inlines }) => inlines.some(({ kind }) => kind === 'picture'))
  return isPictured || (hasHeading(/^do(?::|$)/i) && hasHeading(/^don['’]t(?::|$)/i)) || head.length >= MIN_COLUMNS
}

const MIN_COLUMNS = 5

/** An item that is only a picture, with or without lines below, or only a link. */
function itemOf(leaf: ReadBlock): WideItem {
  const [part, ...others] = partsOf(leaf)
  const { start, text } = leaf
  if (!part || leaf.kind !== 'paragraph' || text.slice(0, part.start - start).trim() !== '') return otherItem(leaf)
  const rest = text.slice(part.end - start)
  if (part.kind === 'picture') return rest.trim() === '' || /^[ \\]*\n/.test(rest) ? part : otherItem(leaf)
  if (others.length > 0 || rest.trim() === '') return others.length > 0 ? otherItem(leaf) : part
  return part.kind === 'link' && SHARE.test(rest.trim()) ? { ...part, kind: 'share' } : otherItem(leaf)
}

const SHARE = /^[:–—(]?\s*\d{1,3}(?:[.,]\d{1,3})?\s*%\)?$/

function otherItem({ start, text }: ReadBlock): WideItem {
  return { kind: 'other', start, end: start + text.length }
}

/** The pictures and links of a block that are not within others. */
function partsOf({ kind, start: from, text, inlines }: ReadBlock): WideItem[] {
  if (kind === 'html')
    return Array.from(text.matchAll(/<img\b[^>]*>/gi), ({ 0: tag, index }) => ({
      kind: /\swidth\s*=/i.test(tag) ? 'other' : 'picture',
      start: from + index,
      end: from + index + tag.length,
    }))
  const outer = inlines.filter(one => !inlines.some(other => other.start < one.start && other.end > one.end))
  return outer.map(({ kind, start, end }) => {
    const source = text.slice(start, end)
    const isPicture = kind === 'picture' || /^\[!\[[^\]]*\]\([^)]*\)\s*\]/.test(source)
    const isExternal = kind === 'autolink' || /\]\(<?https?:/i.test(source)
    const isLink = kind === 'link' || kind === 'autolink'
    const form = /#gh-(?:dark|light)-mode-only/.test(source) ? 'other' : isPicture ? 'picture' : isLink && 'link'
    return { kind: form === 'link' && isExternal ? 'external' : form || 'other', start: from + start, end: from + end }
  })
}
