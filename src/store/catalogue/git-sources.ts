import { field, isObject, parsedJson, withoutUndefined } from '#platform/base/object.ts'
import type { Queries, Row } from '../database/database.ts'
import { date, defineTable, optional, type Property, type RecordOf, text } from '../database/table.ts'
import { isFindings } from './draft-findings.ts'

/** The state of the followed repositories, which all processes share. */
export const GIT_SOURCES = defineTable('git_source', {
  /** The last time at which a webhook asked for a check. */
  requestedAt: dateUnlessZero('requested_at'),
  /** The start of the last check by any process. */
  checkedAt: dateUnlessZero('checked_at'),
  /** The end of the last check without any failure or error. */
  goodAt: dateUnlessZero('good_at'),
  /** JSON: the source, and the commit and the result of its last import. */
  imported: optional(text('imported', 'the result of an import', isImport)),
  /** JSON: why the last check failed; absent if it did not. */
  failure: optional(text('failure', 'the problem of a check', isFailure)),
})

/** Whether a stored text is the result of an import. Before the first one, it has only the source, and no `content`. */
function isImport(stored: string): boolean {
  const value = parsedJson(stored)
  const projects = field(value, 'projects')
  const isFilled = Array.isArray(field(value, 'filled') ?? [])
  const isImported = Array.isArray(projects) && projects.every(isObject) && isFindings(field(value, 'findings'))
  return isObject(value) && isFilled && (field(value, 'content') === undefined || isImported)
}

function isFailure(stored: string): boolean {
  const value = parsedJson(stored)
  return typeof field(value, 'message') === 'string' && typeof (field(value, 'waitMs') ?? 0) === 'number'
}

export type GitSourceRecord = RecordOf<typeof GIT_SOURCES>

/** A column with a time, which is 0 in the table for none. */
function dateUnlessZero(column: string): Property<Date | undefined> {
  const read = (row: Row) => (row[column] === 0 ? undefined : date(column).read(row))
  return { columns: [column], read, values: time => [time?.getTime() ?? 0] }
}

/** The state of a source; empty if no process has ever checked it. */
export async function findGitSource(queries: Queries, id: string): Promise<GitSourceRecord> {
  return (await GIT_SOURCES.one(queries, 'WHERE id = ?', id)) ?? {}
}

/** The states of all sources that any process has ever checked. A damaged one keeps no other from its import. */
export function listGitSources(queries: Queries): Promise<GitSourceRecord[]> {
  return GIT_SOURCES.sound(queries, 'ORDER BY id')
}

/** Asks every process to check a source soon, inside a transaction. Further calls before the check change nothing. */
export async function requestGitCheck(queries: Queries, id: string, now: Date): Promise<void> {
  await addGitSource(queries, id)
  // A request in the millisecond in which a check begins comes after it.
  await queries.run(
    'UPDATE git_source SET requested_at = CASE WHEN checked_at >= ? THEN checked_at + 1 ELSE ? END WHERE id = ?',
    now.getTime(),
    now.getTime(),
    id,
  )
}

/**
 * Claims the next check of a source, inside a transaction: true if it was requested, or if no process has begun one
 * since `due`.
 */
export async function claimGitCheck(queries: Queries, id: string, now: Date, due: Date): Promise<boolean> {
  await addGitSource(queries, id)
  const where = 'WHERE id = ? AND (checked_at <= ? OR requested_at > checked_at)'
  return (await GIT_SOURCES.set(queries, { checkedAt: now }, where, id, due.getTime())) > 0
}

/** Saves the result of a check, inside a transaction. An absent import keeps the last one. */
export async function saveGitCheck(
  queries: Queries,
  id: string,
  { goodAt, imported, failure }: Pick<GitSourceRecord, 'goodAt' | 'imported' | 'failure'>,
): Promise<void> {
  await addGitSource(queries, id)
  const changes = { failure, ...withoutUndefined({ goodAt, imported }) }
  await GIT_SOURCES.set(queries, changes, 'WHERE id = ?', id)
}

/** Sets the import of a source without a check, inside a transaction. */
export async function saveGitImport(queries: Queries, id: string, imported: string): Promise<void> {
  await addGitSource(queries, id)
  await GIT_SOURCES.set(queries, { imported }, 'WHERE id = ?', id)
}

async function addGitSource(queries: Queries, id: string): Promise<void> {
  await queries.run('INSERT INTO git_source (id) VALUES (?) ON CONFLICT (id) DO NOTHING', id)
}
