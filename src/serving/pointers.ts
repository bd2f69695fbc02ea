import { nextTurn } from '../base/steps.ts'
import { textOrder } from '../base/text.ts'
import {
  findWorkspace,
  listProjects,
  listProjectsAfter,
  listWorkspaces,
  type ProjectRecord,
  type PublishedPointer,
} from '../store/catalogue/catalogue.ts'
import { type Changes, changesSince, latestChange } from '../store/catalogue/changes.ts'
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
  /** By id, so that every process lists them in one order. */
  workspaces: () => Iterable<WorkspaceState>
  /** The number of the last change that all states follow; differs whenever one of them does. */
  version: () => number
  /** Reads what has changed since the last call. */
  refresh: () => Promise<Refreshed>
}

/** Which workspaces have changed, how many projects moved, and whether keys, revocations or share links did. */
type Refreshed = { workspaces: ReadonlySet<string>; access: boolean; moves: Moves }

/** How many projects were published at a revision, and how many are published no longer. */
export type Moves = { published: number; unpublished: number }

/** Reads all pointers of a store. */
export async function openPointers(database: Database): Promise<Pointers> {
  let version = await latestChange(database)
  let states = new Map<string, WorkspaceState>()
  const records = Map.groupBy(await listProjects(database), record => record.workspace.toString())
  for (const { id, name } of await listWorkspaces(database)) {
    states.set(id, workspaceState(id, name, version, records.get(id) ?? []))
  }
  return {
    workspace: id => states.get(id),
    workspaces: () => states.values(),
    version: () => version,
    refresh: async () => {
      const { changes, moved } = await readMoved(database, version)
      const hasNew = [...moved.keys()].some(id => !states.has(id))
      const moves: Moves = { published: 0, unpublished: 0 }
      for (const [id, state] of moved) {
        countMoves(moves, states.get(id)?.projects ?? new Map(), state?.projects ?? new Map())
        if (state) states.set(id, state)
        else states.delete(id)
      }
      if (hasNew) states = new Map([...states].sort(([a], [b]) => textOrder(a, b)))
      version = changes.upTo
      return { workspaces: changes.workspaces, access: changes.access, moves }
    },
  }
}

function countMoves(moves: Moves, before: WorkspaceState['projects'], now: WorkspaceState['projects']): void {
  for (const [id, { published }] of now)
    if (before.get(id)?.published.revision !== published.revision) moves.published++
  for (const id of before.keys()) if (!now.has(id)) moves.unpublished++
}

type Moved = { changes: Changes; moved: ReadonlyMap<string, WorkspaceState | undefined> }

/**
 * Reads the workspaces that have moved, in steps, between which anything may move: then all are read again, so that
 * each is as it was at one moment. If that goes on, each is read in one step.
 */
async function readMoved(database: Database, since: number, triesLeft = TRIES): Promise<Moved> {
  const changes = await changesSince(database, since)
  const moved = new Map<string, WorkspaceState | undefined>()
  for (const id of changes.workspaces) {
    const workspace = await findWorkspace(database, id)
    const records = workspace ? await readProjects(database, id, triesLeft > 0 ? PROJECTS_AT_ONCE : MAX_ROWS) : []
    moved.set(id, workspace && workspaceState(id, workspace.name, changes.upTo, records))
  }
  const hasMoved = triesLeft > 0 && (await latestChange(database)) !== changes.upTo
  return hasMoved ? readMoved(database, since, triesLeft - 1) : { changes, moved }
}

const TRIES = 3
const PROJECTS_AT_ONCE = 100
const MAX_ROWS = 2 ** 31 - 1

async function readProjects(database: Database, workspace: string, atOnce: number): Promise<ProjectRecord[]> {
  const records: ProjectRecord[] = []
  for (;;) {
    const read = await listProjectsAfter(database, workspace, records.at(-1)?.project ?? '', atOnce)
    for (const record of read) records.push(record)
    if (read.length < atOnce) return records
    await nextTurn()
  }
}

function workspaceState(id: string, name: string, version: number, records: readonly ProjectRecord[]): WorkspaceState {
  const published = records
    .filter(isPublished)
    .sort((a, b) => NAME_ORDER.compare(a.published.name, b.published.name) || textOrder(a.project, b.project))
  return {
    id,
    name,
    version,
    published,
    open: published.filter(record => record.published.visibility === 'public'),
    projects: new Map(published.map(record => [record.project.toString(), record])),
  }
}

/** As people sort: 2 before 10, and letters whatever their case and accents. */
const NAME_ORDER = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

function isPublished(record: ProjectRecord): record is PublishedProject {
  return record.published !== undefined
}
