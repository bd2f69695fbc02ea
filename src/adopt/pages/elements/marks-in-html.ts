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
    const shown = visibleText(block).replace(/<[^<>]*>/g, tag => '\0'.repeat(tag.length))
    for (const { pattern, became } of MARKS)
      for (const { index, 0: source, 1: words = '', 2: address = '' } of shown.matchAll(pattern)) {
        const start = block.start + index
        const written = became(words, address)
        edits.push({ start, end: start + source.length, text: written })
        notes.push({ at: start, what: 'Markdown in HTML', became: written.trim() || 'an empty line' })
      }
  }
  return { edits, notes }
}

/** Markdown that pages show as its source in HTML, and what it becomes; the first of several at the same place counts. */
const MARKS: readonly { pattern: RegExp; became: (words: string, address: string) => string }[] = [
  // Before and after the lines with a heading or a list between tags.
  { pattern: /(?<=\0\n)(?= {0,3}(?:#{1,6}|[-*+]|\d{1,3}\.)[ \t][^\0\n])/g, became: () => '\n' },
  { pattern: /(?<=\n {0,3}(?:#{1,6}|[-*+]|\d{1,3}\.)[ \t][^\0\n]{1,500}\n)(?=[ \t]{0,9}\0)/g, became: () => '\n' },
  {
    pattern: /!\[([^[\]\0\n]{0,300})\]\(([^()\s"\0]{1,1000})\)/g,
    became: (alt, src) => `<img src="${src}" alt="${alt.replaceAll('"', '&quot;')}">`,
  },
  {
    pattern: /(?<!!)\[([^[\]\0\n]{1,300})\]\(([^()\s"\0]{1,1000})\)/g,
    became: (words, href) => `<a href="${href}">${words}</a>`,
  },
  { pattern: /\*\*(?=[^\s*])([^*\0\n]{1,300})\*\*/g, became: words => `<strong>${words}</strong>` },
  { pattern: /(?<![\w*])\*(?=[^\s*])([^*\0\n]{1,300})(?<=\S)\*(?![\w*])/g, became: words => `<em>${words}</em>` },
  { pattern: /(?<!`)`([^`\0\n]{1,300})`(?!`)/g, became: words => `<code>${words}</code>` },
]
