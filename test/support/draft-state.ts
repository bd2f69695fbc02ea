import assert from 'node:assert/strict'
import { type DraftState, draftState } from '#publishing/draft-state.ts'
import { findProject } from '#store/catalogue/catalogue.ts'
import { findWorkspaceFields } from '#store/catalogue/workspace-fields.ts'
import type { Store } from '#store/store.ts'

/** The draft of a project as a person sees it now. */
export async function seenDraft(
  { database }: Pick<Store, 'database'>,
  { workspace, project } = { workspace: 'acme', project: 'guide' },
): Promise<DraftState> {
  const record = (await findProject(database, workspace, project)) ?? assert.fail()
  return draftState(record, await findWorkspaceFields(database, workspace))
}
