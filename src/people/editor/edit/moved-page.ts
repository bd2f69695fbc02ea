import { EDITED_FILES } from '#brand/edit-link.ts'
import { decodeText } from '#platform/base/bytes.ts'
import type { FileChange } from '#publishing/git/edit/merge-files.ts'
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
