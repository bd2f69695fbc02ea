import { createHmac, randomBytes } from 'node:crypto'
import { equalsInConstantTime } from '../../base/bytes.ts'
import {
  addClient,
  type ClientRecord,
  changeClient,
  findClient,
  listClients,
  removeClient,
} from '../../store/access/clients.ts'
import { endConnections } from '../../store/access/connections.ts'
import type { ProjectInstance } from '../../store/catalogue/catalogue.ts'
import { recordChange } from '../../store/catalogue/changes.ts'
import type { Database } from '../../store/database/database.ts'
import type { Audit } from '../../telemetry/access-event.ts'

/** The parts for managing clients. `secret` keys the hash of client secrets. */
export type ClientParts = { database: Database; secret: Uint8Array; record: Audit }

/** A client, as `housestyle client list --json` prints it. */
export type ClientState = {
  client_id: string
  /** Absent if it has no name. */
  name?: string
  workspace: string
  /** Separated by spaces. */
  scope: string
  projects: readonly string[] | null
  /** The addresses that receive codes; absent for a client with a secret. */
  redirect_uris?: readonly string[]
  createdAt: string
  /** The start of the hour of its last use; null if none is recorded. */
  lastUsedAt: string | null
}

/** A new client. Only this value contains its secret, which a client that acts for people lacks. */
export type CreatedClient = Omit<ClientState, 'createdAt' | 'lastUsedAt'> & { client_secret?: string }

/** The settings of a new client. */
export type NewClient = {
  name?: string | undefined
  scopes: readonly string[]
  projects?: readonly ProjectInstance[] | undefined
  /** Set if people allow it to act for them. It then has no secret: PKCE protects its codes (OAuth 2.1). */
  redirectUris?: readonly string[] | undefined
}

/** A change to a client. Absent properties are unchanged. */
export type ClientChange = {
  name?: string | undefined
  scopes?: readonly string[]
  projects?: readonly ProjectInstance[] | 'all'
}

export async function createClient(
  { database, secret, record }: ClientParts,
  workspace: string,
  { name, scopes, projects, redirectUris }: NewClient,
  now: Date,
): Promise<CreatedClient> {
  const id = `${workspace}-${randomBytes(6).toString('hex')}`
  const clientSecret = redirectUris ? undefined : randomBytes(32).toString('base64url')
  const scope = scopes.join(' ')
  const named = name === undefined ? {} : { name }
  const client: ClientRecord = {
    id,
    ...named,
    workspace,
    scope,
    secretHash: clientSecret === undefined ? NO_SECRET : hashOf(clientSecret, secret),
    createdAt: now,
    ...(projects && { projects }),
    ...(redirectUris && { redirectUris }),
  }
  await database.transaction(async queries => {
    await addClient(queries, client)
    await recordChange(queries, undefined)
  })
  record({ event: 'client-created', client: id, workspace })
  return {
    client_id: id,
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
    ...named,
    workspace,
    scope,
    projects: idsOf(projects),
    ...(redirectUris && { redirect_uris: redirectUris }),
  }
}

/** The hash of no secret, since hashes are longer. */
const NO_SECRET = ''

/** Whether a string has the form of a client id. Secrets and tokens never do, so such a string may be logged. */
export function isClientId(text: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,62}-[0-9a-f]{12}$/.test(text)
}

export async function clientStates(database: Database): Promise<ClientState[]> {
  return (await listClients(database)).map(stateOf)
}

function stateOf(client: ClientRecord): ClientState {
  const { id, name, workspace, scope, projects, redirectUris, createdAt, lastUsedAt } = client
  return {
    client_id: id,
    ...(name !== undefined && { name }),
    workspace,
    scope,
    projects: idsOf(projects),
    ...(redirectUris && { redirect_uris: redirectUris }),
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }
}

function idsOf(projects: readonly ProjectInstance[] | undefined): readonly string[] | null {
  return projects?.map(({ project }) => project) ?? null
}

/** Changes a client, and so the content that its tokens cover; returns false if the client does not exist. */
export async function updateClient(
  { database, record }: ClientParts,
  id: string,
  { name, scopes, projects }: ClientChange,
): Promise<boolean> {
  const changed = await database.transaction(async queries => {
    const known = await findClient(queries, id)
    if (!known) return undefined
    const { projects: before, ...rest } = known
    const after = projects === 'all' ? undefined : (projects ?? before)
    const client = {
      ...rest,
      ...(name !== undefined && { name }),
      ...(scopes && { scope: scopes.join(' ') }),
      ...(after && { projects: after }),
    }
    await changeClient(queries, client)
    await recordChange(queries, undefined)
    return client
  })
  if (changed) record({ event: 'client-changed', client: id, workspace: changed.workspace })
  return changed !== undefined
}

/** Deletes a client, which invalidates all its tokens and ends its connections; returns false if the client does not exist. */
export async function deleteClient({ database, record }: ClientParts, id: string, now: Date): Promise<boolean> {
  const isDeleted = await database.transaction(async queries => {
    const found = await removeClient(queries, id, now)
    if (found) await endConnections(queries, { column: 'client', value: id }, now)
    if (found) await recordChange(queries, undefined)
    return found
  })
  if (isDeleted) record({ event: 'client-deleted', client: id })
  return isDeleted
}

/** Returns the client with this id if the secret is right. An unknown id takes as long as a wrong secret. */
export async function authenticateClient(
  { database, secret }: ClientParts,
  id: string,
  clientSecret: string,
): Promise<ClientRecord | undefined> {
  const client = await findClient(database, id)
  const keptHash = client?.secretHash ?? hashOf('', secret)
  return equalsInConstantTime(hashOf(clientSecret, secret), keptHash) ? client : undefined
}

/** Secrets have 256 random bits, so a fast hash suffices. */
function hashOf(clientSecret: string, secret: Uint8Array): string {
  return createHmac('sha256', secret).update(clientSecret).digest('base64url')
}
