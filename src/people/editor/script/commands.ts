import { indentLess, indentMore } from '@codemirror/commands'
import { deleteMarkupBackward, insertNewlineContinueMarkupCommand } from '@codemirror/lang-markdown'
import { indentUnit } from '@codemirror/language'
import type { ChangeSpec, EditorState, Extension, StateCommand, TransactionSpec } from '@codemirror/state'
import { type EditorView, keymap } from '@codemirror/view'
import { elementAt } from './syntax.ts'

/** The labels of buttons and bars, in the language of the page. */
export type Labels = Readonly<Record<string, string>>

/** The keys of the text. `save` submits the form. Outside of lists, Tab leaves the text. */
export function textKeys(save: () => boolean): Extension {
  const inItem = (command: StateCommand): StateCommand => {
    return target => listMark(target.state) !== '' && command(target)
  }
  return [
    keymap.of([
      { key: 'Mod-b', run: bold },
      { key: 'Mod-i', run: italic },
      { key: 'Mod-k', run: link },
      { key: 'Mod-s', run: save, preventDefault: true },
      { key: 'Enter', run: breakParagraph },
      { key: 'Enter', run: insertNewlineContinueMarkupCommand({ nonTightLists: false }) },
      { key: 'Backspace', run: deleteMarkupBackward },
      { key: 'Tab', run: inItem(indentMore), shift: inItem(indentLess) },
    ]),
    indentUnit.compute(['doc', 'selection'], state => ' '.repeat(listMark(state).length || 2)),
  ]
}

/** The mark of the list item that begins on the line of the cursor, with a space; empty if there is none. */
function listMark({ doc, selection }: EditorState): string {
  return /^\s*((?:[-*+]|\d{1,9}[.)])[ \t])/.exec(doc.lineAt(selection.main.head).text)?.[1] ?? ''
}

/** Buttons with labels, which leave the focus in the text. */
export function toolbar(view: EditorView, labels: Labels): HTMLElement {
  const ariaLabel = labels.toolbar
  const bar = Object.assign(document.createElement('div'), { className: 'toolbar', role: 'group', ariaLabel })
  for (const [name, command] of Object.entries({ heading, bold, italic, link, list, quote })) {
    const press = () => {
      command(view)
      view.focus()
    }
    bar.append(button(labels[name], press))
  }
  bar.addEventListener('mousedown', event => event.preventDefault())
  return bar
}

/** A button that does not submit its form. */
export function button(textContent = '', press: () => void): HTMLButtonElement {
  const made = Object.assign(document.createElement('button'), { type: 'button', textContent })
  made.addEventListener('click', press)
  return made
}

const bold = wrap('StrongEmphasis', '**', '**')
const italic = wrap('Emphasis', '*', '*')
const link = wrap('Link', '[', '](https://)')

/** Removes the signs of the element around the cursor, or puts signs around the selection or the word at the cursor. */
function wrap(name: string, open: string, close: string): StateCommand {
  return ({ state, dispatch }) => {
    const { anchor, head, from: start } = state.selection.main
    const element = elementAt(state, start, new RegExp(`^${name}$`))
    // The signs of an element have one name: two `EmphasisMark`, or four `LinkMark`, of which the second ends the text of the
    // link, so that all from there on is removed.
    const [first, second] = element?.getChildren(`${element.firstChild?.name}`) ?? []
    const { from, to } = wordOrSelection(state)
    if (element && first && second) {
      const changes = [first, { from: second.from, to: element.to }].map(sign => ({ from: sign.from, to: sign.to }))
      return apply({ state, dispatch }, { changes })
    }
    const changes = [
      { from, insert: open },
      { from: to, insert: close },
    ]
    // `https://` in `](https://)`, so that an address replaces it.
    const address = { anchor: to + open.length + 2, head: to + open.length + close.length - 1 }
    const isLink = name === 'Link' && from < to
    const selection = isLink ? address : { anchor: anchor + open.length, head: head + open.length }
    return apply({ state, dispatch }, { changes, selection })
  }
}

/** The selection without blank space at its ends, or the word at the cursor. */
function wordOrSelection(state: EditorState): { from: number; to: number } {
  const { main } = state.selection
  const { from, to } = (main.empty && state.wordAt(main.head)) || main
  const text = state.sliceDoc(from, to)
  return text.trim() === '' ? { from, to } : { from: to - text.trimStart().length, to: from + text.trimEnd().length }
}

/** Applies a change as one of the person, which can be undone. Returns true, as a command that did something. */
function apply({ state, dispatch }: Parameters<StateCommand>[0], change: TransactionSpec): boolean {
  dispatch(state.update(change, { scrollIntoView: true, userEvent: 'input' }))
  return true
}

/**
 * A heading of the second level, of the third, or none, in turn. The position in the list is the number of signs that the
 * line has: without one it gets `## `, and `## ` becomes `### `.
 */
const heading = newStart(/^(?:(#{1,6})[ \t]*)?/, signs => ['## ', '', '### ', ''][signs.length] ?? '')
const list = newStart(/^(?:\s*([-*+]) )?/, sign => (sign === '' ? '- ' : ''))
const quote = newStart(/^(?:\s*(>) ?)?/, sign => (sign === '' ? '> ' : ''))

/**
 * Exchanges the start of each selected line: what `pattern` matches, with the sign as its group, for what the sign gives. The
 * lines of a paragraph, which look like one line, become one.
 */
function newStart(pattern: RegExp, insertFor: (sign: string) => string): StateCommand {
  return ({ state, dispatch }) => {
    const { doc, selection } = state
    const { from, to, empty } = selection.main
    const changes: ChangeSpec[] = []
    for (let at = from; at <= to; ) {
      const paragraph = elementAt(state, at, /^Paragraph$/) ?? elementAt(state, at, /^Paragraph$/, -1)
      const block = paragraph?.parent?.name === 'Document' ? paragraph : doc.lineAt(at)
      const text = state.sliceDoc(block.from, block.to)
      const [old = '', sign = ''] = pattern.exec(text) ?? []
      if (text !== '' || empty) changes.push({ from: block.from, to: block.from + old.length, insert: insertFor(sign) })
      for (const { index } of text.matchAll(/\n/g))
        changes.push({ from: block.from + index, to: block.from + index + 1, insert: ' ' })
      at = doc.lineAt(block.to).to + 1
    }
    const set = state.changes(changes)
    return apply({ state, dispatch }, { changes: set, selection: selection.map(set, 1) })
  }
}

/** Begins a new paragraph, also in a quotation: in Markdown, a single line break is a space. */
const breakParagraph: StateCommand = ({ state, dispatch }) => {
  const { from } = state.selection.main
  const line = state.doc.lineAt(from)
  const [start = ''] = /^[\s>]*/.exec(line.text) ?? []
  const block = elementAt(state, from, /^(?:Paragraph|\w+Heading\d)$/, -1)
  // In a list item or table without an indent, whose own command continues it.
  const isFirstOfItem = start === '' && block?.parent?.name !== 'Document'
  if (!block || isFirstOfItem || from - line.from < start.length || /^\s*[|<]/.test(line.text)) return false
  return apply({ state, dispatch }, state.replaceSelection(`\n${start.trimEnd()}\n${start}`))
}
