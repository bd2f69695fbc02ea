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
import type { ProjectInstance } from '../../store/catalogue/catalogue.ts'
import { noteChange } from '../../store/catalogue/changes.ts'
import type { Database } from '../../store/database/database.ts'
import type { Audit } from '../../telemetry/access-event.ts'

/** What clients are kept with; `secret` keys the hash of their secrets. */
export type ClientParts = { database: Database; secret: Uint8Array; record: Audit }

/** A client, as `housestyle client list --json` prints it. */
export type ClientState = {
  client_id: string
  workspace: string
  /** Separated by spaces. */
  scope: string
  projects: readonly string[] | null
  createdAt: string
}

/** A client as it was made: the one time that its secret is shown. */
export type CreatedClient = Omit<ClientState, 'createdAt'> & { client_secret: string }

/** What a client may ask for. */
export type ClientScopes = { scopes: readonly string[]; projects?: readonly ProjectInstance[] | undefined }

/** What changes of what a client may ask for; what is absent stays. */
export type ClientChange = { scopes?: readonly string[]; projects?: readonly ProjectInstance[] | 'all' }

/** Makes a client of a workspace. */
export async function createClient(
  { database, secret, record }: ClientParts,
  workspace: string,
  { scopes, projects }: ClientScopes,
  now: Date,
): Promise<CreatedClient> {
  const id = `${workspace}-${randomBytes(6).toString('hex')}`
  const clientSecret = randomBytes(32).toString('base64url')
  const scope = scopes.join(' ')
  const client: ClientRecord = {
    ...{ id, workspace, scope, secretHash: hashOf(clientSecret, secret), createdAt: now },
    ...(projects && { projects }),
  }
  await database.transaction(async queries => {
    await addClient(queries, client)
    await noteChange(queries, undefined)
  })
  record({ event: 'client-created', client: id, workspace })
  return { client_id: id, client_secret: clientSecret, workspace, scope, projects: idsOf(projects) }
}

/** Whether a text has the form of a client's id, which no secret and no token has: only such a text may be logged. */
export function isClientId(text: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,62}-[0-9a-f]{12}$/.test(text)
}

/** All clients. */
export async function clientStates(database: Database): Promise<ClientState[]> {
  return (await listClients(database)).map(({ id, workspace, scope, projects, createdAt }) => ({
    ...{ client_id: id, workspace, scope, projects: idsOf(projects) },
    createdAt: createdAt.toISOString(),
  }))
}

function idsOf(projects: readonly ProjectInstance[] | undefined): readonly string[] | null {
  return projects?.map(({ project }) => project) ?? null
}

/** Changes what a client may ask for; its tokens cover no more from then on. False where there is no such client. */
export async function updateClient(
  { database, record }: ClientParts,
  id: string,
  { scopes, projects }: ClientChange,
): Promise<boolean> {
  const changed = await database.transaction(async queries => {
    const known = await findClient(queries, id)
    if (!known) return undefined
    const { projects: before, ...rest } = known
    const after = projects === 'all' ? undefined : (projects ?? before)
    const client = { ...rest, ...(scopes && { scope: scopes.join(' ') }), ...(after && { projects: after }) }
    await changeClient(queries, client)
    await noteChange(queries, undefined)
    return client
  })
  if (changed) record({ event: 'client-changed', client: id, workspace: changed.workspace })
  return changed !== undefined
}

/** Deletes a client, and with it every token that it was given. False where there is no such client. */
export async function deleteClient({ database, record }: ClientParts, id: string, now: Date): Promise<boolean> {
  const isDeleted = await database.transaction(async queries => {
    const found = await removeClient(queries, id, now)
    if (found) await noteChange(queries, undefined)
    return found
  })
  if (isDeleted) record({ event: 'client-deleted', client: id })
  return isDeleted
}

/** The client of this id where the secret is its own; an unknown id takes as long as a wrong secret. */
export async function authenticateClient(
  { database, secret }: ClientParts,
  id: string,
  clientSecret: string,
): Promise<ClientRecord | undefined> {
  const client = await findClient(database, id)
  const kept = client?.secretHash ?? hashOf('', secret)
  return equalsInConstantTime(hashOf(clientSecret, secret), kept) ? client : undefined
}

/** Secrets are 256 random bits, which no one can guess through a fast hash; a slow one would only slow the service. */
function hashOf(clientSecret: string, secret: Uint8Array): string {
  return createHmac('sha256', secret).update(clientSecret).digest('base64url')
}
