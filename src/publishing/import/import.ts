import { type ContentChanges, contentChanges, type PageHashes, pageHashes } from '#brand/content-changes.ts'
import type { Draft, Visibility } from '#brand/draft.ts'
import { type BrandFile, dayOf } from '#brand/file.ts'
import type { Finding } from '#brand/finding.ts'
import type { Hash, ProjectRef, WorkspaceId } from '#brand/ids.ts'
import { FACTS_VERSION } from '#brand/pictures/picture-facts.ts'
import { freeze, type ReadObject } from '#brand/snapshot.ts'
import { type BrandFolder, readBrandFolder } from '#intake/brand-folder.ts'
import { type ImportTarget, noTarget, type ReadOptions } from '#intake/reading.ts'
import { OperationalError } from '#platform/base/error.ts'
import { pick } from '#platform/base/object.ts'
import { quote } from '#platform/base/text.ts'
import { addMail, removeMail } from '#store/access/mail.ts'
import { findProject, findWorkspace, listSoundProjects, type ProjectRecord } from '#store/catalogue/catalogue.ts'
import { saveDraftFindings } from '#store/catalogue/draft-findings.ts'
import { saveEditLinks } from '#store/catalogue/edit-links.ts'
import { getObject } from '#store/catalogue/objects.ts'
import { saveDraft, saveUntranslated, saveWorkspace } from '#store/catalogue/pointers.ts'
import { addAuthors, saveReviewers } from '#store/catalogue/reviews.ts'
import { clearIncoming, withContentLock } from '#store/content-lock.ts'
import type { Queries } from '#store/database/database.ts'
import type { Lock } from '#store/database/locks.ts'
import type { Store } from '#store/store.ts'
import { undoAbandonedCopies } from '../abandoned-copies.ts'
import { type Feeding, foreignProjects, mayHideProjects, recordFilled } from '../feeders.ts'
import { type EndedPlans, endPlans } from '../plan.ts'
import { copyingMessage, isBeingCopied } from '../project-ref.ts'
import { withOriginal } from '../translations.ts'
import { type StoreReadCache, type StoreWriter, storeReadCache, storeWriter } from './content-store.ts'
import { measurePictures, withPictures } from './measure-pictures.ts'

/** As `housestyle import --json` prints it; `workspace` is null if the workspace itself has an error. */
export type ImportResult = { workspace: string | null; projects: ImportedProject[]; findings: Finding[] } & EndedPlans

export type ImportedProject = ContentChanges & {
  project: string
  /** False if an error prevented the import; then the draft is unchanged. */
  imported: boolean
  changed: boolean
  /** The draft's snapshot; null if there is none. */
  snapshot: string | null
}

export type ImportOptions = Omit<ReadOptions, 'targetFor' | 'today'> &
  Feeding & {
    now: () => Date
    isDryRun: boolean
    /** Called if the import has to wait for another command. */
    waiting?: (message: string) => void
    /** The visibility of every project; overrides `project.yaml`. */
    visibility?: Visibility
    /** A note for the publication of the drafts. */
    note?: string
    /** The address for edit links if the folder leaves it to its repository. */
    derivedEdit?: string
    /** The addresses of the people who have made the changes, if known. */
    authors?: readonly string[]
    /** The id of the only workspace that this import may write to. */
    workspace?: string
  }

/**
 * Imports a brand folder as drafts. All bytes are safely in the store before one transaction moves the draft pointers
 * of the projects without errors, so an interrupted import changes no draft.
 *
 * @throws {OperationalError} `workspace_other` if the options do not allow the folder's workspace.
 */
export async function importFolder(store: Store, folder: string, options: ImportOptions): Promise<ImportResult> {
  if (options.isDryRun) return runImport(store, folder, { ...options, assertHeld: () => undefined })
  await clearIncoming(store)
  return withContentLock(store.locks, 'shared', { ...options, command: 'import' }, ({ assertHeld }) =>
    runImport(store, folder, { ...options, assertHeld }),
  )
}

async function runImport(store: Store, folder: string, options: LockedOptions): Promise<ImportResult> {
  const frozen = await readFrozen(store, folder, options)
  const { findings, workspace } = frozen.read
  if (!workspace) return { workspace: null, projects: [], findings }
  options.signal.throwIfAborted()
  const missing = await missingProjects(store, workspace.id, frozen.read, options)
  const newWorkspace = await newWorkspaceFindings(store, workspace.id, frozen)
  await undoAbandonedCopies(store)
  const { excluded, ...saved } = await saveDrafts(store, workspace, frozen, options)
  return { workspace: workspace.id, ...saved, findings: [...findings, ...missing, ...newWorkspace, ...excluded] }
}

