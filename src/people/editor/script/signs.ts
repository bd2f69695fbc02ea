import { syntaxTree } from '@codemirror/language'
import type { EditorState, Extension, Range } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, type WidgetType } from '@codemirror/view'
import type { SyntaxNode } from '@lezer/common'
import type { Labels } from './commands.ts'
import { type Pictures, pictureOf, shownAs } from './shown.ts'
import { isTouched } from './syntax.ts'

/** Sets the lines in view as readers see them. The signs of Markdown are only shown on lines with the cursor. */
export function signs(labels: Labels, pictures: Pictures): Extension {
  return EditorView.decorations.of(view => decorate(view, labels, pictures))
}

type Shown = {
  state: EditorState
  labels: Labels
  pictures: Pictures
  ranges: Range<Decoration>[]
  /** The classes of lines, and how deep they are in lists, keyed by the begin of a line. */
  lines: Map<number, { classes: string; depth: number }>
}

function decorate({ state, visibleRanges }: EditorView, labels: Labels, pictures: Pictures): DecorationSet {
  const shown: Shown = { state, labels, pictures, ranges: [], lines: new Map() }
  for (const { from, to } of visibleRanges) {
    syntaxTree(state).iterate({ from, to, enter: ({ name, node }) => SIGNS[name]?.(shown, node) })
    for (let at = from; at <= to; at = state.doc.lineAt(at).to + 1) showLine(shown, at)
  }
  return Decoration.set(shown.ranges, true)
}

/** Each line has the direction of its first letter; those of lists have an indent instead of spaces. */
function showLine(shown: Shown, at: number): void {
  const { from, text } = shown.state.doc.lineAt(at)
  const { classes = '', depth = 0 } = shown.lines.get(from) ?? {}
  const attributes = { dir: 'auto', class: text === '' ? `${classes} blank` : classes, style: `--depth: ${depth}` }
  shown.ranges.push(Decoration.line({ attributes }).range(from))
  if (depth > 0) hide(shown, from, from + text.length - text.trimStart().length)
}

type Sign = (shown: Shown, node: SyntaxNode) => void

/** The elements as which readers see parts of a line. */
export const TAGS: Readonly<Record<string, string>> = {
  Emphasis: 'em',
  StrongEmphasis: 'strong',
  Strikethrough: 'del',
  InlineCode: 'code',
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map(level => [`ATXHeading${level}`, `h${level}`])),
  SetextHeading1: 'h1',
  SetextHeading2: 'h2',
}

const code: Sign = (shown, node) => setLines(shown, node, 'code')
const hidden: Sign = (shown, { from, to }) => hide(shown, from, to)
const hiddenWithSpaces: Sign = (shown, { from, to }) => {
  const isSpace = (at: number) => shown.state.sliceDoc(at, at + 1) === ' '
  hide(shown, isSpace(from - 1) ? from - 1 : from, isSpace(to) ? to + 1 : to)
}

const SIGNS: Readonly<Record<string, Sign>> = {
  ...Object.fromEntries(Object.entries(TAGS).map(([name, tag]) => [name, (shown, node) => mark(shown, node, tag)])),
  FencedCode: code,
  CodeBlock: code,
  Table: code,
  HTMLBlock: code,
  CommentBlock: code,
  HorizontalRule: (shown, node) => setLines(shown, node, 'rule'),
  EmphasisMark: hidden,
  StrikethroughMark: hidden,
  CodeMark: (shown, node) => node.parent?.name === 'InlineCode' && hidden(shown, node),
  QuoteMark: hiddenWithSpaces,
  HeaderMark: hiddenWithSpaces,
  Escape: (shown, { from }) => hide(shown, from, from + 1),
  Image: showPicture,
  Link: showLink,
  ListItem: showItem,
  Blockquote: showQuote,
}

function mark({ ranges }: Shown, { from, to }: { from: number; to: number }, tagName: string): void {
  if (from < to) ranges.push(Decoration.mark({ tagName }).range(from, to))
}

function hide({ state, ranges }: Shown, from: number, to: number, widget?: WidgetType): void {
  if (from < to && !isTouched(state, from, to))
    ranges.push(Decoration.replace({ ...(widget && { widget }) }).range(from, to))
}

function setLines({ state: { doc }, lines }: Shown, { from, to }: SyntaxNode, name: string, depth = 0): void {
  for (let at = from; at <= to; at = doc.lineAt(at).to + 1) {
    const start = doc.lineAt(at).from
    const line = lines.get(start)
    lines.set(start, { classes: `${line?.classes ?? ''} ${name}`, depth: Math.max(depth, line?.depth ?? 0) })
  }
}

/** Only links with an address or a label: the parser also reads `[text]` as a link. */
function showLink(shown: Shown, link: SyntaxNode): void {
  const [open, close] = link.getChildren('LinkMark')
  if (!open || !close || !(link.getChild('URL') || link.getChild('LinkLabel'))) return
  mark(shown, { from: open.to, to: close.from }, 'a')
  hide(shown, open.from, open.to)
  hide(shown, close.from, link.to)
}

/** A picture within a text. */
function showPicture(shown: Shown, { from, to }: SyntaxNode): void {
  const text = shown.state.sliceDoc(from, to)
  const picture = pictureOf(text, shown.pictures)
  if (picture) hide(shown, from, to, shownAs('span', 'picture', text, picture))
}

/** Lines of a list item are indented by its depth; its mark is before them. */
function showItem(shown: Shown, item: SyntaxNode): void {
  const list = item.getChild('ListMark')
  if (!list) return
  let depth = 1
  for (let { parent } = item; parent; parent = parent.parent) if (parent.name === 'ListItem') depth++
  setLines(shown, item, 'list', depth)
  setLines(shown, list, 'item')
  const text = shown.state.sliceDoc(list.from, list.to)
  const end = shown.state.sliceDoc(list.to, list.to + 1) === ' ' ? list.to + 1 : list.to
  shown.ranges.push(Decoration.mark({ class: 'marker' }).range(list.from, end))
  if (/^[-*+]/.test(text)) hide(shown, list.from, end, shownAs('span', 'bullet', '•'))
}

/** An alert is a quotation that begins with its kind, as on GitHub. */
function showQuote(shown: Shown, quote: SyntaxNode): void {
  setLines(shown, quote, 'quote')
  const line = shown.state.doc.lineAt(quote.from)
  const [, start = '', name = ''] = /^(\s*>\s*)\[!(\w+)\]\s*$/.exec(line.text) ?? []
  const label = shown.labels[name.toLowerCase()]
  if (label === undefined) return
  setLines(shown, quote, `alert ${name.toLowerCase()}`)
  hide(shown, line.from + start.length, line.to, shownAs('span', 'label', label))
}
