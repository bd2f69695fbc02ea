import { type Document, isMap, isScalar, isSeq } from 'yaml'
import { changedText, openText } from '../source/edited-text.ts'

/** The settings of a guide, in which a page gets another id. */
export type RenamedPage = { settings: string; old: string; id: string }

/** Settings with the new id of a page; undefined if they cannot be changed. */
export function settingsOf({ settings, old, id }: RenamedPage): { text: string } | undefined {
  const changed = changedText('project', openText('project', settings), document => renamePage(document, old, id))
  return changed.ok ? { text: changed.value } : undefined
}

/** Changes the id in the reading order (`pages`), and in the words to avoid, which may name a page (`words`). */
function renamePage(document: Document, old: string, id: string): void {
  const orderIds = itemsOf(document.get('pages'))
  const wordIds = itemsOf(document.get('words')).map(word => (isMap(word) ? word.get('page', true) : undefined))
  for (const node of [...orderIds, ...wordIds]) if (isScalar(node) && node.value === old) node.value = id
}

/** The items of a list; none of any other value. */
function itemsOf(node: unknown): readonly unknown[] {
  return isSeq(node) ? node.items : []
}