type LockedOptions = ImportOptions & Pick<Lock, 'assertHeld'>

/** The contents of a brand folder. `unstored` has the objects that a dry run does not store. */
type FrozenFolder = { read: BrandFolder; drafts: FrozenDraft[]; unstored?: Map<Hash, Uint8Array> }

/** The fields of a draft that are stored in addition to its snapshot. */
const KEPT = [
  'project',
  'name',
  'visibility',
  'revisions',
  'source',
  'reviewers',
  'translation',
  'untranslated',
] as const

/** A draft whose content is in a snapshot. `facts` is the version of its picture measurements. */
type FrozenDraft = Pick<Draft, (typeof KEPT)[number]> & { snapshot: Hash; facts: number }

/**
 * Reads a brand folder, and freezes the drafts of its projects without errors to snapshots. Stores all content before it
 * returns. A dry run stores nothing, and keeps only the objects of snapshots in memory, which it compares.
 */
async function readFrozen(store: Store, folder: string, options: ImportOptions): Promise<FrozenFolder> {
  const drafts: FrozenDraft[] = []
  const unstored = options.isDryRun ? new Map<Hash, Uint8Array>() : undefined
  const pictures = new Map<Hash, BrandFile>()
  /** Set as soon as the workspace is known, but not in a dry run. */
  let stored: { writer: StoreWriter; readCache: StoreReadCache } | undefined
  const targetFor = async (workspace: WorkspaceId): Promise<ImportTarget> => {
    assertAllowed(workspace, options)
    if (!unstored) stored = { writer: storeWriter(store, workspace), readCache: await storeReadCache(store, workspace) }
    const keepObject = stored?.writer.object ?? (({ hash, bytes }) => void unstored?.set(hash, bytes))
    // Called for each project without errors.
    const keepDraft = async (draft: Draft) => {
      const snapshot = await freeze({ ...draft, pages: withPictures(draft, pictures) }, keepObject)
      drafts.push({ ...pick(draft, KEPT), snapshot, facts: FACTS_VERSION })
    }
    return { ...noTarget, ...stored, draft: keepDraft }
  }
  try {
    const read = await readBrandFolder(folder, { ...options, today: dayOf(options.now()), targetFor })
    await stored?.writer.flush()
    await stored?.readCache.save()
    if (stored && read.workspace) await measurePictures(store, read.workspace.id, pictures, options)
    return { read, drafts, ...(unstored && { unstored }) }
  } finally {
    stored?.writer.discard() // Removes only files that were not flushed.
  }
}

/** Call before anything from the folder is stored. */
function assertAllowed(id: WorkspaceId, { workspace }: ImportOptions): void {
  if (workspace === undefined || workspace === id) return
  const problem = `its workspace is ${quote(id)}, and --workspace allows only ${quote(workspace)}`
  const fix = `import the folder of ${quote(workspace)}, or correct id: in workspace.yaml`
  throw new OperationalError('workspace_other', `cannot import this folder: ${problem}; ${fix}`)
}

/** The projects of a folder as the import reports them, and errors about the projects that it must not fill. */
type Results = { projects: ImportedProject[]; excluded: Finding[] }

/**
 * Compares and saves in one transaction, so that the result is correct even if another process imports or copies. A dry
 * run only compares.
 */
async function saveDrafts(
  store: Store,
  workspace: NonNullable<BrandFolder['workspace']>,
  frozen: FrozenFolder,
  options: LockedOptions,
): Promise<EndedPlans & Results> {
  const { now, isDryRun, assertHeld } = options
  if (isDryRun) return (await compareAll(store.database, workspace.id, frozen, options)).results
  return store.database.transaction(async queries => {
    const { ready, results } = await compareAll(queries, workspace.id, frozen, options)
    await assertHeld()
    await recordPeople(queries, workspace.id, results, frozen.read, options)
    if (ready.length === 0) return results
    await saveWorkspace(queries, workspace, now())
    for (const draft of ready) await saveReady(queries, workspace.id, draft, frozen.read, options)
    const filled = ready.map(({ project }) => ({ workspace: workspace.id, project }))
    await recordFilled(queries, options, filled)
    return { ...results, ...(await endPlans(queries, workspace.id, now())) }
  })
}

/**
 * Compares all projects with their drafts in the store. `ready` are the new drafts that may be saved: without those of
 * excluded projects, and translations with what their original has published.
 */
