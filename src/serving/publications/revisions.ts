import type { Hash } from '#brand/ids.ts'
import { hashOf } from '#brand/snapshot.ts'
import { perObject } from '#platform/base/object.ts'
import { andThen, type MaybePromise } from '#platform/base/promise.ts'
import type { ProjectRecord } from '#store/catalogue/catalogue.ts'
import { findRevision, listRevisions, pointerTo, type RevisionRecord } from '#store/catalogue/history.ts'
import type { Queries } from '#store/database/database.ts'
import type { DraftProject } from '../pointers/pointers.ts'
import type { WorkspaceState } from '../pointers/workspace-state.ts'
import {
  contentKey,
  filesKey,
  indexKey,
  pagesKey,
  replyKey,
  type Served,
  type ServedProject,
  stateKey,
  workspaceKey,
} from '../replies/content-keys.ts'
import type { OpenPublication, Publication } from './publications.ts'

/** The revisions that projects with `revisions: served` serve by number, including the current ones. */
export type ServedRevisions = {
  /** A revision as it was while it was current; undefined if it is not served. */
  find: (record: ProjectRecord, number: number) => MaybePromise<Served | undefined>
  /**
   * The distinct snapshots of all served revisions and a name for the set; undefined if none is served. People who manage
   * the project also get those of retracted ones.
   */
  snapshots: (record: ServedProject) => MaybePromise<Snapshots | undefined>
  /** All served revisions, and the name of their set of snapshots; undefined if none is served. */
  all: (record: ProjectRecord) => Promise<{ name: string; served: readonly Served[] } | undefined>
}

type Snapshots = { name: string; hashes: readonly Hash[] }

/** Reads a history on first use, and keeps it with the record, which is replaced when its workspace changes. */
export function servedRevisions(database: Queries): ServedRevisions {
  const histories = new WeakMap<ServedProject, History>()
  const read = perObject(async (record: ServedProject) => {
    const records = await listRevisions(database, record.workspace, record.project)
    const isManaged = record.managedRevision !== undefined
    const history = historyOf(records.filter(({ retractedAt }) => isManaged || !retractedAt))
    histories.set(record, history)
    return history
  })
  // Later requests wait for no promise, which would take a sixth of their time.
  const historyFor = (record: ServedProject): MaybePromise<History> => histories.get(record) ?? read(record)
  return {
    find: (record, number) => {
      if (!servesRevisions(record)) return undefined
      return andThen(historyFor(record), ({ byNumber }) => asServed(record, byNumber.get(number)))
    },
    snapshots: record => (servesRevisions(record) ? historyFor(record) : undefined),
    all: async record => {
      if (!servesRevisions(record)) return undefined
      const { name, byNumber } = await historyFor(record)
      return { name, served: [...byNumber.values()].flatMap(revision => asServed(record, revision) ?? []) }
    },
  }
}

type History = Snapshots & { byNumber: ReadonlyMap<number, RevisionRecord> }

function historyOf(revisions: readonly RevisionRecord[]): History {
  const withContent = revisions.filter(({ freedAt }) => !freedAt)
  const hashes = [...new Set(withContent.map(({ snapshot }) => snapshot))]
  const name = hashOf(new TextEncoder().encode(hashes.join()))
  return { name, hashes, byNumber: new Map(withContent.map(revision => [revision.number, revision])) }
}

/** Whether readers of a project may request its earlier revisions by number. */
export function servesRevisions({ published }: ProjectRecord): boolean {
  return published?.revisions === 'served'
}

/** An old revision keeps its own name and content, but the latest publication decides who may see it. */
function asServed(record: ProjectRecord, revision: RevisionRecord | undefined): Served | undefined {
  if (!record.published || !revision) return undefined
  const published = pointerTo(revision, record.published)
  return { record: { ...record, published }, published }
}

/** Opens a revision for people who manage its project, also one that is not served; undefined if gc freed its content. */
export async function managedRevision(
  { access: { database }, openPublication }: { access: { database: Queries }; openPublication: OpenPublication },
  record: ProjectRecord,
  number: number,
): Promise<Publication | undefined> {
  const revision = await findRevision(database, record.workspace, record.project, number)
  if (!revision || revision.freedAt) return undefined
  const pointer = pointerTo(revision, { visibility: 'private', revisions: 'served' })
  return openPublication({ ...record, published: pointer, managedRevision: number })
}

/** The cache keys of all served content of a workspace, and of these drafts in it. */
export async function servedKeys(
  state: WorkspaceState,
  revisions: ServedRevisions,
  drafts: readonly DraftProject[],
): Promise<ReadonlySet<string>> {
  const keys = new Set<string>()
  keys.add(workspaceKey(state))
  for (const record of [...state.sound, ...drafts]) {
    const current = { record, published: record.published }
    keys.add(indexKey(current)).add(pagesKey(current, state.name)).add(filesKey(record, record.published.snapshot))
    const earlier = await revisions.all(record)
    if (earlier) keys.add(filesKey(record, earlier.name))
    for (const served of [current, ...(earlier?.served ?? [])])
      keys.add(contentKey(served)).add(replyKey(served)).add(stateKey(served))
  }
  return keys
}
