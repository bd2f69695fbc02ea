import { type Line, type MarkdownConfig, parser, Table, TaskList } from '@lezer/markdown'
import { groupsOf } from '#platform/base/text.ts'

/** A whole opening or closing tag: `<a href='x' title=y disabled/>`, `</a >` (CommonMark §6.6). */
export const TAG =
  /<(?:[a-zA-Z][a-zA-Z0-9-]*(?:\s+[a-zA-Z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?|\/[a-zA-Z][a-zA-Z0-9-]*\s*)>/y

/** Deeper blocks are ignored: the time per line grows with the number of blocks around it. */
export const MAX_DEPTH = 100

/** [^note]: */
const FOOTNOTE = /^\[\^(?:\\.|[^\s[\]\\])+\]:/

/**
 * A footnote continues while lines are indented by four columns, as on GitHub and in remark-gfm. For lezer, `composite`
 * says whether a line belongs to a block, `next` is the code of the first character after the indentation, or -1 in a
 * blank line, and `parse` returns null if it has opened a container.
 */
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
        const mark = groupsOf(FOOTNOTE, line.text.slice(line.pos))[0]
        if (mark === undefined) return false
        context.startComposite('Footnote', line.pos)
        line.moveBase(line.skipSpace(line.pos + mark.length))
        return null
      },
      endLeaf: (_context, line) => FOOTNOTE.test(line.text.slice(line.pos)),
    },
  ],
}

/**
 * HTML blocks that end at a blank line. lezer misses such a line in a quote. Here these blocks are containers of lines,
 * so a line belongs to one only if it belongs to the blocks around it.
 */
const htmlBlocks: MarkdownConfig = {
  defineNodes: [{ name: 'Html', composite: (_context, line) => line.next >= 0 }, 'HtmlLine'],
  parseBlock: [
    {
      name: 'HtmlLine',
      before: 'LinkReference',
      parse: (context, line) => {
        if (context.parentType().name !== 'Html') return false
        context.addElement(context.elt('HtmlLine', context.lineStart + line.pos, context.lineStart + line.text.length))
        context.nextLine()
        return true
      },
    },
    {
      name: 'Html',
      before: 'HTMLBlock',
      parse: (context, line) => {
        if (!HTML_START.test(line.text.slice(line.pos))) return false
        context.startComposite('Html', line.pos)
        return null
      },
    },
  ],
}

/** CommonMark §4.6, start condition 6. */
const HTML_BLOCK_TAGS = (
  'address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt ' +
  'fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link ' +
  'main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead ' +
  'title tr track ul'
).split(' ')

/** CommonMark §4.6, start conditions 6 and 7. */
const HTML_START = new RegExp(
  `^</?(?:${HTML_BLOCK_TAGS.join('|')})(?:\\s|/?>|$)|^(?!<(?:pre|script|style|textarea)[\\s/>])${TAG.source}[ \\t]*$`,
  'i',
)

const depthLimit: MarkdownConfig = {
  parseBlock: [
    {
      name: 'TooDeep',
      before: 'Blockquote',
      parse: context => {
        if (context.depth <= MAX_DEPTH) return false
        context.nextLine()
        return true
      },
    },
  ],
}

/**
 * Tables as GFM specifies them. lezer puts too much into a table: indented lines, lines outside of the quote or list
 * around it, and a line of `-` or `=`. It also takes quadratic time for a long run of spaces below a paragraph.
 */
const tables: MarkdownConfig = {
  ...Table,
  parseBlock: (Table.parseBlock ?? []).map(({ leaf: startLeaf, endLeaf, ...block }) => ({
    ...block,
    leaf: (context, leaf) => {
      const table = startLeaf?.(context, leaf) ?? null
      if (table === null) return null
      const nextLine = table.nextLine.bind(table)
      table.nextLine = (context, line, leaf) => {
        const isFinished = isPastTable(context, line) && table.finish(context, leaf)
        return isFinished || nextLine(context, line, leaf)
      }
      return table
    },
    // Whether a table ends a paragraph. The next line is tested before lezer does, whose test may take long.
    endLeaf: (context, line, leaf) => TABLE_RULE.test(context.peekLine()) && endLeaf?.(context, line, leaf) === true,
  })),
}

/**
 * Whether a line is not in the table that is read: it lacks the marker of a container, is indented as code, or is a
 * row of `-` or `=`. `depth` is the number of containers that a line continues. lezer's published types lack it.
 */
function isPastTable(context: { depth: number }, line: Line): boolean {
  const isLazy = 'depth' in line && typeof line.depth === 'number' && line.depth < context.depth
  return isLazy || line.indent >= line.baseIndent + 4 || UNDERLINE.test(line.text.slice(line.pos))
}

const UNDERLINE = /^(?:-+|=+)[ \t]*$/
/** The beginning of the line below the head of a table, such as `| --- | :-: |`, also in quotes. */
const TABLE_RULE = /^[>\s]{0,1000}[|:-]/

/**
 * Parses only the blocks of Markdown (CommonMark and GFM), with their positions. It does not parse inline content:
 * lezer reads every `[text]` as a link, defined or not, so it loses the links around it; and hostile input takes
 * quadratic time.
 */
export const blockParser = parser.configure([
  tables,
  TaskList,
  footnotes,
  htmlBlocks,
  depthLimit,
  { remove: 'LinkReference Escape Entity InlineCode HTMLTag Emphasis HardBreak Link Image LinkEnd'.split(' ') },
])
