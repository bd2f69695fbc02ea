import type { Queries } from '../database/database.ts'
import {
  date,
  defineRows,
  defineTable,
  group,
  matching,
  optional,
  orNull,
  type PrintedProperty,
  printedAs,
  type RecordOf,
  text,
  unprinted,
} from '../database/table.ts'
import type { DamagedRow } from '../store-error.ts'
import { PROJECTS, type SessionsOf, scopes } from './covered-projects.ts'

/** The session or the share link that a connection depends on. */
type Origin = { session: string } | { share: string }

const SESSION = optional(text('session'))
const SHARE = optional(text('share'))
/** One of the two columns is set. */
const ORIGIN: PrintedProperty<Origin, string | null> = {
  columns: ['session', 'share'],
  read: row => {
    const session = SESSION.read(row)
    return session === undefined ? { share: SHARE.read(row) ?? '' } : { session }
  },
  values: origin => ('session' in origin ? [origin.session, null] : [null, origin.share]),
  state: origin => ('share' in origin ? origin.share : null),
}

/** Programs that act for a person. */
export const CONNECTIONS = defineTable('connection', {
  id: text('id'),
  workspace: text('workspace'),
  /** The client id: of a registered client, or the https address of its metadata. */
  client: text('client'),
  clientName: printedAs('name', optional(text('client_name'))),
  /** The addresses of the person, as in sessions. */
  email: orNull(text('email')),
  unverifiedEmail: optional(text('unverified_email')),
  origin: printedAs('share', ORIGIN),
  /** The address that the tokens are for (RFC 8707). */
  resource: text('resource'),
  /** Separated by spaces. */
  scope: scopes('scope'),
  projects: PROJECTS,
  createdAt: date('created_at'),
  expiresAt: date('expires_at'),
  lastUsedAt: orNull(date('last_used_at')),
  /** The issuer's settings and tokens, which let the connection outlive its session; absent if it may not. */
  issuer: optional(group({ tokens: text('issuer_tokens'), signin: text('signin') })),
  /** The person in logs and tokens. */
  subject: unprinted(text('subject')),
})

export type ConnectionRecord = RecordOf<typeof CONNECTIONS>

/**
 * Adds a connection, inside a transaction. Ends the oldest beyond 100 of its session or share link. So that the table
 * does not grow forever, deletes connections that ended or expired more than a day ago.
 */
export async function addConnection(queries: Queries, connection: ConnectionRecord): Promise<void> {
  const { origin, createdAt } = connection
  const [column, value] = 'session' in origin ? ['session', origin.session] : ['share', origin.share]
  // All beyond the newest 99, so that the new one is the hundredth.
  const oldest = `${LIVE} AND ${column} = ? ORDER BY created_at DESC, id LIMIT 1000 OFFSET ?`
  for (const { id } of await IDS.all(queries, oldest, createdAt.getTime(), value, MAX_OF_ORIGIN - 1))
    await endConnections(queries, { column: 'id', value: id }, createdAt)
  const dayBefore = createdAt.getTime() - 24 * 3600 * 1000
  await queries.run('DELETE FROM connection WHERE expires_at < ? OR ended_at < ?', dayBefore, dayBefore)
  await CONNECTIONS.add(queries, connection)
}

const IDS = defineRows('connection', { id: text('id') })
const MAX_OF_ORIGIN = 100

/** The live connection with this id. */
export function findLiveConnection(queries: Queries, id: string, now: Date): Promise<ConnectionRecord | undefined> {
  return CONNECTIONS.one(queries, `${LIVE} AND id = ?`, now.getTime(), id)
}

/** The live connections of a workspace or with an address that is not verified, or all, newest first. */
export function listLiveConnections(
  queries: Queries,
  now: Date,
  { workspace, unverifiedEmail: unverified_email }: Pick<SessionsOf, 'workspace' | 'unverifiedEmail'> = {},
): Promise<ConnectionRecord[]> {
  const [where, ...values] = matching({ workspace, unverified_email })
  return CONNECTIONS.all(queries, `${LIVE} AND ${where} ORDER BY created_at DESC, id`, now.getTime(), ...values)
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

const LIVE = 'WHERE ended_at IS NULL AND expires_at > ?'

/** Ends a live connection, inside a transaction; undefined if there is none with this id. */
export async function endLiveConnection(
  queries: Queries,
  id: string,
  now: Date,
): Promise<ConnectionRecord | DamagedRow | undefined> {
  const connection = await CONNECTIONS.found(queries, `${LIVE} AND id = ?`, now.getTime(), id)
  if (connection) await endConnections(queries, { column: 'id', value: id }, now)
  return connection
}

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
