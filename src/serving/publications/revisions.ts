import { andThen, type MaybePromise } from '../../base/promise.ts'
import type { Hash } from '../../brand/ids.ts'
import { hashOf } from '../../brand/snapshot.ts'
import type { ProjectRecord } from '../../store/catalogue/catalogue.ts'
import { listRevisions, type RevisionRecord } from '../../store/catalogue/history.ts'
import type { Queries } from '../../store/database/database.ts'
import type { Served } from '../replies/content-keys.ts'

/** The revisions that projects with `revisions: served` serve by number, the current ones among them. */
export type ServedRevisions = {
  /** A revision as it was while it was the current one; undefined if it is not served. */
  find: (record: ProjectRecord, number: number) => MaybePromise<Served | undefined>
  /** The snapshots of all of them, each once, and a name of the whole; undefined if none is served. */
  snapshots: (record: ProjectRecord) => MaybePromise<Snapshots | undefined>
  /** All of them, each as it is served, and the name of their snapshots; undefined if none is served. */
  all: (record: ProjectRecord) => Promise<{ name: string; served: readonly Served[] } | undefined>
}

/** Several snapshots, and a name that differs whenever they do. */
type Snapshots = { name: string; hashes: readonly Hash[] }

/**
 * Reads the history of a project when a revision of it is first asked for. It is kept as long as the record that it was
 * asked with, which is another one as soon as anything of its workspace has moved.
 */
export function servedRevisions(database: Queries): ServedRevisions {
  const histories = new WeakMap<ProjectRecord, MaybePromise<History>>()
  const read = async (record: ProjectRecord): Promise<History> => {
    try {
      const history = historyOf(await listRevisions(database, record.workspace, record.project))
      histories.set(record, history)
      return history
    } catch (error) {
      histories.delete(record)
      throw error
    }
  }
  const historyFor = (record: ProjectRecord): MaybePromise<History> => {
    const known = histories.get(record)
    if (known) return known
    const pendingHistory = read(record)
    histories.set(record, pendingHistory)
    return pendingHistory
  }
  return {
    find: (record, number) => {
      if (!servesRevisions(record)) return undefined
      return andThen(historyFor(record), ({ byNumber }) => pointedAt(record, byNumber.get(number)))
    },
    snapshots: record => (servesRevisions(record) ? historyFor(record) : undefined),
    all: async record => {
      if (!servesRevisions(record)) return undefined
      const { name, byNumber } = await historyFor(record)
      return { name, served: [...byNumber.values()].flatMap(revision => pointedAt(record, revision) ?? []) }
    },
  }
}

type History = Snapshots & { byNumber: ReadonlyMap<number, RevisionRecord> }

function historyOf(revisions: readonly RevisionRecord[]): History {
  const kept = revisions.filter(({ retractedAt, freedAt }) => !retractedAt && !freedAt)
  const hashes = [...new Set(kept.map(({ snapshot }) => snapshot))]
  const name = hashOf(new TextEncoder().encode(hashes.join()))
  return { name, hashes, byNumber: new Map(kept.map(revision => [revision.number, revision])) }
}

function servesRevisions({ published }: ProjectRecord): boolean {
  return published?.revisions === 'served'
}

/**
 * Name and content are those of then; who may see the project, and what of it, is said by its latest publication alone.
 */
function pointedAt(record: ProjectRecord, revision: RevisionRecord | undefined): Served | undefined {
  if (!record.published || !revision) return undefined
  const { number, snapshot, name, publishedAt } = revision
  const published = { ...record.published, revision: number, snapshot, name, publishedAt }
  return { record: { ...record, published }, published }
}
