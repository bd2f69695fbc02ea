import { sortInSteps, yieldIfDue } from '../../base/steps.ts'
import { listOpenAfter, listOpenWorkspaces, type OpenProject } from '../../store/catalogue/open-projects.ts'
import type { Queries } from '../../store/database/database.ts'
import { byName } from './workspace-state.ts'

/** What everyone may see, over all workspaces. It is read from the database, and has one order on every node. */
export type OpenProjects = {
  /**
   * The projects from one number up to another, counted from 0, by workspace, then name, then id; and how many there are in
   * all, which is unknown (0) beyond the last.
   */
  slice: (from: number, to: number) => Promise<{ total: number; workspaces: readonly OpenWorkspace[] }>
  /** All of them, by workspace, then id, in batches. */
  all: () => AsyncIterable<readonly OpenProject[]>
}

/** A workspace with some of its open projects. */
type OpenWorkspace = { id: string; name: string; projects: readonly OpenProject[] }

/** Reads them each time they are asked for: replies that are made of them are kept until something has moved. */
export function openProjects(database: Queries): OpenProjects {
  return {
    slice: async (from, to) => {
      const { total, workspaces } = await listOpenWorkspaces(database, from, to)
      const [first, last] = [workspaces.at(0)?.id ?? '', workspaces.at(-1)?.id ?? '']
      const projects: OpenProject[] = []
      for await (const batch of batches(database, first, last)) projects.push(...batch)
      const ofWorkspace = Map.groupBy(projects, ({ workspace }) => workspace)
      const slices: OpenWorkspace[] = []
      for (const { id, name, before } of workspaces) {
        const sorted = await sortInSteps(ofWorkspace.get(id) ?? [], byName)
        slices.push({ id, name, projects: sorted.slice(Math.max(0, from - before), Math.max(0, to - before)) })
      }
      return { total, workspaces: slices }
    },
    all: () => batches(database, '', AFTER_ALL_IDS),
  }
}

/** Ids are made of `a-z 0-9 -`. */
const AFTER_ALL_IDS = '~'

async function* batches(database: Queries, first: string, last: string): AsyncGenerator<readonly OpenProject[]> {
  for (let after = { workspace: first, project: '' }; ; await yieldIfDue()) {
    const batch = await listOpenAfter(database, after, last, AT_ONCE)
    yield batch
    const end = batch.at(-1)
    if (!end || batch.length < AT_ONCE) return
    after = end
  }
}

const AT_ONCE = 250
