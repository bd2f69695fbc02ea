import type { MaybePromise } from '../../base/promise.ts'
import { nextTurn, yieldIfDue } from '../../base/steps.ts'
import type { Caches } from '../../caches/caches.ts'
import { type KnownIds, knownIds } from '../../caches/known-ids.ts'
import { memoryOf } from '../../caches/memory.ts'
import { findProject, findPublishedAfter, isPublished, type PublishedProject } from '../../store/catalogue/catalogue.ts'
import {
  type ChangedWorkspace,
  type Changes,
  changesSince,
  latestChange,
  type Moves,
} from '../../store/catalogue/changes.ts'
import { hasOpenProject, listOpenWorkspaceIdsAfter } from '../../store/catalogue/open-projects.ts'
import type { Database, Queries } from '../../store/database/database.ts'
import { type Drafts, openDrafts } from './drafts.ts'
import { inNameOrder, insertByName, type WorkspaceState, workspaceState } from './workspace-state.ts'

/**
 * The current published revisions of workspaces and their projects. A workspace is read on first use and then kept in
 * memory.
 */
export type Pointers = {
  /**
   * A workspace; undefined if it does not exist. Call this only for a request that has proven access to the workspace:
   * the time of a read would reveal to others that it exists.
   */
  workspace: (id: string) => MaybePromise<WorkspaceState | undefined>
  /**
   * A workspace for any request, if it has a public project or had one since this process started. Undefined for any
   * other without reading it, so that the time does not reveal whether it exists.
   */
  openWorkspace: (id: string) => MaybePromise<WorkspaceState | undefined>
  /** Drafts of projects. Call `find` only for a request that has proven access to the draft, for the same reason. */
  drafts: Pick<Drafts, 'find' | 'inMemory'>
  /** A workspace, if it is in memory. */
  inMemory: (id: string) => WorkspaceState | undefined
  /** The number of the latest change that all states in memory include. */
  version: () => number
  /**
   * Reads the changes since the last call for the workspaces in memory; if the database was replaced, also those before
   * it, because new changes may have the numbers of lost ones.
   */
  refresh: (isReplaced?: boolean) => Promise<Refreshed>
  /** Whether the database lacks changes that were read from it: a backup was restored, or a late standby promoted. */
  isOutdated: () => Promise<boolean>
  /** Starts again with the current database, once its caches were cleared. */
  restart: () => Promise<void>
}

/** The changed workspaces, the number of moved projects, and whether keys, revocations or share links changed. */
type Refreshed = { workspaces: ReadonlySet<string>; access: boolean; moves: Moves }

/** A workspace in memory and its size in bytes. Without a state, the workspace does not exist. */
type Kept = { state: WorkspaceState | undefined; bytes: number }

/** Opens the pointers of a store. Initially, reads only the ids of workspaces with public projects. */
export async function openPointers(database: Database, caches: Caches): Promise<Pointers> {
  let version = await latestChange(database)
  let open = await readOpenIds(database)
  const kept = caches.open<Kept>('pointers')
  const drafts = openDrafts(database, caches)
  const read = (id: string) =>
    kept.make(id, async () => {
      const value = await readWorkspace(database, id, version)
      return { value, bytes: value.bytes }
    })
  const workspace: Pointers['workspace'] = id => {
    const known = kept.get(id)
    return known ? known.state : read(id).then(made => made?.state)
  }
  return {
    workspace,
    openWorkspace: id => (open.mayHave(id) ? workspace(id) : undefined),
    drafts,
    inMemory: id => kept.peek(id)?.state,
    version: () => version,
    refresh: async (isReplaced = false) => {
      const { changes, moved } = await readMoved(database, isReplaced ? version - MAX_LOST : version, kept.peek)
      const { workspaces, access, moves } = changes
      for (const id of workspaces.keys()) if (!open.mayHave(id) && (await hasOpenProject(database, id))) open.add(id)
      // A concurrent read may have started before the change.
      kept.drop(id => workspaces.has(id))
      drafts.drop(workspaces)
      for (const [id, value] of moved) kept.set(id, value, value.bytes)
      version = changes.upTo
      return { workspaces: new Set(workspaces.keys()), access, moves }
    },
    isOutdated: async () => (await latestChange(database)) < version,
    restart: async () => {
      const latest = await latestChange(database)
      open = await readOpenIds(database)
      version = latest
    },
  }
}

