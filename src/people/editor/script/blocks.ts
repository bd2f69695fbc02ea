import { type EditorState, type Extension, type Range, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, type KeyBinding, keymap, type WidgetType } from '@codemirror/view'
import type { SyntaxNode } from '@lezer/common'
import { imageOf, type Pictures, pictureOf, shownAs } from './shown.ts'
import { TAGS } from './signs.ts'
import { isTouched, markdown, settle, syntaxOf, touched } from './syntax.ts'

/**
 * Shows paragraphs without their line breaks, and pictures and tables in place until the cursor enters them. `pictures` may
 * get more entries; they are shown with the next change.
 */
export function blocks(pictures: Pictures): Extension {
  const field = StateField.define<DecorationSet>({
    create: state => showBlocks(state, pictures),
    update: (shown, { state, startState, docChanged, effects }) =>
      docChanged || state.field(touched) !== startState.field(touched) || effects.some(effect => effect.is(settle))
        ? showBlocks(state, pictures)
        : shown,
    provide: field => EditorView.decorations.from(field),
  })
  const enter = (key: string, isForward: boolean): KeyBinding => ({
    key,
    run: view => enterBlock(view, field, isForward),
  })
  return [field, keymap.of([enter('ArrowDown', true), enter('ArrowUp', false)])]
}

function showBlocks(state: EditorState, pictures: Pictures): DecorationSet {
  const ranges: Range<Decoration>[] = []
  syntaxOf(state).iterate({
    enter: ({ name, from, to, node }) => {
      const isLeaf = name === 'Paragraph' || name === 'Table' || name === 'HTMLBlock'
      if (!isLeaf) return true
      const text = state.sliceDoc(from, to)
      const isShown = node.parent?.name === 'Document' && !isTouched(state, from, to)
      const widget = isShown && (name === 'Table' ? table(text) : pictureIn(node, text, pictures))
      if (widget) ranges.push(Decoration.replace({ widget, block: true }).range(from, to))
      else if (name === 'Paragraph') ranges.push(...joinedLines(from, text))
      return false
    },
  })
  return Decoration.set(ranges, true)
}

/** The picture that is alone in its paragraph, or undefined. */
function pictureIn({ name, firstChild }: SyntaxNode, text: string, pictures: Pictures): WidgetType | undefined {
  const isAlone = name === 'HTMLBlock' || firstChild?.to === firstChild?.parent?.to
  const shown = isAlone ? pictureOf(text, pictures) : undefined
  return shown && shownAs('div', 'shown', text, (block, view) => block.append(imageOf(shown, view)))
}

/** Replaces line breaks of a paragraph by spaces, except hard breaks and those of an unfinished table. */
function joinedLines(from: number, text: string): Range<Decoration>[] {
  return Array.from(text.matchAll(/(?<! {2}|\\|\[![a-zA-Z]+\]) ?\n[\s>]*(?!\|)/g), ({ 0: { length }, index }) =>
    Decoration.replace({ widget: shownAs('span', 'break', ' ') }).range(from + index, from + index + length),
  )
}

/** Moves the cursor into a shown block over which it would jump. */
function enterBlock(view: EditorView, field: StateField<DecorationSet>, isForward: boolean): boolean {
  const { main } = view.state.selection
  if (!main.empty) return false
  const { head } = view.moveVertically(main, isForward)
  let entered: number | undefined
  view.state.field(field).between(Math.min(head, main.head), Math.max(head, main.head), (from, to, { spec }) => {
    if (spec.block !== true) return
    entered = isForward ? (entered ?? from) : to
  })
  if (entered === undefined) return false
  view.dispatch({ selection: { anchor: entered }, scrollIntoView: true, userEvent: 'select' })
  return true
}

function table(text: string): WidgetType {
  return shownAs('div', 'shown table', text, block => {
    const made = document.createElement('table')
    const node = markdown.parse(text).topNode.getChild('Table')
    for (let row = node?.firstChild; row; row = row.nextSibling)
      if (row.name !== 'TableDelimiter') made.append(tableRow(row, text))
    block.append(made)
  })
}

/** A cell lies between two bars; an empty one has no node. */
function tableRow(row: SyntaxNode, text: string): HTMLElement {
  const made = document.createElement('tr')
  const bars = row.getChildren('TableDelimiter').map(({ from }) => from)
  const edges = [
    ...(bars[0] === row.from ? [] : [row.from - 1]),
    ...bars,
    ...(bars.at(-1) === row.to - 1 ? [] : [row.to]),
  ]
  const cells = row.getChildren('TableCell')
  for (const [at, end] of edges.slice(1).entries()) {
    const cell = document.createElement(row.name === 'TableHeader' ? 'th' : 'td')
    cell.dir = 'auto'
    const node = cells.find(({ from }) => from > (edges[at] ?? 0) && from < end)
    if (node) fillWith(cell, node, text)
    made.append(cell)
  }
  return made
}

/** Fills an element with the text of a node and the elements in it, without signs. */
function fillWith(element: HTMLElement, node: SyntaxNode, text: string): void {
  let at = node.from
  for (let child = node.firstChild; child; child = child.nextSibling) {
    element.append(text.slice(at, child.from))
    const tag = child.name === 'Link' ? 'span' : TAGS[child.name]
    if (tag !== undefined) fillWith(element.appendChild(document.createElement(tag)), child, text)
    else if (child.name === 'Escape') element.append(text.slice(child.from + 1, child.to))
    at = child.to
  }
  element.append(text.slice(at, node.to))
}
