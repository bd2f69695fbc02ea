import { isHash } from '../../brand/ids.ts'
import { type Queries, textOf } from '../database/database.ts'
import type { Files } from '../files/files.ts'
import { isDamage } from '../store-error.ts'
import { addContents, type Contents } from './references.ts'

/** Whether a catalogue, of whatever version, refers to at least one of the files that are kept. */
export async function refersToAny(queries: Queries, files: Files): Promise<boolean> {
  const known = new Map<string, Contents>()
  for (const row of await queries.all(SNAPSHOTS)) {
    const [workspace, snapshot] = [textOf(row, 'workspace'), textOf(row, 'snapshot')]
    const contents = known.get(workspace) ?? { objects: new Set(), files: new Set() }
    known.set(workspace, contents)
    if (isHash(snapshot)) await addWhatIsThere(queries, workspace, snapshot, contents)
  }
  for await (const { workspace, hash } of files.listAll()) if (known.get(workspace)?.files.has(hash)) return true
  return false
}

/** Revisions that were freed may have lost their contents; their table says so only since its third version. */
const SNAPSHOTS =
  'SELECT workspace, draft_snapshot AS snapshot FROM project UNION SELECT workspace, snapshot FROM revision'

async function addWhatIsThere(...what: Parameters<typeof addContents>): Promise<void> {
  try {
    await addContents(...what)
  } catch (error) {
    if (isDamage(error)) throw error
  }
}
