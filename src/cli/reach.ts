import { checkReach, type Reach } from '../access/reach.ts'
import type { withStore } from '../compose/store.ts'
import { type Given, listOption } from './command.ts'
import { CommandFailure } from './failure.ts'

/** An open store, as commands get it. */
export type Store = Parameters<Parameters<typeof withStore>[1]>[0]

/** What `--scope` and `--project` say of a workspace; refused in words where there is no such thing. */
export async function reachOf(store: Store, workspace: string, given: Given): Promise<Reach> {
  const wanted = { workspace, scopes: listOption(given, 'scope'), projects: listOption(given, 'project') }
  const reach = await checkReach(store.database, wanted)
  if ('refused' in reach) throw new CommandFailure('not-found', reach.refused)
  return reach
}
