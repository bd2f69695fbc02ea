import type { ProjectInstance } from '../catalogue/catalogue.ts'
import { nullable, numberOf, type Queries, type Row, textOf } from '../database/database.ts'
import { lastUsedAt } from './last-uses.ts'

/** A client that may request tokens of a workspace. */
export type ClientRecord = {
  id: string
  /** Absent if it has none. */
  name?: string
  workspace: string
  /** HMAC-SHA256 of the secret, in base64url; empty if it has none. */
  secretHash: string
  /** Separated by spaces. */
  scope: string
  /** Absent: all projects of the workspace. */
  projects?: readonly ProjectInstance[]
  /** The addresses that receive codes, for a client that people allow to act for them; absent for a client with a secret. */
  redirectUris?: readonly string[]
  createdAt: Date
  /** The hour of its last use; absent if none is recorded. */
  lastUsedAt?: Date
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
  const { id, name, workspace, secretHash, scope, projects, redirectUris, createdAt } = client
  await queries.run(
    `INSERT INTO client (id, name, workspace, secret_hash, scope, projects, instances, redirect_uris, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    name ?? null,
    workspace,
    secretHash,
    scope,
    ...projectColumns(projects),
    listToJson(redirectUris),
    createdAt.getTime(),
  )
}

/** Changes the name, scope and projects of a client, inside a transaction. */
export async function changeClient(queries: Queries, { id, name, scope, projects }: ClientRecord): Promise<void> {
  await queries.run(
    'UPDATE client SET name = ?, scope = ?, projects = ?, instances = ? WHERE id = ?',
    name ?? null,
    scope,
    ...projectColumns(projects),
    id,
  )
}

/** Deletes a client, inside a transaction; false if there is no such client. */
export async function removeClient(queries: Queries, id: string, now: Date): Promise<boolean> {
  const changed = await queries.run(
    'UPDATE client SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL',
    now.getTime(),
    id,
  )
  return changed > 0
}

/** The column values of a list of projects; null if there is no list. */
export function projectColumns(
  projects: readonly ProjectInstance[] | undefined,
): [projects: string | null, instances: string | null] {
  return [listToJson(projects?.map(({ project }) => project)), listToJson(projects?.map(({ instance }) => instance))]
}

/** The column value of a list of strings: JSON, or null if there is no list. */
export function listToJson(list: readonly string[] | undefined): string | null {
  return list ? JSON.stringify(list) : null
}

/** The list of strings in a column; undefined if it is null. */
export function listOf(row: Row, column: string): readonly string[] | undefined {
  const text = nullable(row, column, textOf)
  return text === undefined ? undefined : JSON.parse(text)
}

/** The projects in these columns; undefined if there is no list. */
export function projectsOf(row: Row): readonly ProjectInstance[] | undefined {
  const instances = listOf(row, 'instances')
  return listOf(row, 'projects')?.map((project, at) => ({ project, instance: instances?.[at] ?? '' }))
}

function clientOf(row: Row): ClientRecord {
  const projects = projectsOf(row)
  const name = nullable(row, 'name', textOf)
  const usedAt = lastUsedAt(row)
  const redirectUris = listOf(row, 'redirect_uris')
  return {
    id: textOf(row, 'id'),
    ...(name !== undefined && { name }),
    workspace: textOf(row, 'workspace'),
    secretHash: textOf(row, 'secret_hash'),
    scope: textOf(row, 'scope'),
    ...(projects && { projects }),
    ...(redirectUris && { redirectUris }),
    createdAt: new Date(numberOf(row, 'created_at')),
    ...(usedAt && { lastUsedAt: usedAt }),
  }
}
