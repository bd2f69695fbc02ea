import { setImmediate as nextTurn } from 'node:timers/promises'
import { listOpenAfter, listOpenWorkspaces, type OpenProject } from '#store/catalogue/open-projects.ts'
import type { Queries } from '#store/database/database.ts'
import { byName } from './workspace-state.ts'

/** The public projects of all workspaces, read from the database. Their order is the same on every node. */
export type OpenProjects = {
  /** The first `max` projects, by workspace, then name, then id, and the total number. */
  first: (max: number) => Promise<{ total: number; workspaces: readonly OpenWorkspace[] }>
  /** All public projects, by workspace, then id, in batches. */
  all: () => AsyncIterable<readonly OpenProject[]>
}

type OpenWorkspace = { id: string; name: string; projects: readonly OpenProject[] }

/** Reads the public projects on each call. Replies that contain them are cached until something changes. */
export function openProjects(database: Queries): OpenProjects {
  return {
    first: async max => {
      const { total, workspaces } = await listOpenWorkspaces(database, max)
      const ids = workspaces.map(({ id }) => id)
      const firstId = ids.at(0) ?? ''
      const lastId = ids.at(-1) ?? ''
      const projects = (await Array.fromAsync(batches(database, firstId, lastId))).flat()
      const byWorkspace = Map.groupBy(projects, ({ workspace }) => workspace)
      const cutLists = workspaces.map(({ id, name, before }) => {
        // `before` is the number of public projects in the workspaces before this one.
        const sorted = (byWorkspace.get(id) ?? []).sort(byName)
        return { id, name, projects: sorted.slice(0, Math.max(0, max - before)) }
      })
      return { total, workspaces: cutLists }
    },
    all: () => batches(database, '', AFTER_ALL_IDS),
  }
}

/** Sorts after all ids, which contain only `a-z 0-9 -`. */
const AFTER_ALL_IDS = '~'

/** The public projects of the workspaces from `first` to `last`, by workspace, then id. */
async function* batches(database: Queries, first: string, last: string): AsyncGenerator<readonly OpenProject[]> {
  let after = { workspace: first, project: '' }
  while (true) {
    const batch = await listOpenAfter(database, after, last, BATCH_SIZE)
    yield batch
    const lastProject = batch.at(-1)
    if (!lastProject || batch.length < BATCH_SIZE) return
    after = lastProject
    await nextTurn()
  }
}

const BATCH_SIZE = 250
