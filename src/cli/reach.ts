import { type ScopeSelection, selectScopes } from '../access/client/scope-selection.ts'
import type { withStore } from '../compose/store.ts'
import { type Arguments, listOption } from './command.ts'
import { CommandFailure } from './failure.ts'

/** An open store, as commands get it. */
export type Store = Parameters<Parameters<typeof withStore>[1]>[0]

/** What `--scope` and `--project` say of a workspace; refused in words where there is no such thing. */
export async function scopesOf(store: Store, workspace: string, args: Arguments): Promise<ScopeSelection> {
  const wanted = { workspace, scopes: listOption(args, 'scope'), projects: listOption(args, 'project') }
  const selected = await selectScopes(store.database, wanted)
  if (!selected.ok) throw new CommandFailure('not-found', selected.problem)
  return selected.value
}
