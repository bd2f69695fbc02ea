import { markdownLanguage } from '@codemirror/lang-markdown'
import { syntaxTree } from '@codemirror/language'
import { type EditorState, type Extension, type Range, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'
import type { SyntaxNode } from '@lezer/common'
import { type Pictures, pictureOf, shownAs } from './shown.ts'
import { TAGS } from './signs.ts'
import { isTouched } from './syntax.ts'

/** Shows paragraphs without their line breaks, and pictures and tables in place, unless the cursor is in or next to them. */
export function blocks(pictures: Pictures): Extension {
  return StateField.define<DecorationSet>({
    create: state => showBlocks(state, pictures),
    update: (_, { state }) => showBlocks(state, pictures),
    provide: field => EditorView.decorations.from(field),
  })
}

function showBlocks(state: EditorState, pictures: Pictures): DecorationSet {
  const ranges: Range<Decoration>[] = []
  syntaxTree(state).iterate({
    enter: ({ name, from, to, node }) => {
      if (!['Paragraph', 'Table', 'HTMLBlock'].includes(name)) return true
      const text = state.sliceDoc(from, to)
      const isShown = node.parent?.name === 'Document' && !isTouched(state, from - 1, to + 1)
      const isPicture = name === 'HTMLBlock' || node.firstChild?.to === to
      const element = isPicture ? pictureOf(text, pictures) : name === 'Table' && (() => table(text))
      if (isShown && element)
        ranges.push(Decoration.replace({ widget: shownAs('div', 'shown', text, element), block: true }).range(from, to))
      else if (name === 'Paragraph') ranges.push(...joinedLines(from, text))
      return false
    },
  })
  return Decoration.set(ranges, true)
}

/** Replaces line breaks of a paragraph by spaces, except hard breaks and those of an unfinished table. */
function joinedLines(from: number, text: string): Range<Decoration>[] {
  return Array.from(text.matchAll(/(?<! {2}|\\|\[![a-zA-Z]+\]) ?\n[\s>]*(?!\|)/g), ({ 0: { length }, index }) =>
    Decoration.replace({ widget: shownAs('span', 'break', ' ') }).range(from + index, from + index + length),
  )
}

function table(text: string): HTMLElement {
  const made = document.createElement('table')
  const [head = '', , ...rows] = text.split('\n')
  for (const row of [head, ...rows]) {
    const cells = row.trim().replace(/^\||(?<!\\)\|$/g, '')
    const line = made.insertRow()
    for (const cell of cells.split(/(?<!\\)\|/)) line.append(tableCell(row === head ? 'th' : 'td', cell.trim()))
  }
  return made
}

function tableCell(name: string, text: string): HTMLElement {
  const cell = Object.assign(document.createElement(name), { dir: 'auto' })
  // Behind a letter, so that nothing begins a list or a heading.
  const line = `x ${text}`
  const paragraph = markdownLanguage.parser.parse(line).topNode.firstChild
  if (paragraph) fillWith(cell, paragraph, line, 2)
  return cell
}

/** Fills an element with the text of a node and the elements in it, without signs. */
function fillWith(element: HTMLElement, node: SyntaxNode, text: string, start = node.from): void {
  let at = start
  for (let child = node.firstChild; child; child = child.nextSibling) {
    element.append(text.slice(at, child.from))
    const tag = child.name === 'Link' ? 'span' : TAGS[child.name]
    if (tag !== undefined) fillWith(element.appendChild(document.createElement(tag)), child, text)
    else if (child.name === 'Escape') element.append(text.slice(child.from + 1, child.to))
    at = child.to
  }
  element.append(text.slice(at, node.to))
}
