import type { LineStreams } from '../agents/mcp-stdio.ts'
import type { Reader } from '../agents/tools/reader.ts'
import { openCaches } from '../caches/caches.ts'
import { SCOPES } from '../contract/operations.ts'
import { openIndexer } from '../search/indexer.ts'
import { openIndexes } from '../search/indexes.ts'
import type { Addresses } from '../serving/addresses.ts'
import { openPointers } from '../serving/pointers/pointers.ts'
import { openPublications } from '../serving/publications/publications.ts'
import type { Store } from '../store/store.ts'

/**
 * Answers an agent on this machine over lines until its input ends: about all published projects of a workspace, also
 * private ones, because the agent's user can read the store. Publications during the session count from the next message.
 */
export async function answerLocalAgent(
  { database }: Store,
  { workspace, addresses }: { workspace: string; addresses: Addresses },
  streams: Omit<LineStreams, 'beforeMessage'>,
): Promise<void> {
  const caches = openCaches()
  const pointers = await openPointers(database, caches)
  let state = await pointers.workspace(workspace)
  const indexer = openIndexer(caches)
  const reader: Reader = {
    workspace,
    get workspaceName() {
      return state?.name ?? workspace
    },
    get projects() {
      return state?.published ?? []
    },
    scopes: new Set(SCOPES),
    isGuide: false,
    openPublication: openPublications(database, caches),
    addresses,
    index: openIndexes(caches, indexer.index),
    pages: caches.open('agent-pages'),
  }
  const beforeMessage = async () => {
    await pointers.refresh()
    state = await pointers.workspace(workspace)
  }
  try {
    const { answerLines } = await import('../agents/mcp-stdio.ts')
    await answerLines(reader, { ...streams, beforeMessage })
  } finally {
    await indexer.close()
  }
}
