import { syntaxTree } from '@codemirror/language'
import { type EditorState, type Extension, type Line, type Range, StateField, type Text } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, type WidgetType } from '@codemirror/view'
import type { SyntaxNode } from '@lezer/common'
import type { Labels } from './commands.ts'
import { type Pictures, pictureOf, Shown } from './shown.ts'
import { isTouched } from './syntax.ts'

/**
 * Shows Markdown as readers see it, such as a heading without its `#`. Its signs are only shown on lines with the cursor.
 */
export function signs(labels: Labels, pictures: Pictures): Extension {
  return [joinedLines, EditorView.decorations.of(view => decorate(view, labels, pictures))]
}

/** Shows the line breaks of paragraphs as spaces. A view only accepts such decorations of the whole text. */
const joinedLines = StateField.define<DecorationSet>({
  create: joinLines,
  update: (joined, { state, startState }) => (syntaxTree(state) === syntaxTree(startState) ? joined : joinLines(state)),
  provide: field => EditorView.decorations.from(field),
})

/** Replaces the line breaks of all paragraphs, except hard breaks, and those of an unfinished table. */
function joinLines(state: EditorState): DecorationSet {
  const ranges: Range<Decoration>[] = []
  const space = Decoration.replace({ widget: new Shown('break', ' ') })
  syntaxTree(state).iterate({
    enter: ({ name, from, to }) => {
      if (name !== 'Paragraph') return /^(?:Document|\w+List|ListItem|Blockquote)$/.test(name)
      // Not after two spaces or a backslash, which are hard breaks, nor after `[!NOTE]` or before a table's `|`.
      const breaks = state.sliceDoc(from, to).matchAll(/(?<! {2}|\\|\[![a-zA-Z]+\]) ?\n[\s>]*(?!\|)/g)
      for (const { 0: text, index } of breaks) ranges.push(space.range(from + index, from + index + text.length))
      return false
    },
  })
  return Decoration.set(ranges)
}

/** What the signs of an element need, and the decorations so far. */
type Drawing = { state: EditorState; labels: Labels; pictures: Pictures; ranges: Range<Decoration>[] }

function decorate({ state, visibleRanges }: EditorView, labels: Labels, pictures: Pictures): DecorationSet {
  const drawing: Drawing = { state, labels, pictures, ranges: [] }
  for (const range of visibleRanges) {
    // Each line has the direction of its first letter.
    setLines(drawing, range, { dir: 'auto' })
    syntaxTree(state).iterate({
      ...range,
      enter: ({ name, node }) => {
        SIGNS[name]?.(drawing, node)
        return name !== 'Table'
      },
    })
  }
  return Decoration.set(drawing.ranges, true)
}

type Span = { from: number; to: number }
type Sign = (drawing: Drawing, node: SyntaxNode) => void

/** The elements as which readers see parts of a line. */
const TAGS: Readonly<Record<string, string>> = {
  Emphasis: 'em',
  StrongEmphasis: 'strong',
  Strikethrough: 'del',
  InlineCode: 'code',
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map(level => [`ATXHeading${level}`, `h${level}`])),
  SetextHeading1: 'h1',
  SetextHeading2: 'h2',
}

const code: Sign = (drawing, node) => setLines(drawing, node, { class: 'code' })
const hidden: Sign = (drawing, { from, to }) => hide(drawing, from, to)
const hiddenWithSpaces: Sign = (drawing, { from, to }) => {
  const isSpace = (at: number) => drawing.state.sliceDoc(at, at + 1) === ' '
  hide(drawing, isSpace(from - 1) ? from - 1 : from, isSpace(to) ? to + 1 : to)
}

/** What is shown for each kind of element of the parser. */
const SIGNS: Readonly<Record<string, Sign>> = {
  ...Object.fromEntries(Object.entries(TAGS).map(([name, tag]) => [name, (drawing, node) => mark(drawing, node, tag)])),
  FencedCode: code,
  CodeBlock: code,
  Table: code,
  HTMLBlock: (drawing, node) => showPicture(drawing, node) || code(drawing, node),
  CommentBlock: code,
  HorizontalRule: (drawing, node) => setLines(drawing, node, { class: 'rule' }),
  EmphasisMark: hidden,
  StrikethroughMark: hidden,
  CodeMark: (drawing, node) => node.parent?.name === 'InlineCode' && hidden(drawing, node),
  QuoteMark: hiddenWithSpaces,
  HeaderMark: hiddenWithSpaces,
  Escape: (drawing, { from }) => hide(drawing, from, from + 1),
  Image: showPicture,
  Link: showLink,
  ListItem: showItem,
  Blockquote: showQuote,
}

