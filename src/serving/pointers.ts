import { textOrder } from '../base/text.ts'
import {
  findWorkspace,
  listProjects,
  listWorkspaces,
  type ProjectRecord,
  type PublishedPointer,
} from '../store/catalogue/catalogue.ts'
import { changesSince, latestChange } from '../store/catalogue/changes.ts'
import type { Database } from '../store/database/database.ts'

/** A workspace and what is published of it at one moment: replaced as a whole, never changed. */
export type WorkspaceState = {
  id: string
  name: string
  /** The number of the change that this state follows; differs whenever anything else does. */
  version: number
  /** What is published, by name, then id. */
  published: readonly PublishedProject[]
  /** What of it everyone may see. */
  open: readonly PublishedProject[]
  /** What is published by id: looking a draft up takes as long as looking up what does not exist. */
  projects: ReadonlyMap<string, PublishedProject>
}

type PublishedProject = ProjectRecord & { published: PublishedPointer }

/** What every workspace and project points at now, in memory. */
export type Pointers = {
  workspace: (id: string) => WorkspaceState | undefined
  workspaces: () => Iterable<WorkspaceState>
  /** The number of the last change that all states follow; differs whenever one of them does. */
  version: () => number
  /** Reads what has changed since the last call: which workspaces, and whether keys, revocations or share links did. */
  refresh: () => Promise<{ workspaces: ReadonlySet<string>; access: boolean }>
}

/** Reads all pointers of a store. */
export async function openPointers(database: Database): Promise<Pointers> {
  let seen = await latestChange(database)
  const states = new Map<string, WorkspaceState>()
  const records = Map.groupBy(await listProjects(database), record => record.workspace.toString())
  for (const { id, name } of await listWorkspaces(database)) {
    states.set(id, workspaceState(id, name, seen, records.get(id) ?? []))
  }
  return {
    workspace: id => states.get(id),
    workspaces: () => states.values(),
    version: () => seen,
    refresh: async () => {
      const changes = await changesSince(database, seen)
      for (const id of changes.workspaces) {
        const workspace = await findWorkspace(database, id)
        if (!workspace) states.delete(id)
        else states.set(id, workspaceState(id, workspace.name, changes.upTo, await listProjects(database, id)))
      }
      seen = changes.upTo
      return { workspaces: changes.workspaces, access: changes.access }
    },
  }
}

function workspaceState(id: string, name: string, version: number, records: readonly ProjectRecord[]): WorkspaceState {
  const published = records
    .filter(isPublished)
    .sort((a, b) => textOrder(a.published.name, b.published.name) || textOrder(a.project, b.project))
  return {
    id,
    name,
    version,
    published,
    open: published.filter(record => record.published.visibility === 'public'),
    projects: new Map(published.map(record => [record.project.toString(), record])),
  }
}

function isPublished(record: ProjectRecord): record is PublishedProject {
  return record.published !== undefined
}
