import {
  type ConnectionRecord,
  endConnections,
  findLiveConnection,
  listLiveConnections,
} from '../../store/access/connections.ts'
import { recordChange } from '../../store/catalogue/changes.ts'
import type { Database } from '../../store/database/database.ts'
import type { Audit } from '../../telemetry/access-event.ts'

/** A program that acts for a person, as `housestyle connection list --json` prints it. */
export type ConnectionState = {
  id: string
  workspace: string
  /** The client id: of a registered client, or the https address of its metadata. */
  client: string
  /** Absent if it gives none. */
  name?: string
  /** The person's e-mail address, or null. */
  email: string | null
  /** The share link that it depends on, or null. */
  share: string | null
  resource: string
  /** Separated by spaces. */
  scope: string
  projects: readonly string[] | null
  createdAt: string
  expiresAt: string
  lastUsedAt: string | null
}

/** The live connections of a workspace, newest first. */
export async function connectionStates(database: Database, workspace: string, now: Date): Promise<ConnectionState[]> {
  return (await listLiveConnections(database, workspace, now)).map(stateOf)
}

/** Ends a connection in every process; false if no live connection has this id. */
export async function endConnection(database: Database, record: Audit, id: string, now: Date): Promise<boolean> {
  const ended = await database.transaction(async queries => {
    const found = await findLiveConnection(queries, id, now)
    if (!found) return undefined
    await endConnections(queries, { column: 'id', value: id }, now)
    await recordChange(queries, undefined)
    return found
  })
  if (!ended) return false
  const { workspace, client, subject } = ended
  record({ event: 'connection-ended', connection: id, workspace, client, subject })
  return true
}

function stateOf(connection: ConnectionRecord): ConnectionState {
  const { id, workspace, client, clientName, origin, email, resource, scope, projects } = connection
  return {
    id,
    workspace,
    client,
    ...(clientName !== undefined && { name: clientName }),
    email: email ?? null,
    share: 'share' in origin ? origin.share : null,
    resource,
    scope,
    projects: projects?.map(({ project }) => project) ?? null,
    createdAt: connection.createdAt.toISOString(),
    expiresAt: connection.expiresAt.toISOString(),
    lastUsedAt: connection.lastUsedAt?.toISOString() ?? null,
  }
}
