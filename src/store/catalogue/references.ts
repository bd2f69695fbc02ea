import type { BrandFile } from '../../brand/file.ts'
import { type Hash, isHash } from '../../brand/ids.ts'
import type { Page } from '../../brand/page.ts'
import type { SnapshotRoot } from '../../brand/snapshot.ts'
import { nullable, numberOf, type Queries, type Row, textOf } from '../database/database.ts'
import { StoreError } from '../store-error.ts'
import { getObject } from './objects.ts'

/** Something that points at a snapshot: a draft, or a revision by its number. */
export type Reference = {
  workspace: string
  project: string
  from: 'draft' | number
  /** Absent if it points at nothing, which only a broken store has. */
  snapshot?: Hash
}

/** Everything that content is kept for: drafts, revisions that are not freed, and what is served. */
export async function listReferences(queries: Queries): Promise<Reference[]> {
  return (await queries.all(REFERENCES)).map(referenceOf)
}

/**
 * What these references need, by workspace.
 *
 * @throws {StoreError} before anything else, if one points at nothing.
 */
export async function contentsOf(queries: Queries, references: readonly Reference[]): Promise<Map<string, Contents>> {
  assertPointing(references)
  const needed = new Map<string, Contents>()
  for (const { workspace, snapshot } of references) {
    const contents = needed.get(workspace) ?? { objects: new Set(), files: new Set() }
    needed.set(workspace, contents)
    if (snapshot) await addContents(queries, workspace, snapshot, contents)
  }
  return needed
}

/** Everything that snapshots of a workspace are made of, by hash: objects in the catalogue, and bytes of files. */
export type Contents = { objects: Set<Hash>; files: Set<Hash> }

/**
 * Adds what a snapshot is made of, itself included. What is known already is not read again, so a long history costs
 * only what changed in it. Throws if the catalogue has lost an object.
 */
export async function addContents(
  queries: Queries,
  workspace: string,
  snapshot: Hash,
  { objects, files }: Contents,
): Promise<void> {
  if (objects.has(snapshot)) return
  const read = async (hash: Hash) => JSON.parse(DECODER.decode(await getObject(queries, workspace, hash)))
  const root: SnapshotRoot = await read(snapshot)
  for (const chunk of root.pages) {
    if (objects.has(chunk)) continue
    const pages: Page[] = await read(chunk)
    for (const { content } of pages) objects.add(content)
    objects.add(chunk)
  }
  for (const chunk of root.files) {
    if (objects.has(chunk)) continue
    const list: BrandFile[] = await read(chunk)
    for (const { hash } of list) files.add(hash)
    objects.add(chunk)
  }
  for (const hash of [...root.colors, ...root.types, snapshot]) objects.add(hash)
}

const DECODER = new TextDecoder()

/** Throws if one of these points at nothing. */
export function assertPointing(references: readonly Reference[]): void {
  const broken = references.find(({ snapshot }) => !snapshot)
  if (broken) throw new StoreError('store_damaged', `${referenceText(broken)} points at nothing: see housestyle doctor`)
}

/** A reference for people: `acme/guidelines (revision 3)`. */
export function referenceText({ workspace, project, from }: Omit<Reference, 'snapshot'>): string {
  return `${workspace}/${project} (${from === 'draft' ? from : `revision ${from}`})`
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
