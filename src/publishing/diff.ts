import { type ContentDiff, contentDiff, type FieldChange, type TextOf } from '../brand/content-diff.ts'
import type { Content, Draft } from '../brand/draft.ts'
import type { Hash } from '../brand/ids.ts'
import { findProject, type ProjectRecord } from '../store/catalogue/catalogue.ts'
import { findRevision } from '../store/catalogue/history.ts'
import { readContent, readSnapshot } from '../store/catalogue/snapshots.ts'
import type { Store } from '../store/store.ts'
import { type ProjectRef, type Refused, refused } from './project-ref.ts'

/** What two states of a project differ in. */
export type ProjectDiff = ContentDiff & {
  from: Version
  to: Version
  /** Who may see it, where that is known of both: a revision of the past has none of its own. */
  openness: Readonly<Record<string, FieldChange>>
}

/** A state of a project: a revision by its number, what is served, or the draft. */
export type Version = number | 'draft' | 'published'

/** Compares two states of a project. Where nothing is published, `published` is an empty project. */
export async function diff(
  store: Store,
  place: ProjectRef,
  from: Version,
  to: Version,
): Promise<ProjectDiff | Refused> {
  const { workspace, project } = place
  const record = await findProject(store.database, workspace, project)
  if (!record) return refused('not-found', `there is no project ${workspace}/${project}: see housestyle status`)
  const [before, after] = [await contentOf(store, record, from), await contentOf(store, record, to)]
  if ('refused' in before) return before
  if ('refused' in after) return after
  const texts = { from: before.textOf, to: after.textOf }
  const openness = opennessDiff(opennessOf(record, from), opennessOf(record, to))
  return { from, to, openness, ...(await contentDiff(before.content, after.content, texts)) }
}

type Readable = { content: Content; textOf: TextOf }

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

type Openness = Pick<Draft, 'visibility' | 'revisions'>

function opennessOf({ draft, published }: ProjectRecord, version: Version): Openness | undefined {
  if (version === 'draft') return draft
  return version === 'published' || version === published?.revision ? published : undefined
}

function opennessDiff(from: Openness | undefined, to: Openness | undefined): ProjectDiff['openness'] {
  if (!from || !to) return {}
  const fields = ['visibility', 'revisions'] as const
  const differing = fields.filter(field => from[field] !== to[field])
  return Object.fromEntries(differing.map(field => [field, { from: from[field], to: to[field] }]))
}