async function readOpenIds(database: Queries): Promise<KnownIds> {
  const ids = knownIds()
  for (let last = ''; ; await nextTurn()) {
    const read = await listOpenWorkspaceIdsAfter(database, last, ID_BATCH_SIZE)
    for (const id of read) ids.add(id)
    last = read.at(-1) ?? ''
    if (read.length < ID_BATCH_SIZE) return ids
  }
}

const ID_BATCH_SIZE = 2000
/** The number of changes that a replaced database may lack or have replaced. */
const MAX_LOST = 1000

type Moved = { changes: Changes; moved: ReadonlyMap<string, Kept> }

/**
 * Reads the moved pointers of the workspaces in memory in steps. If anything moves between two steps, reads everything
 * again, so that each workspace is consistent. After several attempts, reads each workspace in one step.
 */
async function readMoved(
  database: Database,
  since: number,
  known: (id: string) => Kept | undefined,
  triesLeft = TRIES,
): Promise<Moved> {
  const changes = await changesSince(database, since)
  const moved = new Map<string, Kept>()
  for (const [id, what] of changes.workspaces) {
    const before = known(id)
    if (before)
      moved.set(id, await reread(database, id, { before, what, since: changes.upTo, isInSteps: triesLeft > 0 }))
  }
  const hasMoved = triesLeft > 0 && moved.size > 0 && (await latestChange(database)) !== changes.upTo
  return hasMoved ? readMoved(database, since, known, triesLeft - 1) : { changes, moved }
}

const TRIES = 3

type Reread = { before: Kept; what: ChangedWorkspace; since: number; isInSteps: boolean }

/** Reads only the changed projects of a workspace if they are few, so that the cost does not depend on its size. */
async function reread(database: Queries, id: string, { before, what, since, isInSteps }: Reread): Promise<Kept> {
  const { state } = before
  if (!isInSteps) return (await readInPages(database, id, MAX_ROWS)).kept
  if (!state || what === 'all' || what.size > MAX_SINGLE) return readWorkspace(database, id, since)
  const published = state.published.filter(({ project }) => !what.has(project))
  let { bytes } = before
  for (const project of what) {
    const [old, record] = [state.projects.get(project), await findProject(database, id, project)]
    if (old) bytes -= bytesOf(old)
    if (!record || !isPublished(record)) continue
    insertByName(published, record)
    bytes += bytesOf(record)
  }
  return { state: workspaceState(id, state.name, published), bytes }
}

const MAX_SINGLE = 20

/**
 * Reads a workspace: a small one in one query, another in steps. If it changes meanwhile, reads it again; after several
 * attempts, in one step.
 */
async function readWorkspace(database: Queries, id: string, since: number, triesLeft = TRIES): Promise<Kept> {
  const { kept, pages } = await readInPages(database, id, triesLeft > 0 ? PROJECT_BATCH_SIZE : MAX_ROWS)
  if (pages === 1 || triesLeft === 0) return kept
  const { upTo, workspaces } = await changesSince(database, since)
  return workspaces.has(id) ? readWorkspace(database, id, upTo, triesLeft - 1) : kept
}

const PROJECT_BATCH_SIZE = 100
const MAX_ROWS = 2 ** 31 - 1

/** Reads a workspace page by page. Each page is consistent. */
async function readInPages(database: Queries, id: string, size: number): Promise<{ kept: Kept; pages: number }> {
  const published: PublishedProject[] = []
  let bytes = STATE_BYTES
  for (let [pages, last] = [1, '']; ; pages++, await yieldIfDue()) {
    const page = await findPublishedAfter(database, id, last, size)
    if (!page) return { kept: { state: undefined, bytes: 0 }, pages }
    for (const record of page.published) {
      published.push(record)
      bytes += bytesOf(record)
    }
    if (page.published.length < size) {
      const state = workspaceState(id, page.name, await inNameOrder(published))
      return { kept: { state, bytes }, pages }
    }
    last = page.published.at(-1)?.project ?? ''
  }
}

const STATE_BYTES = 500

/** The memory of a project and its entries in the lists and the map of its workspace. */
function bytesOf({ project, instance, draft, published }: PublishedProject): number {
  return PROJECT_BYTES + memoryOf(project) + memoryOf(instance) + memoryOf(draft.name) + memoryOf(published.name)
}

/** Everything except its strings of variable length. Counting each part took as long as reading the project. */
const PROJECT_BYTES = 1100
