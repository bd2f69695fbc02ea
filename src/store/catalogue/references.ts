import type { BrandFile } from '#brand/file.ts'
import { type Hash, isHash } from '#brand/ids.ts'
import type { Page } from '#brand/page.ts'
import type { SnapshotRoot } from '#brand/snapshot.ts'
import { type Readable, reportDamage } from '../database/damaged-row.ts'
import type { Queries } from '../database/database.ts'
import { defineRows, optional, text, whole } from '../database/table.ts'
import { DamagedContent, DamagedRow, StoreError } from '../store-error.ts'
import { listLogos } from './catalogue.ts'
import { findObject, getObject } from './objects.ts'

/** A reference to a snapshot: from a draft, or from a revision, which `from` numbers. */
export type Reference = {
  workspace: string
  project: string
  from: 'draft' | number
  /** Absent if the reference dangles, which happens only in a damaged store. */
  snapshot?: Hash
  /** The name of the project in this row, which its snapshot also has. */
  name: string
}

/**
 * All references that keep content: drafts, and revisions that are served or not freed.
 *
 * @throws {DamagedContent} if one cannot be read, because nothing can stand for it
 */
export async function listReferences(queries: Queries): Promise<Reference[]> {
  const { records, damaged } = await listReadableReferences(queries)
  if (damaged[0]) throw damaged[0]
  return records
}

/** The same references, except damaged ones. */
export async function listReadableReferences(queries: Queries): Promise<Readable<Reference>> {
  // One query for both tables, as of one moment. `source` is the table for which a damaged row is reported.
  const rows = await queries.all(REFERENCES)
  const projects = OF_PROJECTS.readAll(
    queries,
    rows.filter(({ source }) => source === 'project'),
  )
  const revisions = OF_REVISIONS.readAll(
    queries,
    rows.filter(({ source }) => source === 'revision'),
  )
  const records = [...projects.records, ...revisions.records].map(({ number, snapshot, ...reference }) => ({
    ...reference,
    from: number ?? ('draft' as const),
    ...(snapshot !== undefined && isHash(snapshot) && { snapshot }),
  }))
  return { records, damaged: [...projects.damaged, ...revisions.damaged] }
}

/** The content that a catalogue needs, by workspace, and the damaged rows that may need any file of their workspace. */
export type NeededContents = { needed: Map<string, Contents>; damaged: readonly DamagedRow[] }

/** Whether a damaged row may need the files of a workspace. */
export function mayNeedAllFiles({ damaged }: Pick<NeededContents, 'damaged'>, workspace: string): boolean {
  // The row of a workspace, such as one with a damaged theme, is identified by its id.
  const owners = damaged.map(({ key }) => key.workspace ?? key.id)
  return owners.some(owner => typeof owner !== 'string' || owner === workspace)
}

/** The content that these references and the themes of workspaces need. A dangling reference is a damaged row. */
export async function collectContents(
  queries: Queries,
  { records, damaged }: Readable<Reference>,
): Promise<NeededContents> {
  const { needed, damaged: damagedThemes } = await logoContents(queries)
  const dangling: DamagedRow[] = []
  for (const reference of records) {
    const { workspace, snapshot } = reference
    if (snapshot) await addContents(queries, workspace, snapshot, contentsOf(needed, workspace))
    else dangling.push(danglingRow(reference))
  }
  for (const row of dangling) reportDamage(queries, row)
  return { needed, damaged: [...damagedThemes, ...damaged, ...dangling] }
}

/** A reference that points at nothing, as a damaged row. */
function danglingRow({ workspace, project, from }: Reference): DamagedRow {
  const number = from === 'draft' ? {} : { number: from }
  const key = { workspace, project, ...number }
  return new DamagedRow({ table: 'project', key, problem: 'its snapshot or its revision is missing' })
}

/** The logos of workspaces, which no snapshot contains. */
export async function logoContents(queries: Queries): Promise<NeededContents> {
  const needed = new Map<string, Contents>()
  const { records, damaged } = await listLogos(queries)
  for (const { workspace, hashes } of records) for (const hash of hashes) contentsOf(needed, workspace).files.add(hash)
  return { needed, damaged }
}

/** The contents of a workspace, which are added if there are none. */
export function contentsOf(needed: Map<string, Contents>, workspace: string): Contents {
  const contents = needed.get(workspace) ?? { objects: new Set(), files: new Set() }
  needed.set(workspace, contents)
  return contents
}

/** The content of a workspace, by hash: objects in the catalogue, and files. */
export type Contents = { objects: Set<Hash>; files: Set<Hash> }

