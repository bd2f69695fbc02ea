import { type Hash, isHash } from '../brand/ids.ts'
import { addContents, type Contents } from './contents.ts'
import { nullable, numberOf, type Queries, type Row, textOf } from './database.ts'
import { StoreError } from './store-error.ts'

/** Something that points at a snapshot: a draft, or a revision by its number. */
export type Reference = {
  workspace: string
  project: string
  from: 'draft' | number
  /** Absent where it points at nothing, which only a broken store has. */
  snapshot?: Hash
}

/** All that content is kept for: drafts, revisions that are not freed, and what is served. */
export async function listReferences(queries: Queries): Promise<Reference[]> {
  return (await queries.all(REFERENCES)).map(referenceOf)
}

/**
 * What these references need, by workspace.
 *
 * @throws {StoreError} where one leads to nothing.
 */
export async function contentsOf(queries: Queries, references: Iterable<Reference>): Promise<Map<string, Contents>> {
  const needed = new Map<string, Contents>()
  for (const { workspace, project, from, snapshot } of references) {
    if (!snapshot) {
      const place = `${workspace}/${project} (${from === 'draft' ? from : `revision ${from}`})`
      throw new StoreError(`${place} points at nothing: see housestyle doctor`)
    }
    const contents = needed.get(workspace) ?? { objects: new Set(), files: new Set() }
    needed.set(workspace, contents)
    await addContents(queries, workspace, snapshot, contents)
  }
  return needed
}

const REFERENCES = `SELECT workspace, id AS project, NULL AS number, draft_snapshot AS snapshot FROM project
  UNION ALL SELECT workspace, project, number, snapshot FROM revision WHERE freed_at IS NULL
  UNION ALL SELECT p.workspace, p.id AS project, p.published_revision AS number, r.snapshot FROM project p
    LEFT JOIN revision r ON r.workspace = p.workspace AND r.project = p.id AND r.number = p.published_revision
    WHERE p.published_revision IS NOT NULL AND (r.number IS NULL OR r.freed_at IS NOT NULL)`

function referenceOf(row: Row): Reference {
  const snapshot = nullable(row, 'snapshot', textOf)
  return {
    workspace: textOf(row, 'workspace'),
    project: textOf(row, 'project'),
    from: nullable(row, 'number', numberOf) ?? 'draft',
    ...(snapshot !== undefined && isHash(snapshot) && { snapshot }),
  }
}
