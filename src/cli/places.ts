import { quote } from '../brand/quote.ts'
import type { Place } from '../publishing/place.ts'
import { hasWorkspace, projectStates } from '../publishing/status.ts'
import { CommandFailure } from './failure.ts'
import { parsePlace } from './place.ts'
import type { Store } from './reach.ts'

/** Reads what a command is to look at: all projects, those of a workspace, or one, as in `acme/guidelines`. */
export function parsePlaces(text: string | undefined): Partial<Place> {
  return text === undefined ? {} : text.includes('/') ? parsePlace(text) : { workspace: text }
}

/** Refuses in words where there is no such project or workspace. */
export async function checkPlaces(store: Store, { workspace, project }: Partial<Place>): Promise<void> {
  if (workspace === undefined) return
  if (project === undefined) {
    if (!(await hasWorkspace(store, workspace)))
      throw new CommandFailure('not-found', `there is no workspace ${quote(workspace)}`)
  } else if ((await projectStates(store, { workspace, project })).length === 0)
    throw new CommandFailure('not-found', `there is no project ${quote(`${workspace}/${project}`)}`)
}
