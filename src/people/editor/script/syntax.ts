import { markdownLanguage } from '@codemirror/lang-markdown'
import { syntaxTree } from '@codemirror/language'
import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state'
import type { SyntaxNode } from '@lezer/common'

/** The largest text, in characters, that is shown as readers see it. */
const MAX_LENGTH = 256 << 10

export function isLarge(text: string): boolean {
  return text.length > MAX_LENGTH
}

/** The syntax of a text; large texts have none, so that nothing of them is rendered in place. */
export function syntax(text: string): Extension {
  return isLarge(text) ? touched : [markdownLanguage, touched]
}

/** The innermost element around the character after a place, or before it, whose name matches. */
export function elementAt(state: EditorState, at: number, name: RegExp, side: 1 | -1 = 1): SyntaxNode | undefined {
  for (let node: SyntaxNode | null = syntaxTree(state).resolveInner(at, side); node; node = node.parent)
    if (name.test(node.name)) return node
  return undefined
}

/**
 * Draws the text again. While the pointer is pressed, the lines that are shown as written stay the same, so that nothing
 * moves under it; with the focus, this effect ends that.
 */
export const redraw = StateEffect.define<{ hasFocus: boolean }>()

type Lines = { from: number; to: number }

/** The lines with the cursor or the selection, which are shown as written; none before the first of either. */
const touched = StateField.define<Lines | undefined>({
  create: () => undefined,
  update: (lines, transaction) => {
    const { state, docChanged, selection } = transaction
    const drawn = transaction.effects.find(effect => effect.is(redraw))
    const isMoved = docChanged || (selection && !transaction.isUserEvent('select.pointer'))
    if (!isMoved && !drawn?.value.hasFocus) return lines
    const { from, to } = state.selection.main
    return { from: state.doc.lineAt(from).from, to: state.doc.lineAt(to).to }
  },
})

/** Whether a part of the text is on a line that is shown as written. */
export function isTouched(state: EditorState, from: number, to: number): boolean {
  const lines = state.field(touched)
  return lines !== undefined && lines.from <= to && lines.to >= from
}
