import { type Document, isMap, isScalar, isSeq } from 'yaml'
import { EDITED_FILES } from '#brand/edit-link.ts'
import { decodeText } from '#platform/base/bytes.ts'
import type { FileChange } from '#publishing/git/edit/merge-files.ts'
import { changedText, openText } from '../source/edited-text.ts'
import type { Visit } from './context.ts'
import { partOf, textOf } from './form-parts.ts'
import type { Target } from './target.ts'

/**
 * The change of the settings that follows a new id of a page: its place in the reading order, and the words that refer to it.
 * Links keep working by its alias. Settings that cannot be changed here stay.
 */
export async function changesOfMove(visit: Visit, { kind, id: old }: Target, text: string): Promise<FileChange[]> {
  const id = kind === 'page' ? textOf(partOf({ name: 'id' }, openText('page', text).yaml?.root)) : ''
  const path = EDITED_FILES.project
  const read = id === '' || id === old ? undefined : await visit.files.read(path)
  const before = read?.ok ? read.value : undefined
  const settings = before && decodeText(before)
  if (settings === undefined) return []
  const changed = changedText('project', openText('project', settings), document => renamePage(document, old, id))
  return changed.ok && changed.value !== settings ? [{ path, before, after: Buffer.from(changed.value) }] : []
}

function renamePage(document: Document, old: string | undefined, id: string): void {
  const listed = itemsOf(document.get('pages'))
  const named = itemsOf(document.get('words')).map(word => (isMap(word) ? word.get('page', true) : undefined))
  for (const node of [...listed, ...named]) if (isScalar(node) && node.value === old) node.value = id
}

function itemsOf(node: unknown): readonly unknown[] {
  return isSeq(node) ? node.items : []
}
