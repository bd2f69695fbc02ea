import type { DraftProject } from '../pointers/drafts.ts'
import type { WorkspaceState } from '../pointers/workspace-state.ts'
import { contentKey, filesKey, indexKey, pagesKey, replyKey, stateKey, workspaceKey } from '../replies/content-keys.ts'
import type { ServedRevisions } from './revisions.ts'

/** The cache keys of all served content of a workspace, and of these drafts in it. */
export async function servedKeys(
  state: WorkspaceState,
  revisions: ServedRevisions,
  drafts: readonly DraftProject[],
): Promise<ReadonlySet<string>> {
  const keys = new Set<string>()
  keys.add(workspaceKey(state))
  for (const record of [...state.published, ...drafts]) {
    const current = { record, published: record.published }
    keys.add(indexKey(current)).add(pagesKey(current, state.name)).add(filesKey(record, record.published.snapshot))
    const earlier = await revisions.all(record)
    if (earlier) keys.add(filesKey(record, earlier.name))
    for (const served of [current, ...(earlier?.served ?? [])])
      keys.add(contentKey(served)).add(replyKey(served)).add(stateKey(served))
  }
  return keys
}
