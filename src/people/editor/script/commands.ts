import { type ChangeSpec, EditorSelection, type EditorState, type SelectionRange } from '@codemirror/state'
import type { Command, EditorView, KeyBinding } from '@codemirror/view'
import type { SyntaxNode } from '@lezer/common'
import { syntaxOf } from './syntax.ts'

/** The labels of buttons and bars, in the language of the page. */
export type Labels = Readonly<Record<string, string>>

/** The keys of the text. `save` submits the form. */
export function textKeys(save: () => void): KeyBinding[] {
  const saveKey: Command = () => {
    save()
    return true
  }
  return [
    { key: 'Mod-b', run: bold },
    { key: 'Mod-i', run: italic },
    { key: 'Mod-k', run: link },
    { key: 'Mod-s', run: saveKey, preventDefault: true },
    { key: 'Enter', run: breakParagraph },
    { key: 'Tab', run: view => indentItem(view, true), shift: view => indentItem(view, false) },
  ]
}

/** Buttons with labels, which leave the focus in the text. */
export function toolbar(view: EditorView, labels: Labels): HTMLElement {
  const bar = document.createElement('div')
  bar.className = 'toolbar'
  bar.setAttribute('role', 'group')
  bar.setAttribute('aria-label', labels.toolbar ?? '')
  for (const [name, command] of Object.entries({ heading, bold, italic, link, list, quote })) {
    const button = Object.assign(document.createElement('button'), {
      type: 'button',
      textContent: labels[name] ?? name,
    })
    button.addEventListener('pointerdown', event => event.preventDefault())
    button.addEventListener('mousedown', event => event.preventDefault())
    button.addEventListener('click', () => {
      command(view)
      view.focus()
    })
    bar.append(button)
  }
  return bar
}

const bold: Command = view => toggleSign(view, '**')
const italic: Command = view => toggleSign(view, '*')

/** Puts a sign of emphasis around the selection or the word at the cursor, or removes it. */
function toggleSign(view: EditorView, sign: string): boolean {
  const { state } = view
  const changes = state.changeByRange(range => {
    const { from, to } = wordOr(state, range)
    const before = /\**$/.exec(state.sliceDoc(Math.max(0, from - 3), from))?.[0].length ?? 0
    const after = /^\**/.exec(state.sliceDoc(to, to + 3))?.[0].length ?? 0
    const signs = Math.min(before, after)
    const { length } = sign
    if (length === 2 ? signs >= 2 : signs % 2 === 1)
      return {
        changes: [
          { from: from - length, to: from },
          { from: to, to: to + length },
        ],
        range: shift(range, -length),
      }
    return {
      changes: [
        { from, insert: sign },
        { from: to, insert: sign },
      ],
      range: shift(range, length),
    }
  })
  view.dispatch(state.update(changes, { scrollIntoView: true, userEvent: 'input' }))
  return true
}

function shift({ anchor, head }: SelectionRange, by: number): SelectionRange {
  return EditorSelection.range(anchor + by, head + by)
}

/** A selection without the blank space at its ends, or the word at the cursor. */
function wordOr(state: EditorState, range: SelectionRange): { from: number; to: number } {
  if (range.empty) return state.wordAt(range.head) ?? range
  const text = state.sliceDoc(range.from, range.to)
  if (text.trim() === '') return range
  return {
    from: range.from + text.length - text.trimStart().length,
    to: range.to - text.length + text.trimEnd().length,
  }
}

/** Makes the selection the text of a link, and selects the place of its address. */
const link: Command = view => {
  const { state } = view
  const { from, to } = wordOr(state, state.selection.main)
  const text = state.sliceDoc(from, to)
  const insert = `[${text}](https://)`
  const start = from + text.length + 3
  const selection = text === '' ? EditorSelection.cursor(from + 1) : EditorSelection.range(start, start + 8)
  view.dispatch({ changes: { from, to, insert }, selection, scrollIntoView: true, userEvent: 'input' })
  return true
}

