import { type Failed, ok } from '../base/result.ts'
import type { Hash, ProjectRef } from '../brand/ids.ts'
import { inherit, parseObject, type ReadObject, type SnapshotRoot } from '../brand/snapshot.ts'
import { findProject, listProjects, type ProjectRecord } from '../store/catalogue/catalogue.ts'
import { getObject, putObjects } from '../store/catalogue/objects.ts'
import { addRevision, moveDraft } from '../store/catalogue/pointers.ts'
import type { Queries } from '../store/database/database.ts'
import { DamagedContent } from '../store/store-error.ts'
import { type CommandProblem, copyingMessage, failedWith, type Outcome } from './project-ref.ts'

/** Objects that a dry run does not store. */
type Unstored = Map<Hash, Uint8Array>

/** A snapshot with what its original has published now; unchanged if it is no translation, or the other is not published. */
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

/** The projects of a workspace whose draft or publication is a translation of a project. */
async function translationsOf(queries: Queries, { workspace, project }: ProjectRef): Promise<ProjectRecord[]> {
  const read = (hash: Hash) => getObject(queries, workspace, hash)
  const translations: ProjectRecord[] = []
  for (const record of (await listProjects(queries, workspace)).records)
    for (const snapshot of new Set([record.draft.snapshot, record.published?.snapshot]))
      if (snapshot && (await originalOf(snapshot, read)) === project) translations.push(record)
  return [...new Set(translations)]
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
): Promise<string[]> {
  const updated: string[] = []
  const original = (await findProject(queries, ref.workspace, ref.project))?.published
  for (const record of original ? await translationsOf(queries, ref) : []) {
    const { workspace, draft, published, status } = record
    if (status === 'Processing') continue
    await moveDraft(queries, record, await withOriginal(queries, workspace, draft.snapshot), now)
    if (!published || (published.visibility === 'public' && original?.visibility === 'private')) continue
    const snapshot = await withOriginal(queries, workspace, published.snapshot)
    const note = `With the styles and files of ${ref.project} ${original?.revision}`
    if (snapshot === published.snapshot) continue
    await addRevision(queries, record, { ...published, snapshot }, { note, who }, now)
    updated.push(record.project)
  }
  return updated
}

/**
 * Fails if a translation would be published without its original, or be public while that is private; or while one is
 * being copied.
 *
 * @param together the projects whose drafts are published in the same transaction
 */
export async function checkTranslation(
  queries: Queries,
  record: ProjectRecord,
  together: readonly ProjectRef[],
): Outcome<undefined> {
  const { workspace, draft } = record
  const isWith = (project: string) => together.some(each => each.workspace === workspace && each.project === project)
  const next = (other: ProjectRecord) => (isWith(other.project) ? other.draft : other.published)
  const of = await originalOf(draft.snapshot, hash => getObject(queries, workspace, hash))
  const original = of === undefined ? undefined : await findProject(queries, workspace, of)
  if (of !== undefined && !(original && next(original)))
    return refused(record, `is a translation of ${workspace}/${of}, which is not published: publish that too`)
  const translations = await translationsOf(queries, record)
  const busy = translations.find(({ status }) => status === 'Processing')
  if (busy) return failedWith('project_copying', copyingMessage(busy))
  const isLeak = (translation: ProjectRecord, from: ProjectRecord) =>
    next(translation)?.visibility === 'public' && next(from)?.visibility === 'private'
  const leak = original && isLeak(record, original) ? record : translations.find(each => isLeak(each, record))
  if (!leak) return ok(undefined)
  return refused(leak, 'would be a public translation of a private project: make both public, or both private')
}

function refused({ workspace, project }: ProjectRef, problem: string): Failed<CommandProblem> {
  return failedWith('translation_refused', `${workspace}/${project} ${problem}`)
}