async function compareAll(
  queries: Queries,
  workspace: WorkspaceId,
  { read, drafts, unstored }: FrozenFolder,
  { visibility, ...feeding }: Feeding & Pick<ImportOptions, 'visibility'>,
): Promise<{ ready: FrozenDraft[]; results: Results }> {
  const excluded = await excludedProjects(queries, workspace, drafts, feeding)
  const excludedIds = new Set(excluded.map(({ project }) => project))
  const ready = new Map<string, FrozenDraft>()
  for (const draft of drafts.filter(({ project }) => !excludedIds.has(project))) {
    const { project, translation, snapshot: ownSnapshot } = draft
    const snapshot = translation ? await withOriginal(queries, workspace, ownSnapshot, unstored) : ownSnapshot
    ready.set(project, { ...draft, snapshot, ...(visibility && { visibility }) })
  }
  const readObject = (hash: Hash) => unstored?.get(hash) ?? getObject(queries, workspace, hash)
  const projects: ImportedProject[] = []
  for (const project of read.projects)
    projects.push(await compare(queries, workspace, project, ready.get(project), readObject))
  return { ready: [...ready.values()], results: { projects, excluded } }
}

/** Tells people about each project, and keeps the authors of its changes. */
async function recordPeople(
  queries: Queries,
  workspace: WorkspaceId,
  { projects, excluded }: Results,
  read: BrandFolder,
  { now, authors = [] }: ImportOptions,
): Promise<void> {
  for (const project of projects) await mailAbout(queries, { workspace, ...project }, read, now())
  const excludedIds = new Set(excluded.map(({ project }) => project))
  // A project with an error has their changes, too, once it is corrected.
  const hasError = ({ project, imported }: ImportedProject) => !imported && !excludedIds.has(project)
  for (const project of projects.filter(project => project.changed || hasError(project)))
    await addAuthors(queries, { workspace, ...project }, authors)
}

/** Moves the draft pointer of a project, and saves what belongs to the draft. */
async function saveReady(
  queries: Queries,
  workspace: WorkspaceId,
  draft: FrozenDraft,
  { edit, findings }: BrandFolder,
  { now, note, authors = [], derivedEdit }: ImportOptions,
): Promise<void> {
  const ref = { workspace, project: draft.project }
  await saveDraft(queries, workspace, { ...draft, note, authors }, draft.snapshot, now())
  await saveUntranslated(queries, workspace, draft)
  await saveReviewers(queries, ref, draft.reviewers)
  await saveEditLinks(queries, ref, edit === true ? derivedEdit : edit, draft.source)
  await saveDraftFindings(queries, ref, findings)
}

/** Tells the people who asked for mail that a draft may wait, or why the draft of a known project is not imported. */
async function mailAbout(
  queries: Queries,
  { imported, changed, snapshot, ...ref }: ProjectRef & Pick<ImportedProject, 'imported' | 'changed' | 'snapshot'>,
  { findings }: BrandFolder,
  now: Date,
): Promise<void> {
  if (imported) await removeMail(queries, 'failed', ref)
  if (imported && changed) await addMail(queries, 'draft', ref, { now })
  const error = findings.find(({ severity, project }) => severity === 'error' && project === ref.project)
  if (imported || snapshot === null || !error) return
  const { path, line, message } = error
  await addMail(queries, 'failed', ref, { now, reason: `${path}:${line ?? 1} ${message}`.slice(0, MAX_REASON) })
}

/** Characters. */
const MAX_REASON = 1000

/** An error for each project that the import must not fill: another source has filled it, or it is being copied. */
async function excludedProjects(
  queries: Queries,
  workspace: WorkspaceId,
  drafts: readonly FrozenDraft[],
  feeding: Feeding,
): Promise<Finding[]> {
  const foreign = await foreignProjects(queries, feeding)
  const excluded: Finding[] = []
  for (const { project } of drafts) {
    const ref = { workspace, project }
    const taken = (await findProject(queries, workspace, project)) && foreign.problem(ref)
    if (taken === undefined && !(await isBeingCopied(queries, ref))) continue
    const rule = taken === undefined ? 'project-copying' : 'project-taken'
    const message = taken ?? `${copyingMessage(ref)}; its draft is unchanged`
    excluded.push({ severity: 'error', rule, project, path: '.', line: null, message })
  }
  return excluded
}