/** A heading of the second level, of the third, or none. */
const heading: Command = view =>
  changeBlocks(view, text => {
    const [signs = '', number = ''] = /^(#{1,6})?[ \t]*/.exec(text) ?? []
    return [signs.length, ['## ', '', '### ', ''][number.length] ?? '']
  })

const list: Command = view => changeBlocks(view, text => toggle(text, /^\s*[-*+] /, '- '))
const quote: Command = view => changeBlocks(view, text => toggle(text, /^\s*> ?/, '> '))

function toggle(text: string, pattern: RegExp, sign: string): [number, string] {
  const present = pattern.exec(text)?.[0].length
  return present === undefined ? [0, sign] : [present, '']
}

/**
 * Replaces the begin of each selected line: so many characters, by another text. The lines of a paragraph, which look like
 * one, become one.
 */
function changeBlocks(view: EditorView, change: (text: string) => [number, string]): boolean {
  const { state } = view
  const { doc, selection } = state
  const changes: ChangeSpec[] = []
  const { from, to, empty } = selection.main
  for (let at = from; at <= to; ) {
    const paragraph = paragraphAt(state, at)
    const line = doc.lineAt(paragraph?.from ?? at)
    const end = paragraph?.to ?? line.to
    const [length, insert] = change(line.text)
    if (line.length > 0 || empty) changes.push({ from: line.from, to: line.from + length, insert })
    for (const { index } of state.sliceDoc(line.from, end).matchAll(/\n/g))
      changes.push({ from: line.from + index, to: line.from + index + 1, insert: ' ' })
    at = doc.lineAt(end).to + 1
  }
  const set = state.changes(changes)
  view.dispatch({ changes: set, selection: selection.map(set, 1), scrollIntoView: true, userEvent: 'input' })
  return true
}

/** The paragraph of a place that is in no list or quotation. */
function paragraphAt(state: EditorState, at: number): SyntaxNode | undefined {
  const { firstChild } = syntaxOf(state).topNode
  for (let node = firstChild; node && node.from <= at; node = node.nextSibling)
    if (node.name === 'Paragraph' && node.to >= at) return node
  return undefined
}

/** Begins a new paragraph, list item or line of a quotation: in Markdown, a single line break is a space. */
const breakParagraph: Command = view => {
  const { state } = view
  const { from, to } = state.selection.main
  const line = state.doc.lineAt(from)
  const [prefix = '', mark = ''] = PREFIX.exec(line.text) ?? []
  if (isPlain(state, from) || line.text.trim() === '' || /^\s*[|<]/.test(line.text))
    return replaceWith(view, from, to, '\n')
  if (prefix.trim() === '') return replaceWith(view, from, to, '\n\n')
  if (from - line.from < prefix.length) return replaceWith(view, from, to, '\n')
  if (line.text.length === prefix.length) return replaceWith(view, line.from, line.to, '')
  const next = mark.replace(/\d+/, number => `${Number(number) + 1}`)
  return replaceWith(view, from, to, `\n${prefix.replace(mark, next).replace(/\[x\]/i, '[ ]')}`)
}

const PREFIX = /^(?:\s*>)*\s*(?:([-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)?/

/** Whether a place is in code, HTML or a table, whose lines are independent. */
function isPlain(state: EditorState, at: number): boolean {
  const plain = ['FencedCode', 'CodeBlock', 'HTMLBlock', 'Table', 'CommentBlock']
  for (let node = syntaxOf(state).resolve(at, -1); node.parent; node = node.parent)
    if (plain.includes(node.name)) return true
  return false
}

function replaceWith(view: EditorView, from: number, to: number, insert: string): boolean {
  const selection = { anchor: from + insert.length }
  view.dispatch({ changes: { from, to, insert }, selection, scrollIntoView: true, userEvent: 'input' })
  return true
}

/** Indents a list item; elsewhere, Tab leaves the text. */
function indentItem(view: EditorView, isDeeper: boolean): boolean {
  const { doc, selection } = view.state
  const { text } = doc.lineAt(selection.main.head)
  const mark = /^\s*([-*+]|\d{1,9}[.)])[ \t]+/.exec(text)?.[1]
  if (mark === undefined || (!isDeeper && !text.startsWith(' '))) return false
  const width = mark.length + 1
  return changeBlocks(view, line =>
    isDeeper ? [0, ' '.repeat(width)] : [Math.min(width, /^ */.exec(line)?.[0].length ?? 0), ''],
  )
}
