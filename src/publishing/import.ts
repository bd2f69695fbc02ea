import { type ContentChanges, contentChanges } from '../brand/content-changes.ts'
import type { Draft, Visibility } from '../brand/draft.ts'
import type { Finding } from '../brand/finding.ts'
import type { Hash, WorkspaceId } from '../brand/ids.ts'
import { freeze } from '../brand/snapshot.ts'
import { type BrandFolder, noKeeper, type ReadOptions, readBrandFolder } from '../intake/brand-folder.ts'
import { findProject, listProjects } from '../store/catalogue.ts'
import type { Queries } from '../store/database.ts'
import { holdContents } from '../store/hold.ts'
import { putObjects } from '../store/objects.ts'
import { moveDraft, moveWorkspace } from '../store/pointers.ts'
import { readContent } from '../store/snapshots.ts'
import type { Store } from '../store/store.ts'
import { copying, isBeingCopied, undoAbandonedCopies } from './place.ts'
import { type StoreSeen, storeSeen } from './store-seen.ts'
import { type StoreSink, storeSink } from './store-sink.ts'

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
export type ImportOptions = Omit<ReadOptions, 'keeperFor'> & {
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
  const read = options.isDryRun
    ? await readBrandFolder(folder, { ...options, keeperFor: () => noKeeper })
    : await readAndKeep(store, folder, options)
  const { workspace } = read
  if (!workspace) return { workspace: null, projects: [], findings: read.findings }
  options.signal.throwIfAborted()
  const missing = await missingProjects(store, workspace.id, read)
  await undoAbandonedCopies(store)
  const { projects, busy } = await moveDrafts(store, workspace, read, options)
  return { workspace: workspace.id, projects, findings: [...read.findings, ...missing, ...busy] }
}

async function readAndKeep(store: Store, folder: string, options: ImportOptions): Promise<BrandFolder> {
  let keeper: { sink: StoreSink; seen: StoreSeen } | undefined
  const keeperFor = async (workspace: WorkspaceId) => {
    keeper = { sink: storeSink(store, workspace), seen: await storeSeen(store, workspace) }
    return keeper
  }
  try {
    const read = await readBrandFolder(folder, { ...options, keeperFor })
    await keeper?.sink.flush()
    await keeper?.seen.save()
    return read
  } finally {
    keeper?.sink.discard()
  }
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
  if (!ready)
    return { project, imported: false, changed: false, snapshot: known?.draft.snapshot ?? null, ...nothingChanged() }
  const { draft, snapshot } = ready
  if (known?.draft.snapshot === snapshot) {
    const changed = known.draft.visibility !== draft.visibility || known.draft.revisions !== draft.revisions
    return { project, imported: true, changed, snapshot, ...nothingChanged() }
  }
  const before = known && (await readContent(queries, workspace, known.draft.snapshot))
  return { project, imported: true, changed: true, snapshot, ...contentChanges(before, draft) }
}

function nothingChanged(): ContentChanges {
  const none = () => ({ added: [], changed: [], removed: [] })
  return { pages: none(), styles: none(), files: none() }
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
