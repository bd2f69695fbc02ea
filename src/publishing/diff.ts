import { ok } from '../base/result.ts'
import { type ContentDiff, contentDiff, type FieldChange, type ReadMarkdown } from '../brand/content-diff.ts'
import type { Content, Draft } from '../brand/draft.ts'
import type { Hash, ProjectRef } from '../brand/ids.ts'
import type { ProjectRecord } from '../store/catalogue/catalogue.ts'
import { findRevision } from '../store/catalogue/history.ts'
import { readContent, readSnapshot } from '../store/catalogue/snapshots.ts'
import type { Store } from '../store/store.ts'
import type { CommandResult } from './project-ref.ts'
import { freedRevision, knownProject, unknownRevision } from './project-ref.ts'

export type ProjectDiff = ContentDiff & {
  from: Version
  to: Version
  /** Changed access settings; empty if a state is an earlier revision, which has none. */
  access: Readonly<Record<string, FieldChange>>
}

/** A state of a project: a revision number, the published revision or the draft. */
export type Version = number | 'draft' | 'published'

/** Compares two states of a project. If nothing is published, `published` is an empty project. */
export async function diff(
  store: Store,
  ref: ProjectRef,
  from: Version,
  to: Version,
): Promise<CommandResult<ProjectDiff>> {
  const lookup = await knownProject(store.database, ref)
  if (!lookup.ok) return lookup
  const record = lookup.value
  const before = await contentOf(store, record, from)
  if (!before.ok) return before
  const after = await contentOf(store, record, to)
  if (!after.ok) return after
  const texts = { from: before.value.textOf, to: after.value.textOf }
  const access = accessDiff(accessOf(record, from), accessOf(record, to))
  return ok({ from, to, access, ...(await contentDiff(before.value.content, after.value.content, texts)) })
}

type ReadState = { content: Content; textOf: ReadMarkdown }

async function contentOf(store: Store, record: ProjectRecord, version: Version): Promise<CommandResult<ReadState>> {
  const lookup = await snapshotOf(store, record, version)
  if (!lookup.ok) return lookup
  const snapshot = lookup.value
  if (snapshot === undefined) return ok({ content: { ...EMPTY, name: record.draft.name }, textOf: async () => '' })
  const content = await readContent(store.database, record.workspace, snapshot)
  return ok({ content, textOf: readSnapshot(store.database, record.workspace, snapshot).text })
}

const EMPTY = { pages: [], colors: [], types: [], files: [] }

async function snapshotOf(
  { database }: Store,
  record: ProjectRecord,
  version: Version,
): Promise<CommandResult<Hash | undefined>> {
  if (version === 'draft') return ok(record.draft.snapshot)
  if (version === 'published') return ok(record.published?.snapshot)
  const revision = await findRevision(database, record.workspace, record.project, version)
  if (!revision) return unknownRevision(record, version)
  return revision.freedAt ? freedRevision(record, version) : ok(revision.snapshot)
}

type Access = Pick<Draft, 'visibility' | 'revisions'>

function accessOf({ draft, published }: ProjectRecord, version: Version): Access | undefined {
  if (version === 'draft') return draft
  return version === 'published' || version === published?.revision ? published : undefined
}

function accessDiff(from: Access | undefined, to: Access | undefined): ProjectDiff['access'] {
  if (!from || !to) return {}
  const fields = ['visibility', 'revisions'] as const
  const differing = fields.filter(field => from[field] !== to[field])
  return Object.fromEntries(differing.map(field => [field, { from: from[field], to: to[field] }]))
}
