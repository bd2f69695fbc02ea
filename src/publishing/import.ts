import { type ContentChanges, contentChanges } from '../brand/content-changes.ts'
import type { Draft, Visibility } from '../brand/draft.ts'
import type { Finding } from '../brand/finding.ts'
import type { Hash, WorkspaceId } from '../brand/ids.ts'
import { freeze } from '../brand/snapshot.ts'
import { type BrandFolder, type ReadOptions, readBrandFolder } from '../intake/brand-folder.ts'
import { hashingSink } from '../intake/sink.ts'
import { findProject, listProjects } from '../store/catalogue.ts'
import type { Queries } from '../store/database.ts'
import { holdContents } from '../store/hold.ts'
import { putObjects } from '../store/objects.ts'
import { moveDraft, moveWorkspace } from '../store/pointers.ts'
import { readContent } from '../store/snapshots.ts'
import type { Store } from '../store/store.ts'
import { copying, isBeingCopied, undoAbandonedCopies } from './place.ts'
import { storeSink } from './store-sink.ts'

/** What an import did, as `housestyle import --json` prints it. */
export type ImportResult = { workspace: string | null; projects: ImportedProject[]; findings: Finding[] }

/** What an import did to one project. */
export type ImportedProject = ContentChanges & {
  project: string
  /** False where an error kept the draft as it was. */
  imported: boolean
  changed: boolean
  /** The draft's snapshot; null where there is none. */
  snapshot: string | null
}

/** How a folder is imported. */
export type ImportOptions = Omit<ReadOptions, 'sinkFor'> & {
  now: () => Date
  isDryRun: boolean
  /** Told where it has to wait for another command. */
  waiting?: (message: string) => void
  /** Given to every project, whatever its own file says. */
  visibility?: Visibility
}

/**
 * Imports a brand folder as drafts. All bytes are safely in the store before one transaction moves the pointers of all
 * projects that have no error, so that an import that is interrupted leaves everything as it was.
 */
export async function importFolder(store: Store, folder: string, options: ImportOptions): Promise<ImportResult> {
  if (options.isDryRun) return readInto(store, folder, options)
  const { signal, waiting } = options
  const hold = { wants: 'import', signal, ...(waiting && { waiting }) }
  return holdContents(store.locks, 'shared', hold, () => readInto(store, folder, options))
}

async function readInto(store: Store, folder: string, options: ImportOptions): Promise<ImportResult> {
  const sinks: { flush: () => Promise<void> }[] = []
  const sinkFor = (workspace: WorkspaceId) => {
    if (options.isDryRun) return hashingSink
    const sink = storeSink(store, workspace)
    sinks.push(sink)
    return sink
  }
  const read = await readBrandFolder(folder, { ...options, sinkFor })
  for (const sink of sinks) await sink.flush()
  const { workspace } = read
  if (!workspace) return { workspace: null, projects: [], findings: read.findings }
  options.signal.throwIfAborted()
  const missing = await missingProjects(store, workspace.id, read)
  await undoAbandonedCopies(store)
  const { projects, busy } = await moveDrafts(store, workspace, read, options)
  return { workspace: workspace.id, projects, findings: [...read.findings, ...missing, ...busy] }
}

type Workspace = { id: WorkspaceId; name: string }

/** Compares and moves in one transaction, so that what is told is what was done, whoever else imports or copies. */
async function moveDrafts(
  store: Store,
  workspace: Workspace,
  read: BrandFolder,
  { now, isDryRun, visibility }: ImportOptions,
): Promise<{ projects: ImportedProject[]; busy: Finding[] }> {
  const drafts = visibility ? read.drafts.map(draft => ({ ...draft, visibility })) : read.drafts
  const frozen = new Map(drafts.map(draft => [draft.project.toString(), { draft, ...freeze(draft) }]))
  const compareAll = async (queries: Queries) => {
    const busy = await takeBusy(queries, workspace.id, frozen)
    const projects: ImportedProject[] = []
    for (const project of read.projects)
      projects.push(await compare(queries, workspace.id, project, frozen.get(project)))
    return { projects, busy }
  }
  if (isDryRun || frozen.size === 0) return compareAll(store.database)
  return store.database.transaction(async queries => {
    const results = await compareAll(queries)
    await moveWorkspace(queries, workspace.id, workspace.name, now())
    for (const { draft, snapshot, objects } of frozen.values()) {
      await putObjects(queries, workspace.id, objects)
      await moveDraft(queries, workspace.id, draft, snapshot, now())
    }
    return results
  })
}

/** Takes out the projects that are being copied: their drafts stay as they were, and are not mixed with these. */
async function takeBusy(queries: Queries, workspace: WorkspaceId, frozen: Map<string, unknown>): Promise<Finding[]> {
  const busy: Finding[] = []
  for (const project of [...frozen.keys()]) {
    if (!(await isBeingCopied(queries, { workspace, project }))) continue
    frozen.delete(project)
    const message = `${copying({ workspace, project })}; its draft is as it was`
    busy.push({ severity: 'error', rule: 'project-copying', project, path: '.', line: null, message })
  }
  return busy
}

async function compare(
  queries: Queries,
  workspace: WorkspaceId,
  project: string,
  ready: { draft: Draft; snapshot: Hash } | undefined,
): Promise<ImportedProject> {
  const known = await findProject(queries, workspace, project)
  if (!ready) {
    const none = () => ({ added: [], changed: [], removed: [] })
    const changes = { pages: none(), styles: none(), files: none() }
    return { project, imported: false, changed: false, snapshot: known?.draft.snapshot ?? null, ...changes }
  }
  const { draft, snapshot } = ready
  const isSame = known?.draft.snapshot === snapshot
  const before = known && (isSame ? draft : await readContent(queries, workspace, known.draft.snapshot))
  const changed = !isSame || known.draft.visibility !== draft.visibility || known.draft.revisions !== draft.revisions
  return { project, imported: true, changed, snapshot, ...contentChanges(before, draft) }
}

async function missingProjects(store: Store, workspace: WorkspaceId, read: BrandFolder): Promise<Finding[]> {
  // A project whose own file cannot be read may be any of those that are known.
  const isUncertain = read.findings.some(
    ({ severity, project, path }) => severity === 'error' && (project === null || /(?:^|\/)project\.yaml$/.test(path)),
  )
  if (isUncertain) return []
  const present = new Set(read.projects)
  const missing = (await listProjects(store.database, workspace)).filter(({ project }) => !present.has(project))
  return missing.map(({ project }) => ({
    severity: 'warning',
    rule: 'project-missing',
    project,
    path: '.',
    line: null,
    message: `project ${project} of an earlier import is not in the folder any more and stays as it is: delete it with housestyle delete ${workspace}/${project} if it is no longer wanted`,
  }))
}