/**
 * Adds a snapshot and its content. Known objects are not read again, so a long history costs only its changes. Throws
 * if an object is missing in the catalogue.
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
  // Snapshots share the chunks of their lists.
  const readNew = async <Item>(chunks: readonly Hash[], add: (item: Item) => void) => {
    for (const chunk of chunks) {
      if (objects.has(chunk)) continue
      const items: Item[] = await read(chunk)
      for (const item of items) add(item)
      objects.add(chunk)
    }
  }
  await readNew<Page>(root.pages, ({ content }) => objects.add(content))
  await readNew<BrandFile>(root.files, ({ hash }) => files.add(hash))
  for (const hash of [...root.colors, ...root.types, snapshot]) objects.add(hash)
}

const DECODER = new TextDecoder()

/**
 * Adds the lists of files of all revisions, so that the paths and hashes of freed ones stay known; their files are not
 * added. Call it after `addContents`. Damaged lists are left out.
 */
export async function addFileLists(queries: Queries, needed: Map<string, Contents>): Promise<void> {
  for (const { workspace, snapshot } of await SNAPSHOTS.sound(queries, 'GROUP BY workspace, snapshot')) {
    const { objects } = contentsOf(needed, workspace)
    // A snapshot among the objects was added with its lists before.
    const root = isHash(snapshot) && !objects.has(snapshot) && (await findSound(queries, workspace, snapshot))
    if (!root) continue
    const { files }: SnapshotRoot = JSON.parse(DECODER.decode(root))
    for (const hash of [snapshot, ...files])
      if (!objects.has(hash) && (await findSound(queries, workspace, hash))) objects.add(hash)
  }
}

const SNAPSHOT = { workspace: text('workspace'), snapshot: text('snapshot') }
const SNAPSHOTS = defineRows('revision', SNAPSHOT, 'revision')

/** The bytes of an object; undefined if it is missing or damaged. */
async function findSound(queries: Queries, workspace: string, hash: Hash): Promise<Uint8Array | undefined> {
  try {
    return await findObject(queries, workspace, hash)
  } catch (error) {
    if (error instanceof DamagedContent) return undefined
    throw error
  }
}

/** Throws if one of these references dangles. */
export function assertNoneDangling(references: readonly Reference[]): void {
  const dangling = references.find(({ snapshot }) => !snapshot)
  if (dangling)
    throw new StoreError('store_damaged', `${referenceText(dangling)} points at nothing: see \`housestyle doctor\``)
}

/** A reference in messages: `acme/guidelines (revision 3)`. */
export function referenceText({ workspace, project, from }: Omit<Reference, 'snapshot' | 'name'>): string {
  return `${workspace}/${project} (${from === 'draft' ? from : `revision ${from}`})`
}

/**
 * The drafts, the revisions that are not freed, and the served revisions that are freed or missing. The last happens only
 * in a damaged store: without a revision, the snapshot is null, so the reference dangles.
 */
const REFERENCES = `SELECT 'project' AS source, workspace, id AS project, NULL AS number, draft_snapshot AS snapshot, draft_name AS name FROM project
  UNION ALL SELECT 'revision', workspace, project, number, snapshot, name FROM revision WHERE freed_at IS NULL
  UNION ALL SELECT 'project', p.workspace, p.id, p.published_revision AS number, r.snapshot, COALESCE(r.name, '') AS name FROM project p
    LEFT JOIN revision r ON r.workspace = p.workspace AND r.project = p.id AND r.number = p.published_revision
    WHERE p.published_revision IS NOT NULL AND (r.number IS NULL OR r.freed_at IS NOT NULL)`

const REFERENCE = {
  workspace: text('workspace'),
  project: text('project'),
  number: optional(whole('number', 1)),
  name: text('name'),
  snapshot: optional(text('snapshot')),
}
const OF_PROJECTS = defineRows(`(${REFERENCES}) AS reference`, REFERENCE, 'project')
const OF_REVISIONS = defineRows(`(${REFERENCES}) AS reference`, REFERENCE, 'revision')

/** Whether any reference or theme needs files. */
export async function refersToFiles(queries: Queries): Promise<boolean> {
  const { records, damaged } = await listLogos(queries)
  if (damaged.length > 0 || records.some(({ hashes }) => hashes.length > 0)) return true
  for (const { workspace, snapshot } of await DISTINCT.sound(queries, '')) {
    if (isHash(snapshot) && (await hasFiles(queries, workspace, snapshot))) return true
  }
  return false
}

/** Whether a snapshot has files, as far as its lists are in the store. Throws if they cannot be read now. */
async function hasFiles(queries: Queries, workspace: string, snapshot: Hash): Promise<boolean> {
  const contents = { objects: new Set<Hash>(), files: new Set<Hash>() }
  try {
    await addContents(queries, workspace, snapshot, contents)
  } catch (error) {
    if (!(error instanceof DamagedContent)) throw error
  }
  return contents.files.size > 0
}

/** Each snapshot once, because equal snapshots of different workspaces have equal content. */
const DISTINCT = defineRows(
  `(SELECT MIN(r.workspace) AS workspace, r.snapshot FROM (${REFERENCES}) AS r
    WHERE r.snapshot IS NOT NULL GROUP BY r.snapshot) AS snapshots`,
  SNAPSHOT,
  'revision',
)