/** Compares the new draft of a project with its draft in the store. Without a new one, the stored draft stays. */
async function compare(
  queries: Queries,
  workspace: WorkspaceId,
  project: string,
  draft: FrozenDraft | undefined,
  readObject: ReadObject,
): Promise<ImportedProject> {
  const before = (await findProject(queries, workspace, project))?.draft
  if (!draft)
    return { project, imported: false, changed: false, snapshot: before?.snapshot ?? null, ...nothingChanged() }
  const { snapshot, visibility, revisions } = draft
  const isSame = before?.snapshot === snapshot
  const changed = !isSame || before.visibility !== visibility || before.revisions !== revisions
  const changes = isSame ? nothingChanged() : await contentChanges(before?.snapshot, snapshot, readObject)
  return { project, imported: true, changed, snapshot, ...changes }
}

function nothingChanged(): ContentChanges {
  const none = () => ({ added: [], changed: [], removed: [] })
  return { pages: none(), styles: none(), files: none() }
}

/** Warns about projects of earlier imports that are no longer in the folder; not if errors may hide them. */
async function missingProjects(
  { database }: Store,
  workspace: WorkspaceId,
  read: BrandFolder,
  feeding: Feeding,
): Promise<Finding[]> {
  if (mayHideProjects(read.findings)) return []
  const { isOwn } = await foreignProjects(database, feeding)
  const inFolder = new Set(read.projects)
  const missing = (await listSoundProjects(database, workspace)).filter(
    record => !inFolder.has(record.project) && isOwn(record),
  )
  return missing.map(({ project }) => ({
    severity: 'warning',
    rule: 'project-missing',
    project,
    path: '.',
    line: null,
    message: `project ${project} of an earlier import is no longer in the folder and is kept: delete it with \`housestyle delete ${workspace}/${project}\` if you no longer need it`,
  }))
}

/**
 * Warns if a folder is imported as a new workspace but seems to belong to an existing one: the folder of one project
 * instead of its workspace, or a checkout under another name. An id in workspace.yaml is intended.
 */
async function newWorkspaceFindings(store: Store, id: WorkspaceId, folder: FrozenFolder): Promise<Finding[]> {
  if (folder.read.isPinned || (await findWorkspace(store.database, id))) return []
  const records = await listSoundProjects(store.database)
  const same = namesake(folder, records) ?? (await sameProject(store, id, folder, records))
  if (!same) return []
  const { project } = same.imported
  const other = folder.read.isProject ? ', or import the folder of its workspace' : ''
  const message = `the folder is imported as the new ${id}/${project}, and this store has ${same.record.workspace}/${same.record.project}; pin \`id:\` in workspace.yaml and project.yaml to import it as that project${other}, or as ${id} if it is a different one`
  return [{ severity: 'warning', rule: 'workspace-new', project, path: '.', line: null, message }]
}

/* A comparison reads the pages of both sides, so these limits keep it short for large stores and folders. */
const MAX_IMPORTED = 10
const MAX_PAGES = 100_000

/** A project of the folder, and a known project that is probably the same. */
type Same = { imported: FrozenDraft; record: ProjectRecord }

/** The known project with the id of the only project of the folder. */
function namesake({ read, drafts }: FrozenFolder, records: readonly ProjectRecord[]): Same | undefined {
  const [imported] = drafts
  const record = read.isProject && imported && records.find(({ project }) => project === imported.project)
  return record ? { imported, record } : undefined
}

/** Finds the first known project that has mostly the pages of a project of the folder. Reads each project once. */
async function sameProject(
  { database }: Store,
  id: WorkspaceId,
  { drafts, unstored }: FrozenFolder,
  records: readonly ProjectRecord[],
): Promise<Same | undefined> {
  if (records.length === 0) return undefined
  const readImported: ReadObject = async hash => unstored?.get(hash) ?? getObject(database, id, hash)
  const candidates: { imported: FrozenDraft; pages: PageHashes }[] = []
  for (const imported of drafts.slice(0, MAX_IMPORTED))
    candidates.push({ imported, pages: await pageHashes(imported.snapshot, readImported) })
  let pageCount = 0
  for (const record of records) {
    const { snapshot } = record.draft
    const earlier = await pageHashes(snapshot, hash => getObject(database, record.workspace, hash))
    const same = candidates.find(({ imported, pages }) => imported.snapshot === snapshot || isMostlyIn(pages, earlier))
    if (same) return { imported: same.imported, record }
    pageCount += earlier.size
    if (pageCount > MAX_PAGES) return undefined
  }
  return undefined
}

/** Whether at least half of the pages have the same id and content in an earlier project. */
function isMostlyIn(pages: PageHashes, earlier: PageHashes): boolean {
  const kept = [...pages].filter(([id, hash]) => earlier.get(id) === hash).length
  return pages.size > 0 && kept * 2 >= pages.size
}
