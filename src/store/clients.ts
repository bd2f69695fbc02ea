import { nullable, numberOf, type Queries, type Row, textOf } from './database.ts'

/** A client that may ask for tokens of a workspace. */
export type ClientRecord = {
  id: string
  workspace: string
  /** HMAC-SHA256 of the secret, in base64url. */
  secretHash: string
  /** Separated by spaces. */
  scope: string
  /** Absent: all projects of the workspace. */
  projects?: readonly string[]
  createdAt: Date
}

/** All clients that are not deleted, by workspace, then age. */
export async function listClients(queries: Queries): Promise<ClientRecord[]> {
  const rows = await queries.all('SELECT * FROM client WHERE deleted_at IS NULL ORDER BY workspace, created_at, id')
  return rows.map(clientOf)
}

/** A client that is not deleted. */
export async function findClient(queries: Queries, id: string): Promise<ClientRecord | undefined> {
  const row = await queries.get('SELECT * FROM client WHERE id = ? AND deleted_at IS NULL', id)
  return row && clientOf(row)
}

/** Adds a client, inside a transaction. */
export async function addClient(queries: Queries, client: ClientRecord): Promise<void> {
  const { id, workspace, secretHash, scope, projects, createdAt } = client
  await queries.run(
    'INSERT INTO client (id, workspace, secret_hash, scope, projects, created_at) VALUES (?, ?, ?, ?, ?, ?)',
    ...[id, workspace, secretHash, scope, projectsText(projects), createdAt.getTime()],
  )
}

/** Changes what a client may ask for, inside a transaction. */
export async function changeClient(queries: Queries, { id, scope, projects }: ClientRecord): Promise<void> {
  await queries.run('UPDATE client SET scope = ?, projects = ? WHERE id = ?', scope, projectsText(projects), id)
}

/** Deletes a client, inside a transaction; false where there is none. */
export async function removeClient(queries: Queries, id: string, now: Date): Promise<boolean> {
  const changed = await queries.run(
    'UPDATE client SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL',
    now.getTime(),
    id,
  )
  return changed > 0
}

/** The column of a list of projects: JSON, or null for all. */
export function projectsText(projects: readonly string[] | undefined): string | null {
  return projects ? JSON.stringify(projects) : null
}

/** The list of projects in a column. */
export function projectsOf(row: Row): { projects?: readonly string[] } {
  const text = nullable(row, 'projects', textOf)
  return text === undefined ? {} : { projects: JSON.parse(text) }
}

function clientOf(row: Row): ClientRecord {
  return {
    id: textOf(row, 'id'),
    workspace: textOf(row, 'workspace'),
    secretHash: textOf(row, 'secret_hash'),
    scope: textOf(row, 'scope'),
    ...projectsOf(row),
    createdAt: new Date(numberOf(row, 'created_at')),
  }
}
