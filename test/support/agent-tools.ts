import { after } from 'node:test'
import { SCOPES } from '#brand/contract/operations.ts'
import { callTool, type Reader } from '#delivery/agents/tools/tool.ts'
import { toolsOf } from '#delivery/agents/tools/tools.ts'
import { openIndexer, openIndexes } from '#delivery/search/indexer.ts'
import { ok, type Result } from '#platform/base/result.ts'
import { openCaches } from '#platform/caches/caches.ts'
import { createAddresses } from '#serving/addresses.ts'
import { openPointers } from '#serving/pointers/pointers.ts'
import { openPublications } from '#serving/publications/publications.ts'
import type { Store } from '#store/store.ts'

/** Calls a tool in this process: the structured content, or the problem. */
export type CallTool = (name: string, args?: object) => Promise<Result<object, string>>

/** The tools over all published projects of a workspace, with options that replace parts of the reader. */
export async function agentTools(
  { database, identity }: Store,
  workspace: string,
  options: Partial<Reader> = {},
): Promise<CallTool> {
  const caches = openCaches()
  const indexer = openIndexer(caches)
  after(() => indexer.close())
  const state = await (await openPointers(database, caches)).workspace(workspace)
  const reader: Reader = {
    workspace,
    workspaceName: state?.name ?? workspace,
    projects: state?.published ?? [],
    scopes: new Set(SCOPES),
    isGuide: false,
    openPublication: openPublications(database, caches),
    addresses: createAddresses('https://brand.test', identity.fileSecret),
    index: openIndexes(caches, indexer.index),
    pages: caches.open('agent-pages'),
    lint: async () => ok([]),
    weights: async () => undefined,
    paints: async () => undefined,
    ...options,
  }
  return async (name, given = {}) => {
    const tool = toolsOf(reader).find(each => each.name === name)
    if (!tool) throw new Error(`there is no tool ${name}`)
    const call = () => callTool(tool, reader, given)
    let result = await call()
    // On a busy machine, the first search of a project ends before its index is made.
    while (!options.index && !result.ok && /^The search index is not ready yet/.test(result.problem))
      result = await call()
    return result
  }
}
