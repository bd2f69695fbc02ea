import type { EditorState, Range, Text } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
  type WidgetType,
} from '@codemirror/view'
import type { SyntaxNode, SyntaxNodeRef } from '@lezer/common'
import type { Labels } from './commands.ts'
import { imageOf, type Pictures, pictureOf, shownAs } from './shown.ts'
import { isTouched, syntaxOf, touched } from './syntax.ts'

/** Sets the lines in view as readers see them. The signs of Markdown are only shown on lines with the cursor. */
export function signs(labels: Labels, pictures: Pictures) {
  return ViewPlugin.define<{ decorations: DecorationSet; update: (update: ViewUpdate) => void }>(
    view => {
      const shown = {
        decorations: decorate(view, labels, pictures),
        update: ({ view, state, startState, docChanged, viewportChanged }: ViewUpdate) => {
          if (docChanged || viewportChanged || state.field(touched) !== startState.field(touched))
            shown.decorations = decorate(view, labels, pictures)
        },
      }
      return shown
    },
    { decorations: shown => shown.decorations },
  )
}

type Shown = {
  state: EditorState
  ranges: Range<Decoration>[]
  classes: Map<number, string[]>
  depths: Map<number, number>
}

function decorate({ state, visibleRanges }: EditorView, labels: Labels, pictures: Pictures): DecorationSet {
  const shown: Shown = { state, ranges: [], classes: new Map(), depths: new Map() }
  for (const { from, to } of visibleRanges) {
    syntaxOf(state).iterate({ from, to, enter: node => enter(shown, node, labels, pictures) })
    for (let at = from; at <= to; ) {
      const line = state.doc.lineAt(at)
      if (line.length === 0) markLines(shown, line.from, line.from, 'blank')
      shown.ranges.push(lineOf(shown, line.from))
      at = line.to + 1
    }
  }
  return Decoration.set(shown.ranges, true)
}

/** Each line has the direction of its first letter. */
function lineOf({ classes, depths }: Shown, from: number): Range<Decoration> {
  const depth = depths.get(from)
  return Decoration.line({
    class: classes.get(from)?.join(' ') ?? '',
    attributes: { dir: 'auto', ...(depth !== undefined && { style: `--depth: ${depth}` }) },
  }).range(from)
}

export const TAGS: Readonly<Record<string, string>> = {
  Emphasis: 'em',
  StrongEmphasis: 'strong',
  Strikethrough: 'del',
  InlineCode: 'code',
}
const LINES: Readonly<Record<string, string>> = {
  FencedCode: 'code',
  CodeBlock: 'code',
  Table: 'code',
  HTMLBlock: 'code',
  CommentBlock: 'code',
  Blockquote: 'quote',
  HorizontalRule: 'rule',
}
const HIDDEN = new Set(['EmphasisMark', 'StrikethroughMark'])

function enter(shown: Shown, node: SyntaxNodeRef, labels: Labels, pictures: Pictures): void {
  const { name, from, to } = node
  const { doc } = shown.state
  const line = LINES[name]
  const tag = TAGS[name] ?? (/^(?:ATX|Setext)Heading/.test(name) ? `h${name.at(-1)}` : undefined)
  if (line !== undefined) markLines(shown, from, to, line)
  if (tag !== undefined && from < to) shown.ranges.push(Decoration.mark({ tagName: tag }).range(from, to))
  if (HIDDEN.has(name)) hide(shown, from, to)
  if (name === 'QuoteMark') hide(shown, from, afterSpace(doc, to))
  if (name === 'CodeMark' && node.matchContext(['InlineCode'])) hide(shown, from, to)
  if (name === 'HeaderMark') hide(shown, beforeSpace(doc, from), afterSpace(doc, to))
  if (name === 'Escape') hide(shown, from, from + 1)
  if (name === 'Image') showPicture(shown, from, to, pictures)
  if (name === 'Link') showLink(shown, node.node)
  if (name === 'ListItem') showItem(shown, node.node)
  if (name === 'Blockquote') showAlert(shown, from, labels)
}

function hide({ state, ranges }: Shown, from: number, to: number, widget?: WidgetType): void {
  if (from < to && !isTouched(state, from, to))
    ranges.push(Decoration.replace({ ...(widget && { widget }) }).range(from, to))
}

function markLines({ state: { doc }, classes }: Shown, from: number, to: number, name: string): void {
  for (let at = from; at <= to; at = doc.lineAt(at).to + 1) {
    const { from: start } = doc.lineAt(at)
    classes.set(start, [...(classes.get(start) ?? []), name])
  }
}

function afterSpace(doc: Text, at: number): number {
  return doc.sliceString(at, at + 1) === ' ' ? at + 1 : at
}

/** Closing signs of a heading follow a space; opening ones begin their line. */
function beforeSpace(doc: Text, at: number): number {
  return at > doc.lineAt(at).from && doc.sliceString(at - 1, at) === ' ' ? at - 1 : at
}

/** Only links with an address or a label: the parser also reads `[text]` as a link. */
function showLink(shown: Shown, link: SyntaxNode): void {
  const [open, close] = link.getChildren('LinkMark')
  if (!open || !close || !(link.getChild('URL') || link.getChild('LinkLabel'))) return
  if (open.to < close.from) shown.ranges.push(Decoration.mark({ tagName: 'a' }).range(open.to, close.from))
  hide(shown, open.from, open.to)
  hide(shown, close.from, link.to)
}

/** A picture within a text. */
function showPicture(shown: Shown, from: number, to: number, pictures: Pictures): void {
  const text = shown.state.sliceDoc(from, to)
  const picture = pictureOf(text, pictures)
  if (picture)
    hide(
      shown,
      from,
      to,
      shownAs('span', 'picture', text, (box, view) => box.append(imageOf(picture, view))),
    )
}

/** Lines of a list item are indented by its depth; its mark is before them. */
function showItem(shown: Shown, item: SyntaxNode): void {
  const { doc } = shown.state
  let depth = 0
  for (let node: SyntaxNode | null = item; node; node = node.parent) if (node.name === 'ListItem') depth++
  const mark = item.getChild('ListMark')
  if (!mark) return
  const first = doc.lineAt(item.from)
  for (let at = first.from; at <= item.to; at = doc.lineAt(at).to + 1) {
    const line = doc.lineAt(at)
    shown.depths.set(line.from, depth)
    const space = /^[ \t]*/.exec(line.text)?.[0].length ?? 0
    if (depth === 1) hide(shown, line.from, line.from + space)
  }
  markLines(shown, first.from, first.from, 'item')
  markLines(shown, item.from, item.to, 'list')
  const end = afterSpace(doc, mark.to)
  shown.ranges.push(Decoration.mark({ class: 'marker' }).range(mark.from, end))
  if (/^[-*+]/.test(doc.sliceString(mark.from, mark.to))) hide(shown, mark.from, end, shownAs('span', 'bullet', '•'))
}

function showAlert(shown: Shown, from: number, labels: Labels): void {
  const line = shown.state.doc.lineAt(from)
  const [, before = '', kind = ''] = /^(\s*>\s*)\[!(\w+)\]\s*$/.exec(line.text) ?? []
  const label = labels[kind.toLowerCase()]
  if (label === undefined) return
  let quote = syntaxOf(shown.state).resolve(from, 1)
  while (quote.name !== 'Blockquote' && quote.parent) quote = quote.parent
  markLines(shown, quote.from, quote.to, `alert ${kind.toLowerCase()}`)
  hide(shown, line.from + before.length, line.to, shownAs('span', 'label', label))
}
