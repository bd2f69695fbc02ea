import type { Visibility } from '#brand/draft.ts'
import type { Hash, ProjectId, ProjectRef } from '#brand/ids.ts'
import { inherit, parseObject, type ReadObject, type SnapshotRoot } from '#brand/snapshot.ts'
import { type Failed, ok } from '#platform/base/result.ts'
import { findProject, listSoundProjects, type ProjectRecord } from '#store/catalogue/catalogue.ts'
import { getObject, putObjects } from '#store/catalogue/objects.ts'
import { addRevision, moveDraft } from '#store/catalogue/pointers.ts'
import type { Queries } from '#store/database/database.ts'
import { DamagedContent } from '#store/store-error.ts'
import { type CommandProblem, copyingMessage, failedWith, isOf, type Outcome } from './project-ref.ts'

/** Objects that a dry run does not store. */
type Unstored = Map<Hash, Uint8Array>

/**
 * The snapshot of a translation with the styles and files that it inherits from what its original has published now.
 * Unchanged if it is not a translation, or if the original is not published.
 */
export async function withOriginal(
  queries: Queries,
  workspace: string,
  snapshot: Hash,
  unstored?: Unstored,
): Promise<Hash> {
  const read = (hash: Hash) => unstored?.get(hash) ?? getObject(queries, workspace, hash)
  const of = await originalOf(snapshot, read)
  const original = of === undefined ? undefined : (await findProject(queries, workspace, of))?.published
  if (!original) return snapshot
  return inherit(snapshot, original.snapshot, read, async object => {
    if (unstored) unstored.set(object.hash, object.bytes)
    else await putObjects(queries, workspace, [object])
  })
}

/** The id of the original of a snapshot; undefined if it is no translation, or is damaged. */
async function originalOf(snapshot: Hash, read: ReadObject): Promise<string | undefined> {
  try {
    return (await parseObject<SnapshotRoot>(read, snapshot)).translation?.of
  } catch (error) {
    if (error instanceof DamagedContent) return undefined
    throw error
  }
}

/** The ids of translations by workspace and then by original, which a transaction reads once for all that it publishes. */
export type Translations = Map<string, Promise<ReadonlyMap<string, ReadonlySet<ProjectId>>>>

/** The knowledge of a transaction that publishes several projects. It publishes the drafts of `later` afterwards. */
export type Batch = { known: Translations; later: readonly ProjectRef[] }

/** The projects of a workspace whose draft or publication is a translation of a project. */
async function translationsOf(
  queries: Queries,
  { workspace, project }: ProjectRef,
  known: Translations = new Map(),
): Promise<ProjectRecord[]> {
  const inWorkspace = known.get(workspace) ?? listTranslations(queries, workspace)
  known.set(workspace, inWorkspace)
  const translations: ProjectRecord[] = []
  for (const id of (await inWorkspace).get(project) ?? []) {
    const record = await findProject(queries, workspace, id)
    if (record) translations.push(record)
  }
  return translations
}

async function listTranslations(queries: Queries, workspace: string): Promise<Map<string, Set<ProjectId>>> {
  const byOriginal = new Map<string, Set<ProjectId>>()
  for (const { project, draft, published, untranslated } of await listSoundProjects(queries, workspace)) {
    const snapshots = new Set([draft.snapshot, ...(published ? [published.snapshot] : [])])
    if (snapshots.size === 1 && published && !untranslated) continue // Not a translation, without reading it.
    for (const snapshot of snapshots) {
      const of = await originalOf(snapshot, hash => getObject(queries, workspace, hash))
      if (of !== undefined) byOriginal.set(of, (byOriginal.get(of) ?? new Set()).add(project))
    }
  }
  return byOriginal
}

/**
 * Gives the drafts and publications of translations what their original has just published, in its transaction; not those
 * that are being copied. A public one gets nothing from a private original. Returns the ids of those with a new revision.
 */
export async function updateTranslations(
  queries: Queries,
  ref: ProjectRef,
  { who }: { who?: string | undefined },
  now: Date,
  { known, later = [] }: Partial<Batch> = {},
): Promise<string[]> {
  const updated: string[] = []
  const original = (await findProject(queries, ref.workspace, ref.project))?.published
  const translations = original ? await translationsOf(queries, ref, known) : []
  for (const record of translations) {
    const { workspace, draft, published, status } = record
    if (status === 'Processing') continue
    await moveDraft(queries, record, await withOriginal(queries, workspace, draft.snapshot), now)
    const wouldLeak = published?.visibility === 'public' && original?.visibility === 'private'
    if (!published || wouldLeak || later.some(isOf(record))) continue
    const snapshot = await withOriginal(queries, workspace, published.snapshot)
    if (snapshot === published.snapshot) continue
    const note = `With the styles and files of ${ref.project} ${original?.revision}`
    await addRevision(queries, record, { ...published, snapshot }, { note, who }, now)
    updated.push(record.project)
  }
  return updated
}

/**
 * Fails if a translation would be published without its original, or as `checkServed` does.
 *
 * @param together the projects whose drafts are published in the same transaction
 */
export async function checkTranslation(
  queries: Queries,
  record: ProjectRecord,
  together: readonly ProjectRef[],
  known?: Translations,
): Outcome<undefined> {
  const { workspace, draft } = record
  const of = await originalOf(draft.snapshot, hash => getObject(queries, workspace, hash))
  const original = of === undefined ? undefined : await findProject(queries, workspace, of)
  if (of !== undefined && !(original?.published || together.some(isOf({ workspace, project: of }))))
    return refused(record, `is a translation of ${workspace}/${of}, which is not published: publish that too`)
  return checkServed(queries, record, together, known)
}

/**
 * Fails if a project that is served as its draft would be a public translation of a private one, or its own translation;
 * or while a translation is being copied.
 */
export async function checkServed(
  queries: Queries,
  record: Pick<ProjectRecord, 'workspace' | 'project' | 'draft'>,
  together: readonly ProjectRef[] = [record],
  known?: Translations,
): Outcome<undefined> {
  const { workspace, project, draft } = record
  const of = await originalOf(draft.snapshot, hash => getObject(queries, workspace, hash))
  if (of === project) return refused(record, 'would be a translation of itself: name another target')
  const original = of === undefined ? undefined : await findProject(queries, workspace, of)
  const translations = await translationsOf(queries, record, known)
  const busy = translations.find(({ status }) => status === 'Processing')
  if (busy) return failedWith('project_copying', copyingMessage(busy))
  const isServedAs = (other: ProjectRecord, visibility: Visibility) =>
    (together.some(isOf(other)) ? other.draft : other.published)?.visibility === visibility
  const isPublicOfPrivate = draft.visibility === 'public' && original && isServedAs(original, 'private')
  const publicTranslation = draft.visibility === 'private' && translations.find(each => isServedAs(each, 'public'))
  if (!isPublicOfPrivate && !publicTranslation) return ok(undefined)
  return refused(
    publicTranslation || record,
    'would be a public translation of a private project: make both public, or both private',
  )
}

function refused({ workspace, project }: ProjectRef, problem: string): Failed<CommandProblem> {
  return failedWith('translation_refused', `${workspace}/${project} ${problem}`)
}
