import { listTokens, revokeToken, type TokenRecord } from '../../store/access/tokens.ts'
import { recordChange } from '../../store/catalogue/changes.ts'
import type { Database } from '../../store/database/database.ts'
import type { Audit } from '../../telemetry/access-event.ts'

/** An issued token, as `housestyle token list --json` prints it. */
export type TokenState = {
  jti: string
  client: string
  workspace: string
  /** Separated by spaces. */
  scope: string
  projects: readonly string[] | null
  issuedAt: string
  expiresAt: string
  revokedAt: string | null
  /** The start of the hour of its last use; null if none is recorded. */
  lastUsedAt: string | null
}

/** All issued tokens, newest first. */
export async function tokenStates(database: Database): Promise<TokenState[]> {
  return (await listTokens(database)).map(stateOf)
}

/** Revokes a token in every process; returns undefined if no token with this id was issued. */
export async function revoke(
  database: Database,
  record: Audit,
  jti: string,
  now: Date,
): Promise<TokenState | undefined> {
  const revoked = await database.transaction(async queries => {
    const found = await revokeToken(queries, jti, now)
    if (found) await recordChange(queries, undefined)
    return found
  })
  if (revoked) record({ event: 'token-revoked', jti, client: revoked.client, workspace: revoked.workspace })
  return revoked && stateOf(revoked)
}

function stateOf({
  jti,
  client,
  workspace,
  scope,
  projects,
  issuedAt,
  expiresAt,
  revokedAt,
  lastUsedAt,
}: TokenRecord): TokenState {
  return {
    jti,
    client,
    workspace,
    scope,
    projects: projects ?? null,
    issuedAt: issuedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    revokedAt: revokedAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }
}
