import type { ProjectInstance } from '../catalogue/catalogue.ts'
import { nullable, numberOf, type Queries, type Row, textOf } from '../database/database.ts'
import { projectColumns, projectsOf } from './clients.ts'
import { lastUsedAt } from './last-uses.ts'

/** A program that acts for a person, as the store records it. */
export type ConnectionRecord = {
  id: string
  workspace: string
  /** The client id: of a registered client, or the https address of its metadata. */
  client: string
  clientName?: string
  /** The session or the share link that the connection depends on. */
  origin: { session: string } | { share: string }
  /** The issuer's settings and tokens, which let the connection outlive its session; absent if it may not. */
  issuer?: { signin: string; tokens: string }
  /** The person in logs and tokens. */
  subject: string
  email?: string
  /** The address that the tokens are for (RFC 8707). */
  resource: string
  /** Separated by spaces. */
  scope: string
  /** Absent: all projects of the workspace. */
  projects?: readonly ProjectInstance[]
  createdAt: Date
  expiresAt: Date
  lastUsedAt?: Date
}

/**
 * Adds a connection, inside a transaction. Ends the oldest beyond 100 of its session or share link. So that the table
 * does not grow forever, deletes connections that ended or expired more than a day ago.
 */
export async function addConnection(queries: Queries, connection: ConnectionRecord): Promise<void> {
  await makeRoom(queries, connection)
  const { id, workspace, client, clientName, origin, issuer, subject, email, resource, scope } = connection
  await queries.run(
    `INSERT INTO connection (id, workspace, client, client_name, session, share, signin, issuer_tokens, subject,
      email, resource, scope, projects, instances, created_at, expires_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    workspace,
    client,
    clientName ?? null,
    'session' in origin ? origin.session : null,
    'share' in origin ? origin.share : null,
    issuer?.signin ?? null,
    issuer?.tokens ?? null,
    subject,
    email ?? null,
    resource,
    scope,
    ...projectColumns(connection.projects),
    connection.createdAt.getTime(),
    connection.expiresAt.getTime(),
  )
}

async function makeRoom(queries: Queries, { origin, createdAt }: ConnectionRecord): Promise<void> {
  const [column, value] = 'session' in origin ? ['session', origin.session] : ['share', origin.share]
  const sql = `${LIVE} AND ${column} = ? ORDER BY created_at DESC, id LIMIT 1000 OFFSET ?`
  for (const row of await queries.all(sql, createdAt.getTime(), value, MAX_OF_ORIGIN - 1))
    await endConnections(queries, { column: 'id', value: textOf(row, 'id') }, createdAt)
  const dayBefore = createdAt.getTime() - 24 * 3600 * 1000
  await queries.run('DELETE FROM connection WHERE expires_at < ? OR ended_at < ?', dayBefore, dayBefore)
}

const MAX_OF_ORIGIN = 100

/** The live connection with this id. */
export async function findLiveConnection(
  queries: Queries,
  id: string,
  now: Date,
): Promise<ConnectionRecord | undefined> {
  const row = await queries.get(`${LIVE} AND id = ?`, now.getTime(), id)
  return row && connectionOf(row)
}

/** The live connections of a workspace, newest first. */
export async function listLiveConnections(queries: Queries, workspace: string, now: Date): Promise<ConnectionRecord[]> {
  const rows = await queries.all(`${LIVE} AND workspace = ? ORDER BY created_at DESC, id`, now.getTime(), workspace)
  return rows.map(connectionOf)
}

/** Replaces the tokens of an issuer, which a session and its connections share, inside a transaction. */
export async function replaceIssuerTokens(queries: Queries, before: string, after: string): Promise<void> {
  await queries.run('UPDATE connection SET issuer_tokens = ? WHERE issuer_tokens = ?', after, before)
  await queries.run('UPDATE session SET issuer_tokens = ? WHERE issuer_tokens = ?', after, before)
}

/** Lets the connections of a session depend on another one of the same person, inside a transaction. */
export async function moveConnections(queries: Queries, before: string, after: string): Promise<void> {
  await queries.run('UPDATE connection SET session = ? WHERE session = ?', after, before)
}

const LIVE = 'SELECT * FROM connection WHERE ended_at IS NULL AND expires_at > ?'

/**
 * Ends a connection, or all of a session, a share link, an issuer or a person, or all of people who signed in, inside a
 * transaction: revokes their access tokens, and deletes their codes and refresh tokens. Returns the number of ended
 * connections.
 */
export async function endConnections(
  queries: Queries,
  of: ConnectionsOf | 'all of people',
  now: Date,
): Promise<number> {
  const [where, ...values] = of === 'all of people' ? ['session IS NOT NULL'] : [`${of.column} = ?`, of.value]
  const ids = `SELECT id FROM connection WHERE ${where}`
  const revoke = `UPDATE token SET revoked_at = ? WHERE revoked_at IS NULL AND connection IN (${ids})`
  await queries.run(revoke, now.getTime(), ...values)
  await queries.run(`DELETE FROM authorization_state WHERE connection IN (${ids})`, ...values)
  const end = `UPDATE connection SET ended_at = ?, issuer_tokens = NULL WHERE ended_at IS NULL AND ${where}`
  return queries.run(end, now.getTime(), ...values)
}

/** The connections whose column has this value. */
type ConnectionsOf = {
  column: 'id' | 'session' | 'share' | 'signin' | 'email' | 'subject' | 'client'
  value: string
}

function connectionOf(row: Row): ConnectionRecord {
  const [session, share] = [nullable(row, 'session', textOf), nullable(row, 'share', textOf)]
  const [signin, tokens] = [nullable(row, 'signin', textOf), nullable(row, 'issuer_tokens', textOf)]
  const clientName = nullable(row, 'client_name', textOf)
  const email = nullable(row, 'email', textOf)
  const usedAt = lastUsedAt(row)
  const projects = projectsOf(row)
  return {
    id: textOf(row, 'id'),
    workspace: textOf(row, 'workspace'),
    client: textOf(row, 'client'),
    ...(clientName !== undefined && { clientName }),
    origin: session === undefined ? { share: share ?? '' } : { session },
    ...(signin !== undefined && tokens !== undefined && { issuer: { signin, tokens } }),
    subject: textOf(row, 'subject'),
    ...(email !== undefined && { email }),
    resource: textOf(row, 'resource'),
    scope: textOf(row, 'scope'),
    ...(projects && { projects }),
    createdAt: new Date(numberOf(row, 'created_at')),
    expiresAt: new Date(numberOf(row, 'expires_at')),
    ...(usedAt && { lastUsedAt: usedAt }),
  }
}
