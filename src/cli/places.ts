import { quote } from '../base/text.ts'
import type { ProjectRef } from '../publishing/project-ref.ts'
import { hasWorkspace, projectStates } from '../publishing/status.ts'
import { CommandFailure } from './failure.ts'
import { parseProjectRef } from './place.ts'
import type { Store } from './reach.ts'

/** Reads what a command is to look at: all projects, those of a workspace, or one, as in `acme/guidelines`. */
export function parseSelection(text: string | undefined): Partial<ProjectRef> {
  return text === undefined ? {} : text.includes('/') ? parseProjectRef(text) : { workspace: text }
}

/** Refuses in words where there is no such project or workspace. */
export async function checkSelection(store: Store, { workspace, project }: Partial<ProjectRef>): Promise<void> {
  if (workspace === undefined) return
  if (project === undefined) {
    if (!(await hasWorkspace(store, workspace)))
      throw new CommandFailure('workspace_unknown', `there is no workspace ${quote(workspace)}`)
  } else if ((await projectStates(store, { workspace, project })).length === 0)
    throw new CommandFailure('project_unknown', `there is no project ${quote(`${workspace}/${project}`)}`)
}
