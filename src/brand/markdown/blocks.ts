import { blockParser } from './block-parser.ts'
import type { Span } from './link-syntax.ts'

/**
 * A leaf block: a block that contains no other blocks. Its text has the same length as in the source, with spaces
 * instead of markers.
 */
export type Leaf = {
  kind:
    | 'atx-heading'
    | 'setext-heading'
    | 'paragraph'
    | 'task'
    | 'cell'
    | 'html'
    | 'footnote-label'
    | 'indented-code'
    | 'fenced-code'
    | 'open-fence'
  start: number
  /** The level of a heading; 0 for other blocks. */
  level: number
  text: string
}

/**
 * Reads the headings, paragraphs, table cells, HTML and code of a page, in order. An unclosed fence is a block before
 * its code.
 */
export function readLeaves(text: string): Leaf[] {
  const leaves: (Span & Pick<Leaf, 'kind' | 'level'> & { marks: Span[] })[] = []
  blockParser.parse(text).iterate({
    enter: ({ name, from, to, node }) => {
      const openFence = name === 'FencedCode' ? openFenceOf(text, node) : undefined
      const isFenced = name === 'CodeText' && node.parent?.name === 'FencedCode'
      const block = isFenced ? 'fenced-code' : LEAVES.get(name.replace(/\d$/, ''))
      const kind = openFence === undefined ? block : 'open-fence'
      const level = Number(/\d$/.exec(name)?.[0] ?? 0)
      const last = leaves.at(-1)
      let end = to
      // The last line of a setext heading is its underline. lezer does not report the quote markers on that line.
      if (kind === 'setext-heading') end = text.lastIndexOf('\n', to - 1)
      if (openFence !== undefined) end = from + openFence.length
      if (kind === 'footnote-label') end = text.indexOf(']:', from) + 1
      if (kind !== undefined) leaves.push({ kind, level, start: from, end, marks: [] })
      else if (last !== undefined && MARKS.has(name) && from < last.end) last.marks.push({ start: from, end: to })
    },
  })
  return leaves.map(({ kind, level, start, end, marks }) => {
    let blanked = ''
    let at = start
    for (const mark of marks) {
      blanked += text.slice(at, mark.start) + ' '.repeat(mark.end - mark.start)
      at = mark.end
    }
    return { kind, level, start, text: blanked + text.slice(at, end) }
  })
}

/**
 * The marks of a fence that is not closed. A fence with a language that begins inside shows that the first one should
 * have ended, since both end with the same marks.
 */
function openFenceOf(text: string, { from, to, firstChild, lastChild }: FencedCode): string | undefined {
  const marks = /^(?:`+|~+)/.exec(text.slice(from, to))?.[0] ?? ''
  const isClosed = lastChild?.name === 'CodeMark' && lastChild.from !== firstChild?.from
  const inner = new RegExp(`\\n[ \\t>]*${marks}${marks[0]}*[ \\t]*\\w`)
  return isClosed && !inner.test(text.slice(from, to)) ? undefined : marks
}

type FencedCode = { from: number; to: number; firstChild: Child; lastChild: Child }
type Child = { name: string; from: number } | null

/** By the names of lezer, without the levels of headings. */
const LEAVES = new Map<string, Leaf['kind']>([
  ['Paragraph', 'paragraph'],
  ['SetextHeading', 'setext-heading'],
  ['ATXHeading', 'atx-heading'],
  ['Task', 'task'],
  ['TableCell', 'cell'],
  ['Footnote', 'footnote-label'],
  ['CodeBlock', 'indented-code'],
  ['Html', 'html'],
  ['HTMLBlock', 'html'],
  ['CommentBlock', 'html'],
  ['ProcessingInstructionBlock', 'html'],
])

const MARKS = new Set(['QuoteMark', 'HeaderMark', 'TaskMarker'])
