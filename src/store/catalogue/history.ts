import type { Visibility } from '../../brand/draft.ts'
import type { Hash, ProjectRef } from '../../brand/ids.ts'
import { parseHash } from '../../brand/snapshot.ts'
import { nullable, numberOf, type Queries, type Row, textOf } from '../database/database.ts'
import { visibilityOf } from './catalogue.ts'

/** A revision of a project. */
export type RevisionRecord = {
  number: number
  snapshot: Hash
  name: string
  publishedAt: Date
  /** Absent if unknown: an earlier version published it. */
  visibility?: Visibility
  note?: string
  /** When it was retracted. It stays in the history, but is no longer served. */
  retractedAt?: Date
  /** When gc freed its content. */
  freedAt?: Date
}

/** The history of a project, newest first. */
export async function listRevisions(queries: Queries, workspace: string, project: string): Promise<RevisionRecord[]> {
  const rows = await queries.all(`${REVISION} ORDER BY number DESC`, workspace, project)
  return rows.map(revisionOf)
}

export async function findRevision(
  queries: Queries,
  workspace: string,
  project: string,
  number: number,
): Promise<RevisionRecord | undefined> {
  const row = await queries.get(`${REVISION} AND number = ?`, workspace, project, number)
  return row && revisionOf(row)
}

/** Marks a revision as retracted or freed, inside a transaction. A second time changes nothing. */
export async function markRevision(
  queries: Queries,
  { workspace, project, number }: ProjectRef & { number: number },
  mark: 'retracted_at' | 'freed_at',
  now: Date,
): Promise<void> {
  await queries.run(
    `UPDATE revision SET ${mark} = ? WHERE workspace = ? AND project = ? AND number = ? AND ${mark} IS NULL`,
    now.getTime(),
    workspace,
    project,
    number,
  )
}

const REVISION = 'SELECT * FROM revision WHERE workspace = ? AND project = ?'

function revisionOf(row: Row): RevisionRecord {
  const visibility = nullable(row, 'visibility', () => visibilityOf(row, 'visibility'))
  const note = nullable(row, 'note', textOf)
  const retractedAt = nullable(row, 'retracted_at', numberOf)
  const freedAt = nullable(row, 'freed_at', numberOf)
  return {
    number: numberOf(row, 'number'),
    snapshot: parseHash(textOf(row, 'snapshot')),
    name: textOf(row, 'name'),
    publishedAt: new Date(numberOf(row, 'published_at')),
    ...(visibility !== undefined && { visibility }),
    ...(note !== undefined && { note }),
    ...(retractedAt !== undefined && { retractedAt: new Date(retractedAt) }),
    ...(freedAt !== undefined && { freedAt: new Date(freedAt) }),
  }
}
