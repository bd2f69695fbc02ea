import { toHtml } from 'hast-util-to-html'
import { parseWithHtml } from '#formats/markdown/markdown-tree.ts'
import { readBlocks, visibleText } from '#formats/markdown/page-blocks.ts'
import type { Edit } from '#platform/base/text.ts'
import type { Note, Pass } from '../page.ts'

/**
 * Writes Markdown in HTML as HTML, where pages would show it as its source, as it is below a tag without an empty line or
 * in a cell. Headings and lists get the empty lines that they need instead.
 */
export const marksInHtml: Pass = (text, { kind }) => {
  const [edits, notes]: [Edit[], Note[]] = [[], []]
  const blocks = readBlocks(text).filter(block => block.kind === 'html' && kind === 'md')
  for (const block of blocks) {
    const visible = visibleText(block).replace(/<[^<>]*>/g, tag => '\0'.repeat(tag.length))
    // Code and comments are blank there.
    const words = block.text.replace(/[^\n]/g, (sign, at: number) => (visible[at] === sign ? sign : '\0'))
    for (const { index, 0: source } of words.matchAll(WORDS)) {
      const own = editsOf(source, block.start + index)
      edits.push(...own)
      notes.push(
        ...own.map(({ start, text }) => ({
          at: start,
          what: 'Markdown in HTML',
          became: text.trim() || 'an empty line',
        })),
      )
    }
  }
  return { edits, notes }
}

/** Text between tags, without the blanks around it. */
const WORDS = /[^\0\s][^\0]*(?<!\s)/g

function editsOf(source: string, start: number): Edit[] {
  const end = start + source.length
  const [first, ...others] = parseWithHtml(source).children
  const isPhrase = first?.type === 'element' && first.tagName === 'p' && others.length === 0
  if (!isPhrase) return [start, end].map(at => ({ start: at, end: at, text: '\n' }))
  return first.children.some(({ type }) => type !== 'text') ? [{ start, end, text: toHtml(first.children) }] : []
}
