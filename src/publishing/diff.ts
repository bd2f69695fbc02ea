import { type ContentDiff, contentDiff } from '../brand/content-diff.ts'
import type { Content } from '../brand/draft.ts'
import type { Hash } from '../brand/ids.ts'
import type { Page } from '../brand/page.ts'
import { findProject, type ProjectRecord } from '../store/catalogue.ts'
import { findRevision } from '../store/history.ts'
import { readContent, readSnapshot } from '../store/snapshots.ts'
import type { Store } from '../store/store.ts'
import { type Place, type Refused, refused } from './place.ts'

/** What two states of a project differ in, as `housestyle diff --json` prints it. */
export type ProjectDiff = { from: Version; to: Version } & ContentDiff

/** A state of a project: a revision by its number, what is served, or the draft. */
export type Version = number | 'draft' | 'published'

/** Compares two states of a project. Where nothing is published, `published` is an empty project. */
export async function diff(store: Store, place: Place, from: Version, to: Version): Promise<ProjectDiff | Refused> {
  const { workspace, project } = place
  const record = await findProject(store.database, workspace, project)
  if (!record) return refused('not-found', `there is no project ${workspace}/${project}: see housestyle status`)
  const [before, after] = [await contentOf(store, record, from), await contentOf(store, record, to)]
  if ('refused' in before) return before
  if ('refused' in after) return after
  const texts = { from: before.textOf, to: after.textOf }
  return { from, to, ...(await contentDiff(before.content, after.content, texts)) }
}

type Readable = { content: Content; textOf: (page: Page) => Promise<string> }

async function contentOf(store: Store, record: ProjectRecord, version: Version): Promise<Readable | Refused> {
  const snapshot = await snapshotOf(store, record, version)
  if (snapshot === undefined) return { content: { ...EMPTY, name: record.draft.name }, textOf: async () => '' }
  if (typeof snapshot !== 'string') return snapshot
  const content = await readContent(store.database, record.workspace, snapshot)
  return { content, textOf: readSnapshot(store.database, record.workspace, snapshot).text }
}

const EMPTY = { pages: [], colors: [], types: [], files: [] }

async function snapshotOf(
  { database }: Store,
  { workspace, project, draft, published }: ProjectRecord,
  version: Version,
): Promise<Hash | undefined | Refused> {
  if (version === 'draft') return draft.snapshot
  if (version === 'published') return published?.snapshot
  const place = `${workspace}/${project}`
  const revision = await findRevision(database, workspace, project, version)
  if (!revision) return refused('no-revision', `${place} has no revision ${version}: see housestyle history ${place}`)
  if (revision.freedAt)
    return refused('freed', `the content of revision ${version} of ${place} was freed by housestyle gc`)
  return revision.snapshot
}
