import { type ScopeSelection, selectScopes } from '../../../access/client/scope-selection.ts'
import { type Arguments, listOption, type Store } from '../../command.ts'
import { CommandFailure } from '../../failure.ts'

/** The scopes and projects of a workspace that `--scope` and `--project` select. Fails if one does not exist. */
export async function selectedScopes(store: Store, workspace: string, args: Arguments): Promise<ScopeSelection> {
  const wanted = { workspace, scopes: listOption(args, 'scope'), projects: listOption(args, 'project') }
  const selection = await selectScopes(store.database, wanted)
  if (!selection.ok) throw new CommandFailure('not_found', selection.problem)
  return selection.value
}
