import { randomUUID } from 'node:crypto'
import { isScope, SCOPES, type Scope } from '#brand/contract/operations.ts'
import { isProjectId, isStoredWorkspaceId } from '#brand/ids.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { quote } from '#platform/base/text.ts'
import { countLiveTokens, recordToken } from '#store/access/tokens.ts'
import { findProject, findWorkspace, type ProjectInstance } from '#store/catalogue/catalogue.ts'
import { unknownMessage } from '#store/catalogue/unknown-message.ts'
import type { Database } from '#store/database/database.ts'
import type { AccessContext } from '../context.ts'
import { loadJose } from '../keys/jose.ts'

export const MAX_LIFETIME_SECONDS = 366 * 24 * 3600

export type TokenRequest = ScopeSelection & {
  /** 1 to `MAX_LIFETIME_SECONDS`. */
  lifetimeSeconds: number
  client: string
  /** Set if the client acts for a person. */
  actor?: { connection: string; subject: string }
  /** Added to `aud` alongside the API (RFC 8707). */
  resource?: string
}

/** A token and its claims, as `housestyle token issue --json` prints them. */
export type IssuedToken = {
  token: string
  jti: string
  workspace: string
  /** Separated by spaces. */
  scope: string
  projects: readonly string[] | null
  expiresAt: string
}

/** The seconds until a client may get its next token: 0, unless it has 10,000 unexpired ones in the store. */
export async function secondsToNextToken({ database }: AccessContext, client: string, now: Date): Promise<number> {
  const { count, firstExpiry } = await countLiveTokens(database, 'client', client, now)
  if (count < MAX_LIVE_TOKENS || !firstExpiry) return 0
  return Math.ceil((firstExpiry.getTime() - now.getTime()) / 1000)
}

const MAX_LIVE_TOKENS = 10_000

/** Issues a token that depends on no connection. */
export async function issueToken(access: AccessContext, request: TokenRequest, now: Date): Promise<IssuedToken> {
  const issued = await issueLiveToken(access, request, now)
  if (!issued) throw new Error('the connection of a token has ended')
  return issued
}

/** Signs an access token (RFC 9068), and records it. Undefined if the connection that it is for has ended. */
export async function issueLiveToken(
  access: AccessContext,
  request: TokenRequest,
  now: Date,
): Promise<IssuedToken | undefined> {
  const claims = claimsOf(access.audience, request, now)
  const { SignJWT } = await loadJose()
  const { kid, algorithm, key } = await access.signer(now)
  const token = await new SignJWT(claims).setProtectedHeader({ typ: 'at+jwt', alg: algorithm, kid }).sign(await key())
  const { client_id: client, connection, jti, iat, exp, scope, workspace, projects } = claims
  const issuedAt = new Date(iat * 1000)
  const expiresAt = new Date(exp * 1000)
  const record = { jti, client, workspace, scope, issuedAt, expiresAt, projects, connection }
  if (!(await recordToken(access.database, record, now))) return undefined
  access.record({ event: 'token-issued', client, workspace, jti, kid, ...request.actor })
  return { token, jti, workspace, scope, projects: projects ?? null, expiresAt: expiresAt.toISOString() }
}

/** The claims of a new token (RFC 9068 §2.2), and ours: see `readClaims` in `own-issuer.ts`. Undefined ones are left out. */
function claimsOf({ issuer, audience }: AccessContext['audience'], request: TokenRequest, now: Date) {
  const { workspace, client, actor, resource } = request
  const issuedAt = Math.floor(now.getTime() / 1000)
  return {
    iss: issuer,
    aud: resource === undefined ? audience : [audience, resource],
    sub: actor?.subject ?? client,
    client_id: client,
    connection: actor?.connection,
    jti: randomUUID(),
    iat: issuedAt,
    exp: issuedAt + request.lifetimeSeconds,
    scope: SCOPES.filter(each => request.scopes.includes(each)).join(' '),
    workspace,
    projects: request.projects?.map(({ project }) => project),
    instances: request.projects?.map(({ instance }) => instance),
  }
}

export type RequestedScopes = {
  workspace: string
  /** If empty: all scopes. */
  scopes: readonly string[]
  /** If empty: all projects. */
  projects: readonly string[]
}

/** All of it exists in the store. */
export type ScopeSelection = {
  workspace: string
  scopes: readonly Scope[]
  /** If absent: all projects of the workspace. */
  projects?: readonly ProjectInstance[]
}

/** The problem is a message for the user. */
export async function selectScopes(
  database: Database,
  { workspace, scopes, projects }: RequestedScopes,
): Promise<Result<ScopeSelection, string>> {
  if (!isStoredWorkspaceId(workspace) || !(await findWorkspace(database, workspace)))
    return failed(await unknownMessage(database, { workspace }))
  const unknown = scopes.find(scope => !isScope(scope))
  if (unknown !== undefined) return failed(await unknownScope(unknown))
  const instances: ProjectInstance[] = []
  for (const project of new Set(projects)) {
    const record = isProjectId(project) ? await findProject(database, workspace, project) : undefined
    if (!record) return failed(await unknownMessage(database, { workspace, project }))
    instances.push({ project, instance: record.instance })
  }
  const selected = SCOPES.filter(scope => scopes.includes(scope))
  return ok({
    workspace,
    scopes: selected.length > 0 ? selected : SCOPES,
    ...(instances.length > 0 && { projects: instances }),
  })
}

async function unknownScope(scope: string): Promise<string> {
  const { mostSimilar } = await import('#brand/similar.ts') // Only a failure needs it.
  const similar = mostSimilar(scope, SCOPES)
  const suggestion = similar === undefined ? '' : `; did you mean ${quote(similar)}?`
  return `there is no scope ${quote(scope)}: the scopes are ${SCOPES.join(', ')}${suggestion}`
}
