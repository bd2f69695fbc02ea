import { nullable, numberOf, type Queries, type Row, textOf } from '../database/database.ts'

/** The state of a followed repository, which all processes share. */
export type GitSourceRecord = {
  /** The last time at which a webhook asked for a check. */
  requestedAt?: Date
  /** The start of the last check by any process. */
  checkedAt?: Date
  /** The end of the last check without any failure or error. */
  goodAt?: Date
  /** JSON: the source, and the commit and the result of its last import. */
  imported?: string
  /** JSON: why the last check failed; absent if it did not. */
  failure?: string
}

/** The state of a source; empty if no process has ever checked it. */
export async function findGitSource(queries: Queries, id: string): Promise<GitSourceRecord> {
  const row = await queries.get('SELECT * FROM git_source WHERE id = ?', id)
  return row ? recordOf(row) : {}
}

/** The states of all sources that any process has ever checked. */
export async function listGitSources(queries: Queries): Promise<GitSourceRecord[]> {
  return (await queries.all('SELECT * FROM git_source ORDER BY id')).map(recordOf)
}

function recordOf(row: Row): GitSourceRecord {
  const imported = nullable(row, 'imported', textOf)
  const failure = nullable(row, 'failure', textOf)
  return {
    ...dateOf('requestedAt', numberOf(row, 'requested_at')),
    ...dateOf('checkedAt', numberOf(row, 'checked_at')),
    ...dateOf('goodAt', numberOf(row, 'good_at')),
    ...(imported !== undefined && { imported }),
    ...(failure !== undefined && { failure }),
  }
}

function dateOf<Name extends string>(name: Name, time: number): Partial<Record<Name, Date>>
function dateOf(name: string, time: number): Partial<Record<string, Date>> {
  return time === 0 ? {} : { [name]: new Date(time) }
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
  const sql = 'UPDATE git_source SET checked_at = ? WHERE id = ? AND (checked_at <= ? OR requested_at > checked_at)'
  return (await queries.run(sql, now.getTime(), id, due.getTime())) > 0
}

/** Saves the result of a check, inside a transaction. An absent import keeps the last one. */
export async function saveGitCheck(
  queries: Queries,
  id: string,
  { goodAt, imported, failure }: Pick<GitSourceRecord, 'goodAt' | 'imported' | 'failure'>,
): Promise<void> {
  await addGitSource(queries, id)
  await queries.run(
    'UPDATE git_source SET good_at = COALESCE(?, good_at), imported = COALESCE(?, imported), failure = ? WHERE id = ?',
    goodAt?.getTime() ?? null,
    imported ?? null,
    failure ?? null,
    id,
  )
}

/** Sets the import of a source without a check, inside a transaction. */
export async function saveGitImport(queries: Queries, id: string, imported: string): Promise<void> {
  await addGitSource(queries, id)
  await queries.run('UPDATE git_source SET imported = ? WHERE id = ?', imported, id)
}

async function addGitSource(queries: Queries, id: string): Promise<void> {
  await queries.run('INSERT INTO git_source (id) VALUES (?) ON CONFLICT (id) DO NOTHING', id)
}
