import { type MarkdownConfig, parser, Table, TaskList } from '@lezer/markdown'
import type { Span } from './link-syntax.ts'

/** A block that holds no other: its text as long as in the source, with spaces for its marks and those around it. */
export type Leaf = {
  kind: 'atx-heading' | 'setext-heading' | 'paragraph' | 'other' | 'html'
  start: number
  text: string
}

/** The headings, paragraphs, table cells and HTML blocks of a text, in order; code is left out. */
export function readLeaves(text: string): Leaf[] {
  const leaves: (Span & { kind: Leaf['kind']; marks: Span[] })[] = []
  blockParser.parse(text).iterate({
    enter: ({ name, from, to }) => {
      const kind = LEAVES.get(name)
      const last = leaves.at(-1)
      if (kind !== undefined) leaves.push({ kind, start: from, end: to, marks: [] })
      else if (last !== undefined && MARKS.has(name) && from < last.end) last.marks.push({ start: from, end: to })
    },
  })
  return leaves.map(({ kind, start, end, marks }) => {
    let blanked = ''
    let at = start
    for (const mark of marks) {
      blanked += text.slice(at, mark.start) + ' '.repeat(mark.end - mark.start)
      at = mark.end
    }
    return { kind, start, text: blanked + text.slice(at, end) }
  })
}

const LEAVES = new Map<string, Leaf['kind']>([
  ['Paragraph', 'paragraph'],
  ['SetextHeading1', 'setext-heading'],
  ['SetextHeading2', 'setext-heading'],
  ...[1, 2, 3, 4, 5, 6].map(level => [`ATXHeading${level}`, 'atx-heading'] as const),
  ['Task', 'other'],
  ['TableCell', 'other'],
  ['HTMLBlock', 'html'],
  ['CommentBlock', 'html'],
  ['ProcessingInstructionBlock', 'html'],
])

const MARKS = new Set(['QuoteMark', 'HeaderMark', 'TaskMarker'])

/** What is nested deeper is not read: every line costs the depth of what it stands in. */
const DEEPEST = 100

const FOOTNOTE = /^\[\^(?:\\.|[^\s[\]\\])+\]:/

/** A footnote is a block of its own, continued by four columns of indentation, as GitHub and remark-gfm read it. */
const footnotes: MarkdownConfig = {
  defineNodes: [
    {
      name: 'Footnote',
      composite: (_context, line) => {
        if (line.next >= 0 && line.indent < line.baseIndent + 4) return false
        line.moveBaseColumn(Math.min(line.indent, line.baseIndent + 4))
        return true
      },
    },
  ],
  parseBlock: [
    {
      name: 'Footnote',
      parse: (context, line) => {
        const mark = FOOTNOTE.exec(line.text.slice(line.pos))?.[0]
        if (mark === undefined) return false
        context.startComposite('Footnote', line.pos)
        line.moveBase(line.pos + mark.length)
        return null
      },
      endLeaf: (_context, line) => line.next === 91 && FOOTNOTE.test(line.text.slice(line.pos)),
    },
  ],
}

const depthLimit: MarkdownConfig = {
  parseBlock: [
    {
      name: 'TooDeep',
      before: 'Blockquote',
      parse: context => {
        if (context.depth <= DEEPEST) return false
        context.nextLine()
        return true
      },
    },
  ],
}

/** Lezer's own end of a paragraph at a table takes quadratic time for a long run of spaces in the line below. */
const tables: MarkdownConfig = {
  ...Table,
  parseBlock: (Table.parseBlock ?? []).map(({ endLeaf, ...block }) => ({
    ...block,
    endLeaf: (context, line, leaf) =>
      /^[>\s]{0,1000}[|:-]/.test(context.peekLine()) && endLeaf?.(context, line, leaf) === true,
  })),
}

/**
 * Blocks alone: links, HTML and code within them are read by `markdown-inline.ts`, because lezer takes every `[text]`
 * for a link whether or not it is defined, which undoes links around it, and needs quadratic time for hostile input.
 */
const blockParser = parser.configure([
  tables,
  TaskList,
  footnotes,
  depthLimit,
  {
    remove: [
      'LinkReference',
      'Escape',
      'Entity',
      'InlineCode',
      'HTMLTag',
      'Emphasis',
      'HardBreak',
      'Link',
      'Image',
      'LinkEnd',
    ],
  },
])
