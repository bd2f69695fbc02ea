import { type EditorState, type Extension, StateEffect, StateField, type Transaction } from '@codemirror/state'
import { type ChangedRange, Tree, TreeFragment } from '@lezer/common'
import { parser, Strikethrough, Table, TaskList } from '@lezer/markdown'

/** The largest text, in characters, that is shown as readers see it. */
const MAX_LENGTH = 256 << 10

export const markdown = parser.configure([Table, TaskList, Strikethrough])

/** The syntax tree of the text; empty if the text is too large. */
export function syntaxOf(state: EditorState): Tree {
  return state.field(parsed).tree
}

type Parsed = { tree: Tree; fragments: readonly TreeFragment[] }

const parsed = StateField.define<Parsed>({
  create: state => parse(state, []),
  update: (before, transaction) =>
    transaction.docChanged
      ? parse(transaction.state, TreeFragment.applyChanges(before.fragments, changedRanges(transaction)))
      : before,
})

function parse({ doc }: EditorState, fragments: readonly TreeFragment[]): Parsed {
  if (doc.length > MAX_LENGTH) return { tree: Tree.empty, fragments: [] }
  const tree = markdown.parse(doc.toString(), fragments)
  return { tree, fragments: TreeFragment.addTree(tree, fragments) }
}

function changedRanges({ changes }: Transaction): ChangedRange[] {
  const ranges: ChangedRange[] = []
  changes.iterChangedRanges((fromA, toA, fromB, toB) => ranges.push({ fromA, toA, fromB, toB }))
  return ranges
}

/** Ends a press of the pointer: lines move only now, so that they stay under the pointer while it selects. */
export const settle = StateEffect.define<null>()

/** Whether a part of the text is on a line with the cursor or the selection, which is shown as written. */
export function isTouched(state: EditorState, from: number, to: number): boolean {
  return state.field(touched).some(span => span.from <= to && span.to >= from)
}

/** The lines with the cursor or the selection; none before the first of either. */
export const touched = StateField.define<readonly { from: number; to: number }[]>({
  create: () => [],
  update: (spans, transaction) => {
    const { state, docChanged, selection, effects } = transaction
    const isChanged = docChanged || selection !== undefined || effects.some(effect => effect.is(settle))
    if (!isChanged || transaction.isUserEvent('select.pointer')) return spans
    return state.selection.ranges.map(({ from, to }) => ({
      from: state.doc.lineAt(from).from,
      to: state.doc.lineAt(to).to,
    }))
  },
})

export const syntax: Extension = [parsed, touched]
