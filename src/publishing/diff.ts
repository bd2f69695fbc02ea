import {
  type ContentDiff,
  contentDiff,
  type FieldChange,
  fieldChanges,
  type ReadMarkdown,
} from '#brand/content-diff.ts'
import type { Content, Draft } from '#brand/draft.ts'
import type { Hash, ProjectRef } from '#brand/ids.ts'
import { pick } from '#platform/base/object.ts'
import { ok } from '#platform/base/result.ts'
import type { ProjectRecord } from '#store/catalogue/catalogue.ts'
import { readContent, readSnapshot } from '#store/catalogue/snapshots.ts'
import type { Store } from '#store/store.ts'
import { knownProject, type Outcome, usableRevision } from './project-ref.ts'

export type ProjectDiff = ContentDiff & {
  from: Version
  to: Version
  /** Changed access settings; empty if a state is an earlier revision, which has none. */
  access: Readonly<Record<string, FieldChange>>
}

/** A state of a project: a revision number, the published revision or the draft. */
export type Version = number | 'draft' | 'published'

/** Compares two states of a project. If nothing is published, `published` is an empty project. */
export async function diff(store: Store, ref: ProjectRef, from: Version, to: Version): Outcome<ProjectDiff> {
  const lookup = await knownProject(store.database, ref)
  if (!lookup.ok) return lookup
  const record = lookup.value
  const before = await contentOf(store, record, from)
  if (!before.ok) return before
  const after = await contentOf(store, record, to)
  if (!after.ok) return after
  const texts = { from: before.value.readPage, to: after.value.readPage }
  const access = accessDiff(accessOf(record, from), accessOf(record, to))
  return ok({ from, to, access, ...(await contentDiff(before.value.content, after.value.content, texts)) })
}

type ReadState = { content: Content; readPage: ReadMarkdown }

/** The content of a state; of `published`, if nothing is, that of an empty project. */
async function contentOf(store: Store, record: ProjectRecord, version: Version): Outcome<ReadState> {
  const lookup = await snapshotOf(store, record, version)
  if (!lookup.ok) return lookup
  const snapshot = lookup.value
  if (snapshot === undefined) return ok({ content: { ...EMPTY, name: record.draft.name }, readPage: async () => '' })
  const content = await readContent(store.database, record.workspace, snapshot)
  return ok({ content, readPage: readSnapshot(store.database, record.workspace, snapshot).text })
}

const EMPTY = { pages: [], colors: [], types: [], files: [] }

async function snapshotOf({ database }: Store, record: ProjectRecord, version: Version): Outcome<Hash | undefined> {
  if (version === 'draft') return ok(record.draft.snapshot)
  if (version === 'published') return ok(record.published?.snapshot)
  const revision = await usableRevision(database, record, version, { isCompared: true })
  return revision.ok ? ok(revision.value.snapshot) : revision
}

type Access = Pick<Draft, 'visibility' | 'revisions'>

/** The access settings of a state; undefined for an earlier revision, and if nothing is published. */
function accessOf({ draft, published }: ProjectRecord, version: Version): Access | undefined {
  if (version === 'draft') return draft
  return version === 'published' || version === published?.revision ? published : undefined
}

function accessDiff(from: Access | undefined, to: Access | undefined): ProjectDiff['access'] {
  const fields = ['visibility', 'revisions'] as const
  return from && to ? fieldChanges(pick(from, fields), pick(to, fields)) : {}
}
