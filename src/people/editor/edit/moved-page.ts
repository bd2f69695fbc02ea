import { type Document, isMap, isScalar, isSeq } from 'yaml'
import { EDITED_FILES } from '#brand/edit-link.ts'
import { decodeText } from '#platform/base/bytes.ts'
import type { FileChange } from '#publishing/git/edit/merge-files.ts'
import { changedText, openText } from '../source/edited-text.ts'
import { runTask, type Visit } from './context.ts'
import type { Target } from './target.ts'

/**
 * The change of the settings that follows a new id of a page: its place in the reading order, and the words that refer to it.
 * Links keep working by its alias. Settings that cannot be changed here stay.
 */
export async function changesOfMove(visit: Visit, { id: old }: Target, id: string): Promise<FileChange[]> {
  const path = EDITED_FILES.project
  const read = old === undefined || id === '' || id === old ? undefined : await visit.files.read(path)
  const before = read?.ok ? read.value : undefined
  const settings = before && decodeText(before)
  if (settings === undefined) return []
  const changed = await runTask(visit, 'rename', { settings, old: `${old}`, id })
  return changed && changed.text !== settings ? [{ path, before, after: Buffer.from(changed.text) }] : []
}

/** The settings of a guide, in which a page gets another id. */
export type RenamedPage = { settings: string; old: string; id: string }

/** Settings with the new id of a page; undefined if they cannot be changed. */
export function settingsOf({ settings, old, id }: RenamedPage): { text: string } | undefined {
  const changed = changedText('project', openText('project', settings), document => renamePage(document, old, id))
  return changed.ok ? { text: changed.value } : undefined
}

function renamePage(document: Document, old: string, id: string): void {
  const listed = itemsOf(document.get('pages'))
  const named = itemsOf(document.get('words')).map(word => (isMap(word) ? word.get('page', true) : undefined))
  for (const node of [...listed, ...named]) if (isScalar(node) && node.value === old) node.value = id
}

function itemsOf(node: unknown): readonly unknown[] {
  return isSeq(node) ? node.items : []
}
