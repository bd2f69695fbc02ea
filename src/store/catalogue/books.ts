import { parseHash } from '#brand/snapshot.ts'
import type { Queries } from '../database/database.ts'
import { date, defineTable, optional, type RecordOf, text, textAs, whole } from '../database/table.ts'
import { recordChange } from './changes.ts'
import { contentsOf, type NeededContents } from './references.ts'

/** Printed books of published snapshots. They can be made again, so backups have none. */
export const BOOKS = defineTable('book', {
  workspace: text('workspace'),
  project: text('project'),
  snapshot: textAs('snapshot', parseHash),
  /** The public URL, the version of the program and, if pages differ from one day to the next, the day. */
  edition: text('edition'),
  madeAt: date('made_at'),
  /** Absent if it could not be made. */
  hash: optional(textAs('hash', parseHash)),
  /** bytes */
  size: whole('size'),
  problem: optional(text('problem')),
})

export type BookRecord = RecordOf<typeof BOOKS>
type BookKey = Pick<BookRecord, 'workspace' | 'project' | 'snapshot' | 'edition'>

/** The latest book of an edition. */
export async function findBook(queries: Queries, key: BookKey): Promise<BookRecord | undefined> {
  const where = 'WHERE workspace = ? AND project = ? AND snapshot = ? AND edition = ? ORDER BY made_at DESC LIMIT 1'
  return BOOKS.one(queries, where, key.workspace, key.project, key.snapshot, key.edition)
}

/** Adds a book, and records its project as changed, so that every process reads it, inside a transaction. */
export async function addBook(queries: Queries, book: BookRecord): Promise<void> {
  await BOOKS.add(queries, book)
  await recordChange(queries, book.workspace, book.project)
}

/** The condition that a book is the latest of the published snapshot of its project. */
const IS_LATEST = `(workspace, project, snapshot, made_at) IN (
  SELECT b.workspace, b.project, b.snapshot, MAX(b.made_at) FROM book b
  JOIN project p ON p.workspace = b.workspace AND p.id = b.project
  JOIN revision r ON r.workspace = p.workspace AND r.project = p.id AND r.number = p.published_revision
  WHERE r.snapshot = b.snapshot GROUP BY b.workspace, b.project, b.snapshot)`

/** The latest book of each published guide. */
export function listLatestBooks(queries: Queries): Promise<BookRecord[]> {
  return BOOKS.sound(queries, `WHERE ${IS_LATEST} ORDER BY workspace, project`)
}

/** Adds the latest book of each published guide to the needed contents. */
export async function addBooks(queries: Queries, needed: NeededContents['needed']): Promise<void> {
  for (const { workspace, hash } of await listLatestBooks(queries))
    if (hash) contentsOf(needed, workspace).files.add(hash)
}

/** Removes all other books, inside a transaction. */
export async function removeOldBooks(queries: Queries): Promise<void> {
  await queries.run(`DELETE FROM book WHERE NOT ${IS_LATEST}`)
}