/** Shows a part of a line in an element of HTML, such as `em`. */
function mark({ ranges }: Drawing, { from, to }: Span, tagName: string): void {
  if (from < to) ranges.push(Decoration.mark({ tagName }).range(from, to))
}

/** Hides a part of a line, or shows something else. */
function hide({ state, ranges }: Drawing, from: number, to: number, widget?: WidgetType): void {
  if (from < to && to <= state.doc.lineAt(from).to && !isTouched(state, from, to))
    ranges.push(Decoration.replace(widget ? { widget } : {}).range(from, to))
}

/** Gives attributes to each line of a part of the text. */
function setLines({ state: { doc }, ranges }: Drawing, span: Span, attributes: Record<string, string>): void {
  for (const line of linesOf(doc, span)) ranges.push(Decoration.line({ attributes }).range(line.from))
}

function linesOf(doc: Text, { from, to }: Span): Line[] {
  const lines: Line[] = []
  for (let at = from; at <= to; at = doc.lineAt(at).to + 1) lines.push(doc.lineAt(at))
  return lines
}

/** A picture, larger if nothing else is on its line; false if it is not known. */
function showPicture(drawing: Drawing, { from, to }: Span): boolean {
  const text = drawing.state.sliceDoc(from, to)
  const picture = pictureOf(text, drawing.pictures)
  const isAlone = drawing.state.doc.lineAt(from).text.trim() === text
  if (picture) hide(drawing, from, to, new Shown(isAlone ? 'picture' : 'picture small', text, picture))
  return picture !== undefined
}

/**
 * Shows a link as its text; a link to a picture in its own paragraph as the picture. The parser also reads `[text]` as a
 * link, without an address: that stays as it is.
 */
function showLink(drawing: Drawing, link: SyntaxNode): void {
  const [open, close] = link.getChildren('LinkMark')
  const { parent } = link
  const isAlone = parent?.name === 'Paragraph' && parent.from === link.from && parent.to === link.to
  if (!open || !close || !(link.getChild('URL') || link.getChild('LinkLabel'))) return
  if (isAlone && showPicture(drawing, link)) return
  mark(drawing, { from: open.to, to: close.from }, 'a')
  hide(drawing, open.from, open.to)
  hide(drawing, close.from, link.to)
}

/** Lines of a list item are indented by its depth instead of by spaces; its mark is before them. */
function showItem(drawing: Drawing, item: SyntaxNode): void {
  const { doc } = drawing.state
  const list = item.getChild('ListMark')
  if (!list) return
  let depth = 1
  for (let { parent } = item; parent; parent = parent.parent) if (parent.name === 'ListItem') depth++
  setLines(drawing, item, { class: 'list', style: `--depth: ${depth}` })
  if (depth === 1)
    for (const { from, text } of linesOf(doc, item)) hide(drawing, from, from + text.length - text.trimStart().length)
  setLines(drawing, list, { class: 'item' })
  const end = doc.sliceString(list.to, list.to + 1) === ' ' ? list.to + 1 : list.to
  drawing.ranges.push(Decoration.mark({ class: 'marker' }).range(list.from, end))
  if (item.parent?.name === 'BulletList') hide(drawing, list.from, end, new Shown('bullet', '•'))
}

/** An alert is a quotation that begins with its kind, as on GitHub. */
function showQuote(drawing: Drawing, quote: SyntaxNode): void {
  setLines(drawing, quote, { class: 'quote' })
  const line = drawing.state.doc.lineAt(quote.from)
  const [, start = '', name = ''] = /^(\s*>\s*)\[!(\w+)\]\s*$/.exec(line.text) ?? []
  const label = drawing.labels[name.toLowerCase()]
  if (label !== undefined) hide(drawing, line.from + start.length, line.to, new Shown('label', label))
}
