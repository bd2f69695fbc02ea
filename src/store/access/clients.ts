import type { ProjectRef } from '#brand/ids.ts'
import type { Readable } from '../database/damaged-row.ts'
import type { Queries } from '../database/database.ts'
import {
  date,
  defineTable,
  matching,
  optional,
  orNull,
  printedAs,
  type RecordOf,
  strings,
  text,
  unprinted,
} from '../database/table.ts'
import { endConnections } from './connections.ts'
import { PROJECTS, scopes } from './covered-projects.ts'

/** Clients that may request tokens of a workspace. */
export const CLIENTS = defineTable('client', {
  id: printedAs('client_id', text('id')),
  name: optional(text('name')),
  workspace: text('workspace'),
  /** Separated by spaces. */
  scope: scopes('scope'),
  projects: PROJECTS,
  /** The addresses that receive codes, if people allow it to act for them; absent for a client with a secret. */
  redirectUris: printedAs('redirect_uris', optional(strings('redirect_uris'))),
  createdAt: date('created_at'),
  /** The hour of its last use; absent if none is recorded. */
  lastUsedAt: orNull(date('last_used_at')),
  /** HMAC-SHA256 of the secret, in base64url; empty if it has none. */
  secretHash: unprinted(text('secret_hash')),
})

export type ClientRecord = RecordOf<typeof CLIENTS>

/** The clients of a workspace, or all, that are not deleted, by workspace, then age. */
export function listClients(queries: Queries, { workspace }: Partial<ProjectRef> = {}): Promise<ClientRecord[]> {
  const [where, ...values] = matching({ workspace })
  return CLIENTS.all(queries, `${LIVE} AND ${where} ${IN_ORDER}`, ...values)
}

/** All of these clients for their tokens: a damaged one refuses only its own. */
export function listServedClients(queries: Queries): Promise<Readable<ClientRecord>> {
  return CLIENTS.readable(queries, `${LIVE} ${IN_ORDER}`)
}

const LIVE = 'WHERE deleted_at IS NULL'
const IN_ORDER = 'ORDER BY workspace, created_at, id'

/** A client that is not deleted. */
export function findClient(queries: Queries, id: string): Promise<ClientRecord | undefined> {
  return CLIENTS.one(queries, 'WHERE id = ? AND deleted_at IS NULL', id)
}

/** Changes the name, scope and projects of a client, inside a transaction. */
export async function changeClient(queries: Queries, { id, name, scope, projects }: ClientRecord): Promise<void> {
  await CLIENTS.set(queries, { name, scope, projects }, 'WHERE id = ?', id)
}

/** Deletes a client and ends its connections, inside a transaction; false if there is no such client. */
export async function removeClient(queries: Queries, id: string, now: Date): Promise<boolean> {
  const sql = 'UPDATE client SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL'
  const isRemoved = (await queries.run(sql, now.getTime(), id)) > 0
  if (isRemoved) await endConnections(queries, { column: 'client', value: id }, now)
  return isRemoved
}
