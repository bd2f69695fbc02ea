import { type ProjectRef, placeText } from '#brand/ids.ts'
import type { MaybePromise } from '#platform/base/promise.ts'
import type { Caches } from '#platform/caches/caches.ts'
import { memoryOf } from '#platform/caches/memory.ts'
import {
  findProject,
  findPublished,
  listThemed,
  type ProjectRecord,
  type PublishedPointer,
  type PublishedProject,
} from '#store/catalogue/catalogue.ts'
import { type Changes, changesSince, latestChange, type Moves } from '#store/catalogue/changes.ts'
import { hasOpenProject, listOpenWorkspaceIds } from '#store/catalogue/open-projects.ts'
import { unlessDamaged } from '#store/database/damaged-row.ts'
import type { Database, Queries } from '#store/database/database.ts'
import { type WorkspaceState, workspaceState } from './workspace-state.ts'

/** The current published revisions. A workspace is read on first use and then kept in memory. */
export type Pointers = {
  /** Call this only for a request with proven access: the time of a read would reveal that a workspace exists. */
  workspace: (id: string) => MaybePromise<WorkspaceState | undefined>
  /** For any request; undefined without a read if the workspace has had no public project since the start. */
  openWorkspace: (id: string) => MaybePromise<WorkspaceState | undefined>
  /** Drafts of projects. Call `find` only for a request that has proven access to the draft, for the same reason. */
  drafts: Pick<Drafts, 'find' | 'inMemory'>
  /** Whether a workspace has a theme, which everyone may see. */
  isThemed: (id: string) => boolean
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
  const listed = await openListedIds(database)
  const states = openStates(database, caches)
  const drafts = openDrafts(database, caches)
  return {
    workspace: states.find,
    openWorkspace: id => (listed.isOpen(id) ? states.find(id) : undefined),
    drafts,
    isThemed: listed.isThemed,
    inMemory: states.inMemory,
    version: () => version,
    refresh: async (isReplaced = false) => {
      const since = isReplaced ? version - MAX_LOST : version
      const { upTo, workspaces, access, moves } = await changesSince(database, since)
      const changedIds = [...workspaces.keys()]
      const latest = await states.readAgain(changedIds)
      await listed.refresh(changedIds)
      // From here on, nothing waits, so requests find only the earlier states or only the latest ones.
      states.replace(workspaces, latest)
      drafts.drop(workspaces)
      version = upTo
      return { workspaces: new Set(changedIds), access, moves }
    },
    isOutdated: async () => (await latestChange(database)) < version,
    restart: async () => {
      const latest = await latestChange(database)
      await listed.restart()
      version = latest
    },
  }
}

function openStates(database: Database, caches: Caches) {
  const cached = caches.open<Kept>('pointers')
  const readAndCache = (id: string) =>
    cached.make(id, async () => {
      const value = await readWorkspace(database, id)
      return { value, bytes: value.bytes }
    })
  return {
    find: (id: string): MaybePromise<WorkspaceState | undefined> => {
      const inMemory = cached.get(id)
      return inMemory ? inMemory.state : readAndCache(id).then(read => read?.state)
    },
    inMemory: (id: string) => cached.peek(id)?.state,
    /** Reads those of the changed workspaces that are in memory. One with a damaged row is missing in the result. */
    readAgain: async (changedIds: readonly string[]): Promise<Map<string, Kept>> => {
      const latest = new Map<string, Kept>()
      for (const id of changedIds) {
        const value = cached.peek(id) && (await unlessDamaged(database, () => readWorkspace(database, id)))
        if (value) latest.set(id, value)
      }
      return latest
    },
    /** Drops every changed state first, so that a concurrent read that began before the change is not stored. */
    replace: (changed: Changes['workspaces'], latest: ReadonlyMap<string, Kept>) => {
      cached.drop(id => changed.has(id))
      for (const [id, value] of latest) cached.set(id, value, value.bytes)
    },
  }
}

/** The ids of the workspaces that have, or had since the start, a public project, and of those with a theme. */
async function openListedIds(database: Database) {
  const read = async () => ({
    open: new Set(await listOpenWorkspaceIds(database)),
    themed: new Set(await listThemed(database)),
  })
  let ids = await read()
  return {
    isOpen: (id: string) => ids.open.has(id),
    isThemed: (id: string) => ids.themed.has(id),
    refresh: async (changedIds: readonly string[]) => {
      if (changedIds.length === 0) return
      for (const id of changedIds) if (!ids.open.has(id) && (await hasOpenProject(database, id))) ids.open.add(id)
      ids.themed = new Set(await listThemed(database))
    },
    restart: async () => {
      ids = await read()
    },
  }
}

/** The number of changes that a replaced database may lack or have replaced. */
const MAX_LOST = 1000

/** Reads a workspace in one query, so that its projects are consistent. */
async function readWorkspace(database: Queries, id: string): Promise<Kept> {
  const workspace = await findPublished(database, id)
  if (!workspace) return { state: undefined, bytes: 0 }
  const state = workspaceState(id, workspace.name, workspace.published)
  return { state, bytes: state.sound.reduce((sum, record) => sum + bytesOf(record), STATE_BYTES) }
}

/** The memory of a state without its projects. */
const STATE_BYTES = 500

function bytesOf({ project, instance, draft, published }: PublishedProject): number {
  return PROJECT_BYTES + memoryOf(project) + memoryOf(instance) + memoryOf(draft.name) + memoryOf(published.name)
}

/** The memory of a project without its strings of variable length. Counting each part took as long as reading the project. */
const PROJECT_BYTES = 1100

/**
 * A project whose draft is served: `published` is the draft with the date of the last change to the project, and
 * `draftOf` is the project with its own published revision, if it has one. The draft is always private.
 */
export type DraftProject = ProjectRecord & { draftOf: ProjectRecord; published: PublishedPointer }

type Drafts = {
  find: (ref: ProjectRef) => MaybePromise<DraftProject | undefined>
  /** The drafts of a workspace that are in memory. */
  inMemory: (workspace: string) => DraftProject[]
  drop: (changed: Changes['workspaces']) => void
}

function openDrafts(database: Queries, caches: Caches): Drafts {
  const kept = caches.open<DraftProject>('drafts')
  return {
    find: ref => kept.get(placeText(ref)) ?? kept.make(placeText(ref), () => readDraft(database, ref)),
    inMemory: workspace => kept.values().filter(draft => draft.workspace === workspace),
    drop: changed =>
      kept.drop(key => {
        // A key is `acme/web`.
        const [workspace = '', project = ''] = key.split('/', 2)
        const projects = changed.get(workspace)
        return projects === 'all' || projects?.has(project) === true
      }),
  }
}

async function readDraft(
  database: Queries,
  { workspace, project }: ProjectRef,
): Promise<{ value: DraftProject; bytes: number } | undefined> {
  const record = await findProject(database, workspace, project)
  if (!record) return undefined
  const value = draftProject(record)
  return { value, bytes: memoryOf(value) }
}

/** A project as if its draft were served. */
export function draftProject(record: ProjectRecord): DraftProject {
  const { snapshot, name, facts } = record.draft
  const { published, updatedAt } = record
  const draft: PublishedPointer = {
    revision: published?.revision ?? 0,
    snapshot,
    name,
    publishedAt: updatedAt,
    visibility: 'private',
    revisions: 'private',
    facts,
  }
  return { ...record, published: draft, draftOf: record }
}
