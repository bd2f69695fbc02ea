import { type Block, readBlocks, visibleText } from '#formats/markdown/page-blocks.ts'
import { lineCounter } from '#platform/base/text.ts'
import type { DocumentContent } from '../document.ts'
import { sourceLine } from './html-tree.ts'

/** Signs of text that readers would see as its source: marks of Markdown, tags of templates, and tags of HTML. */
const SIGNS = [
  /^\\#{1,6}[ \t]/m,
  /\\\[[^[\]\n]{1,300}\]\\?\(/,
  /\{[{%][^{}\n]{1,300}[%}]\}/,
  /\\<\/?[a-z][\w-]{0,30}(?:[ \t][^<>\n]{0,300})?>/,
]

/** The blocks of a finished page that readers would see as source, such as `\## Logo`, but not code. */
export function sourceBlocks(text: string): Block[] {
  const signs = SIGNS.filter(sign => sign.test(text))
  if (signs.length === 0) return []
  return readBlocks(text).filter(block => signs.some(sign => sign.test(visibleText(block))))
}

/** A row for each block of a converted page that readers would see as source. */
export function sourceRows({ text, lines }: DocumentContent, path: string): DocumentContent['notes']['lost'] {
  const lineOf = lineCounter(text)
  return sourceBlocks(text).map(block => {
    const line = sourceLine(lines, lineOf(block.start))
    return { path, line, what: 'text that arrives as its source', text: block.text.trim() }
  })
}
