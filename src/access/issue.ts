import { randomUUID } from 'node:crypto'
import type { ProjectId, WorkspaceId } from '../brand/ids.ts'
import { SCOPES, type Scope } from '../contract/operations.ts'
import type { Database } from '../store/database.ts'
import { addToken } from '../store/tokens.ts'
import type { Audience } from './audience.ts'
import { signingKey } from './signing.ts'

/** The longest time that a token may be valid, in seconds. */
export const LONGEST_LIFETIME_SECONDS = 366 * 24 * 3600

/** What a token is to say. */
export type TokenRequest = {
  workspace: WorkspaceId
  scopes: readonly Scope[]
  /** Absent: all projects of the workspace. */
  projects?: readonly ProjectId[]
  /** 1 to `LONGEST_LIFETIME_SECONDS`. */
  lifetimeSeconds: number
  client: string
}

/** A token and what it says, as `housestyle token issue --json` prints it. */
export type IssuedToken = {
  token: string
  jti: string
  workspace: string
  /** Separated by spaces. */
  scope: string
  projects: readonly string[] | null
  expiresAt: string
}

/** Signs an access token (RFC 9068) with the store's current key, and notes it so that it can be revoked. */
export async function issueToken(
  database: Database,
  audience: Audience,
  request: TokenRequest,
  now: Date,
): Promise<IssuedToken> {
  const { SignJWT } = await import('jose')
  const { kid, algorithm, key } = await signingKey(database, now)
  const { workspace, projects, client } = request
  const jti = randomUUID()
  const issuedAt = Math.floor(now.getTime() / 1000)
  const expiresAt = issuedAt + request.lifetimeSeconds
  const scope = SCOPES.filter(each => request.scopes.includes(each)).join(' ')
  const token = await new SignJWT({ client_id: client, scope, workspace, ...(projects && { projects }) })
    .setProtectedHeader({ typ: 'at+jwt', alg: algorithm, kid })
    .setIssuer(audience.issuer)
    .setAudience(audience.audience)
    .setSubject(client)
    .setJti(jti)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(await key())
  const expires = new Date(expiresAt * 1000)
  await database.transaction(queries =>
    addToken(queries, {
      ...{ jti, client, workspace, scope, issuedAt: new Date(issuedAt * 1000), expiresAt: expires },
      ...(projects && { projects }),
    }),
  )
  return { token, jti, workspace, scope, projects: projects ?? null, expiresAt: expires.toISOString() }
}
