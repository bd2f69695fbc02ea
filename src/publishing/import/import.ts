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
  const unexpected = await newWorkspaceFindings(store, workspace.id, frozen)
  await undoAbandonedCopies(store)
  const { excluded, ...saved } = await saveDrafts(store, workspace, frozen, options)
  return { workspace: workspace.id, ...saved, findings: [...findings, ...missing, ...unexpected, ...excluded] }
}

type LockedOptions = ImportOptions & Pick<Lock, 'assertHeld'>

/** The contents of a brand folder. `unstored` has the objects that a dry run does not store. */
type FrozenFolder = { read: BrandFolder; drafts: FrozenDraft[]; unstored?: Map<Hash, Uint8Array> }

const SETTINGS = ['project', 'name', 'visibility', 'revisions', 'source', 'reviewers'] as const
const KEPT = [...SETTINGS, 'translation', 'untranslated'] as const

type FrozenDraft = Pick<Draft, (typeof KEPT)[number]> & { snapshot: Hash; facts: number }

async function readFrozen(store: Store, folder: string, options: ImportOptions): Promise<FrozenFolder> {
  const drafts: FrozenDraft[] = []
  const unstored = options.isDryRun ? new Map<Hash, Uint8Array>() : undefined
  const pictures = new Map<Hash, BrandFile>()
  let target: { writer: StoreWriter; readCache: StoreReadCache } | undefined
  const targetFor = async (workspace: WorkspaceId): Promise<ImportTarget> => {
    assertAllowed(workspace, options)
    if (!unstored) target = { writer: storeWriter(store, workspace), readCache: await storeReadCache(store, workspace) }
    const keep = target?.writer.object ?? (({ hash, bytes }) => void unstored?.set(hash, bytes))
    const draft = async (draft: Draft) => {
      const snapshot = await freeze({ ...draft, pages: withPictures(draft, pictures) }, keep)
      drafts.push({ ...pick(draft, KEPT), snapshot, facts: FACTS_VERSION })
    }
    return { ...noTarget, ...target, draft }
  }
  try {
    const read = await readBrandFolder(folder, { ...options, today: dayOf(options.now()), targetFor })
    await target?.writer.flush()
    await target?.readCache.save()
    if (target && read.workspace) await measurePictures(store, read.workspace.id, pictures, options)
    return { read, drafts, ...(unstored && { unstored }) }
  } finally {
    target?.writer.discard()
  }
}

/** Call before anything from the folder is stored. */
function assertAllowed(id: WorkspaceId, { workspace }: ImportOptions): void {
  if (workspace === undefined || workspace === id) return
  const problem = `its workspace is ${quote(id)}, and --workspace allows only ${quote(workspace)}`
  const fix = `import the folder of ${quote(workspace)}, or correct id: in workspace.yaml`
  throw new OperationalError('workspace_other', `cannot import this folder: ${problem}; ${fix}`)
}

/** Compares and saves in one transaction, so that the result is correct even if another process imports or copies. */
async function saveDrafts(
  store: Store,
  workspace: NonNullable<BrandFolder['workspace']>,
  { read, drafts, unstored }: FrozenFolder,
  { now, isDryRun, visibility, note, derivedEdit, authors = [], assertHeld, ...feeding }: LockedOptions,
): Promise<EndedPlans & { projects: ImportedProject[]; excluded: Finding[] }> {
  const ready = new Map(drafts.map(draft => [draft.project.toString(), visibility ? { ...draft, visibility } : draft]))
  const compareAll = async (queries: Queries) => {
    const excluded = await exclude(queries, workspace.id, ready, feeding)
    const readObject = (hash: Hash) => unstored?.get(hash) ?? getObject(queries, workspace.id, hash)
    for (const [id, draft] of ready)
      if (draft.translation)
        ready.set(id, { ...draft, snapshot: await withOriginal(queries, workspace.id, draft.snapshot, unstored) })
    const projects: ImportedProject[] = []
    for (const project of read.projects)
      projects.push(await compare(queries, workspace.id, project, ready.get(project), readObject))
    return { projects, excluded }
  }
  if (isDryRun) return compareAll(store.database)
  return store.database.transaction(async queries => {
    const results = await compareAll(queries)
    await assertHeld()
    for (const project of results.projects)
      await mailAbout(queries, { workspace: workspace.id, ...project }, read, now())
    // A project with an error has their changes, too, once it is corrected.
    const isForeign = ({ project }: ImportedProject) => results.excluded.some(each => each.project === project)
    for (const each of results.projects.filter(each => each.changed || !(each.imported || isForeign(each))))
      await addAuthors(queries, { workspace: workspace.id, ...each }, authors)
    if (ready.size === 0) return results
    await saveWorkspace(queries, workspace, now())
    const edit = read.edit === true ? derivedEdit : read.edit
    for (const draft of ready.values()) {
      await saveDraft(queries, workspace.id, { ...draft, note, authors }, draft.snapshot, now())
      await saveUntranslated(queries, workspace.id, draft)
      const ref = { workspace: workspace.id, project: draft.project }
      await saveReviewers(queries, ref, draft.reviewers)
      await saveEditLinks(queries, ref, edit, draft.source)
      await saveDraftFindings(queries, ref, read.findings)
    }
    const filled = Array.from(ready.values(), ({ project }) => ({ workspace: workspace.id, project }))
    await recordFilled(queries, feeding, filled)
    return { ...results, ...(await endPlans(queries, workspace.id, now())) }
  })
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

/** Removes the projects that an import must not fill, and reports each. */
async function exclude(
  queries: Queries,
  workspace: WorkspaceId,
  ready: Map<string, unknown>,
  feeding: Feeding,
): Promise<Finding[]> {
  const foreign = await foreignProjects(queries, feeding)
  const excluded: Finding[] = []
  for (const project of [...ready.keys()]) {
    const ref = { workspace, project }
    const taken = (await findProject(queries, workspace, project)) && foreign.problem(ref)
    if (taken === undefined && !(await isBeingCopied(queries, ref))) continue
    ready.delete(project)
    const rule = taken === undefined ? 'project-copying' : 'project-taken'
    const message = taken ?? `${copyingMessage(ref)}; its draft is unchanged`
    excluded.push({ severity: 'error', rule, project, path: '.', line: null, message })
  }
  return excluded
}

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

type Same = { imported: FrozenDraft; record: ProjectRecord }

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
  let count = 0
  for (const record of records) {
    const { snapshot } = record.draft
    const earlier = await pageHashes(snapshot, hash => getObject(database, record.workspace, hash))
    const same = candidates.find(({ imported, pages }) => imported.snapshot === snapshot || isMostlyIn(pages, earlier))
    if (same) return { imported: same.imported, record }
    count += earlier.size
    if (count > MAX_PAGES) return undefined
  }
  return undefined
}

function isMostlyIn(pages: PageHashes, earlier: PageHashes): boolean {
  const kept = [...pages].filter(([id, hash]) => earlier.get(id) === hash).length
  return pages.size > 0 && kept * 2 >= pages.size
}
