import { createHmac, randomBytes } from 'node:crypto'
import { equalsInConstantTime } from '#platform/base/bytes.ts'
import { isThisMachine } from '#platform/base/server-url.ts'
import { CLIENTS, type ClientRecord, changeClient, findClient } from '#store/access/clients.ts'
import type { ProjectInstance } from '#store/catalogue/catalogue.ts'
import type { Queries } from '#store/database/database.ts'
import type { StateOf } from '#store/database/table.ts'
import { type AccessContext, changeAccess } from '../context.ts'

/** A new client. Only this value contains its secret, which a client that acts for people lacks. */
export type CreatedClient = Omit<StateOf<typeof CLIENTS>, 'createdAt' | 'lastUsedAt'> & {
  client_secret: string | undefined
}

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
  scopes?: readonly string[] | undefined
  projects?: readonly ProjectInstance[] | 'all' | undefined
}

export async function createClient(
  access: AccessContext,
  workspace: string,
  { scopes, ...settings }: NewClient,
  now: Date,
): Promise<CreatedClient> {
  const secret = settings.redirectUris ? undefined : randomBytes(32).toString('base64url')
  const client: ClientRecord = {
    id: `${workspace}-${randomBytes(6).toString('hex')}`,
    workspace,
    scope: scopes.join(' '),
    secretHash: secret === undefined ? NO_SECRET : hashOf(secret, access),
    createdAt: now,
    ...settings,
  }
  const add = async (queries: Queries) => {
    await CLIENTS.add(queries, client)
    return client
  }
  await changeAccess(access, add, ({ id }) => ({ event: 'client-created', client: id, workspace }))
  const { client_id, createdAt: _createdAt, lastUsedAt: _lastUsedAt, ...state } = CLIENTS.stateOf(client)
  return { client_id, client_secret: secret, ...state }
}

/** Stands for the hash of a client without a secret. No secret has it, since hashes have 43 characters. */
const NO_SECRET = ''

/** Whether a string has the form of a client id. Secrets and tokens never do, so such a string may be logged. */
export function isClientId(text: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,62}-[0-9a-f]{12}$/.test(text)
}

/** Changes a client, and so the content that its tokens cover; undefined if the client does not exist. */
export async function updateClient(
  access: AccessContext,
  id: string,
  { name, scopes, projects }: ClientChange,
): Promise<StateOf<typeof CLIENTS> | undefined> {
  const changed = await changeAccess(
    access,
    async queries => {
      const client = await findClient(queries, id)
      if (!client) return undefined
      if (name !== undefined) client.name = name
      if (scopes) client.scope = scopes.join(' ')
      if (projects === 'all') delete client.projects
      else if (projects) client.projects = projects
      await changeClient(queries, client)
      return client
    },
    ({ workspace }) => ({ event: 'client-changed', client: id, workspace }),
  )
  return changed && CLIENTS.stateOf(changed)
}

/**
 * Returns the client with this id if the secret is right. An unknown id takes as long as a wrong secret
 * (decisions/0050).
 */
export async function authenticateClient(
  access: AccessContext,
  id: string,
  clientSecret: string,
): Promise<ClientRecord | undefined> {
  const client = await findClient(access.database, id)
  const storedHash = client?.secretHash ?? hashOf('', access)
  return equalsInConstantTime(hashOf(clientSecret, access), storedHash) ? client : undefined
}

/** Whether an id is that of a client without a secret, which acts for people. */
export async function isPublicClient({ database }: AccessContext, id: string): Promise<boolean> {
  return (await findClient(database, id))?.secretHash === NO_SECRET
}

/** Secrets have 256 random bits, so a fast hash suffices. */
function hashOf(clientSecret: string, { identity }: AccessContext): string {
  return createHmac('sha256', identity.clientSecret).update(clientSecret).digest('base64url')
}

/**
 * Whether a program may receive codes at an address: https, http on this machine, whose port may differ (RFC 8252
 * §7.3), or the scheme of a program: one with a dot (§7.1), such as `com.example.app:/callback`, or a known one. Browsers
 * and operating systems open any number of other schemes themselves, such as `search-ms:`.
 */
export function isRedirectAddress(text: string): boolean {
  if (!URL.canParse(text) || text.includes('#') || text.length > MAX_LENGTH) return false
  const { protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '') return false
  if (protocol === 'https:') return !isThisMachine(hostname)
  if (protocol === 'http:') return isThisMachine(hostname)
  return KNOWN_PROGRAMS.has(protocol) || WITH_DOT.test(protocol)
}

/** The length of a redirect address in characters. */
const MAX_LENGTH = 2000
/** `com.example.app:` */
const WITH_DOT = /^[a-z][a-z\d-]*(?:\.[a-z\d-]+)+:$/

/** Schemes without a dot that widely used programs register. */
const KNOWN_PROGRAMS: ReadonlySet<string> = new Set(['cursor:', 'vscode:', 'vscode-insiders:', 'windsurf:', 'zed:'])
